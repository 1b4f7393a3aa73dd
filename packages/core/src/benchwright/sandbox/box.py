"""A box: one submission's files, and a fresh worker behind walls that has them in its folder."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from benchwright.records import Limits
from benchwright.sandbox import proxy, wire
from benchwright.sandbox.folder import check_names, make_folder, remove
from benchwright.sandbox.interface import SandboxError, SubmissionError, SubmissionTimeout, WorkerEnded
from benchwright.sandbox.launcher import KeeperGone, Started
from benchwright.sandbox.session import Session


class Place(msgspec.Struct, frozen=True):
    """Where workers come from: what a grader needs to know to start some itself."""

    tier: str
    root: str
    reading: tuple[str, ...]
    imports: tuple[str, ...]
    torch: bool


class Box:
    """A submission behind walls, for one grading. Not for use from two threads at once.

    Its worker is started when the first module is loaded. `close()` ends every worker it started and
    removes their folders.
    """

    SubmissionError = SubmissionError

    def __init__(
        self,
        control: Callable[[], socket.socket],
        place: Place,
        files: Mapping[str, bytes],
        limits: Limits,
        replace: Callable[[], None] = lambda: None,
    ) -> None:
        """`control()` gives the socket of a keeper that runs; `replace()` makes it another keeper, where it can."""
        self.control = control
        self.replace = replace
        self.place = place
        self.files = files
        self.limits = limits
        self.budget = msgspec.to_builtins(limits)
        self.deadline: float | None = None
        """When the grading has to be over; set when its first worker is ready, which is when it begins."""
        self.workers: list[tuple[Started, Session, str]] = []
        self.modules: dict[str, proxy.Module] = {}
        self.main: Session | None = None
        self.ended: list[WorkerEnded] = []
        """How workers of this box ended that should not have."""
        self.limits_met: set[str] = set()
        self.keeper_gone = False
        self.broken = ""
        """Why the sandbox failed, where it did."""
        self.kept_output = b""
        self.calls = 0
        self.inputs_unchanged = False
        check_names(files)

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, file: str) -> Any:
        """A proxy of the module in `file`. Raises `SubmissionError` where it cannot be imported."""
        if file not in self.files:
            raise SubmissionError(f"the submission has no file {file!r}")
        if file not in self.modules:
            self.modules[file] = proxy.Module(file, self._load)
        return self.modules[file]

    def keep_inputs(self, unchanged: bool) -> None:
        """From now on a call or driver whose arrays or tensors were written into raises `InputChanged`, or no longer."""
        self.inputs_unchanged = unchanged
        if self.main is not None:
            self.main.inputs_unchanged = unchanged

    def batch(self, function: Any, arguments: Iterable[Sequence[Any]]) -> list[Any]:
        """`[function(*a) for a in arguments]` in one round trip; changes of arguments are written back."""
        if isinstance(function, proxy.Function):
            session, number = function._module._bound()
            target = [number, function.__name__]
        elif isinstance(function, proxy.Method):
            session, target = function._session, function._target
        elif isinstance(function, proxy.Handle):
            session, target = function._session, [function._number]
        else:
            raise TypeError(f"batch calls a function of the submission, not {type(function).__name__}")
        calls = [tuple(a) for a in arguments]
        found = session.call("batch", target, calls, {})
        if type(found) is not list or len(found) != len(calls):
            raise session.broken("another number of results than calls")
        return found

    def drive(self, source: str, /, function: str = "drive", **inputs: Any) -> Any:
        """Runs trusted source in a fresh worker: calls its `function(**inputs)` and gives the plain value.

        The source can import the submission's files by name. The submission can see it, so it holds no
        expected value.
        """
        session = self._start()
        torch = wire._loaded("torch") if self.place.torch else None
        encoder = wire.Encoder(session.hand_over)
        tree = encoder.tree(inputs)
        payload: list[Any] = [None, None, None, True]
        if torch is not None:
            session.add_random_state(torch, payload, encoder)
        # A driver works on copies of its own: what it changes is told only where nothing may be changed.
        request = [source, function, tree, payload[2], self.inputs_unchanged]
        answer, got = session.ask("drive", request, encoder.buffers)
        try:
            if not self.inputs_unchanged:
                answer[2:3] = [[]]
            return session.returned(answer, got, encoder.arrays, wire.Decoder(got, session.take))
        finally:
            self._finish(session)

    def printed(self) -> str:
        """What the submission wrote to standard output and error, cut at the limit with a mark."""
        limit = self.limits.output_kb << 10
        text = self.kept_output + b"".join(started.printed(limit + 1)[0] for started, _, _ in self.workers)
        return marked(text[:limit], len(text) > limit, limit)

    def alive(self) -> bool:
        """Whether the worker that serves the modules can answer."""
        return self.main is None or self.main.dead is None

    def renew(self) -> None:
        """Lets the next use of a module start a fresh worker."""
        if self.main is not None:
            self._finish(self.main)
        self.main = None
        for module in self.modules.values():
            module._let_go()

    def finish(self) -> None:
        """Ends all workers, waits until they are gone, and removes their folders; what is known of them stays."""
        for _, session, _ in tuple(self.workers):
            self._finish(session)

    close = finish

    def _load(self, file: str) -> tuple[Session, list[Any]]:
        if self.main is None:
            self.main = self._start()
        session = self.main
        answer, _ = session.ask("load", [file])
        try:
            return session, list(proxy.described(answer))
        except (ValueError, TypeError) as error:
            raise session.broken(error) from None

    def _start(self) -> Session:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise SubmissionTimeout("the submission's time was over before this")
        try:
            try:
                return self._start_once()
            except KeeperGone:
                # Killed or stopped from outside, perhaps; the next one is as clean.
                self.replace()
                return self._start_once()
        except (SandboxError, OSError) as error:
            # The sandbox's failure, wherever a test may catch it.
            self.keeper_gone = self.keeper_gone or isinstance(error, KeeperGone)
            self.broken = self.broken or f"a worker could not be started: {error}"
            raise

    def _start_once(self) -> Session:
        folder = make_folder(self.place.root, self.files)
        order = {"limits": self.budget, "folder": folder, "reading": self.place.reading}
        try:
            latest = self.deadline or time.monotonic() + self.limits.seconds
            started = Started(self.control(), order, deadline=latest)
            started.wait_ready()
            if self.deadline is None:
                self.deadline = started.channel.deadline = time.monotonic() + self.limits.seconds
        except BaseException:
            remove(folder)
            raise
        session = Session(started.channel, started.end, share_random_state=self.place.torch)
        session.classes = proxy.Classes(session)
        session.inputs_unchanged = self.inputs_unchanged
        self.workers.append((started, session, folder))
        return session

    def _finish(self, session: Session) -> None:
        """Ends a worker, waits until it is gone, and removes its folder."""
        for entry in tuple(self.workers):
            if entry[1] is session:
                started, _, folder = entry
                self._note(session)
                session.dead = session.dead or WorkerEnded("the grading is over")
                limit = self.limits.output_kb << 10
                if len(self.kept_output) <= limit:
                    self.kept_output += started.printed(limit + 1)[0]
                started.close()
                remove(folder)
                self.workers.remove(entry)

    def _note(self, session: Session) -> None:
        self.limits_met |= session.limits_met
        self.calls += session.calls
        session.calls = 0
        if session.dead is not None:
            self.ended.append(session.dead)
        self.keeper_gone = self.keeper_gone or session.keeper_gone


def marked(data: bytes, cut: bool, limit: int) -> str:
    """Output as text, with a mark where it was cut."""
    text = data.decode("utf-8", "backslashreplace")
    return f"{text}\n[output cut after {limit} bytes]\n" if cut else text
