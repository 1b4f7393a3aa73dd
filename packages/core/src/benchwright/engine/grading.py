"""Rules, then the verdict: the owner's hooks on one submission, with what the sandbox was used for on record."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchwright import folders
from benchwright.engine.plan import Place
from benchwright.errors import UserError
from benchwright.hookspecs import Box, CheckRules, Evaluate, Sandbox, Workspace
from benchwright.journal import submissions
from benchwright.outcomes import OUTCOMES
from benchwright.plugins import Plugins
from benchwright.records import Evaluation, Limits, Submission, Violation
from benchwright.sandbox import NoWalls, SubmissionError

NOT_NEEDED = "not-needed"
Verdict = tuple[Evaluation, list[Violation]]


class SeenSandbox:
    """A view of the sandbox for one attempt, which knows whether anything untrusted ran."""

    def __init__(self, opened: Callable[[], Sandbox]) -> None:
        self._opened = opened
        self.used = False
        self.folders: list[Path] = []
        """The task folders whose hidden tests were run."""

    @property
    def tier(self) -> str:
        """The walls in force."""
        return self._opened().tier

    def open(
        self, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> AbstractContextManager[Box]:
        """See `hookspecs.Sandbox.open`."""
        return self._use().open(files, imports=imports, limits=limits)

    def run_tests(
        self, folder: Path, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> Evaluation:
        """See `hookspecs.Sandbox.run_tests`."""
        self.folders.append(Path(folder))
        return self._use().run_tests(folder, files, imports=imports, limits=limits)

    def workspace(
        self, files: Mapping[str, bytes], *, imports: Sequence[str] = (), limits: Limits | None = None
    ) -> AbstractContextManager[Workspace]:
        """See `hookspecs.Sandbox.workspace`."""
        return self._use().workspace(files, imports=imports, limits=limits)

    def _use(self) -> Sandbox:
        sandbox = self._opened()
        self.used = True
        return sandbox

    def __getattr__(self, name: str) -> Any:
        """Whatever else a sandbox offers; asking for it counts as use."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._use(), name)

    @property
    def isolation(self) -> str:
        """The tier that goes on record for the attempt."""
        return self.tier if self.used else NOT_NEEDED


class Graded(msgspec.Struct, frozen=True):
    """A verdict with what it took."""

    evaluation: Evaluation
    violations: list[Violation]
    seconds: float
    trace: str = ""
    """The traceback, where the harness or the benchmark failed."""


def _again_after_system_error(work: Callable[[], Verdict]) -> Verdict:
    """What `work` gives, tried again where the interpreter itself failed.

    Seen with CPython 3.11.7 while gradings ran side by side: `ast.parse` raised SystemError ("AST constructor recursion
    depth mismatch") for a file that it had read before. That says nothing about a submission, and passes.
    """
    for _ in range(_MORE_TRIES):
        try:
            return work()
        except SystemError:
            continue
    return work()


_MORE_TRIES = 4


class Grader:
    """Calls the owner's hooks. Its methods may be called from several threads."""

    def __init__(self, plugins: Plugins, opened: Callable[[], Sandbox]) -> None:
        self._plugins = plugins
        self._opened = opened
        self._data = folders.data()

    def sandbox(self) -> SeenSandbox:
        """A view for one attempt."""
        return SeenSandbox(self._opened)

    def grade(self, place: Place, submission: Submission, sandbox: SeenSandbox) -> Graded:
        """The verdict on the test split. Never raises for what a benchmark does; UserError passes (no walls here)."""
        return self._timed(lambda: self._rules_then_verdict(place, submission, sandbox))

    def development(self, place: Place, submission: Submission, sandbox: SeenSandbox) -> Graded:
        """The evaluation on the development split, whose `feedback` a reviser gets."""
        return self._timed(lambda: (self._evaluate(place, submission, sandbox, "development"), []))

    def _timed(self, work: Callable[[], tuple[Evaluation, list[Violation]]]) -> Graded:
        started = time.perf_counter()
        try:
            evaluation, violations = _again_after_system_error(work)
            submissions.refuse_unwritable(evaluation, violations)
            trace = ""
        except (UserError, NoWalls):
            raise
        except SubmissionError as error:
            evaluation, violations, trace = error.evaluation(), [], ""
        except Exception as error:  # noqa: BLE001  a benchmark's defect is an outcome, never the end of a run
            reason = f"{type(error).__name__}: {error}"
            evaluation, violations, trace = Evaluation("harness_error", reason=reason), [], traceback.format_exc()
        return Graded(evaluation, violations, time.perf_counter() - started, trace)

    def _rules_then_verdict(
        self, place: Place, submission: Submission, sandbox: SeenSandbox
    ) -> tuple[Evaluation, list[Violation]]:
        assert place.task is not None
        owner = self._plugins.owner(place.spec.id).name
        context = CheckRules(place.spec, place.task, submission, sandbox)
        violations = list(self._plugins.call(owner, "check_rules", context) or ())
        if violations:
            first = violations[0]
            more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
            reason = f"rule {first.rule}, {first.where}: {first.why}{more}"
            return Evaluation("rule_violation", 0.0, reason=reason), violations
        return self._evaluate(place, submission, sandbox, "test"), []

    def _evaluate(
        self, place: Place, submission: Submission, sandbox: SeenSandbox, split: Literal["test", "development"]
    ) -> Evaluation:
        assert place.task is not None
        owner = self._plugins.owner(place.spec.id)
        context = Evaluate(place.spec, place.task, submission, sandbox, place.task.limits, self._data, split)
        evaluation = self._plugins.call(owner.name, "evaluate", context)
        if not isinstance(evaluation, Evaluation):
            gave = "nothing" if evaluation is None else f"a value of type {type(evaluation).__name__}"
            raise TypeError(
                f"{owner.distribution} {owner.version} gave {gave} for `{place.spec.id}`; its hook `evaluate` gives an Evaluation"
            )
        if evaluation.outcome not in OUTCOMES:
            raise TypeError(
                f"{owner.distribution} {owner.version} gave no verdict on `{place.spec.id}` but {evaluation.outcome!r}; "
                f"an outcome is one of {', '.join(OUTCOMES)}"
            )
        evidence = OUTCOMES[evaluation.outcome].evidence != "none"
        if evidence and evaluation.score is None:
            score = 1.0 if evaluation.outcome == "solved" else 0.0
            return msgspec.structs.replace(evaluation, score=score)
        if not evidence and evaluation.score is not None:
            return msgspec.structs.replace(evaluation, score=None)
        return evaluation
