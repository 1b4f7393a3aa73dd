"""`reference` and `starter`: the two controls. One hands in each task's reference, the other what a task starts from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchwright.errors import ModelError, UserError
from benchwright.models.interface import Ask
from benchwright.records import Reply, Submission, Task, TaskSpec


def reference_of(spec: TaskSpec, task: Task) -> Submission:
    """The submission that solves the task. Raises ModelError where the benchmark ships none."""
    if task.reference is not None:
        return task.reference
    given = task.private.get("reference")
    if isinstance(given, Submission):
        return given
    if given is not None and spec.submission == "json":
        return Submission("json", answer=given)
    raise ModelError(f"`{spec.id}` ships no reference.", "harness_error")


def starter_of(spec: TaskSpec, task: Task) -> Submission:
    """What a person starts from: the task's starter, or an empty answer where it has none."""
    if task.starter is not None:
        return task.starter
    if spec.submission == "json":
        return Submission("json", answer={})
    return Submission(spec.submission, files={spec.file or "empty.py": b"\n"})


class Control:
    """Answers every turn with the same submission, taken from the task itself."""

    paid = False
    fixed = True

    def __init__(self, identity: str, submission_of: Callable[[TaskSpec, Task], Submission]) -> None:
        self.identity = identity
        self.settings: Mapping[str, Any] = {}
        self._submission_of = submission_of

    async def reply(self, ask: Ask) -> Reply:
        """The control's submission."""
        return Reply("", submission=self._submission_of(ask.spec, ask.task), calls=0)

    async def close(self) -> None:
        """Nothing is held."""


def reference(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Control:
    """Factory of `reference`."""
    _bare("reference", argument, knobs)
    return Control("reference", reference_of)


def starter(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Control:
    """Factory of `starter`."""
    _bare("starter", argument, knobs)
    return Control("starter", starter_of)


def _bare(name: str, argument: str, knobs: Mapping[str, str]) -> None:
    if argument or knobs:
        raise UserError(f"The model `{name}` takes nothing behind its name.")
