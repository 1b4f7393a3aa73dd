"""CUDA kernels on a CUDA device: compiled by NVRTC, launched by the driver in a process of its own, inside the walls.

`BENCHWRIGHT_DEVICE=cuda` asks for it. The emulator runs too: findings and counts are its own, outputs are the device's, so one file of
tests serves both. Written to the driver's published interface and never run: no CUDA device was there when it was made.
"""

from __future__ import annotations

import functools
import glob
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scratch_kernels.simt import device_process, launch, nvrtc, walls
from scratch_kernels.simt.errors import SimtError, ToolchainError

NODES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia[0-9]*", "/dev/nvidia-caps")
SYSTEM = ("/proc/driver/nvidia", "/proc/devices", "/proc/modules", "/sys/module/nvidia", "/sys/bus/pci/devices")


class Device(NamedTuple):
    """The first CUDA device of this machine."""

    name: str
    arch: str


def wanted() -> bool:
    """Whether this process was asked for a device. Raises `ToolchainError` for a kind that there is not."""
    asked = os.environ.get("BENCHWRIGHT_DEVICE", "")
    if asked not in {"", "emulated", "cuda"}:
        raise ToolchainError(f"BENCHWRIGHT_DEVICE={asked}: there are `cuda` and `emulated`.")
    return asked == "cuda"


@functools.cache
def find() -> Device:
    """The device. Raises `ToolchainError` where the driver or NVRTC is missing, with what to do."""
    if nvrtc.find() is None:
        raise ToolchainError(f"A CUDA device needs NVRTC to compile for it: {nvrtc.REMEDY}.")
    work = Path(tempfile.mkdtemp(prefix="simt-device-"))
    try:
        ran = _run(["about"], work, seconds=60)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if ran.code != 0:
        last = [line.strip() for line in ran.err.splitlines() if line.strip()]
        raise ToolchainError(
            f"No CUDA device can be used here: {last[-1][:200] if last else ran.reason or 'no message'}."
        )
    told = json.loads(ran.out)
    return Device(told["name"], "sm_{}{}".format(*told["capability"]))


def outputs(
    binary: bytes,
    function: str,
    grid: Sequence[int],
    block: Sequence[int],
    shared: int,
    bound: Sequence[launch._Buffer],
    pointers: Sequence[bool],
    symbols: Mapping[str, Any],
    seconds: float,
) -> dict[str, Any]:
    """Every buffer that `function` may write, after one launch on the device, by parameter name. Raises `SimtError`."""
    import numpy as np

    parts = [{"kind": "symbol", "name": name, "bytes": np.asarray(value).nbytes} for name, value in symbols.items()]
    contents = [np.ascontiguousarray(value).tobytes() for value in symbols.values()]
    for buffer, pointer in zip(bound, pointers, strict=True):
        parts.append({"kind": "buffer" if pointer else "value", "bytes": buffer.data.nbytes})
        contents.append(buffer.data.tobytes())
    asked = {"function": function, "grid": list(grid), "block": list(block), "shared": shared, "parts": parts}
    work = Path(tempfile.mkdtemp(prefix="simt-device-"))
    try:
        (work / "request").write_text(json.dumps(asked), encoding="utf-8")
        (work / "binary").write_bytes(binary)
        (work / "data").write_bytes(b"".join(contents))
        ran = _run(["request"], work, seconds=seconds)
        if ran.code != 0:
            last = [line.strip() for line in ran.err.splitlines() if line.strip()]
            raise SimtError(
                f"the launch on the device failed: {last[-1][:200] if last else ran.reason or f'exit {ran.code}'}"
            )
        data = launch.plain_bytes(work / "result")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    found, at = {}, 0
    for buffer, pointer in zip(bound, pointers, strict=True):
        if pointer:
            raw = data[at : at + buffer.data.nbytes]
            at += buffer.data.nbytes
            if len(raw) != buffer.data.nbytes:
                raise SimtError("the launch on the device left a result that is too short")
            if buffer.flags & launch._WRITABLE:
                found[buffer.name] = np.frombuffer(raw, buffer.dtype).reshape(buffer.shape).copy()
    return found


def _run(arguments: list[str], work: Path, seconds: float) -> walls.Ran:
    nvrtc._standard_library(work / "lib")
    nodes = [Path(node) for pattern in NODES for node in glob.glob(pattern)]
    return walls.run(
        [os.path.realpath(sys.executable), "-s", "-S", "-P", device_process.__file__, *arguments],
        work,
        seconds=seconds,
        memory_mb=65536,
        read=(Path(device_process.__file__), Path(sys.base_prefix) / "lib", *map(Path, SYSTEM)),
        write=nodes,
        env={"PYTHONPATH": f"{work / 'lib'}:{work / 'lib' / 'lib-dynload'}", "PYTHONDONTWRITEBYTECODE": "1"},
        open_files=1024,
    )
