"""What a run was made with: versions, machine, walls."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable
from importlib import metadata
from typing import Any

import benchwright
from benchwright.plugins import Benchmark

_WORTH_KNOWING = ("numpy", "torch", "triton", "msgspec", "pluggy", "anthropic", "openai")


def versions(benchmarks: Iterable[Benchmark]) -> dict[str, str]:
    """Distribution to version: the core, each benchmark given, Python."""
    found = {"benchwright": benchwright.__version__, "python": platform.python_version()}
    found.update({benchmark.distribution: benchmark.version for benchmark in benchmarks})
    return dict(sorted(found.items()))


def environment(benchmarks: Iterable[Benchmark]) -> dict[str, Any]:
    """The machine and the packages that can change a verdict; no name of a person or a host."""
    packages = {}
    for name in _WORTH_KNOWING:
        try:
            packages[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "implementation": platform.python_implementation(),
        "python": platform.python_version(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "byteorder": sys.byteorder,
        "packages": packages,
        "versions": versions(benchmarks),
    }
