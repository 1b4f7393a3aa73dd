"""Which compilers there are: clang 16 or newer on the PATH, else the `ziglang` wheel."""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchwright import DoctorRow

from scratch_kernels.simt.errors import ToolchainError

OLDEST = 16
REMEDY = (
    f"apt install clang-{OLDEST} (or newer), or pip install 'scratch-kernels[compiler]' (no system package, 400 MB on disk,"
    " the first build takes a minute or two)"
)


class Compiler(NamedTuple):
    """`argv` starts a command line; `identity` is recorded with every count."""

    argv: tuple[str, ...]
    identity: str
    imports: tuple[str, ...] = ()
    """Packages that it is part of."""
    libraries: bool = False
    """Whether it builds its C++ library itself, at the first link."""


@functools.cache
def find() -> Compiler:
    """The compiler; `BENCHWRIGHT_CXX` names one, or is `ziglang`, and comes first. Raises `ToolchainError` with what to install."""
    if platform.machine().lower() not in {"x86_64", "amd64", "aarch64", "arm64"} or sys.platform == "darwin":
        raise ToolchainError(
            f"The emulator runs on Linux on x86_64 and aarch64, not on {platform.system()} {platform.machine()}."
        )
    asked = os.environ.get("BENCHWRIGHT_CXX")
    if asked == "ziglang":
        if zig := _zig():
            return zig
        raise ToolchainError("BENCHWRIGHT_CXX=ziglang: the package is not installed; pip install ziglang")
    names = [asked] if asked else ["clang++", *(f"clang++-{n}" for n in range(30, OLDEST - 1, -1))]
    for name in names:
        path = shutil.which(name)
        version = _clang_version(path) if path else None
        if path and version and int(version.split(".")[0]) >= OLDEST:
            return Compiler((path,), f"clang {version} {platform.machine()}")
    if asked:
        raise ToolchainError(f"BENCHWRIGHT_CXX={asked} is no clang++ of version {OLDEST} or newer.")
    if zig := _zig():
        return zig
    raise ToolchainError(f"No compiler for GPU kernels on this machine: {REMEDY}.")


def _zig() -> Compiler | None:
    """The `ziglang` wheel, without the Python that its `-m ziglang` would start: inside the walls there is none."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    program = str(Path(spec.origin).parent / "zig")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    # A target spelled out is the same on every machine of its kind: its own C library's headers, no instructions of this processor.
    argv = (program, "c++", "-target", f"{machine}-linux-gnu")
    try:
        done = subprocess.run([*argv, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    found = re.search(r"clang version (\d+[\w.]*)", done.stdout)
    return Compiler(argv, f"zig clang {found[1]} {machine}", ("ziglang",), True) if found else None


def _clang_version(path: str) -> str | None:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"clang version (\d+[\d.]*)", done.stdout)
    return found[1] if found else None


def doctor() -> list[DoctorRow]:
    """For `bench doctor`: what builds the kernels, and what to install where nothing does."""
    from scratch_kernels.simt import nvrtc

    state, remedy = nvrtc.doctor()
    real = DoctorRow("CUDA compile check", state, remedy, not remedy)
    try:
        return [DoctorRow("kernel emulator", f"builds with {find().identity}"), real]
    except ToolchainError as error:
        asked = os.environ.get("BENCHWRIGHT_CXX")
        remedy = f"unset BENCHWRIGHT_CXX, or {REMEDY}" if asked else REMEDY
        return [DoctorRow("kernel emulator", str(error).partition(": ")[0].rstrip("."), remedy, False), real]
