"""From the end of an episode to the attempt's line."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from benchwright.engine.episode import Result
from benchwright.engine.grading import NOT_NEEDED
from benchwright.engine.ledger import Ledger
from benchwright.engine.plan import Slot
from benchwright.journal import turns
from benchwright.records import Attempt, Evaluation, ModelRef, ProtocolRecord, Round


class Context(msgspec.Struct, frozen=True):
    """What is the same for every attempt of a run."""

    run: str
    environment: str
    benchmarks: dict[str, str]
    """Benchmark to `distribution version`."""
    notes: dict[str, Any] = {}


def attempt_of(slot: Slot, context: Context, result: Result, began: float, cost: float | None) -> Attempt:
    """The line of an attempt that was played."""
    assert result.graded is not None
    ledger, verdict = result.ledger, result.graded.evaluation
    spec = slot.place.spec
    return Attempt(
        run=context.run,
        attempt=slot.attempt,
        task=slot.place.ref,
        model=ModelRef(slot.model.identity, ", ".join(ledger.answered) or None, dict(slot.model.settings)),
        draw=slot.draw,
        outcome=verdict.outcome,
        score=verdict.score,
        metrics=dict(verdict.metrics),
        failed_checks=[check.id for check in verdict.checks if not check.passed],
        violations=result.graded.violations,
        protocol=ProtocolRecord(spec.protocol.kind, ledger.turns, result.labels_seen, result.passes),
        usage=ledger.usage,
        cost_usd=cost,
        isolation=result.isolation,
        device=verdict.device,
        data=verdict.data,
        environment=context.environment,
        started=turns.stamp(began),
        seconds=round(ledger.seconds, 6),
        files=result.files,
        rounds=result.rounds,
        reason=verdict.reason,
        parse_failure=result.parse_failure,
        calls=ledger.calls,
        benchmark=context.benchmarks[spec.id.partition("/")[0]],
        notes={**context.notes, **_notes(ledger, result)},
    )


def _notes(ledger: Ledger, result: Result) -> dict[str, Any]:
    notes: dict[str, Any] = {
        "wasted_usage": ledger.wasted,
        "interrupted_calls": ledger.interrupted,
        "protocol_errors": result.protocol_errors,
    }
    return {key: value for key, value in notes.items() if value}


def not_played(slot: Slot, context: Context) -> Attempt | None:
    """The line of an attempt that asks no model, because the machine lacks something or the task cannot be loaded."""
    place = slot.place
    if place.lacks:
        reason = "; ".join(f"needs {gap.requirement} ({gap.remedy})" for gap in place.lacks)
        verdict = Evaluation(place.lacks[0].outcome, reason=reason)
    elif place.task is None:
        verdict = Evaluation("harness_error", reason=place.failure.splitlines()[0])
    else:
        return None
    return Attempt(
        run=context.run,
        attempt=slot.attempt,
        task=place.ref,
        model=ModelRef(slot.model.identity, None, dict(slot.model.settings)),
        draw=slot.draw,
        outcome=verdict.outcome,
        score=None,
        metrics={},
        failed_checks=[],
        violations=[],
        protocol=ProtocolRecord(place.spec.protocol.kind, 0),
        usage=None,
        cost_usd=None,
        isolation=NOT_NEEDED,
        device=None,
        data=None,
        environment=context.environment,
        started=turns.stamp(time.time()),
        seconds=0.0,
        files={},
        rounds=[Round(None, False, 0, verdict.outcome)],
        reason=verdict.reason,
        benchmark=context.benchmarks[place.spec.id.partition("/")[0]],
        notes=dict(context.notes),
    )
