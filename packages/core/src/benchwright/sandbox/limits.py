"""Resource limits of a worker, from a task's `Limits`."""

from __future__ import annotations

import math
import resource
import sys
from collections.abc import Mapping
from typing import Any

MEBIBYTE = 1 << 20


def mapped() -> int:
    """Bytes of address space that this process has mapped."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def lower(limits: Mapping[str, Any], *, extra_memory: int = 0, started: bool = True) -> None:
    """Lowers this process's limits to `limits` (the fields of `benchwright.records.Limits`).

    `extra_memory`: bytes that the harness maps and the task does not pay for. `started`: the process
    has already mapped what it needs, so the budget is added to that; False just before an exec.
    """
    cpu = math.ceil(limits["cpu_seconds"])
    _set(resource.RLIMIT_CPU, cpu, cpu + 1)
    _set(resource.RLIMIT_FSIZE, limits["file_mb"] * MEBIBYTE)
    _set(resource.RLIMIT_NOFILE, limits["open_files"])
    _set(resource.RLIMIT_CORE, 0)
    if limits["processes"]:
        _set(resource.RLIMIT_NPROC, limits["processes"] + 1)
    if sys.platform == "linux":
        # macOS refuses RLIMIT_AS; there the keeper watches resident memory instead.
        _set(resource.RLIMIT_AS, limits["memory_mb"] * MEBIBYTE + extra_memory + (mapped() if started else 0))


def bound_memory(size: int) -> None:
    """Lets this process map `size` bytes more than it has mapped, where the system can bound that."""
    if sys.platform == "linux":
        _set(resource.RLIMIT_AS, mapped() + size)


def _set(kind: int, soft: int, hard: int | None = None) -> None:
    ceiling = resource.getrlimit(kind)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))
