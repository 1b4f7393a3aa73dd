"""`bench compare`: paired differences between runs, models and other tools' logs."""

from __future__ import annotations

from pathlib import Path

import click

from benchwright.cli.options import json_option


@click.command()
@click.argument("sides", nargs=-1, required=True, metavar="A [B…]")
@click.option(
    "--board",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("leaderboard"),
    show_default=True,
    help="The leaderboard whose models may be named.",
)
@click.option(
    "--tasks", "shown", type=click.IntRange(min=0), default=8, show_default=True, help="Tasks that moved to list."
)
@click.option(
    "--round",
    "number",
    type=click.IntRange(min=0),
    help="The round of revision that counts, 0 being the first reply; default: the last.",
)
@json_option
def compare(sides: tuple[str, ...], board: Path, shown: int, number: int | None, as_json: bool) -> None:
    """Compare A with B on the tasks they share: paired difference, interval, what the design could have found.

    Each is a run folder or run id, a log of Inspect AI (.eval or .json), or a model of the board. One run of
    several models is compared model by model.
    """
    from benchwright import figures
    from benchwright.cli.output import Output, plural
    from benchwright.journal import runs_folder
    from benchwright.leaderboard.compare import compare as comparing
    from benchwright.leaderboard.compare import sentences
    from benchwright.leaderboard.sides import find
    from benchwright.records import Table

    output = Output(as_json)
    found = comparing(find(sides, runs_folder(), board, number))
    for one in found:
        output.say(f"{one.suite}: {plural(one.difference.tasks, 'common task')}")
        rows = [
            (
                name,
                f"{got.k}/{got.n}",
                figures.score(got.score),
                figures.interval(got.low, got.high),
                got.draws,
                sum(got.missing.values()),
            )
            for name, got in ((one.a, one.a_summary), (one.b, one.b_summary))
        ]
        output.table(
            Table(("model", "solved", "score", "95% interval", "draws", "no evidence"), tuple(rows)), indent="  "
        )
        for sentence in sentences(one):
            output.say(f"  {sentence}")
        moved = one.difference.moved
        if moved and shown:
            output.say(f"  Tasks that moved, {len(moved)} of {one.difference.tasks}:")
            output.table(
                Table(("task", one.a, one.b), tuple(moved[:shown])),
                indent="    ",
            )
        output.say()
    output.give(found)
