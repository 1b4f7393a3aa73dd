"""`bench --help` imports this package's commands, and must not pay for what they do."""

import os
import subprocess
import sys

import click
from scratch_kernels import commands, emulator_commands, plugin


def test_listing_commands_imports_no_emulator() -> None:
    code = (
        "import sys, click\n"
        "from scratch_kernels import plugin\n"
        "group = click.Group()\n"
        "plugin.register_commands(group)\n"
        "late = ('scratch_kernels.simt', 'scratch_kernels.commands', 'scratch_kernels.emulator_commands')\n"
        "print(sorted(group.commands), any(name.startswith(late) for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "['kernel', 'kernels'] False"


def test_a_group_listed_late_is_the_group_that_runs() -> None:
    listed = click.Group()
    plugin.register_commands(listed)
    for name, module in (("kernels", commands), ("kernel", emulator_commands)):
        late, group = listed.commands[name], getattr(module, name)
        assert isinstance(late, click.Group)
        assert late.help == group.help
        context = click.Context(late)
        assert late.list_commands(context) == sorted(group.commands)
        assert all(late.get_command(context, each) is command for each, command in group.commands.items())
