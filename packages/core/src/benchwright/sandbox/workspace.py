"""The working folder of the `tools` protocol: each pass is a fresh worker, the files stay."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from benchwright.records import Limits, ToolOutput
from benchwright.sandbox.box import Place, marked
from benchwright.sandbox.folder import check_names, make_folder, remove
from benchwright.sandbox.interface import SubmissionError, SubmissionTimeout, WorkerEnded
from benchwright.sandbox.launcher import KeeperGone, KeeperProcess, Started
from benchwright.sandbox.session import Session


class Workspace:
    """One attempt's folder. `close()` removes it."""

    def __init__(
        self, keeper: Callable[[], KeeperProcess], place: Place, files: Mapping[str, bytes], limits: Limits
    ) -> None:
        check_names(files)
        self.keeper = keeper
        self.place = place
        self.limits = limits
        self.folder = make_folder(place.root, files)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def python(self, code: str) -> ToolOutput:
        """Runs one block of Python in a fresh worker in the folder; its output, errors included.

        Ends after `pass_seconds`; the text is cut at `output_kb` with a mark.
        """
        began = time.perf_counter()
        try:
            started = self._start()
        except KeeperGone:
            started = self._start()
        try:
            session = Session(started.channel, started.end)
            status: Literal["ok", "error", "timeout", "resource_limit"]
            try:
                # What is no text Python refuses, and so does the wire: it refuses it there.
                answer, _ = session.ask("script", [code.encode(errors="backslashreplace").decode()])
                status = "ok" if answer == ["script", 0] else "error"
                told = ""
            except WorkerEnded as error:
                status = "timeout" if isinstance(error, SubmissionTimeout) else _ended(error)
                told = f"\n[the process {started.fate.told()}]\n"
            except SubmissionError as error:
                # The pass took the streams or the code apart that would have told how it ended.
                status, told = "error", f"\n[the pass did not end well: {error}]\n"
            limit = self.limits.output_kb << 10
            data, cut = started.printed(limit)
        finally:
            started.close()
        return ToolOutput(marked(data, cut, limit) + told, status, time.perf_counter() - began, cut)

    def files(self) -> dict[str, bytes]:
        """What lies in the folder now: relative name -> content. No links, unprintable names, closed files."""
        root = Path(self.folder)
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
            and not path.is_symlink()
            and str(path.relative_to(root)).isprintable()
            and os.access(path, os.R_OK)
        }

    def close(self) -> None:
        """Removes the folder."""
        remove(self.folder)

    def _start(self) -> Started:
        order = {
            "limits": msgspec.to_builtins(self.limits),
            "folder": self.folder,
            "reading": self.place.reading,
        }
        started = Started(self.keeper().control, order, deadline=time.monotonic() + self.limits.pass_seconds)
        started.wait_ready()
        # A pass begins when its worker is ready.
        started.channel.deadline = time.monotonic() + self.limits.pass_seconds
        return started


def _ended(error: WorkerEnded) -> Literal["error", "resource_limit"]:
    return "resource_limit" if error.outcome == "resource_limit" else "error"
