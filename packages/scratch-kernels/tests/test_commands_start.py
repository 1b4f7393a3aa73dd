"""`bench --help` imports this package's commands, and must not pay for what they do."""

import os
import subprocess
import sys


def test_listing_commands_imports_no_emulator() -> None:
    code = (
        "import sys, click\n"
        "from scratch_kernels import plugin\n"
        "group = click.Group()\n"
        "plugin.register_commands(group)\n"
        "print(sorted(group.commands), any(name.startswith('scratch_kernels.simt') for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "['kernel', 'kernels'] False"
