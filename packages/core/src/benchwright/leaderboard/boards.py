"""From draws to what a board shows: rows with intervals, ranks, differences, costs."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchwright import stats
from benchwright.leaderboard.drawn import BoardKey, Boards, Drawn, Role, RowDraws, RowKey, role
from benchwright.registry import Registry
from benchwright.stats import Cell

LEVEL = 0.95
_RANK_ALPHA = 1 - LEVEL


class TaskResult(msgspec.Struct, frozen=True):
    """One row at one task. `k` of `n` draws solved; `score` is their mean; the interval is of k/n."""

    k: int
    n: int
    score: float | None
    low: float | None
    high: float | None


class Within(msgspec.Struct, frozen=True):
    """Success within, and in all of, `k` draws, with intervals over tasks."""

    k: int
    any: tuple[float, float, float]
    all: tuple[float, float, float]


class Row(msgspec.Struct, frozen=True):
    """A row of a board. Numbers that nothing was measured for are None."""

    model: str
    short: str
    answered: str
    by: str
    role: Role
    status: str
    """`self-reported`, `reproduced by …`, `not reproduced by …`, or `reproduction of …`."""
    score: float | None
    low: float | None
    high: float | None
    k: int
    n: int
    binary: bool
    """Every score is 0 or 1, so that k/n says all."""
    tasks: int
    tasks_of: int
    """Tasks of the board at which somebody has evidence."""
    draws: int
    rank: tuple[int, int] | None
    rank_note: str
    """Why there is no rank, where there is none."""
    strict_score: float | None
    strict_low: float | None
    strict_high: float | None
    evidence_rate: float | None
    parse_failure_rate: float | None
    missing: dict[str, int]
    cost_per_draw: float | None
    cost_per_solved: float | None
    cost_note: str
    dominated_by: str
    """A cheaper model that is significantly better, where there is one."""
    tokens_in: int
    tokens_out: int
    labels_seen: int
    isolation: list[str]
    settings: dict[str, Any]
    date: str
    runs: list[str]
    within: Within | None
    draw_share: float | None
    advice: str
    per_task: dict[str, TaskResult]


class Pair(msgspec.Struct, frozen=True):
    """Two ranked rows against each other on their common tasks: a minus b."""

    a: str
    b: str
    tasks: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None
    detectable: float | None


class Board(msgspec.Struct, frozen=True):
    """One board: what is comparable, best first."""

    key: BoardKey
    title: str
    tasks: list[str]
    rows: list[Row]
    pairs: list[Pair]
    detectable: float | None
    """Smallest difference the median pair of this board would have shown four times in five."""


def make_boards(drawn: Boards, registry: Registry) -> list[Board]:
    """Every board, the newest editions and first rounds first."""
    order = sorted(
        drawn,
        key=lambda key: (
            key.edition,
            key.structured,
            key.network,
            not key.self_contained,
            _place(key.suite, registry),
            key,
        ),
    )
    return [_board(key, drawn[key], registry) for key in order]


def _place(suite: str, registry: Registry) -> int:
    known = list(registry.suites)
    return known.index(suite) if suite in known else len(known)


def title(key: BoardKey, registry: Registry) -> str:
    """What a board is called."""
    suite = registry.suites.get(key.suite)
    parts = [suite.title if suite else key.suite, f"set {key.set}", f"{key.tier} tier"]
    if key.device:
        parts.append(key.device)
    if key.round:
        parts.append(f"after revision {key.round}")
    if key.structured:
        parts.append("structured replies")
    if key.network:
        parts.append("with the network")
    if not key.self_contained:
        parts.append("not self-contained")
    if key.edition:
        parts.append(f"edition {key.edition} before the newest")
    return " · ".join(parts)


def _board(key: BoardKey, rows: dict[RowKey, RowDraws], registry: Registry) -> Board:
    tasks = sorted({task for row in rows.values() for task in row.tasks})
    measured = len(measured_tasks(rows))
    cells = {name: row.cells() for name, row in rows.items()}
    summaries = {name: stats.summarize(found, LEVEL) for name, found in cells.items()}
    statuses = _statuses(rows, cells)
    notes = {name: _unranked(name, summaries[name], measured, statuses[name]) for name in rows}
    ranked = {_label(name): cells[name] for name in rows if not notes[name]}
    ranks, differences = stats.rank_intervals(ranked, LEVEL)
    notes.update(_withheld({name: summaries[name] for name in rows if not notes[name]}))
    costs = {name: _cost(row) for name, row in rows.items()}
    per_draw = {_label(name): costs[name][0] for name in rows if _label(name) in ranked}
    made = [
        _row(
            name,
            row,
            registry,
            summary=summaries[name],
            cells=cells[name],
            tasks_of=measured,
            status=statuses[name],
            rank=None if notes[name] else (ranks[_label(name)].best, ranks[_label(name)].worst),
            note=notes[name],
            cost=costs[name],
            dominated_by=_dominated(_label(name), per_draw, differences) if _label(name) in ranked else "",
        )
        for name, row in rows.items()
    ]
    made.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.model, row.answered, row.by))
    pairs = [
        Pair(
            a, b, got.tasks, rounded(got.difference), rounded(got.low), rounded(got.high), rounded(got.p), rounded(p),
            rounded(got.detectable),
        )
        for (a, b), (got, p) in sorted(differences.items())
    ]  # fmt: skip
    found = [pair.detectable for pair in pairs if pair.detectable is not None]
    return Board(key, title(key, registry), tasks, made, pairs, rounded(statistics.median(found)) if found else None)


def measured_tasks(rows: Mapping[RowKey, RowDraws]) -> set[str]:
    """The tasks of a board at which somebody has evidence: a row that has all of these is complete."""
    return {task for row in rows.values() for task, drawn in row.tasks.items() if drawn.scores}


def _label(name: RowKey) -> str:
    """A row's name among its board's rows."""
    answered = f" ({name.answered})" if name.answered and name.answered not in name.model else ""
    return f"{name.model}{answered}"


def _statuses(rows: Mapping[RowKey, RowDraws], cells: Mapping[RowKey, Sequence[Cell]]) -> dict[RowKey, str]:
    """Whether somebody else's run of the same model gave the same: the paired difference is not significant."""
    groups: dict[tuple[str, str], list[RowKey]] = {}
    for name in rows:
        groups.setdefault((name.model, name.answered), []).append(name)
    found = dict.fromkeys(rows, "self-reported")
    for group in groups.values():
        first, *others = sorted(group, key=lambda name: (rows[name].first, name))
        agree: list[str] = []
        differ: list[str] = []
        for other in others:
            got = stats.paired_difference(cells[first], cells[other], LEVEL)
            if got.p is not None:
                (agree if got.p >= _RANK_ALPHA else differ).append(other.by)
            found[other] = f"reproduction of {first.by}"
        if differ:
            found[first] = f"not reproduced by {', '.join(differ)}"
        elif agree:
            found[first] = f"reproduced by {', '.join(agree)}"
    return found


