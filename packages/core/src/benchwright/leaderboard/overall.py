"""Across benchmarks: the registry's weights, and only models that have every benchmark."""

from __future__ import annotations

import msgspec

from benchwright import stats
from benchwright.leaderboard.boards import LEVEL, measured_tasks, rounded
from benchwright.leaderboard.drawn import BoardKey, Boards, Role, role
from benchwright.registry import Registry


class OverallRow(msgspec.Struct, frozen=True):
    """A model across benchmarks."""

    model: str
    answered: str
    by: str
    role: Role
    score: float | None
    low: float | None
    high: float | None
    missing: list[str]
    """Suites it lacks, or has only in part; then there is no score."""
    suites: dict[str, float | None]


class OverallBoard(msgspec.Struct, frozen=True):
    """Across benchmarks, by the registry's weights; `boards`: the board that each suite's score stands on."""

    weights: dict[str, float]
    boards: dict[str, BoardKey]
    rows: list[OverallRow]


def make_overall(drawn: Boards, registry: Registry) -> OverallBoard | None:
    """Scores across every suite that has a weight; None while one of them has no board."""
    weights = {name: suite.weight for name, suite in registry.suites.items() if suite.weight > 0}
    chosen = {name: key for name in weights if (key := _headline(name, drawn)) is not None}
    if not weights or len(chosen) < len(weights):
        return None
    models = sorted({name for key in chosen.values() for name in drawn[key]})
    rows = []
    for model in models:
        summaries: dict[str, stats.Summary | None] = {}
        for suite, key in chosen.items():
            row = drawn[key].get(model)
            tasks = len(measured_tasks(drawn[key]))
            got = None if row is None else stats.summarize(row.cells(), LEVEL)
            summaries[suite] = got if got is not None and got.tasks == tasks else None
        total = stats.overall(summaries, weights, LEVEL)
        rows.append(
            OverallRow(
                model=model.model,
                answered=model.answered,
                by=model.by,
                role=role(model.model),
                score=rounded(total.score),
                low=rounded(total.low),
                high=rounded(total.high),
                missing=list(total.missing),
                suites={name: rounded(got.score) if got else None for name, got in summaries.items()},
            )
        )
    rows.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.model, row.by))
    share = sum(weights.values())
    return OverallBoard({name: round(weight / share, 6) for name, weight in weights.items()}, chosen, rows)


def _headline(suite: str, drawn: Boards) -> BoardKey | None:
    """The board that a suite's score stands on: its newest calibrated set on the laptop tier, else warm-up, else unvalidated."""
    found = [
        key
        for key in drawn
        if key.suite == suite
        and not (key.edition or key.round or key.structured or key.network or not key.self_contained)
        and key.tier == "laptop"
    ]

    def preference(key: BoardKey) -> tuple[int, int, str]:
        number = key.set.rpartition("-")[2]
        kinds = {"warmup": 2, "unvalidated": 1}
        return (3 if number.isdigit() else kinds.get(key.set, 0), int(number) if number.isdigit() else 0, key.device)

    return max(found, key=preference, default=None)
