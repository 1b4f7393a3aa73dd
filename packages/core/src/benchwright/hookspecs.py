"""The contract between `bench` and a benchmark.

A benchmark is a module named by an entry point of the group `benchwright.plugins`; the entry-point
name is the benchmark's name. It sets `API = 1` and decorates functions of the names below with
`benchwright.hookimpl`. A hook is addressed: it is called on the owner of the task, never on everybody,
unless it says so. No hook has default values: each takes one frozen context, so a new field is no
break, and an implementation that needs none of it may leave the argument out. The hooks of a run may be
called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec
import pluggy

from benchwright.records import (
    Attempt,
    Calibration,
    DoctorRow,
    Evaluation,
    Limits,
    Param,
    Section,
    Submission,
    Task,
    TaskSpec,
    ToolOutput,
    Violation,
)

if TYPE_CHECKING:
    import click

    from benchwright.sandbox.command import CommandOutput

PROJECT = "benchwright"
GROUP = "benchwright.plugins"
API_VERSION = 1

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


# What a benchmark sees of the sandbox. Made by `benchwright.sandbox`.


class Box(Protocol):
    """A fresh jailed worker that holds one submission's files."""

    SubmissionError: type[Exception]
    """Raised for whatever the submission raises or breaks; carries type name, message and traceback text."""

    def load(self, file: str) -> Any:
        """A proxy of the module in `file`: its functions and classes can be called from here."""

    def batch(self, function: Any, arguments: Iterable[Sequence[Any]]) -> list[Any]:
        """`[function(*a) for a in arguments]` in one round trip."""

    def drive(self, source: str, /, function: str = "drive", **inputs: Any) -> Any:
        """Runs trusted source in a fresh worker: `function(**inputs)` of it; gives its plain return value."""

    def printed(self) -> str:
        """What the submission wrote to standard output and error so far, cut at the limit with a mark."""


class Workspace(Protocol):
    """The working folder of the `tools` protocol; files stay between passes."""

    def python(self, code: str) -> ToolOutput:
        """Runs one block of Python in a fresh jailed process in this folder."""

    def files(self) -> dict[str, bytes]:
        """What lies in the folder now: relative name -> content."""


class Sandbox(Protocol):
    """Where untrusted code runs."""

    @property
    def tier(self) -> str:
        """The walls in force, for example `namespaces+landlock+seccomp`, or `unsafe`."""

    def open(
        self, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> AbstractContextManager[Box]:
        """A fresh worker with `files` in its folder, allowed to import `imports`."""

    def run_tests(
        self, folder: Path, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> Evaluation:
        """The hidden pytest tests of a task folder here, the submission in a worker; every expected id exactly once."""

    def workspace(
        self, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> AbstractContextManager[Workspace]:
        """A working folder with `files` in it, for the `tools` protocol."""

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
        """A program behind the walls (a compiler, say), working in `folder`; see `benchwright.sandbox.command`."""


# One context a hook.


class ListTasks(msgspec.Struct, frozen=True):
    """`params`: the benchmark's parameters, defaults filled in."""

    params: dict[str, Any]


class LoadTask(msgspec.Struct, frozen=True):
    """`id`: the task; `params`: as for `list_tasks`; `data`: the folder that `bench data fetch` fills."""

    id: str
    params: dict[str, Any]
    data: Path


class CheckRules(msgspec.Struct, frozen=True):
    """`sandbox`: for rules that have to run the submission."""

    spec: TaskSpec
    task: Task
    submission: Submission
    sandbox: Sandbox


class Evaluate(msgspec.Struct, frozen=True):
    """`split`: `test` for the verdict; `development` for the report of the `revise` protocol."""

    spec: TaskSpec
    task: Task
    submission: Submission
    sandbox: Sandbox
    limits: Limits
    data: Path
    split: Literal["test", "development"] = "test"


class Validate(msgspec.Struct, frozen=True):
    """`task`: loaded; reference and starter have been graded when this is asked."""

    spec: TaskSpec
    task: Task
    sandbox: Sandbox
    data: Path


class Calibrate(msgspec.Struct, frozen=True):
    """`attempts`: every attempt at `spec`'s task that is on record, of all models."""

    spec: TaskSpec
    attempts: tuple[Attempt, ...]


class Report(msgspec.Struct, frozen=True):
    """`attempts`: all those of `suite`."""

    suite: str
    attempts: tuple[Attempt, ...]


class Hooks:
    """The hooks, in the order in which a run meets them."""

    # Listing: cheap, no heavy import.

    @hookspec
    def list_params(self) -> Iterable[Param]:  # type: ignore[empty-body]
        """The benchmark's parameters, with types, defaults and bounds."""

    @hookspec
    def list_tasks(self, ctx: ListTasks) -> Iterable[TaskSpec]:  # type: ignore[empty-body]
        """Every task, in a fixed order."""

    @hookspec
    def register_models(self, register: Callable[..., None]) -> None:
        """Asked of every plugin. `register("provider", factory)`; see `benchwright.models.interface`."""

    @hookspec
    def register_commands(self, cli: click.Group) -> None:
        """Asked of every plugin. Adds commands to `bench`; imports what they need inside them."""

    @hookspec
    def check_machine(self) -> list[DoctorRow]:  # type: ignore[empty-body]
        """Asked of every plugin by `bench doctor`: what it found of the programs it needs, a row each with the remedy."""

    # A run.

    @hookspec
    def load_task(self, ctx: LoadTask) -> Task:  # type: ignore[empty-body]
        """Asked of the owner: the task with its messages, limits, starter and private values."""

    @hookspec
    def check_rules(self, ctx: CheckRules) -> list[Violation]:  # type: ignore[empty-body]
        """Asked of the owner: each rule the submission breaks. One violation ends in `rule_violation`."""

    @hookspec
    def evaluate(self, ctx: Evaluate) -> Evaluation:  # type: ignore[empty-body]
        """Asked of the owner: the verdict."""

    # Afterwards.

    @hookspec
    def validate(self, ctx: Validate) -> list[str]:  # type: ignore[empty-body]
        """Asked of the owner by `bench validate`: what is wrong with the task beyond reference and starter, a sentence each."""

    @hookspec
    def calibrate(self, ctx: Calibrate) -> Calibration:  # type: ignore[empty-body]
        """Asked of the owner: what the task measures now. Silent: from counts."""

    @hookspec
    def report(self, ctx: Report) -> list[Section]:  # type: ignore[empty-body]
        """Asked of every plugin: sections for a report on these attempts. Others may note, never decide."""
