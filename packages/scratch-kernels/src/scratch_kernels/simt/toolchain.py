"""Which C++ compiler builds the kernels: clang 16 or newer on the PATH, else the `ziglang` wheel."""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

from scratch_kernels.simt.errors import ToolchainError

OLDEST = 16
WANTED = (
    f"Kernels need clang {OLDEST} or newer: `apt install clang-{OLDEST}`, or `pip install 'scratch-kernels[compiler]'`"
    " (no system package, 400 MB on disk, the first build takes a minute)"
)


class Compiler(NamedTuple):
    """`argv` starts a command line; `identity` is recorded with every count."""

    argv: tuple[str, ...]
    identity: str
    imports: tuple[str, ...] = ()
    """Packages that it is part of."""


@functools.cache
def find() -> Compiler:
    """The compiler; `BENCHWRIGHT_CXX` names one and comes first. Raises `ToolchainError` with what to install."""
    if platform.machine().lower() not in {"x86_64", "amd64", "aarch64", "arm64"} or sys.platform == "darwin":
        raise ToolchainError(
            f"The emulator runs on Linux on x86_64 and aarch64, not on {platform.system()} {platform.machine()}."
        )
    asked = os.environ.get("BENCHWRIGHT_CXX")
    names = [asked] if asked else ["clang++", *(f"clang++-{n}" for n in range(30, OLDEST - 1, -1))]
    for name in names:
        path = shutil.which(name)
        version = _clang_version(path) if path else None
        if path and version and int(version.split(".")[0]) >= OLDEST:
            return Compiler((path,), f"clang {version} {platform.machine()}")
    if asked:
        raise ToolchainError(f"BENCHWRIGHT_CXX={asked} is no clang++ of version {OLDEST} or newer.")
    if importlib.util.find_spec("ziglang"):
        argv = (sys.executable, "-m", "ziglang", "c++")
        done = subprocess.run([*argv, "--version"], capture_output=True, text=True, check=False)
        found = re.search(r"clang version (\d+[\w.]*)", done.stdout)
        if found:
            return Compiler(argv, f"zig clang {found[1]} {platform.machine()}", ("ziglang",))
    raise ToolchainError(f"No compiler for GPU kernels on this machine. {WANTED}.")


def _clang_version(path: str) -> str | None:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"clang version (\d+[\d.]*)", done.stdout)
    return found[1] if found else None


def doctor() -> str:
    """One line for `bench doctor`."""
    try:
        return f"kernel emulator: {find().identity}"
    except ToolchainError as error:
        return f"kernel emulator: {error}"
