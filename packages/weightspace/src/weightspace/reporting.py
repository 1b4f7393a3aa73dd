"""What a report says about weight-space attempts: scores by mode, with the floors beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from benchwright import Attempt, Section, Table
from benchwright.outcomes import is_evidence

from weightspace import catalogue, tools

if TYPE_CHECKING:
    from weightspace.floors import Floor

FLOOR_TASKS = 96
"""Floors of a longer suite are those of its first tasks, so that a report is never slow."""


def sections(suite: str, attempts: Sequence[Attempt]) -> list[Section]:
    """Nothing for other suites; the floors are those of the tasks' own parameters."""
    mine = [a for a in attempts if suite in (catalogue.SUITE, tools.SUITE) and a.task.id.startswith("weightspace/")]
    if not mine:
        return []
    if suite == tools.SUITE:
        seeds = sorted({dict(_settings(attempt))["seed"] for attempt in mine})
        return [
            Section(
                "Larger networks, read and repaired with a few runs of Python",
                "Mean weight score by mode. The floors are answers that never look at the numbers, graded on the same "
                "tasks: a model at a floor has shown nothing.",
                tables=(scores(mine, ("read", "fix")), *(tool_floor_table({"seed": seed}) for seed in seeds)),
            )
        ]
    settings = sorted({_settings(attempt) for attempt in mine})
    return [
        Section(
            "Weights read, repaired and written",
            "Mean weight score by mode. The floors are answers that never look at the numbers, graded on the same tasks: "
            "a model at a floor has shown nothing.",
            tables=(scores(mine), *(floor_table(dict(setting)) for setting in settings)),
        )
    ]


def scores(attempts: Iterable[Attempt], modes: Sequence[str] = catalogue.MODES) -> Table:
    """A row for each model: mean score by mode over the attempts that are evidence, and the metrics beside it."""
    written = ("write",) if "write" in modes else ()
    columns = ("read", "right function", "unit F1", "fix", "found the corruption", *written, "answers read")
    models: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if is_evidence(attempt.outcome):
            models.setdefault(attempt.model.name, []).append(attempt)
    rows = []
    for model, own in sorted(models.items()):
        by_mode = {
            mode: [
                a for a in own if a.task.id.removeprefix("weightspace/").removeprefix("tools_").startswith(f"{mode}_")
            ]
            for mode in modes
        }
        rows.append(
            (
                model,
                _mean(a.score for a in by_mode["read"]),
                _mean(a.metrics.get("function_correct", 0) for a in by_mode["read"]),
                _mean(a.metrics.get("unit_f1", 0) for a in by_mode["read"]),
                _mean(a.score for a in by_mode["fix"]),
                _mean(a.metrics.get("found_corruption", 0) for a in by_mode["fix"]),
                *(_mean(a.score for a in by_mode[mode]) for mode in written),
                _mean(a.metrics.get("answer_parsed", 0) for a in own),
            )
        )
    return Table(("model", *columns), tuple(rows), "Mean weight score by mode, and metrics that do not count")


def floor_table(params: dict[str, Any]) -> Table:
    """The floors for one setting of the parameters."""
    from weightspace.floors import floors

    params = params | {"num_tasks": min(params["num_tasks"], FLOOR_TASKS)}
    return _table(floors(params), catalogue.MODES, params)


def tool_floor_table(params: dict[str, Any]) -> Table:
    """The floors of the suite `weightspace-tools` for one seed."""
    from weightspace.floors import tool_floors

    return _table(tool_floors(params), ("read", "fix"), params)


def _table(floors: Iterable[Floor], modes: Sequence[str], params: dict[str, Any]) -> Table:
    found = {(floor.strategy, floor.mode): floor for floor in floors}
    strategies = dict.fromkeys(strategy for strategy, _ in found)
    rows = []
    for strategy in strategies:
        cells = [found.get((strategy, mode)) for mode in modes]
        rows.append((strategy, *(round(cell.score, 4) if cell else None for cell in cells)))
    setting = ", ".join(f"{name} {value}" for name, value in params.items())
    return Table(("floor", *modes), tuple(rows), f"Floors: mean weight score without insight ({setting})")


def _settings(attempt: Attempt) -> tuple[tuple[str, Any], ...]:
    return tuple((param.name, attempt.task.params.get(param.name, param.default)) for param in catalogue.PARAMS)


def _mean(values: Iterable[float | int | None]) -> float | None:
    found = [value for value in values if value is not None]
    return round(sum(found) / len(found), 4) if found else None
