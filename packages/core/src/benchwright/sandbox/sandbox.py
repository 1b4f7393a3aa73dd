"""The sandbox: one object for a run, from which gradings, boxes and working folders come."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchwright.records import Evaluation, Limits
from benchwright.sandbox import command, exec_tiers, probe, reading, walls
from benchwright.sandbox.box import Box, Place
from benchwright.sandbox.channel import BrokenChannel, DeadlinePassed
from benchwright.sandbox.command import CommandOutput
from benchwright.sandbox.folder import check_names
from benchwright.sandbox.grading import Grading
from benchwright.sandbox.interface import Fate, SandboxError, SubmissionError
from benchwright.sandbox.launcher import KeeperGone, KeeperProcess, Started
from benchwright.sandbox.verdict import Seen, decide, expected_ids
from benchwright.sandbox.workspace import Workspace

GRADER_SLACK = 60.0
"""Seconds that a grader may take beside the submission's own time."""

_PRELOADED = ("numpy", "torch")


class Sandbox:
    """Where untrusted code runs. Nothing is started until it is needed; any thread may use it.

    `tier`: the walls to use; None finds the best that hold on this machine.
    """

    def __init__(self, *, unsafe: bool = False, tier: str | None = None) -> None:
        self._asked = walls.UNSAFE if unsafe else tier
        self._tier: str | None = None
        self._lock = threading.RLock()
        self._root: str | None = None
        self._keepers: dict[tuple[str, ...], KeeperProcess] = {}
        self._graders: dict[bool, KeeperProcess] = {}
        self._command_keeper: KeeperProcess | None = None
        self._used = False
        self._closed = False

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tier(self) -> str:
        """The walls in force. Raises `NoWalls` where none hold."""
        with self._lock:
            if self._tier is None:
                self._tier = probe.choose(self._asked)
            return self._tier

    @property
    def used(self) -> bool:
        """Whether anything untrusted ran in it."""
        return self._used

    def open(self, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None) -> Box:
        """A box with `files`, whose worker may import `imports`; a context manager.

        Raises `MissingPackage` where a package is not installed.
        """
        names = tuple(sorted(set(imports)))
        place = self._place(names)
        self._used = True
        control = lambda: self._keeper(names).control  # noqa: E731
        return Box(control, place, files, limits or Limits(), lambda: self._replace(names))

    def run_tests(
        self, folder: Path, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> Evaluation:
        """The verdict of a task folder's hidden tests on `files`; see `docs/sandbox.md` for its layout.

        Solved means that every id in `expected_ids.txt` passed exactly once and nothing else ran.
        """
        expected = expected_ids(Path(folder))
        try:
            reading.reading(tuple(sorted(set(imports))))
        except reading.MissingPackage as error:
            return Evaluation("needs_dependency", reason=str(error))
        return decide(expected, self.grade(folder, files, imports=imports, limits=limits))

    def grade(
        self, folder: Path, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> Seen:
        """What the hidden tests of a task folder show of `files`. Raises `SandboxError`."""
        names = tuple(sorted(set(imports)))
        limits = limits or Limits()
        try:
            check_names(files)
        except SubmissionError as error:
            return Seen(touched=True, ended=[[error.outcome, str(error)]])
        grading = Grading(str(Path(folder).resolve()), dict(files), limits, self._place(names), self._cache())
        self._used = True
        for _ in range(2):
            seen = self._grade_once(grading, names)
            if seen.broken and not seen.keeper_gone:
                raise SandboxError(seen.broken)
            if not seen.keeper_gone:
                return seen
            self._replace(names)
        return self._blame(seen, names)

    def _grade_once(self, grading: Grading, names: tuple[str, ...]) -> Seen:
        controls = (self._keeper(names).control, self._commands().control)
        keeper = self._grader("torch" in names)
        deadline = time.monotonic() + grading.limits.seconds + GRADER_SLACK
        order = {"limits": msgspec.to_builtins(Limits(cpu_seconds=3600.0)), "folder": None}
        try:
            started = Started(
                keeper.control, order, deadline=deadline, extra=[c.fileno() for c in controls], arena=False
            )
        except KeeperGone:
            return Seen(keeper_gone=True)
        try:
            started.channel.send(["grade"], [msgspec.msgpack.encode(grading)])
            _, buffers = started.channel.receive()
            return msgspec.msgpack.decode(buffers[0], type=Seen)
        except DeadlinePassed:
            return Seen(touched=True, ended=[["timeout", "the grading did not end in time"]])
        except BrokenChannel:
            fate = started.end("it let go of the channel")
            if fate.keeper_gone:
                return Seen(keeper_gone=True)
            text = started.printed(1 << 16)[0].decode(errors="replace")
            return self._grader_died(fate, text)
        finally:
            started.close()

    def _grader_died(self, fate: Fate, text: str) -> Seen:
        if fate.code is not None:
            # It ended with an error of its own, which is ours to mend.
            raise SandboxError(f"the grader failed: {text.strip()[-1500:] or fate.told()}")
        return Seen(keeper_gone=True)

    def _blame(self, seen: Seen, names: tuple[str, ...]) -> Seen:
        """Twice a process of ours died with this submission: if one lives without it, it was the submission."""
        with self.open({"control.py": b"def one():\n    return 1\n"}, imports=names) as box:
            alone = box.load("control.py").one()
        if alone != 1:
            raise SandboxError("the sandbox's own processes do not stay alive on this machine")
        return Seen(touched=True, ended=[["submission_error", "the grading's processes died of it, twice"]])

    def workspace(
        self, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> Workspace:
        """A working folder with `files` in it; a context manager. Each `python` call is a fresh worker in it."""
        names = tuple(sorted(set(imports)))
        self._used = True
        return Workspace(lambda: self._keeper(names), self._place(names), files, limits or Limits())

    def run_command(
        self,
        argv: Sequence[str],
        folder: Path,
        *,
        read: Sequence[str | Path] = (),
        write: Sequence[str | Path] = (),
        imports: Sequence[str] = (),
        network: bool = False,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        input: bytes = b"",
    ) -> CommandOutput:
        """Runs a program behind the walls, in `folder`, which it may write, as it may `write`.

        It may read the system's programs and libraries, what `read` lists and the packages `imports`,
        and start `limits.processes` further processes (64 where that is 0), which end with it. It
        sees `env` on top of a clean environment, and a network only with `network`. Raises `UserError`
        where there is no such program, `SandboxError` where it could not be started.
        """
        self._used = True
        for last in (False, True):
            try:
                return command.run(
                    self._commands().control,
                    argv,
                    Path(folder),
                    read=read,
                    write=write,
                    imports=imports,
                    network=network,
                    limits=limits or Limits(),
                    env=env or {},
                    given=input,
                )
            except KeeperGone:
                if last:
                    raise
        raise AssertionError("the loop returns or raises")

    def close(self) -> None:
        """Ends every process and removes every folder of this sandbox."""
        with self._lock:
            self._closed = True
            atexit.unregister(self.close)
            others = (self._command_keeper,) if self._command_keeper is not None else ()
            for keeper in (*self._graders.values(), *self._keepers.values(), *others):
                keeper.close()
            self._command_keeper = None
            self._graders.clear()
            self._keepers.clear()
            if self._root is not None:
                shutil.rmtree(self._root, ignore_errors=True)
                self._root = None

    # Parts.

    def _folder(self) -> str:
        with self._lock:
            if self._root is None:
                atexit.register(self.close)
                self._root = os.path.realpath(tempfile.mkdtemp(prefix="benchwright-"))
                for name in ("work", "cache"):
                    os.mkdir(os.path.join(self._root, name), 0o700)
            return self._root

    def _work(self) -> str:
        return os.path.join(self._folder(), "work")

    def _cache(self) -> str:
        return os.path.join(self._folder(), "cache")

    def _place(self, names: tuple[str, ...]) -> Place:
        allowed = reading.reading(names)
        work = self._work()
        return Place(self.tier, work, reading.coarse(allowed.paths, work), names, "torch" in names)

    def _keeper(self, names: tuple[str, ...]) -> KeeperProcess:
        with self._lock:
            keeper = self._keepers.get(names)
            if keeper is not None and keeper.alive():
                return keeper
            if self._closed:
                raise SandboxError("this sandbox is closed")
            _bury(keeper)
            allowed = reading.reading(names)
            own = exec_tiers.own_modules()
            modules = {**own, **{n: (m.origin, list(m.folders)) for n, m in allowed.modules.items()}}
            orders: dict[str, Any] = {
                "modules": modules,
                "tier": self.tier,
                "root": self._work(),
                "reading": allowed.paths,
                "preload": [n for n in _PRELOADED if n in allowed.modules],
                "names": sorted(allowed.modules),
                "allowed": names,
            }
            keeper = self._keepers[names] = KeeperProcess(orders, modules=modules, run="benchwright.sandbox.entry")
            return keeper

    def _grader(self, torch: bool) -> KeeperProcess:
        with self._lock:
            keeper = self._graders.get(torch)
            if keeper is not None and keeper.alive():
                return keeper
            _bury(keeper)
            preload = ["numpy", "torch"] if torch else ["numpy"]
            orders = {"preload": [n for n in preload if reading.importable(n)]}
            keeper = self._graders[torch] = KeeperProcess(orders, modules=None)
            return keeper

    def _replace(self, names: tuple[str, ...]) -> None:
        """Ends the keepers that a grading with these imports used; the next one starts others."""
        with self._lock:
            for keeper in (self._keepers.pop(names, None), self._graders.pop("torch" in names, None)):
                if keeper is not None:
                    keeper.close()

    def _commands(self) -> KeeperProcess:
        with self._lock:
            if self._command_keeper is not None and self._command_keeper.alive():
                return self._command_keeper
            if self._closed:
                raise SandboxError("this sandbox is closed")
            _bury(self._command_keeper)
            modules = exec_tiers.own_modules()
            orders = {"tier": self.tier, "modules": modules, "interpreter": reading.interpreter()}
            self._command_keeper = KeeperProcess(orders, modules=modules, run="benchwright.sandbox.command_entry")
            return self._command_keeper


def _bury(keeper: KeeperProcess | None) -> None:
    """Clears up after a keeper that ended. One that was killed is replaced; one that failed would fail again."""
    if keeper is None:
        return
    complaint = keeper.complaint()
    failed = (keeper.process.returncode or 0) > 0
    keeper.close()
    if failed:
        raise SandboxError(f"a keeper of the sandbox failed: {complaint[-1500:]}")
