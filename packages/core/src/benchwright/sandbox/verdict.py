"""From what the grader saw to a verdict: positive proof or none.

Solved means that every id in the task's own list was reported exactly once, as passed, and nothing else
was. What the tests did not prove is not given: a test that was skipped, missing, expected to fail, run
twice or not on the list is no pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchwright.errors import FileError
from benchwright.records import Check, Evaluation

EXPECTED = "expected_ids.txt"


class Seen(msgspec.Struct):
    """What a grader reports."""

    results: dict[str, list[list[str]]] = {}
    """Test id -> one `[outcome, detail]` for each time it ran."""
    collection: list[str] = []
    """What kept tests from being collected."""
    touched: bool = False
    """Whether the submission was used before that."""
    ended: list[list[str]] = []
    """`[outcome, reason]` of workers that ended before their time."""
    limits_met: list[str] = []
    calls: int = 0
    printed: str = ""
    keeper_gone: bool = False
    broken: str = ""
    """Why the sandbox itself failed, where it did."""


def expected_ids(folder: Path) -> tuple[str, ...]:
    """The test ids that a task folder lists, in order. Raises `FileError`."""
    file = folder / EXPECTED
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise FileError(file, f"cannot be read ({error.strerror})") from None
    ids = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not ids:
        raise FileError(file, "lists no test id")
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise FileError(file, f"lists {twice[0]} twice")
    return tuple(ids)


def decide(expected: Sequence[str], seen: Seen) -> Evaluation:
    """The verdict on a grading."""
    checks = tuple(_check(i, seen.results.get(i)) for i in expected)
    extra = sorted(set(seen.results) - set(expected))
    failed = sum(not check.passed for check in checks)
    metrics: dict[str, float | int | None] = {
        "tests_passed": len(checks) - failed,
        "tests_failed": failed,
        "calls": seen.calls,
    }
    outcome, reason = _outcome(checks, extra, seen)
    score = None if outcome == "harness_error" else 1.0 if outcome == "solved" else 0.0
    artifacts = {"output.txt": seen.printed.encode()} if seen.printed else {}
    return Evaluation(outcome, score, metrics=metrics, checks=checks, reason=reason, artifacts=artifacts)


def _check(name: str, results: Any) -> Check:
    if results is None:
        return Check(name, False, "did not run")
    if len(results) != 1:
        return Check(name, False, f"ran {len(results)} times")
    outcome, detail = results[0]
    return Check(name, outcome == "passed", "" if outcome == "passed" else detail or outcome)


def _outcome(checks: Sequence[Check], extra: list[str], seen: Seen) -> tuple[str, str]:
    failed = [check for check in checks if not check.passed]
    for outcome in ("timeout", "resource_limit"):
        for name, reason in seen.ended:
            if name == outcome:
                return outcome, reason
    if failed and seen.limits_met:
        return "resource_limit", f"the submission ran past its limit of {' and '.join(sorted(seen.limits_met))}"
    if seen.collection:
        outcome = "submission_error" if seen.touched else "harness_error"
        return outcome, seen.collection[0]
    if seen.ended:
        return "submission_error", seen.ended[0][1]
    if extra:
        # A test folder that disagrees with its own list is our defect, and proves nothing.
        return "harness_error", f"{extra[0]} ran and is not in {EXPECTED}"
    if failed:
        first = f"{failed[0].id}: {failed[0].detail}"
        return "unsolved", f"{len(failed)} of {len(checks)} tests failed, the first being {first}"[:500]
    return "solved", f"all {len(checks)} tests passed"
