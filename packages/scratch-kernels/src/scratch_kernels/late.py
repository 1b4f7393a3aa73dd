"""Groups of commands that `bench --help` lists without importing what they do."""

from __future__ import annotations

import importlib

import click


class Late(click.Group):
    """A group by name and help; its commands come from `module` when one of them is asked for."""

    def __init__(self, name: str, text: str, module: str) -> None:
        super().__init__(name, help=text)
        self._module = module

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, which the module knows."""
        return self._group().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, imported now."""
        return self._group().get_command(ctx, cmd_name)

    def _group(self) -> click.Group:
        group = getattr(importlib.import_module(self._module), str(self.name))
        assert isinstance(group, click.Group)
        return group
