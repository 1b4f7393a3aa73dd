"""The environment of every process that the sandbox starts: an allow-list, never the user's own."""

from __future__ import annotations

import os
from collections.abc import Mapping

_FIXED = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "HOME": "/nonexistent",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # One thread: a keeper must have one to be forked, and timings must not depend on the machine's cores.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # glibc's largest, which it comes to by itself in a program that has freed arrays of that size: memory of arrays is
    # used again, and not given back and cleared anew for every one. So no timing depends on what was freed before.
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(64 << 20),
}

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
"""Where an interpreter may need to find its libraries; folders, no secrets."""


_FOR_GRADERS = (
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "BENCHWRIGHT_CACHE",
    "BENCHWRIGHT_DATA",
    "BENCHWRIGHT_CXX",
    "BENCHWRIGHT_NVRTC",
    "BENCHWRIGHT_DEVICE",
)
"""Where a hidden test finds data and compiled kernels, and the user's choice of compiler and device; no worker can open or see them."""


def trusted() -> dict[str, str]:
    """The environment of a grader: a worker's, and where the user keeps caches and data."""
    return clean({name: os.environ[name] for name in _FOR_GRADERS if name in os.environ})


def clean(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a worker, with `extra` on top."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**_FIXED, **kept, **(extra or {})}
