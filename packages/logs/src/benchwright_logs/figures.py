"""Every number of a release, with the file and the field that it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from benchwright.journal import attempts as lines_of_attempts
from benchwright.journal import read_attempts
from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt
from benchwright.stats import suite_summary

from benchwright_logs.audit import attempt_place

VERDICT = "eval/evaluation.json"


class Source(msgspec.Struct, frozen=True):
    """One attempt behind a row: its line in `attempts.jsonl`, and the folder that holds its files."""

    line: int
    folder: str
    outcome: str
    score: float | None


class Row(msgspec.Struct, frozen=True):
    """One model on one suite. `figures`: name -> number; `fields`: name -> where it stands in each attempt's line."""

    run: str
    suite: str
    model: str
    figures: dict[str, float | int | None]
    fields: dict[str, str]
    attempts: list[Source]


FIELDS = {
    "score": "score",
    "low": "score",
    "high": "score",
    "solved": "outcome",
    "evidence": "outcome",
    "attempts": "outcome",
    "tasks": "task.id",
    "draws": "draw",
    "without_evidence": "outcome",
    "parse_failures": "parse_failure",
    "strict_score": "score",
    "labels_seen": "protocol.labels_seen",
    "passes": "protocol.passes",
    "turns": "protocol.turns",
    "tokens_in": "usage.input + usage.cache_read + usage.cache_write",
    "tokens_out": "usage.output",
    "cost_usd": "cost_usd",
}
"""Figure -> the field of `attempts.jsonl` that it is computed from."""
BEHIND = {
    "score": f"{VERDICT} (score)",
    "outcome": f"{VERDICT} (outcome)",
    "usage": "turn-NN/run.json (usage, wasted)",
    "protocol": "turn-NN/, tool_calls.jsonl, round-NN/",
    "parse_failure": "turn-NN/answer.md of the last turn",
    "cost_usd": "turn-NN/run.json (usage, wasted) and the prices that manifest.json names",
}
"""Field -> the files of an attempt's folder that it is derived from again by `bench logs check`."""


def rows(run: Path) -> list[Row]:
    """The rows of a run, by suite and model. Raises FileError where there is none."""
    attempts = read_attempts(run / lines_of_attempts.NAME)
    groups: dict[tuple[str, str], list[tuple[int, Attempt]]] = {}
    for line, attempt in enumerate(attempts, 1):
        groups.setdefault((attempt.task.suite, attempt.model.name), []).append((line, attempt))
    return [_row(suite, model, found) for (suite, model), found in sorted(groups.items())]


def _row(suite: str, model: str, found: Sequence[tuple[int, Attempt]]) -> Row:
    attempts = [attempt for _, attempt in found]
    summary = suite_summary(attempts)
    used = [attempt.usage for attempt in attempts if attempt.usage is not None]
    costs = [attempt.cost_usd for attempt in attempts if attempt.cost_usd is not None]
    figures: dict[str, float | int | None] = {
        "score": summary.score,
        "low": summary.low,
        "high": summary.high,
        "solved": summary.k,
        "evidence": summary.n,
        "attempts": summary.attempts,
        "tasks": len({attempt.task.id for attempt in attempts}),
        "draws": summary.draws,
        "without_evidence": sum(OUTCOMES[attempt.outcome].evidence == "none" for attempt in attempts),
        "parse_failures": summary.parse_failures,
        "strict_score": summary.strict_score,
        "labels_seen": sum(attempt.protocol.labels_seen for attempt in attempts),
        "passes": sum(attempt.protocol.passes for attempt in attempts),
        "turns": sum(attempt.protocol.turns for attempt in attempts),
        "tokens_in": sum(usage.input + usage.cache_read + usage.cache_write for usage in used) if used else None,
        "tokens_out": sum(usage.output for usage in used) if used else None,
        "cost_usd": sum(costs) if costs else None,
    }
    sources = [Source(line, attempt_place(attempt), attempt.outcome, attempt.score) for line, attempt in found]
    return Row(attempts[0].run, suite, model, figures, FIELDS, sources)


def differences(said: Sequence[Row], found: Sequence[Row]) -> list[str]:
    """A sentence for each number on record that is not the one derived; equal to one part in 10^9."""
    problems = []
    wanted = {(row.suite, row.model): row for row in said}
    for row in found:
        known = wanted.pop((row.suite, row.model), None)
        where = f"{row.suite}, {row.model}"
        if known is None:
            problems.append(f"figures.json has no row for {where}")
            continue
        for name, value in row.figures.items():
            if not _equal(known.figures.get(name), value):
                problems.append(f"figures.json, {where}: {name} {known.figures.get(name)} on record, {value} derived")
        if set(known.figures) != set(row.figures) or known.attempts != row.attempts or known.fields != row.fields:
            problems.append(f"figures.json, {where}: figures, attempts or fields are others than the log's")
    problems += [f"figures.json has a row that the log lacks: {suite}, {model}" for suite, model in wanted]
    return problems


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return abs(one - other) <= 1e-9 * max(1.0, abs(other))
    return bool(one == other)