def _unranked(name: RowKey, summary: stats.Summary, tasks: int, status: str) -> str:
    if role(name.model) == "control":
        return "a control"
    if status.startswith("reproduction of"):
        return "a reproduction"
    if summary.score is None:
        return "not run"
    if summary.tasks < tasks:
        return f"{summary.tasks} of {tasks} tasks"
    return ""


def _withheld(summaries: Mapping[RowKey, stats.Summary]) -> dict[RowKey, str]:
    """Rows whose score hangs on how refusals and truncations are counted, and overlaps another's."""
    bounds = {name: (got.strict_score or 0.0, got.score or 0.0) for name, got in summaries.items()}
    found = {}
    for name, (low, high) in bounds.items():
        others = (bound for other, bound in bounds.items() if other != name)
        if low < high and any(low <= top and bottom <= high for bottom, top in others):
            found[name] = "withheld: refusals and truncations decide it"
    return found


def _cost(row: RowDraws) -> tuple[float | None, float | None, str]:
    """(dollars for one draw of every task, dollars per solved attempt, a note where there is no price)."""
    drawn: list[Drawn] = list(row.tasks.values())
    if any(one.unpriced for one in drawn):
        return None, None, "no price on record"
    priced = [one for one in drawn if one.costs]
    if not priced:
        return None, None, "no paid calls"
    solved = sum(one.solved for one in drawn)
    total = math.fsum(cost for one in priced for cost in one.costs)
    per_draw = math.fsum(math.fsum(one.costs) / len(one.costs) for one in priced)
    return per_draw, total / solved if solved else None, ""


