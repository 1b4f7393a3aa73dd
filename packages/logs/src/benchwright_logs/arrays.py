"""NumPy's `.npy` format, read without NumPy: enough to find text in an array and to put other text in its place."""

from __future__ import annotations

import ast
import math
import re
import struct
from collections.abc import Callable

import msgspec

MAGIC = b"\x93NUMPY"


class Array(msgspec.Struct, frozen=True):
    """An array as it lies in the file."""

    kind: str
    """`U` letters of four bytes, `S` bytes, `i` or `u` integers, else what NumPy calls it."""
    width: int
    """Bytes an element."""
    little: bool
    shape: tuple[int, ...]
    fortran: bool
    body: bytes


def read_array(data: bytes) -> Array:
    """An array. Raises ValueError for what is none, holds Python objects, or has another length than it says."""
    if len(data) < 12 or data[6] not in (1, 2, 3):
        raise ValueError("the head of the array is cut or of a version that is not known")
    size = struct.unpack("<H", data[8:10])[0] if data[6] == 1 else struct.unpack("<I", data[8:12])[0]
    start = (10 if data[6] == 1 else 12) + size
    try:
        head = ast.literal_eval(data[start - size : start].decode("latin-1").strip())
        descr, shape, fortran = head["descr"], tuple(int(side) for side in head["shape"]), bool(head["fortran_order"])
    except (SyntaxError, ValueError, KeyError, TypeError, MemoryError, RecursionError):
        raise ValueError("the head of the array cannot be read") from None
    found = re.fullmatch(r"([<>|=])([A-Za-z])(\d+)", descr) if isinstance(descr, str) else None
    if found is None:
        raise ValueError("the array holds records or Python objects")
    kind, number = found[2], int(found[3])
    width = number * (4 if kind == "U" else 1)
    body = data[start:]
    if kind == "O" or any(side < 0 for side in shape) or len(body) != math.prod(shape) * width:
        raise ValueError("the array holds Python objects, or another number of bytes than its shape")
    return Array(kind, width, found[1] != ">", shape, fortran, body)


def texts(array: Array) -> list[str] | None:
    """The elements of an array of text, or None for another one."""
    if array.kind not in "US" or not array.width:
        return None
    pieces = (array.body[at : at + array.width] for at in range(0, len(array.body), array.width))
    if array.kind == "U":
        coding = "utf-32-le" if array.little else "utf-32-be"
        return [piece.decode(coding, "replace").rstrip("\0") for piece in pieces]
    return [piece.rstrip(b"\0").decode("utf-8", "surrogateescape") for piece in pieces]


def letters(array: Array) -> str | None:
    """An array of integers read as codes of letters, or None where it cannot be one."""
    if array.kind not in "iuB" or array.width not in (1, 2, 4, 8) or not array.body:
        return None
    step = array.width
    low = array.body[0::step] if array.little else array.body[step - 1 :: step]
    plain = sum(32 <= byte < 127 or byte in (0, 9, 10, 13) for byte in low)
    return low.replace(b"\0", b"\n").decode("latin-1") if plain >= 0.8 * len(low) else None


def with_texts(array: Array, change: Callable[[str], str]) -> bytes | None:
    """The file with every element of an array of text changed; None where nothing changes."""
    old = texts(array)
    if old is None:
        return None
    new = [change(text) for text in old]
    if new == old:
        return None
    if array.kind == "U":
        width = max(map(len, new))
        body = b"".join(text.ljust(width, "\0").encode("utf-32-le", "surrogatepass") for text in new)
        descr = f"<U{width}"
    else:
        encoded = [text.encode("utf-8", "surrogateescape") for text in new]
        width = max(map(len, encoded))
        body = b"".join(text.ljust(width, b"\0") for text in encoded)
        descr = f"|S{width}"
    shape = f"({array.shape[0]},)" if len(array.shape) == 1 else repr(array.shape)
    head = f"{{'descr': '{descr}', 'fortran_order': {array.fortran}, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return MAGIC + b"\x01\x00" + struct.pack("<H", len(head)) + head.encode() + body
