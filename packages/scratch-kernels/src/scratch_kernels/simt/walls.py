"""The one place where this package starts a process: compilers and kernels run inside the walls."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Ran(NamedTuple):
    """How a command ended; `code` is negative after a signal, None where it ran out of time."""

    code: int | None
    out: str
    err: str


def run(argv: Sequence[str], folder: Path, *, seconds: float, memory_mb: int = 4096) -> Ran:
    """Runs `argv` in `folder`, which is all it may write."""
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C"}
    env.update({key: value for key, value in os.environ.items() if key.startswith("ZIG_")})
    try:
        done = subprocess.run(
            list(argv), cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Ran(None, "", "")
    return Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
