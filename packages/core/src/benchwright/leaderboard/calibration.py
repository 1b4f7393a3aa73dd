"""What a task measures now, from counts: who solves it, how they fail, which mutant they repeat.

A mutant is a wrong program written on purpose; here it is a model like any other, and a failure shape
of a real model is named after the mutant that fails the same checks. A mutant called `equivalent_…` is no
wrong program after all, and is expected to be solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from benchwright import stats
from benchwright.leaderboard.drawn import role
from benchwright.outcomes import OUTCOMES, is_evidence
from benchwright.records import Attempt, Calibration

DRAWS_TO_JUDGE = 5
"""Draws a model needs before it says anything about a task's place."""

EQUIVALENT = "equivalent_"
"""How the name of a mutant begins that is no wrong program after all."""


def from_counts(task: str, attempts: Iterable[Attempt]) -> Calibration:
    """The calibration of one task from every attempt at it; what a benchmark without a `calibrate` hook gets.

    Admission to a calibrated set is mechanical: at least two models with `DRAWS_TO_JUDGE` draws each,
    the best two of them not both at the ceiling, the best not at zero. One model under two sets of
    knobs is one model.
    """
    real: dict[str, list[Attempt]] = {}
    mutants: dict[str, list[Attempt]] = {}
    reference = False
    for attempt in attempts:
        kind = role(attempt.model.name)
        if kind == "control":
            reference = reference or (attempt.model.name.startswith("reference") and attempt.solved)
        elif is_evidence(attempt.outcome):
            (mutants if kind == "mutant" else real).setdefault(attempt.model.name, []).append(attempt)
    entries = [_entry(model, drawn) for model, drawn in sorted(real.items())]
    verdict, reason = _verdict(real, reference)
    rates = [entry["k"] / entry["n"] for entry in entries]
    return Calibration(
        task=task,
        entries=tuple(entries),
        verdict=verdict,
        reason=reason,
        discrimination=round(max(rates) - min(rates), 6) if len(rates) > 1 else None,
        shapes=tuple(_shapes(real, mutants)),
        equivalents={name: _mutant(name, drawn) for name, drawn in sorted(mutants.items())},
    )


def _mutant(name: str, drawn: Sequence[Attempt]) -> dict[str, Any]:
    solved = any(one.solved for one in drawn)
    return {
        "caught": not solved,
        "failed": [] if solved else sorted(shape(drawn[0])),
        "equivalent": name.partition("/")[2].startswith(EQUIVALENT),
    }


class Mutants(msgspec.Struct, frozen=True):
    """What became of a task's mutants, by name."""

    caught: list[str]
    survived: list[str]
    """Wrong programs that the task calls solved."""
    equivalent: list[str]
    """Right programs after all, solved."""
    refused: list[str]
    """Right programs after all that are not solved: the task is wrong, or they are."""

    @property
    def summary(self) -> str:
        """`15 of 16 caught, 1 equivalent`; `none run` without any."""
        wrong = len(self.caught) + len(self.survived)
        if not (wrong or self.equivalent or self.refused):
            return "none run"
        told = [f"{len(self.caught)} of {wrong} caught"]
        if self.equivalent:
            told.append(f"{len(self.equivalent)} equivalent")
        if self.refused:
            told.append(f"{len(self.refused)} equivalent and not solved")
        return ", ".join(told)


def mutants(found: Calibration) -> Mutants:
    """The mutants among the equivalents of a calibration; what a benchmark adds to these is none of its business."""
    lists: dict[tuple[bool, bool], list[str]] = {}
    for name, record in found.equivalents.items():
        if "caught" in record:
            lists.setdefault((bool(record.get("equivalent")), bool(record["caught"])), []).append(name)
    return Mutants(*(lists.get(key, []) for key in ((False, True), (False, False), (True, False), (True, True))))


def _entry(model: str, drawn: Sequence[Attempt]) -> dict[str, Any]:
    k, n = sum(one.solved for one in drawn), len(drawn)
    interval = stats.task_interval(k, n)
    assert interval is not None
    return {"model": model, "k": k, "n": n, "low": round(interval.low, 6), "high": round(interval.high, 6)}


def _verdict(real: dict[str, list[Attempt]], reference: bool) -> tuple[str, str]:
    if not reference:
        return "unvalidated", "no reference on record solves it"
    counts: dict[str, list[int]] = {}
    for name, drawn in real.items():
        table = counts.setdefault(name.partition("[")[0], [0, 0])
        table[0] += sum(one.solved for one in drawn)
        table[1] += len(drawn)
    judged = sorted(((k / n, name) for name, (k, n) in counts.items() if n >= DRAWS_TO_JUDGE), reverse=True)
    if len(judged) < 2:
        return "warmup", f"{len(judged)} of 2 models with {DRAWS_TO_JUDGE} draws or more"
    (best, first), (second, other) = judged[:2]
    if best == 0:
        return "warmup", "nobody has solved it"
    if best == second == 1:
        return "retire", f"{first} and {other} both solve every draw"
    return "admit", f"{first} solves {best:.0%}, {other} {second:.0%}"


def shape(attempt: Attempt) -> frozenset[str]:
    """How an attempt failed: the checks that failed, or the rules it broke, or the outcome."""
    if attempt.failed_checks:
        return frozenset(attempt.failed_checks)
    if attempt.violations:
        return frozenset(f"rule {violation.rule}" for violation in attempt.violations)
    return frozenset((OUTCOMES[attempt.outcome].label,))


def _shapes(real: dict[str, list[Attempt]], mutants: dict[str, list[Attempt]]) -> list[dict[str, Any]]:
    known: dict[frozenset[str], list[str]] = {}
    for name, drawn in sorted(mutants.items()):
        for failed in {shape(one) for one in drawn if one.failed_checks}:
            known.setdefault(failed, []).append(name)
    found: dict[frozenset[str], dict[str, int]] = {}
    for name, drawn in sorted(real.items()):
        for one in drawn:
            if not one.solved:
                table = found.setdefault(shape(one), {})
                table[name] = table.get(name, 0) + 1
    return [
        {
            "failed": sorted(failed),
            "count": sum(models.values()),
            "models": dict(sorted(models.items())),
            "same_as": known.get(failed, []),
        }
        for failed, models in sorted(found.items(), key=lambda pair: (-sum(pair[1].values()), sorted(pair[0])))
    ]
