"""`bench weightspace …`: the generator's own commands."""

from __future__ import annotations

from collections.abc import Callable

import click

from weightspace import catalogue


def register(cli: click.Group) -> None:
    """Adds the group to `bench`."""
    cli.add_command(weightspace)


@click.group()
def weightspace() -> None:
    """The weight-space generator: floors and pins."""


def _option(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    param = next(param for param in catalogue.PARAMS if param.name == name)
    kind = click.IntRange(int(param.minimum or 0), int(param.maximum or 0))
    flag = f"--{name.replace('_', '-')}"
    return click.option(flag, type=kind, default=param.default, show_default=True, help=param.help)


@weightspace.command()
@_option("num_tasks")
@_option("hidden")
@_option("seed")
@click.option("--tools", is_flag=True, help="Those of the suite weightspace-tools, which only the seed moves.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@click.option("--markdown", is_flag=True, help="As the table of the documentation.")
def floors(num_tasks: int, hidden: int, seed: int, tools: bool, as_json: bool, markdown: bool) -> None:
    """Print what answers without insight score, computed now."""
    from weightspace.floors import floors as compute
    from weightspace.floors import tool_floors

    found = (tool_floors if tools else compute)({"num_tasks": num_tasks, "hidden": hidden, "seed": seed})
    if as_json:
        import json

        click.echo(json.dumps([floor._asdict() for floor in found]))
        return
    if markdown:
        click.echo("| floor | mode | weight score | solved | tasks |\n|---|---|---|---|---|")
        for floor in found:
            click.echo(f"| {floor.strategy} | {floor.mode} | {floor.score:.3f} | {floor.solved:.3f} | {floor.tasks} |")
        return
    click.echo(f"{'floor':<12} {'mode':<6} {'score':>7} {'solved':>7} {'tasks':>6}")
    for floor in found:
        click.echo(f"{floor.strategy:<12} {floor.mode:<6} {floor.score:>7.4f} {floor.solved:>7.4f} {floor.tasks:>6}")


@weightspace.command()
def pin() -> None:
    """Print sets.yaml as it must be for the tasks as they are."""
    from weightspace.pinning import sets_yaml

    click.echo(sets_yaml(), nl=False)
