"""`bench data fetch …` and `bench handnet …`."""

from __future__ import annotations

from pathlib import Path

import click


def register(cli: click.Group) -> None:
    """Adds the groups to `bench`; a group `data` that is there already gets the command."""
    group = cli.commands.get("data")
    if not isinstance(group, click.Group):
        group = click.Group("data", help="Data sets that benchmarks need and may not carry.")
        cli.add_command(group)
    group.add_command(fetch)
    cli.add_command(handnet)


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--sst2-dir", type=click.Path(path_type=Path), help="Take SST-2 from this folder, with the same checks.")
@click.option(
    "--from", "local", type=click.Path(path_type=Path), help="Take the files from this folder instead of the net."
)
@click.option(
    "--data", "folder", type=click.Path(path_type=Path), help="Where to put it; default: the user's data folder."
)
def fetch(names: tuple[str, ...], sst2_dir: Path | None, local: Path | None, folder: Path | None) -> None:
    """Fetch and verify data sets: mnist, fashion-mnist, sst2, movie-snippets."""
    from benchwright import folders
    from benchwright.errors import UserError

    from handnet_bench import fetch as work

    if sst2_dir is not None and "sst2" not in names:
        raise UserError("--sst2-dir goes with the data set sst2: `bench data fetch sst2 --sst2-dir FOLDER`.")
    for name in names:
        place = sst2_dir if name == "sst2" and sst2_dir is not None else local
        work.fetch(name, folder or folders.data(), click.echo, local=place)


@click.group()
def handnet() -> None:
    """The hand-written networks: pins, rules, explanations."""


@handnet.command()
def pin() -> None:
    """Print sets.yaml as it must be for the tasks as they are."""
    from handnet_bench.pinning import sets_yaml

    click.echo(sets_yaml(), nl=False)


@handnet.command()
@click.argument("task")
@click.argument("file", type=click.Path(path_type=Path))
def lint(task: str, file: Path) -> None:
    """Check FILE by the rules that only read it; `bench score` applies those that run it, too.

    Exit code 0 where no rule is broken; 2 for a violation, for what is no Python source, and for a file that is no answer to TASK.
    """
    from benchwright import given
    from benchwright.errors import FileError

    from handnet_bench import answering, scoring, tasks
    from handnet_bench.counting import many
    from handnet_bench.rules import source

    known = tasks.get(task if "/" in task else f"handnet/{task}")
    try:
        read = answering.read(given.read(file, source.LARGEST))
    except source.Unreadable as error:
        raise FileError(file, str(error)) from None
    lacks = answering.other_task(read, known.accepts) or answering.absent(read)
    if lacks:
        raise FileError(file, lacks)
    found = scoring.static(read, known)
    for violation in found:
        click.echo(f"{violation.rule}, {file}:{violation.where.rpartition(':')[2]}: {violation.why}")
    click.echo(f"{many(len(found), 'violation')} of the static rules.")
    if found:
        raise click.exceptions.Exit(2)
