"""Two models or more against each other: paired differences on the tasks they share."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from benchwright import figures, stats
from benchwright.counting import plural
from benchwright.errors import UserError
from benchwright.leaderboard.imported import SET
from benchwright.leaderboard.sides import Side
from benchwright.outcomes import OUTCOMES
from benchwright.stats import Difference, Summary


class Compared(msgspec.Struct, frozen=True):
    """A pair of sides at one suite: a minus b on the tasks that both were asked in the same edition."""

    suite: str
    a: str
    b: str
    a_summary: Summary
    b_summary: Summary
    difference: Difference
    p_adjusted: float | None
    strict: Difference
    """The same with refusals and truncations counted as failures."""
    left_out: dict[str, list[str]]
    """Why -> tasks that are not compared."""


def compare(sides: Sequence[Side], level: float = 0.95) -> list[Compared]:
    """Every pair of sides that share a suite, p adjusted over all of them. Raises UserError where nothing is shared."""
    made: list[Compared] = []
    for suite in sorted({side.suite for side in sides}):
        within = [side for side in sides if side.suite == suite]
        for place, a in enumerate(within):
            made.extend(_pair(a, b, level) for b in within[place + 1 :])
    if not made:
        listed = "; ".join(f"{side.label}: {side.suite}" for side in sides)
        raise UserError(
            f"Nothing to compare: a comparison needs two sides that share a suite ({listed}).{_other_tools(sides)}"
        )
    if all(one.difference.tasks == 0 for one in made):
        why = "; ".join(f"{reason}: {plural(len(tasks), 'task')}" for reason, tasks in made[0].left_out.items())
        raise UserError(
            f"{made[0].a} and {made[0].b} share no task with evidence on both sides ({why}).{_other_tools(sides)}"
        )
    adjusted = iter(stats.holm([one.difference.p for one in made if one.difference.p is not None]))
    return [
        msgspec.structs.replace(one, p_adjusted=next(adjusted)) if one.difference.p is not None else one for one in made
    ]


def _other_tools(sides: Sequence[Side]) -> str:
    """Why a log of another tool shares nothing with a run of this one, where the sides are of both kinds."""
    kinds = {one.task.set == SET for side in sides for one in side.attempts}
    if len(kinds) < 2:
        return ""
    return (
        " What was imported from another tool's log stands under task ids and digests of its own, made of what the log "
        "says: it compares with other imported logs, and with a run of `bench` only where `bench logs export` wrote it."
    )


def _pair(a: Side, b: Side, level: float) -> Compared:
    mine, theirs = a.editions(), b.editions()
    same = sorted(task for task in mine if theirs.get(task) == mine[task])
    cells_a, cells_b = a.cells(same), b.cells(same)
    with_evidence = {cell.task for cell in cells_a if cell.n} & {cell.task for cell in cells_b if cell.n}
    left_out = {
        f"only {a.label} was asked": sorted(task for task in mine if task not in theirs),
        f"only {b.label} was asked": sorted(task for task in theirs if task not in mine),
        "in another edition (version, digest, prompt, data, device or labels seen)": sorted(
            task for task in mine if task in theirs and mine[task] != theirs[task]
        ),
        "without evidence on one side": sorted(set(same) - with_evidence),
    }
    return Compared(
        suite=a.suite,
        a=a.label,
        b=b.label,
        a_summary=stats.summarize(cells_a, level),
        b_summary=stats.summarize(cells_b, level),
        difference=stats.paired_difference(cells_a, cells_b, level),
        p_adjusted=None,
        strict=stats.paired_difference([cell.strict() for cell in cells_a], [cell.strict() for cell in cells_b], level),
        left_out={why: tasks for why, tasks in left_out.items() if tasks},
    )


def sentences(one: Compared) -> list[str]:
    """What a comparison says, in words."""
    got = one.difference
    lines = []
    if got.difference is None or got.low is None or got.high is None:
        lines.append("Not comparable: no task has evidence on both sides.")
    else:
        adjusted = (
            f", {figures.probability(one.p_adjusted)} adjusted for the number of pairs"
            if one.p_adjusted is not None and one.p_adjusted != got.p
            else ""
        )
        verdict = "The two differ" if (one.p_adjusted or 1.0) < 0.05 else "The two are not told apart"
        lines.append(
            f"{one.a} minus {one.b}: {figures.signed(got.difference)} (paired 95% interval {got.low:+.2f} to "
            f"{got.high:+.2f}, p {figures.probability(got.p)}{adjusted}). {verdict}."
        )
        lines.append(_design(got))
    for name, summary in ((one.a, one.a_summary), (one.b, one.b_summary)):
        if summary.missing:
            counts = ", ".join(f"{count} {OUTCOMES[outcome].label}" for outcome, count in summary.missing.items())
            lines.append(f"{name}, attempts without evidence: {counts}; they count nowhere.")
    if one.strict.difference is not None and one.strict.difference != got.difference:
        lines.append(
            "With refusals and truncations counted as failures: "
            f"{figures.signed(one.strict.difference)} ({one.strict.low:+.2f} to {one.strict.high:+.2f})."
        )
    lines.extend(f"Left out, {why}: {_short(tasks)}." for why, tasks in one.left_out.items())
    return lines


def _design(got: Difference) -> str:
    if got.detectable is None:
        return "One family of tasks alone can show no difference."
    text = f"Smallest difference this design would have found: {got.detectable:.2f}."
    split = got.spread
    if split is None or split.draw_share is None or split.more_tasks is None or split.more_draws is None:
        return f"{text} Two draws a task, or more, would tell whether draws or tasks limit it."
    se = split.more_tasks * math.sqrt(2)
    tasks, draws = (got.detectable * better / se for better in (split.more_tasks, split.more_draws))
    return (
        f"{text} Draws make up {split.draw_share:.0%} of its variance: twice the tasks would find {tasks:.2f}, "
        f"twice the draws {draws:.2f}."
    )


def _short(tasks: Sequence[str]) -> str:
    return ", ".join(tasks) if len(tasks) <= 3 else f"{', '.join(tasks[:2])} and {len(tasks) - 2} more"
