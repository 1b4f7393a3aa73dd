"""The board as one HTML page that needs nothing beside itself."""

from __future__ import annotations

import math

import msgspec

from benchwright import figures
from benchwright.leaderboard import markdown
from benchwright.leaderboard.boards import Board
from benchwright.leaderboard.calibration import mutants
from benchwright.leaderboard.everything import Everything
from benchwright.leaderboard.published import NOT_HERE


class Point(msgspec.Struct, frozen=True):
    """A row in the figure of score against cost; places in the figure's own units."""

    x: float
    y: float
    low: float
    high: float
    text_x: float
    text_y: float
    anchor: str
    label: str


class Tick(msgspec.Struct, frozen=True):
    """A mark on the axis of costs."""

    x: float
    label: str


class Costs(msgspec.Struct, frozen=True):
    """What the figure of score against cost shows."""

    points: list[Point]
    ticks: list[Tick]


def cost_points(board: Board) -> Costs | None:
    """The figure of a board with two priced rows or more, else None."""
    rows = [
        (row, cost, score) for row in board.rows if (cost := row.cost_per_draw) and (score := row.score) is not None
    ]
    if len(rows) < 2:
        return None
    low = math.floor(math.log10(min(cost for _, cost, _ in rows)) - 0.05)
    high = max(low + 1, math.ceil(math.log10(max(cost for _, cost, _ in rows)) + 0.05))

    def across(cost: float) -> float:
        return round(40 + 500 * (math.log10(cost) - low) / (high - low), 1)

    def up(score: float) -> float:
        return round(200 - 180 * score, 1)

    points = []
    for row, cost, score in rows:
        left = across(cost) > 380
        points.append(
            Point(
                x=across(cost),
                y=up(score),
                low=up(row.low or 0.0),
                high=up(row.high or 1.0),
                text_x=across(cost) + (-8 if left else 8),
                text_y=up(score) + 4,
                anchor="end" if left else "start",
                label=row.short,
            )
        )
    ticks = [Tick(across(10.0**power), figures.dollars(10.0**power)) for power in range(low, high + 1)]
    return Costs(points, ticks)


def render(everything: Everything) -> str:
    """The page. Every text from a run is escaped; the page loads nothing and sends nothing."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("benchwright.leaderboard", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.j2").render(
        all=everything,
        figures=figures,
        not_here=NOT_HERE,
        short_list=markdown.short_list,
        mutants=mutants,
        mutant_rows=markdown.mutant_rows,
        baseline_rows=markdown.baseline_rows,
        cost_points=cost_points,
        notes=markdown.notes,
        attempts=sum(source.attempts for source in everything.sources),
    )
