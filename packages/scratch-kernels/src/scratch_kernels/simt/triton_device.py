"""Triton launches on a CUDA device: compiled by Triton for it, launched by the driver as CUDA kernels are (`device.py`).

`BENCHWRIGHT_DEVICE=cuda` asks for it. The emulator runs too: findings and counts are its own, outputs are the device's. Written to Triton's
calling convention and the driver's interface, and never run: no CUDA device was there when it was made.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scratch_kernels.simt import device, launch, triton_compile
from scratch_kernels.simt.errors import UnsupportedError

SCRATCH = 2
"""Pointers that Triton adds behind a kernel's own parameters, for scratch memory; null where it needs none."""
_NUMBERS = {
    "i1": "int8",
    "u1": "int8",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
}
_NUMBERS |= {"u32": "uint32", "u64": "uint64", "fp32": "float32", "f32": "float32", "fp64": "float64"}


class Value(NamedTuple):
    """One parameter of the machine code: a buffer by its number, or a number's bytes."""

    name: str
    buffer: int
    number: Any


def parameters(signature: Mapping[str, str], arguments: Mapping[str, Mapping[str, Any]]) -> list[Value]:
    """What the machine code takes, in order: constants of the specialisation are no parameters of it. Raises `UnsupportedError`."""
    import numpy as np

    found = []
    for name, kind in signature.items():
        what = arguments[name]
        if kind == "constexpr":
            continue
        if kind.startswith("*"):
            if what["offset"]:
                raise UnsupportedError(
                    f"`{name}` points into the middle of an array, which a launch on a device here does not"
                )
            found.append(Value(name, what["buffer"], None))
        elif kind in _NUMBERS:
            found.append(Value(name, -1, np.array([what["value"]], _NUMBERS[kind])))
        else:
            raise UnsupportedError(f"`{name}` is of type {kind}, which a launch on a device here does not take")
    buffers = [value.buffer for value in found if value.buffer >= 0]
    if len(set(buffers)) < len(buffers):
        raise UnsupportedError("an array that is given twice cannot be launched on a device here")
    return found


def outputs(
    text: str,
    wanted: triton_compile.Wanted,
    arguments: Mapping[str, Mapping[str, Any]],
    grid: Sequence[int],
    data: Sequence[Any],
    shapes: Sequence[tuple[str, tuple[int, ...], Any]],
    seconds: float,
) -> dict[str, Any]:
    """Every buffer after one launch on the device, by name. Raises `SimtError`."""
    import numpy as np

    there = device.find()
    code = triton_compile.code(text, wanted, there.arch)
    if code["scratch"] or code["clusters"] != 1:
        raise UnsupportedError(
            f"{wanted.kernel} needs scratch memory or clusters, which a launch on a device here does not give"
        )
    bound, pointers = [], []
    for value in parameters(code["signature"], arguments):
        if value.buffer >= 0:
            name, shape, dtype = shapes[value.buffer]
            bound.append(launch._Buffer(name, launch._WRITABLE, data[value.buffer], shape, dtype))
        else:
            bound.append(launch._Buffer(value.name, 0, value.number, (1,), value.number.dtype))
        pointers.append(value.buffer >= 0)
    for i in range(SCRATCH):
        bound.append(launch._Buffer(f"scratch {i}", 0, np.zeros(1, np.uint64), (1,), np.dtype(np.uint64)))
        pointers.append(False)
    found = device.outputs(
        base64.b64decode(code["cubin"]),
        code["name"],
        grid,
        (32 * code["warps"], 1, 1),
        code["shared"],
        bound,
        pointers,
        {},
        seconds,
    )
    # What no parameter points to, the launch did not touch.
    left = {n: d.view(t).reshape(s).copy() for (n, s, t), d in zip(shapes, data, strict=True) if n not in found}
    return {name: found.get(name, left.get(name)) for name, _, _ in shapes}
