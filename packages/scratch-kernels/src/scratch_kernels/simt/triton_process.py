"""Starts Python with numpy and Triton inside the walls, where no folder of installed packages can be listed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

from scratch_kernels.simt import launch, walls
from scratch_kernels.simt.errors import SimtError, ToolchainError

RUNTIME = Path(__file__).parent / "runtime" / "triton"
PACKAGES = ("numpy", "triton")
WANTED = "`pip install 'scratch-kernels[triton]'` (Linux; 290 MB to fetch, 1 GB on disk)"


@cache
def version() -> str:
    """Triton's version. Raises `ToolchainError` with what to install where it is not there."""
    if not sys.platform.startswith("linux"):
        raise ToolchainError(f"Triton kernels need Linux; this is {sys.platform}.")
    if importlib.util.find_spec("triton") is None:
        raise ToolchainError(f"Triton kernels need Triton, which is not installed: {WANTED}.")
    try:
        found = metadata.version("triton")
    except metadata.PackageNotFoundError:
        raise ToolchainError(f"Triton is here without its version: {WANTED}.") from None
    if tuple(int(part) for part in found.split(".")[:2] if part.isdigit()) < (3, 9):
        raise ToolchainError(f"Triton {found} is older than 3.9, whose interpreter the emulator builds on: {WANTED}.")
    return found


@contextmanager
def folder(kernel: str) -> Iterator[Path]:
    """A working folder with the screened text of a file in it; removed afterwards."""
    work = Path(tempfile.mkdtemp(prefix="simt-triton-"))
    try:
        (work / "kernel.py").write_text(kernel, encoding="utf-8")
        _libraries(work / "lib")
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def run(
    script: str, work: Path, *, seconds: float, memory_mb: int = 8192, env: Mapping[str, str] | None = None
) -> walls.Ran:
    """Runs a script of `runtime/triton` in `work`, inside the walls."""
    libraries = work / "lib"
    return walls.run(
        [os.path.realpath(sys.executable), "-s", "-S", "-P", str(RUNTIME / script)],
        work,
        seconds=seconds,
        memory_mb=memory_mb,
        read=(RUNTIME,),
        imports=PACKAGES,
        env={
            "PYTHONPATH": f"{libraries}:{libraries / 'lib-dynload'}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TRITON_BACKENDS_IN_TREE": "1",
            "TRITON_HOME": str(work),
            "TRITON_CACHE_DIR": str(work / "cache"),
            **(env or {}),
        },
    )


def result(work: Path) -> bytes:
    """What a script left. Raises `SimtError` where it is no plain file."""
    return launch.plain_bytes(work / "result")


def _libraries(target: Path) -> None:
    """A folder of links: what an interpreter finds modules in, where their own folders cannot be listed."""
    from benchwright.sandbox import reading

    target.mkdir()
    standard = sysconfig.get_path("stdlib")
    for name in os.listdir(standard):
        if name not in {"site-packages", "dist-packages", "__pycache__"}:
            os.symlink(os.path.join(standard, name), target / name)
    for name, place in reading.reading(PACKAGES).modules.items():
        here = place.folders[0] if place.folders else place.origin
        link = target / (name if place.folders else os.path.basename(here))
        if here and not os.path.lexists(link):
            os.symlink(here, link)


def complaint(ran: walls.Ran, what: str) -> SimtError:
    """Why a script gave no result."""
    last = [line.strip() for line in ran.err.splitlines() if line.strip()]
    return SimtError(f"{what} {ran.reason or f'ended with {ran.code}'}: {last[-1][:300] if last else 'no message'}")
