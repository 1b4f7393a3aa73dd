"""The one place where this package starts a process on somebody's source: compilers and kernels run inside the walls."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchwright.sandbox import Sandbox

_lock = threading.Lock()
_open: dict[int, Sandbox] = {}


class Ran(NamedTuple):
    """How a command ended; `code` is negative after a signal, None where it ran out of time or room."""

    code: int | None
    out: str
    err: str
    reason: str = ""


def run(
    argv: Sequence[str],
    folder: Path,
    *,
    seconds: float,
    memory_mb: int = 8192,
    read: Sequence[Path] = (),
    imports: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    open_files: int = 64,
    write: Sequence[Path] = (),
) -> Ran:
    """Runs `argv` in `folder`, which with `write` is all it may write; it reads the system's programs, `read` and the packages `imports`.

    `seconds` are of the processor, so that a verdict does not hang on what else the machine does; the clock may run ten times as
    long, 300 s at most. `env`: variables on top of a clean environment.

    Raises `benchwright.sandbox.NoWalls` where this machine has no walls; its message says what to do.
    """
    from benchwright import Limits

    limits = Limits(
        seconds=min(10 * seconds, 300.0),
        cpu_seconds=min(seconds, 300.0),
        memory_mb=memory_mb,
        file_mb=4096,
        output_kb=4096,
        open_files=open_files,
    )
    done = _sandbox().run_command(
        argv, folder, read=read, write=write, imports=imports, limits=limits, env={"LC_ALL": "C", **(env or {})}
    )
    code = done.code if done.status in {"ok", "error"} else None
    return Ran(code, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.reason)


def _sandbox() -> Sandbox:
    """This process's own sandbox; a forked child opens another."""
    from benchwright.sandbox import open_sandbox

    with _lock:
        own = _open.get(os.getpid())
        if own is None:
            own = _open[os.getpid()] = open_sandbox()
        return own


@atexit.register
def close() -> None:
    """Ends what this process opened."""
    own = _open.pop(os.getpid(), None)
    if own is not None:
        own.close()
