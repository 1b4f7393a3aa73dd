"""`person` or `person:NAME`: shows the prompt, takes a file. The benchmark is for people too.

On record: who, how long it took, and that nothing was run for the answer but what the person ran.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright import given
from benchwright.errors import BenchError, ModelError, UserError
from benchwright.models import hosted
from benchwright.models.guard import NoMoreCalls, Stopped, guard, settle
from benchwright.models.interface import Ask
from benchwright.records import Reply, Submission, TaskSpec

PROVIDER = "person"
GIVE_UP = "give up"
LARGEST = 64 * 2**20
"""Bytes of a file that is read."""


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Person:
    """A person at this terminal. Raises UserError where nobody sits at one."""
    if not options.get("dry_run") and not sys.stdin.isatty():
        raise UserError(
            "The person provider asks at a terminal, and standard input is none; `bench score TASK FILE` grades a file."
        )
    return Person(argument)


class Person:
    """Asks on standard error, so that machine output on standard output stays clean; reads from standard input."""

    paid = False

    def __init__(self, name: str) -> None:
        self.identity = f"{PROVIDER}:{name}" if name else PROVIDER
        self.settings: dict[str, Any] = {"tools": "none of ours"}
        self._turn: asyncio.Lock | None = None

    async def reply(self, ask: Ask) -> Reply:
        """The file that the person names. Raises ModelError where the person gives up."""
        if self._turn is None:
            self._turn = asyncio.Lock()
        async with self._turn:  # one question at a time
            halt = guard().halt
            if halt.halted:
                raise Stopped("the run stopped before the question was put", reply=Reply("", calls=0))
            loop = asyncio.get_running_loop()
            answered: asyncio.Future[bool] = loop.create_future()
            given: list[Reply | Exception] = []

            def body() -> None:
                try:
                    given.append(self._ask(ask))
                except Exception as error:  # noqa: BLE001  handed to the one who waits
                    given.append(error)
                with contextlib.suppress(RuntimeError):  # the loop has ended: so has everybody who could wait
                    loop.call_soon_threadsafe(settle, answered, True)

            # A daemon: nothing ends a thread that reads a terminal, and nobody is to wait for it after Ctrl-C.
            threading.Thread(target=body, name="person", daemon=True).start()
            try:
                await halt.until(answered)
            except NoMoreCalls:
                raise Stopped("the run stopped before an answer was given", reply=Reply("", calls=0)) from None
            if isinstance(given[0], Exception):
                raise given[0]
            return given[0]

    def _ask(self, ask: Ask) -> Reply:
        path = ask.folder / f"turn-{ask.turn:02d}" / "prompt.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = question(ask)
        path.write_text(text, encoding="utf-8", errors="replace")
        what = f"`{ask.spec.file}`" if ask.spec.file else "your reply"
        _say(f"\n{'=' * 72}\n{ask.spec.id}: {ask.spec.title}\n{'=' * 72}\n{text}\n{'-' * 72}\n")
        _say(f"The prompt is also in {path}. Path of the file with {what}, or `{GIVE_UP}`:\n")
        began = time.monotonic()
        while True:
            _say("> ")
            line = sys.stdin.readline()
            if not line or line.strip() == GIVE_UP:
                raise ModelError("the person gave up", "no_submission", Reply("", calls=0, seconds=_since(began)))
            if not line.strip():
                _say(f"The line is empty: type the path of a file, or `{GIVE_UP}`.\n")
                continue
            try:
                return take(ask.spec, Path(line.strip()).expanduser(), _since(began))
            except BenchError as error:
                _say(f"{error}\n")

    async def close(self) -> None:
        """Nothing to give back."""


def question(ask: Ask) -> str:
    """What the person reads: the system line and the conversation."""
    parts = [ask.system] if ask.system else []
    marked = len(ask.messages) > 1
    parts += [
        f"[{message.role}]\n{hosted.text_of(message)}" if marked else hosted.text_of(message)
        for message in ask.messages
    ]
    return "\n\n".join(parts) + "\n"


def take(spec: TaskSpec, path: Path, seconds: float) -> Reply:
    """The reply that a file is: the task's one file, or a text that is read as any reply is. Raises UserError."""
    data = given.read(path, LARGEST)
    event = {"type": "person", "file": path.name, "seconds": seconds, "tools": "none of ours"}
    if spec.file and path.suffix == Path(spec.file).suffix:
        submission = Submission(spec.submission, files={spec.file: data})
        return Reply("", submission=submission, events=(event,), calls=0, seconds=seconds)
    try:
        return Reply(data.decode(), events=(event,), calls=0, seconds=seconds)
    except UnicodeDecodeError:
        raise UserError(f"{path} is not UTF-8.") from None


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
