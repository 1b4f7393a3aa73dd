"""The verdict on an answer, in exact integers; only the last step, a ratio, becomes a float.

`weight_score` of the three modes:

- read: 0.6 for the right function, plus 0.4 times F1 over the functional units;
- fix: (accuracy - accuracy of the broken network) / (1 - accuracy of the broken network), not below 0;
- write: (accuracy - accuracy of the better constant output) / (1 - that accuracy), not below 0.

A submission that cannot be read as an answer is no submission: score 0, `answer_parsed` 0, and the
reason in a sentence.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from benchwright import Check, Evaluation

from weightspace.answers import (
    FixAnswer,
    Malformed,
    ReadAnswer,
    WriteAnswer,
    edited,
    parse_fix,
    parse_read,
    parse_write,
    written,
)
from weightspace.corruption import Broken, best_constant
from weightspace.functions import Function
from weightspace.network import logits, outputs, right
from weightspace.rewrites import Hidden

LISTED = 32
"""Inputs that get a check of their own."""
FUNCTION_SHARE, UNITS_SHARE = Fraction(6, 10), Fraction(4, 10)


def f1(given: Collection[int], truth: Collection[int]) -> Fraction:
    """2 |given and truth| / (|given| + |truth|): the harmonic mean of precision and recall; 0 where both are empty."""
    total = len(given) + len(truth)
    return Fraction(2 * len(set(given) & set(truth)), total) if total else Fraction(0)


def lift(right_rows: int, baseline: int, rows: int) -> Fraction:
    """What was gained of what there was to gain over `baseline` right rows; 0 where something was lost."""
    return max(Fraction(0), Fraction(right_rows - baseline, rows - baseline))


def score_read(answer: ReadAnswer, function: Function, functional: Collection[int]) -> tuple[Fraction, bool, Fraction]:
    """(weight score, whether the function is right, F1 over the functional units)."""
    known, units = answer.function == function.name, f1(answer.units, functional)
    return FUNCTION_SHARE * known + UNITS_SHARE * units, known, units


def score_fix(answer: FixAnswer, broken: Broken, truth: tuple[int, ...]) -> tuple[Fraction, tuple[bool, ...]]:
    """(weight score, for each input whether the edited network is right)."""
    network, one = edited(broken.network, answer)
    rows = right(outputs(logits(network, one=one)), truth)
    return lift(sum(rows), len(truth) - broken.wrong, len(truth)), rows


def score_write(answer: WriteAnswer, truth: tuple[int, ...]) -> tuple[Fraction, tuple[bool, ...]]:
    """(weight score, for each input whether the written network is right)."""
    network, one = written(answer)
    if network.v:
        given = outputs(logits(network, one=one))
    else:
        given = (int(network.c > 0),) * len(truth)
    rows = right(given, truth)
    return lift(sum(rows), best_constant(truth), len(truth)), rows


def evaluate_read(answer: Any, function: Function, hidden: Hidden) -> Evaluation:
    try:
        read = parse_read(answer, hidden.network.hidden)
    except Malformed as error:
        return malformed(error, "function_correct", "unit_f1")
    score, known, units = score_read(read, function, hidden.functional)
    exact = read.units == frozenset(hidden.functional)
    missed, extra = len(set(hidden.functional) - read.units), len(read.units - set(hidden.functional))
    return _evaluation(
        score,
        known and exact,
        {"function_correct": int(known), "unit_f1": float(units)},
        (Check("function", known), Check("functional_units", exact, f"{missed} missed, {extra} too many")),
        f"Function {'right' if known else 'wrong'}; functional units: {missed} missed, {extra} too many.",
    )


def evaluate_fix(answer: Any, function: Function, broken: Broken) -> Evaluation:
    accuracy = f"accuracy_{2**broken.network.inputs}"
    try:
        fix = parse_fix(answer, broken.network.inputs, broken.network.hidden)
    except Malformed as error:
        return malformed(error, accuracy, "found_corruption")
    score, rows = score_fix(fix, broken, function.truth())
    found = any(place == broken.place for place, _ in fix.edits)
    metrics = {accuracy: sum(rows) / len(rows), "found_corruption": int(found)}
    reason = f"{sum(rows)} of {len(rows)} inputs right; {len(rows) - broken.wrong} before the edits."
    return _evaluation(score, all(rows), metrics, row_checks(rows), reason)


def evaluate_write(answer: Any, function: Function) -> Evaluation:
    accuracy = f"accuracy_{2**function.inputs}"
    try:
        network = parse_write(answer, function.inputs)
    except Malformed as error:
        return malformed(error, accuracy)
    truth = function.truth()
    score, rows = score_write(network, truth)
    reason = f"{sum(rows)} of {len(rows)} inputs right; a constant output gets {best_constant(truth)}."
    return _evaluation(score, all(rows), {accuracy: sum(rows) / len(rows)}, row_checks(rows), reason)


def row_checks(rows: tuple[bool, ...]) -> tuple[Check, ...]:
    """One check an input, named by N; one for all of them where they are too many to list."""
    if len(rows) > LISTED:
        return (Check("all_inputs", all(rows), f"{len(rows) - sum(rows)} wrong"),)
    digits = len(str(len(rows) - 1))
    return tuple(Check(f"input_{n:0{digits}d}", passed) for n, passed in enumerate(rows))


def malformed(error: Malformed, *metrics: str) -> Evaluation:
    """The verdict on a submission that cannot be read."""
    zero = {"answer_parsed": 0, "solved": 0, "weight_score": 0.0, **dict.fromkeys(metrics, 0)}
    return Evaluation("no_submission", 0.0, metrics=dict(zero), reason=str(error))


def _evaluation(
    score: Fraction, solved: bool, metrics: dict[str, Any], checks: tuple[Check, ...], reason: str
) -> Evaluation:
    named = {"answer_parsed": 1, "solved": int(solved), "weight_score": float(score), **metrics}
    return Evaluation.solved_if(solved, float(score), metrics=named, checks=checks, reason=reason)
