"""`bench leaderboard`: add, build, check, export."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from benchwright.cli.options import find_run, json_option, registry_option
from benchwright.cli.output import Output, plural

board_option = click.option(
    "--board",
    "root",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("leaderboard"),
    show_default=True,
    help="The leaderboard's folder.",
)


@click.group()
def leaderboard() -> None:
    """The board: figures that re-derive from checked-in attempts."""


@leaderboard.command()
@click.argument("run")
@click.option("--by", required=True, help="Who hands the run in; shown, and never pooled with others.")
@click.option(
    "--calibration",
    is_flag=True,
    help="These draws decide which set a task joins; no board shows them.",
)
@board_option
@registry_option
@json_option
def add(run: str, by: str, calibration: bool, root: Path, registry_path: Path | None, as_json: bool) -> None:
    """Let RUN, a run folder or a run id, join the board: whole, or not at all and with the reasons."""
    from benchwright import plugins, registry
    from benchwright.leaderboard.admit import admit

    output = Output(as_json)
    joined = admit(
        find_run(run),
        root,
        by=by,
        plugins=plugins.load(),
        known=registry.load(registry_path),
        purpose="calibration" if calibration else "board",
    )
    models = ", ".join(joined.models) if len(joined.models) <= 4 else plural(len(joined.models), "model")
    output.say(
        f"{plural(joined.attempts, 'attempt')} at {plural(joined.tasks, 'task')} by {models} joined: "
        f"{joined.path}. Now: bench leaderboard build"
        + ("" if str(root) == "leaderboard" else f" --board {shlex.quote(str(root))}")
    )
    output.give({"file": str(joined.path), "attempts": joined.attempts, "tasks": joined.tasks, "models": joined.models})


@leaderboard.command()
@board_option
@registry_option
@json_option
def build(root: Path, registry_path: Path | None, as_json: bool) -> None:
    """Write LEADERBOARD.md, CALIBRATION.md, board.json and index.html from registry and attempts alone."""
    from benchwright import registry
    from benchwright.leaderboard import build as building

    output = Output(as_json)
    everything = building.build(root, registry.load(registry_path))
    attempts = sum(source.attempts for source in everything.sources)
    output.say(
        f"{plural(len(everything.boards), 'board')} from {plural(attempts, 'attempt')} in "
        f"{plural(len(everything.sources), 'run')}: {root / 'LEADERBOARD.md'}, {root / 'index.html'}"
    )
    output.give({"boards": len(everything.boards), "attempts": attempts, "runs": len(everything.sources)})


@leaderboard.command()
@board_option
@registry_option
@json_option
def check(root: Path, registry_path: Path | None, as_json: bool) -> int:
    """Re-derive every published figure from the attempts; exit code 1 where one does not hold."""
    from benchwright import registry
    from benchwright.leaderboard.check import check as checking

    output = Output(as_json)
    found = checking(root, registry.load(registry_path))
    for problem in found.problems:
        output.say(problem)
    if not found.problems:
        output.say(f"{plural(found.figures, 'figure')} re-derived from {plural(found.attempts, 'attempt')}; all equal.")
    output.give({"figures": found.figures, "attempts": found.attempts, "problems": found.problems})
    return 1 if found.problems else 0


@leaderboard.command()
@click.argument("tasks", nargs=-1, metavar="[TASK…]")
@board_option
@registry_option
@json_option
def calibration(tasks: tuple[str, ...], root: Path, registry_path: Path | None, as_json: bool) -> None:
    """Say what TASKS (all on record where none is named) measure now, in the words of their benchmarks."""
    from benchwright import figures, plugins
    from benchwright.leaderboard import measuring
    from benchwright.leaderboard.calibration import mutants
    from benchwright.records import Table

    output = Output(as_json)
    found = measuring.calibrations(root, plugins.load(), tasks)
    rows = tuple((one.task, one.verdict, one.reason) for one in found)
    output.table(Table(("task", "verdict", "why"), rows))
    for one in found if tasks else ():
        output.say(f"\n{one.task}")
        for entry in one.entries:
            interval = figures.interval(entry["low"], entry["high"])
            output.say(f"  {entry['model']}  {entry['k']}/{entry['n']}  {interval}")
        for shape in one.shapes:
            same = f", same as {', '.join(shape['same_as'])}" if shape["same_as"] else ""
            output.say(f"  {shape['count']}x {', '.join(shape['failed'])}{same}")
        wrong = mutants(one)
        if wrong.summary != "none run":
            output.say(f"  mutants: {wrong.summary}")
        for name in wrong.survived:
            output.say(f"  survived: {name}")
        for name in wrong.refused:
            output.say(f"  equivalent, and not solved: {name}")
        for name, worth in one.equivalents.items():
            if "caught" not in worth:
                output.say(
                    f"  {name}  {', '.join(f'{key} {value}' for key, value in worth.items() if value is not None)}"
                )
    output.give(found)


@leaderboard.command()
@click.argument("target", type=click.Path(path_type=Path, file_okay=False))
@board_option
@registry_option
@json_option
def export(target: Path, root: Path, registry_path: Path | None, as_json: bool) -> None:
    """Write the boards into TARGET in the Every Eval Ever schema: a file a model and who handed it in, with a result for each of its rows."""
    from benchwright import registry
    from benchwright.leaderboard.every_eval_ever import export as exporting

    output = Output(as_json)
    written = exporting(root, target, registry.load(registry_path))
    output.say(f"{plural(len(written), 'file')} written below {target}.")
    output.give({"files": [str(path) for path in written]})
