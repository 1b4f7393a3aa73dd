"""`bench registry`: what the boards are built from, held against what is installed."""

from __future__ import annotations

from pathlib import Path

import click

from benchwright.cli.output import Output, plural


@click.group()
def registry() -> None:
    """Check or pin registry.yaml."""


_PATH = click.option(
    "--registry", "path", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Another registry.yaml."
)


@registry.command()
@_PATH
@click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")
def check(path: Path | None, as_json: bool) -> int:
    """Say where installed packages and the registry disagree."""
    from benchwright import plugins
    from benchwright.registry import load

    out = Output(as_json)
    read = load(path)
    problems = read.problems(plugins.load())
    for problem in problems:
        out.say(problem)
    if not problems:
        out.say(
            f"{read.path}: {plural(len(read.benchmarks), 'benchmark')}, {plural(len(read.suites), 'suite')}; all as pinned."
        )
    out.give({"registry": str(read.path), "problems": problems})
    return 2 if problems else 0


@registry.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def pin(path: Path) -> int:
    """Write the digests of the installed packages' sets.yaml into the registry at PATH."""
    from benchwright import plugins
    from benchwright.registry import pin_sets

    changed = pin_sets(path, plugins.load())
    click.echo(f"{path}: pinned {', '.join(changed)}." if changed else f"{path}: nothing to change.")
    return 0
