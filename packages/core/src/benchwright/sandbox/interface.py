"""What the sandbox raises, and what it tells of a worker's end."""

from __future__ import annotations

import builtins
from functools import lru_cache
from typing import Any

import msgspec

from benchwright.errors import BenchError
from benchwright.records import Evaluation


class SandboxError(BenchError):
    """The sandbox itself failed: no wall held, a process of ours died. Never the submission's doing."""


class NoWalls(SandboxError):
    """No tier is available on this machine, with why; `--unsafe` runs without walls."""

    exit_code = 2


class SubmissionError(Exception):
    """Whatever a submission raises or breaks.

    A built-in exception that the submission raised is also caught by its own name: what comes out of
    `raise ValueError` in a worker is a `SubmissionError` and a `ValueError`. Exceptions that could
    change a verdict (`SystemExit`, `AssertionError`, `StopIteration` and all that are no `Exception`)
    are `SubmissionError` only.
    """

    outcome = "submission_error"
    """The outcome that an attempt ends in when nothing catches this."""

    type_name: str = ""
    """The class's own name in the worker."""

    traceback_text: str = ""
    """The traceback there, as text."""

    def evaluation(self) -> Evaluation:
        """The verdict of an attempt that ended in this error."""
        name = f"{self.type_name}: " if self.type_name else ""
        return Evaluation(self.outcome, 0.0, reason=f"{name}{self}"[:500])


class InputChanged(SubmissionError):
    """The submission wrote into what it was handed, in a test that says that it may not."""


class WorkerEnded(SubmissionError):
    """The worker ended, or said what no honest worker says; it can answer nothing more."""


class SubmissionTimeout(WorkerEnded):
    """The submission ran past its time limit."""

    outcome = "timeout"


class ResourceLimit(WorkerEnded):
    """The submission ran past a limit on memory, disk, files or output."""

    outcome = "resource_limit"


class Fate(msgspec.Struct):
    """How a worker ended. `why`: `wall`, `cpu`, `disk`, `files`, `memory`, or None where it ended by itself."""

    code: int | None = None
    signal: int = 0
    cpu: float = 0.0
    peak_kb: int = 0
    why: str | None = None
    pid: int | None = None
    error: str = ""
    known: bool = False
    """False where its keeper did not tell."""
    keeper_gone: bool = False
    """Whether its keeper died before it could tell."""

    def told(self) -> str:
        """In words."""
        reasons = {
            "wall": "ran past its time limit",
            "cpu": "ran past its limit of CPU time",
            "disk": "wrote more than it may",
            "files": "left more files than it may",
            "memory": "used more memory than it may",
            "processes": "started more processes than it may",
        }
        if self.why in reasons:
            return reasons[self.why]
        if self.keeper_gone:
            return "ended because the sandbox's own process ended"
        if self.signal:
            return f"ended by signal {self.signal}"
        return f"ended by itself with status {self.code}" if self.known else "ended"


OUTCOME_OF = {
    "wall": SubmissionTimeout,
    "cpu": SubmissionTimeout,
    **dict.fromkeys(("disk", "files", "memory", "processes"), ResourceLimit),
}

_NOT_BY_NAME = {"AssertionError", "StopIteration", "StopAsyncIteration"}


@lru_cache(maxsize=256)
def raised_as(name: str) -> type[SubmissionError]:
    """The class that stands here for a built-in exception `name` of the worker."""
    built_in = getattr(builtins, name, None)
    if name in _NOT_BY_NAME or not isinstance(built_in, type) or not issubclass(built_in, Exception):
        return SubmissionError
    made = type(name, (SubmissionError, built_in), {"__module__": __name__, "__init__": _plain_init, "__str__": _text})
    try:
        made("a message")
    except TypeError:
        # A group of exceptions is made from exceptions, and what the worker tells is a message.
        return SubmissionError
    return made


def _plain_init(self: Any, *arguments: Any) -> None:
    # Some built-in exceptions want arguments of their own; these carry a message.
    Exception.__init__(self, *arguments)


def _text(self: Any) -> str:
    return str(self.args[0]) if self.args else ""
