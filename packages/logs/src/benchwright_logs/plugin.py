"""The plugin: what `bench` asks of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchwright import hookimpl

if TYPE_CHECKING:
    import click

API = 1
STATUS = "commands: bench logs"


@hookimpl
def register_commands(cli: click.Group) -> None:
    """Adds `bench logs`; what a command needs is imported when it is given."""
    from benchwright_logs.commands import logs

    cli.add_command(logs)
