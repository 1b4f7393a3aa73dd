"""What benchmarks do, in threads: so many at once, each with an end, none of which can hold the process."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

from benchwright.bounds import Overdue


class Threads:
    """Runs work in threads, `side_by_side` at once.

    A thread cannot be ended from outside. Work that is overdue gives its place to the next and goes on as a daemon,
    which the interpreter does not wait for when it ends; a pool of `concurrent.futures` would.
    """

    def __init__(self, side_by_side: int) -> None:
        self.side_by_side = side_by_side
        self._gate = asyncio.Semaphore(side_by_side)

    async def run(self, work: Callable[[], Any], seconds: float | None = None) -> Any:
        """What `work` gives, or raises. Raises Overdue after `seconds`, counted from when it begins, not from its queueing."""
        async with self._gate:
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[Any] = loop.create_future()

            def settle(given: Any, error: BaseException | None) -> None:
                if ended.done():
                    return  # nobody waits any more
                if error is None:
                    ended.set_result(given)
                else:
                    ended.set_exception(error)

            def body() -> None:
                given, failed = None, None
                try:
                    given = work()
                except BaseException as error:  # noqa: BLE001  handed to the one who waits
                    failed = error
                with contextlib.suppress(RuntimeError):  # the loop has ended: so has everybody who could wait
                    loop.call_soon_threadsafe(settle, given, failed)

            threading.Thread(target=body, name="grading", daemon=True).start()
            try:
                return await asyncio.wait_for(ended, seconds)
            except TimeoutError:
                if not ended.cancelled():
                    raise  # the work's own
                assert seconds is not None
                raise Overdue(seconds) from None
