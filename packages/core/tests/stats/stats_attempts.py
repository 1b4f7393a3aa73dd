"""Attempts for tests: everything a statistic does not read is fixed."""

from __future__ import annotations

from benchwright.records import Attempt, ModelRef, ProtocolRecord, TaskRef


def attempt(
    task, draw, outcome, *, score=None, model="m/a", cluster="", suite="toy", parse_failure=False, **fields
) -> Attempt:
    if score is None and outcome in ("solved", "unsolved", "no_submission", "rule_violation"):
        score = 1.0 if outcome == "solved" else 0.0
    return Attempt(
        run="20261101-120000-abcd",
        attempt=f"{task}-{model}-{draw}",
        task=TaskRef(f"toy/{task}", "1", "bw1:0", "toy-1", "laptop", suite, cluster or f"toy/{task}"),
        model=ModelRef(model),
        draw=draw,
        outcome=outcome,
        score=score,
        metrics={},
        failed_checks=[],
        violations=[],
        protocol=ProtocolRecord("single", 1),
        usage=None,
        cost_usd=None,
        isolation="not-needed",
        device=None,
        data=None,
        environment="sha256:0",
        started="2026-11-01T12:00:00Z",
        seconds=0.1,
        files={},
        parse_failure=parse_failure,
        **fields,
    )
