"""The one table of outcomes. Labels, rates, colours and exit codes derive from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

Evidence = Literal["success", "failure", "none"]


class Outcome(msgspec.Struct, frozen=True):
    """How an attempt ended and what that says about the model.

    `evidence` is "success" or "failure" where the attempt measures the model, and "none" where it
    does not: such an attempt leaves every numerator and denominator, and is counted and shown.
    """

    name: str
    evidence: Evidence
    label: str
    meaning: str
    colour: str
    ours: bool = False
    """True where the harness or the provider failed: a run left with one ends with exit code 1."""


_TABLE = (
    Outcome("solved", "success", "solved", "every check passed", "green"),
    Outcome("unsolved", "failure", "unsolved", "graded, and at least one check failed", "red"),
    Outcome("no_submission", "failure", "no submission", "the reply held no readable submission", "red"),
    Outcome("rule_violation", "failure", "refused by a rule", "the submission breaks a rule of the task", "red"),
    Outcome("submission_error", "failure", "submission error", "the submission raised or broke its own run", "red"),
    Outcome("timeout", "failure", "timeout", "the submission ran past its time limit", "red"),
    Outcome(
        "resource_limit",
        "failure",
        "resource limit",
        "the submission ran past a limit on memory, files or output",
        "red",
    ),
    Outcome("provider_error", "none", "provider error", "the provider failed after every retry", "yellow", ours=True),
    Outcome("refused", "none", "refused", "the model declined to answer", "yellow"),
    Outcome("truncated", "none", "truncated", "the reply was cut at the output cap", "yellow"),
    Outcome("substituted_model", "none", "substituted model", "another model answered than the one asked", "yellow"),
    Outcome("needs_accelerator", "none", "needs accelerator", "the task needs hardware this machine lacks", "blue"),
    Outcome(
        "needs_dependency",
        "none",
        "needs dependency",
        "the task needs a package or program that is not installed",
        "blue",
    ),
    Outcome("needs_data", "none", "needs data", "the task needs data that is not on this machine", "blue"),
    Outcome("harness_error", "none", "harness error", "the harness itself failed", "magenta", ours=True),
    Outcome("over_budget", "none", "over budget", "the budget ended before this attempt", "yellow"),
)

OUTCOMES: dict[str, Outcome] = {outcome.name: outcome for outcome in _TABLE}


def is_evidence(outcome: str) -> bool:
    """Whether an attempt with this outcome counts in a rate."""
    return OUTCOMES[outcome].evidence != "none"


def is_waiting(outcome: str) -> bool:
    """Whether an attempt ended so because this machine lacks something that its task needs."""
    return outcome in {"needs_accelerator", "needs_dependency", "needs_data"}


def exit_code(outcomes: Iterable[str]) -> int:
    """The exit code of a finished run: 0 whatever the scores, 1 where our side failed."""
    return 1 if any(OUTCOMES[name].ours for name in outcomes) else 0
