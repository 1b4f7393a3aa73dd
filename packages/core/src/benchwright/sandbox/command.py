"""A program behind walls: compilers, and commands that answer as models."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from benchwright.errors import UserError
from benchwright.records import Limits
from benchwright.sandbox import environment, reading
from benchwright.sandbox.channel import BrokenChannel, DeadlinePassed
from benchwright.sandbox.interface import Fate
from benchwright.sandbox.launcher import Started

PROCESSES = 64
"""Processes that a command may start where its limits do not say."""

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/opt")
FILES = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
)
NETWORK_FILES = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/run/systemd/resolve",
)


class CommandOutput(msgspec.Struct, frozen=True):
    """How a command ended and what it printed; each stream is cut at the limit, `truncated` says whether."""

    status: Literal["ok", "error", "timeout", "resource_limit"]
    code: int | None
    stdout: bytes
    stderr: bytes
    truncated: bool
    seconds: float
    reason: str = ""


@cache
def system_paths() -> tuple[str, ...]:
    """The system's programs, headers and libraries, without any folder of Python packages."""
    paths: list[str] = []
    for folder in SYSTEM:
        if os.path.isdir(folder):
            paths += reading.without_packages(folder)
    return (*dict.fromkeys(paths), *FILES)


def run(
    control: socket.socket,
    argv: Sequence[str],
    folder: Path,
    *,
    read: Sequence[str | Path],
    write: Sequence[str | Path],
    imports: Sequence[str],
    network: bool,
    limits: Limits,
    env: Mapping[str, str],
    given: bytes,
) -> CommandOutput:
    """Runs `argv` in `folder` by the keeper of commands behind `control`.

    Raises `UserError` where there is no such program.
    """
    if not limits.processes:
        limits = msgspec.structs.replace(limits, processes=PROCESSES)
    variables = {**environment.clean(), "HOME": str(folder), "TMPDIR": str(folder), **env}
    program = shutil.which(argv[0], path=variables["PATH"])
    if program is None:
        raise UserError(f"no program {argv[0]!r} on {variables['PATH']}")
    paths = [*system_paths(), program, os.path.realpath(program), *[os.path.realpath(p) for p in read]]
    if imports:
        paths += reading.reading(tuple(sorted(set(imports)))).paths
    if network:
        paths += NETWORK_FILES
    order = {
        "argv": [program, *map(str, argv[1:])],
        "env": variables,
        "folder": os.path.realpath(folder),
        "reading": list(dict.fromkeys(p for p in paths if os.path.exists(p))),
        "writing": [os.path.realpath(p) for p in write],
        "network": network,
        "limits": msgspec.to_builtins(limits),
    }
    began = time.perf_counter()
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as stdin:
        stdin.write(given)
        stdin.seek(0)
        extra = [errors.fileno(), stdin.fileno()]
        started = Started(control, order, deadline=time.monotonic() + limits.seconds, extra=extra, arena=False)
        try:
            failure = _until_it_runs(started)
            fate = started.wait(max(0.0, limits.seconds - (time.perf_counter() - began)))
            if fate is None:
                fate = started.end("wall")
            limit = limits.output_kb << 10
            stdout, more = started.printed(limit)
            size = os.fstat(errors.fileno()).st_size
            stderr = os.pread(errors.fileno(), limit, 0)
        finally:
            started.close()
    seconds = time.perf_counter() - began
    status = _status(fate, failure)
    reason = failure or ("" if status == "ok" else f"it {fate.told()}")
    return CommandOutput(status, fate.code, stdout, stderr, more or size > limit, seconds, reason)


def _until_it_runs(started: Started) -> str:
    """Waits until the exec closed the channel; what went wrong before it, or an empty string."""
    try:
        tree, _ = started.channel.receive()
    except (BrokenChannel, DeadlinePassed):
        return ""
    return str(tree[1])


def _status(fate: Fate, failure: str) -> Literal["ok", "error", "timeout", "resource_limit"]:
    if fate.why in ("wall", "cpu"):
        return "timeout"
    if fate.why in ("disk", "files", "memory", "processes"):
        return "resource_limit"
    return "ok" if fate.code == 0 and not failure else "error"
