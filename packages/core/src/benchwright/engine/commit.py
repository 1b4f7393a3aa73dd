"""Lines of finished attempts, written in groups: one write and one fsync for all that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from benchwright.journal import RunFolder
from benchwright.records import Attempt


class Committer:
    """`commit` returns when the attempt's line is on disk."""

    def __init__(self, folder: RunFolder, in_thread: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        self._folder = folder
        self._in_thread = in_thread
        self._waiting: list[tuple[Attempt, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def commit(self, attempt: Attempt) -> None:
        """Raises UserError where the line cannot be written; the run folder is then as it was before."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((attempt, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await asyncio.shield(done)

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            attempts = [attempt for attempt, _ in group]
            try:
                await self._in_thread(lambda attempts=attempts: self._folder.append(attempts))  # type: ignore[misc]
            except BaseException as error:  # noqa: BLE001  told to every attempt that waits
                for _, done in group:
                    if not done.done():
                        done.set_exception(error)
                        done.exception()  # seen: whoever waited may have been called off by the first error
                continue
            for _, done in group:
                if not done.done():
                    done.set_result(None)

    async def finish(self) -> None:
        """Waits for lines that are being written."""
        if self._writer is not None:
            await asyncio.wait([self._writer])