def _dominated(
    name: str,
    costs: Mapping[str, float | None],
    differences: Mapping[tuple[str, str], tuple[stats.Difference, float | None]],
) -> str:
    mine = costs[name]
    for (a, b), (got, p) in sorted(differences.items()):
        if name not in (a, b) or p is None or p >= _RANK_ALPHA or got.difference is None:
            continue
        other = b if name == a else a
        lead = -got.difference if name == a else got.difference
        theirs = costs[other]
        if lead > 0 and mine is not None and theirs is not None and theirs < mine:
            return other
    return ""


def _row(
    name: RowKey,
    row: RowDraws,
    registry: Registry,
    *,
    summary: stats.Summary,
    cells: Sequence[Cell],
    tasks_of: int,
    status: str,
    rank: tuple[int, int] | None,
    note: str,
    cost: tuple[float | None, float | None, str],
    dominated_by: str,
) -> Row:
    split = stats.spread(cells)
    return Row(
        model=name.model,
        short=registry.short_name(name.model),
        answered=name.answered,
        by=name.by,
        role=role(name.model),
        status=status,
        score=rounded(summary.score),
        low=rounded(summary.low),
        high=rounded(summary.high),
        k=summary.k,
        n=summary.n,
        binary=all(score in (0.0, 1.0) for cell in cells for score in cell.scores),
        tasks=summary.tasks,
        tasks_of=tasks_of,
        draws=summary.draws,
        rank=rank,
        rank_note=note,
        strict_score=rounded(summary.strict_score),
        strict_low=rounded(summary.strict_low),
        strict_high=rounded(summary.strict_high),
        evidence_rate=rounded(summary.evidence_rate),
        parse_failure_rate=rounded(summary.parse_failure_rate),
        missing=summary.missing,
        cost_per_draw=rounded(cost[0]),
        cost_per_solved=rounded(cost[1]),
        cost_note=cost[2],
        dominated_by=dominated_by,
        tokens_in=row.tokens[0],
        tokens_out=row.tokens[1],
        labels_seen=row.labels_seen,
        isolation=sorted(row.isolation),
        settings=dict(sorted(row.settings.items())),
        date=row.last[:10],
        runs=sorted(row.runs),
        within=_within(cells),
        draw_share=rounded(split.draw_share),
        advice=split.advice,
        per_task={cell.task: _task(cell) for cell in cells},
    )


def _task(cell: Cell) -> TaskResult:
    interval = stats.task_interval(cell.solved, cell.n, LEVEL)
    return TaskResult(
        cell.solved,
        cell.n,
        rounded(cell.mean),
        rounded(interval.low) if interval else None,
        rounded(interval.high) if interval else None,
    )


def _within(cells: Sequence[Cell]) -> Within | None:
    """pass@k and pass^k for the k that every task has draws for; None below two."""
    seen = [cell for cell in cells if cell.n]
    k = min((cell.n for cell in seen), default=0)
    if k < 2:
        return None
    clusters = [cell.cluster for cell in seen]
    draws = sum(cell.n for cell in seen)

    def of(values: list[float]) -> tuple[float, float, float]:
        interval = stats.suite_interval(values, clusters, draws, LEVEL)
        assert interval is not None
        mean = math.fsum(values) / len(values)
        return (round(mean, 6), round(interval.low, 6), round(interval.high, 6))

    return Within(
        k,
        of([stats.pass_at_k(cell.n, cell.solved, k) for cell in seen]),
        of([stats.pass_hat_k(cell.n, cell.solved, k) for cell in seen]),
    )


def rounded(value: float | None) -> float | None:
    """Six digits behind the point: below what differs between machines, above what a board prints."""
    return None if value is None else round(value, 6)
