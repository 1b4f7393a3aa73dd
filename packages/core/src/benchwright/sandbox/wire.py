"""Values as trees of plain msgpack and raw buffers, and back, exactly and with nothing else let through.

What crosses: None, bool, int, float, complex, str, bytes, bytearray, list, tuple, namedtuple, dict, set,
frozenset, slice, range, Ellipsis; numpy arrays and scalars of `DTYPES`; torch tensors of `TENSOR_DTYPES`,
dtypes, sizes and devices; numpy and torch generators with their state. Of exactly these types: a
subclass of `ndarray` or of `int` is no plain value, and neither is what pickle would run.

In a tree every list is tagged: its first entry is one of the numbers below. All else is a leaf.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any

LIST, TUPLE, DICT, SET, FROZENSET, INT, COMPLEX, SLICE, ELLIPSIS, TEXT, RANGE, NAMED, BYTEARRAY = range(1, 14)
ARRAY, SCALAR, DTYPE, GENERATOR = 20, 21, 22, 23
TENSOR, TENSOR_DTYPE, TENSOR_GENERATOR, SIZE, DEVICE = 30, 31, 32, 33, 34
SAME, HANDLE, CALLBACK = 40, 41, 42

BUFFERS_LIMIT = 512 << 20
"""Bytes of raw buffers in one message."""
DEPTH = 100
"""Nesting of a value that crosses."""

DTYPES = frozenset(
    "|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <f16 <c8 <c16 <c32".split()  # noqa: SIM905
    if sys.byteorder == "little"
    else "|b1 |i1 |u1 >i2 >u2 >i4 >u4 >i8 >u8 >f2 >f4 >f8 >f16 >c8 >c16 >c32".split()  # noqa: SIM905
)
LONGEST_RANGE = 1 << 24
"""Numbers in a range that crosses: it is told by three, and whoever makes a list of it pays for all."""
ALIKE = 64
"""Keys of one set or dict with the same hash; more make the building of it quadratic, and that is their use."""
BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
TENSOR_DTYPES = [
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "complex64",
    "complex128",
    "float8_e4m3fn",
    "float8_e5m2",
]

_LEAVES = (type(None), bool, float, bytes)
_INT_LOW, _INT_HIGH = -(1 << 63), 1 << 64


class NotPlain(TypeError):
    """A value that may not cross, named by its type."""


class Malformed(Exception):
    """A tree that no honest encoder makes."""


def _loaded(name: str) -> Any:
    """A module if this process has imported it: a value of its types can exist only then."""
    return sys.modules.get(name)


def _bytes_of(array: Any) -> memoryview:
    """The bytes of a contiguous numpy array, not copied."""
    return memoryview(array.reshape(-1, order="A").view("u1")) if array.size else memoryview(b"")


def _bytes_of_tensor(tensor: Any) -> Any:
    size = tensor.numel() * tensor.element_size()
    if not size:
        return b""
    # The view keeps the tensor alive through the object it is made from.
    block = (ctypes.c_char * size).from_address(tensor.data_ptr())
    block._tensor = tensor
    return memoryview(block).cast("B")


class Encoder:
    """Turns values into trees; collects their buffers, and the arrays met, in order.

    `hand_over(value)` gives the tree of a value that is not plain, or raises `NotPlain`. `same` maps
    the identity of an object that the other side already has to its number there.
    """

    def __init__(self, hand_over: Callable[[Any], list[Any]] | None = None, same: dict[int, int] | None = None) -> None:
        self.hand_over = hand_over
        self.same = same
        self.buffers: list[Any] = []
        self.arrays: list[Any] = []

    def tree(self, value: Any, depth: int = DEPTH) -> Any:
        """The tree of `value`. Raises `NotPlain`, also where it is nested too deeply."""
        kind = type(value)
        if kind in _LEAVES:
            return value
        if kind is int:
            if _INT_LOW <= value < _INT_HIGH:
                return value
            return [INT, value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)]
        if kind is str:
            if value.isascii():
                return value
            try:
                value.encode()
            except UnicodeEncodeError:
                return [TEXT, value.encode("utf-8", "surrogatepass")]
            return value
        if depth == 0:
            raise NotPlain("a value nested too deeply")
        if self.same is not None and (n := self.same.get(id(value))) is not None:
            return [SAME, n]
        encode = _ENCODERS.get(kind)
        if encode is not None:
            return encode(self, value, depth - 1)
        return self._other(value, kind, depth - 1)

    def _items(self, tag: int, values: Any, depth: int) -> list[Any]:
        tree = self.tree
        return [tag, *[v if type(v) in _LEAVES else tree(v, depth) for v in values]]

    def _other(self, value: Any, kind: type, depth: int) -> list[Any]:
        numpy, torch = _loaded("numpy"), _loaded("torch")
        if numpy is not None:
            if kind is numpy.ndarray:
                return self._array(value)
            if isinstance(value, numpy.generic):
                if kind.__module__ == "numpy" and value.dtype.str in DTYPES:
                    return [SCALAR, value.dtype.str, value.tobytes()]
                raise NotPlain(f"a scalar of type {kind.__name__}")
            if isinstance(value, numpy.dtype) and value.str in DTYPES:
                return [DTYPE, value.str]
            if kind is numpy.random.Generator and type(value.bit_generator).__name__ in BIT_GENERATORS:
                self.arrays.append(value)
                state = self.tree(_plain_state(value.bit_generator.state), depth)
                return [GENERATOR, type(value.bit_generator).__name__, state]
        if torch is not None:
            if kind is torch.Tensor or kind is torch.nn.Parameter:
                return self._tensor(value, torch)
            if kind is torch.dtype and _dtype_name(value) in TENSOR_DTYPES:
                return [TENSOR_DTYPE, _dtype_name(value)]
            if kind is torch.Size:
                return self._items(SIZE, value, depth)
            if kind is torch.device and value.type == "cpu":
                return [DEVICE]
            if kind is torch.Generator and value.device.type == "cpu":
                self.arrays.append(value)
                self.buffers.append(bytes(_bytes_of_tensor(value.get_state())))
                return [TENSOR_GENERATOR, len(self.buffers) - 1]
        fields = getattr(kind, "_fields", None)
        if isinstance(value, tuple) and kind.__bases__ == (tuple,) and type(fields) is tuple:
            return [NAMED, kind.__name__, list(fields), *[self.tree(v, depth) for v in tuple.__iter__(value)]]
        if self.hand_over is None:
            raise NotPlain(f"an object of type {kind.__qualname__}")
        return self.hand_over(value)

    def _array(self, array: Any) -> list[Any]:
        if array.dtype.str not in DTYPES:
            raise NotPlain(f"an array of dtype {array.dtype}")
        numpy = _loaded("numpy")
        flat = array
        fortran = array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous
        if not (fortran or array.flags.c_contiguous):
            flat = numpy.ascontiguousarray(array)
        self.buffers.append(_bytes_of(flat))
        self.arrays.append(array)
        flags = int(fortran) | (0 if array.flags.writeable else 2)
        return [ARRAY, array.dtype.str, list(array.shape), len(self.buffers) - 1, flags]

    def _tensor(self, tensor: Any, torch: Any) -> list[Any]:
        name = _dtype_name(tensor.dtype)
        if tensor.layout is not torch.strided or tensor.device.type != "cpu" or name not in TENSOR_DTYPES:
            raise NotPlain(f"a tensor of {name}, {tensor.layout}, on {tensor.device}")
        plain = tensor.detach().resolve_conj().resolve_neg().contiguous()
        self.buffers.append(_bytes_of_tensor(plain))
        self.arrays.append(tensor)
        return [TENSOR, name, list(tensor.shape), len(self.buffers) - 1, bool(tensor.requires_grad)]


def _dict(encoder: Encoder, value: dict[Any, Any], depth: int) -> list[Any]:
    tree: list[Any] = [DICT]
    for key, entry in value.items():
        tree.append(encoder.tree(key, depth))
        tree.append(encoder.tree(entry, depth))
    return tree


_ENCODERS: dict[type, Callable[[Encoder, Any, int], list[Any]]] = {
    list: lambda e, v, d: e._items(LIST, v, d),
    tuple: lambda e, v, d: e._items(TUPLE, v, d),
    dict: _dict,
    set: lambda e, v, d: e._items(SET, v, d),
    frozenset: lambda e, v, d: e._items(FROZENSET, v, d),
    complex: lambda e, v, d: [COMPLEX, v.real, v.imag],
    slice: lambda e, v, d: e._items(SLICE, (v.start, v.stop, v.step), d),
    range: lambda e, v, d: e._items(RANGE, _bounded(v, NotPlain), d),
    type(...): lambda e, v, d: [ELLIPSIS],
    bytearray: lambda e, v, d: [BYTEARRAY, bytes(v)],
}


def _plain_state(state: Any) -> Any:
    """A bit generator's state with its arrays as lists of int."""
    if isinstance(state, dict):
        return {k: _plain_state(v) for k, v in state.items()}
    return state.tolist() if hasattr(state, "tolist") else state


def _dtype_name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


class Decoder:
    """Turns trees back into values, which share memory with the buffers and nothing else.

    `take(tree)` resolves handles and callbacks. `same`: what `SAME` numbers. Raises `Malformed`.
    """

    def __init__(
        self,
        buffers: list[bytearray],
        take: Callable[[list[Any]], Any] | None = None,
        same: list[Any] | None = None,
    ) -> None:
        self.buffers = buffers
        self.take = take
        self.same = same
        self.arrays: list[tuple[Any, int | None]] = []
        """Arrays and generators met, with the number of the buffer under each."""

    def value(self, tree: Any, depth: int = DEPTH) -> Any:
        """The value of `tree`."""
        kind = type(tree)
        if kind is not list:
            if kind in _LEAVES or kind is int or kind is str:
                return tree
            raise Malformed(f"a {kind.__name__} in a message")
        if depth == 0:
            raise Malformed("a value nested too deeply")
        try:
            return _DECODERS[tree[0]](self, tree, depth - 1)
        except Malformed:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the other side wrote, it is one kind of error here
            raise Malformed(f"a value that cannot be read ({type(error).__name__}: {error})") from None

    def _items(self, tree: list[Any], depth: int) -> list[Any]:
        value = self.value
        return [value(v, depth) if type(v) is list else _leaf(v) for v in tree[1:]]

    def _dict(self, tree: list[Any], depth: int) -> dict[Any, Any]:
        items = self._items(tree, depth)
        return dict(zip(_keys(items[::2]), items[1::2], strict=True))

    def _array(self, tree: list[Any], _: int) -> Any:
        numpy = _numpy()
        _tag, name, shape, n, flags = tree
        if name not in DTYPES:
            raise Malformed(f"dtype {name!r}")
        dtype = numpy.dtype(name)
        buffer = self._sized(shape, dtype.itemsize, n)
        order = "F" if flags & 1 else "C"
        array = numpy.ndarray(tuple(shape), dtype, buffer=buffer or bytearray(1), order=order)
        if name == "|b1":
            # A byte that is neither 0 nor 1 would be true and not equal to True.
            numpy.not_equal(array.view("u1"), 0, out=array)
        if flags & 2:
            array.flags.writeable = False
        self.arrays.append((array, n))
        return array

    def _sized(self, shape: Any, size: int, n: Any) -> bytearray:
        if type(shape) is not list or len(shape) > 32 or any(type(d) is not int or d < 0 for d in shape):
            raise Malformed("a shape")
        if type(n) is not int or not 0 <= n < len(self.buffers):
            raise Malformed("a buffer's number")
        buffer = self.buffers[n]
        if math.prod(shape) * size != len(buffer):
            raise Malformed(f"{len(buffer)} bytes for shape {shape}")
        if not buffer and math.prod(d or 1 for d in shape) * size > BUFFERS_LIMIT:
            # An array of nothing that becomes terabytes when it is summed along an axis.
            raise Malformed(f"an empty array of shape {shape}")
        return buffer

    def _scalar(self, tree: list[Any], _: int) -> Any:
        numpy = _numpy()
        _tag, name, data = tree
        if name not in DTYPES or type(data) is not bytes:
            raise Malformed("a scalar")
        dtype = numpy.dtype(name)
        if len(data) != dtype.itemsize:
            raise Malformed("a scalar's bytes")
        if name == "|b1":
            return numpy.bool_(data != b"\0")
        return numpy.frombuffer(data, dtype)[0]

    def _generator(self, tree: list[Any], depth: int) -> Any:
        numpy = _numpy()
        _tag, name, state = tree
        if name not in BIT_GENERATORS:
            raise Malformed("a generator")
        bits = getattr(numpy.random, name)(0)
        bits.state = _checked_state(self.value(state, depth))
        generator = numpy.random.Generator(bits)
        self.arrays.append((generator, None))
        return generator

    def _tensor(self, tree: list[Any], _: int) -> Any:
        torch = _torch()
        _tag, name, shape, n, gradient = tree
        if name not in TENSOR_DTYPES:
            raise Malformed(f"dtype {name!r}")
        dtype = getattr(torch, name)
        buffer = self._sized(shape, dtype.itemsize, n)
        if not buffer:
            tensor = torch.empty(tuple(shape), dtype=dtype)
        elif name == "bool":
            tensor = torch.frombuffer(buffer, dtype=torch.uint8).ne_(0).view(torch.bool).reshape(shape)
        else:
            tensor = torch.frombuffer(buffer, dtype=torch.uint8).view(dtype).reshape(shape)
        if gradient:
            tensor.requires_grad_(True)
        self.arrays.append((tensor, n))
        return tensor

    def _tensor_generator(self, tree: list[Any], _: int) -> Any:
        torch = _torch()
        generator = torch.Generator()
        generator.set_state(torch.frombuffer(self.buffers[tree[1]], dtype=torch.uint8).clone())
        self.arrays.append((generator, None))
        return generator

    def _named(self, tree: list[Any], depth: int) -> Any:
        _tag, name, fields, *items = tree
        if len(fields) > 64 or len(fields) != len(items):
            raise Malformed("a namedtuple")
        return _named_type(name, tuple(fields))(*[self.value(v, depth) for v in items])

    def _same(self, tree: list[Any], _: int) -> Any:
        n = tree[1]
        if self.same is None or type(n) is not int or not 0 <= n < len(self.same):
            raise Malformed("a number of an argument")
        return self.same[n]

    def _taken(self, tree: list[Any], _: int) -> Any:
        if self.take is None:
            raise Malformed("a handle")
        return self.take(tree)


def _bounded(value: range, error: type[Exception]) -> tuple[int, int, int]:
    # A range longer than an index has no `len`.
    if value[LONGEST_RANGE : LONGEST_RANGE + 1]:
        raise error(f"a range of more than {LONGEST_RANGE} numbers")
    return value.start, value.stop, value.step


def _made_range(items: list[Any]) -> range:
    made = range(*items)
    _bounded(made, Malformed)
    return made


def _keys(keys: list[Any]) -> list[Any]:
    """`keys`, unless so many have one hash that a table of them takes a time quadratic in their number."""
    if len(keys) > ALIKE:
        hashes = sorted(map(hash, keys))
        if any(a == b for a, b in zip(hashes, hashes[ALIKE:], strict=False)):
            raise Malformed(f"more than {ALIKE} keys with the same hash")
    return keys


def _checked_state(state: Any) -> Any:
    """A bit generator's state whose place in its block is inside it: numpy believes it, and reads there."""
    block = state["state"]
    if not (0 <= block.get("pos", 0) <= 624 and 0 <= state.get("buffer_pos", 0) <= 4):
        raise Malformed("a generator's state")
    return state


def _leaf(value: Any) -> Any:
    kind = type(value)
    if kind in _LEAVES or kind is int or kind is str:
        return value
    raise Malformed(f"a {kind.__name__} in a message")


def _numpy() -> Any:
    import numpy

    return numpy


def _torch() -> Any:
    import torch

    return torch


@lru_cache(maxsize=1024)
def _named_type(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields)


_DECODERS: dict[int, Callable[[Decoder, list[Any], int], Any]] = {
    LIST: Decoder._items,
    TUPLE: lambda d, t, n: tuple(d._items(t, n)),
    DICT: Decoder._dict,
    SET: lambda d, t, n: set(_keys(d._items(t, n))),
    FROZENSET: lambda d, t, n: frozenset(_keys(d._items(t, n))),
    INT: lambda d, t, n: int.from_bytes(t[1], "little", signed=True),
    COMPLEX: lambda d, t, n: complex(*d._items(t, n)),
    SLICE: lambda d, t, n: slice(*d._items(t, n)),
    RANGE: lambda d, t, n: _made_range(d._items(t, n)),
    ELLIPSIS: lambda d, t, n: ...,
    TEXT: lambda d, t, n: t[1].decode("utf-8", "surrogatepass"),
    NAMED: Decoder._named,
    BYTEARRAY: lambda d, t, n: bytearray(t[1]),
    ARRAY: Decoder._array,
    SCALAR: Decoder._scalar,
    DTYPE: lambda d, t, n: _numpy().dtype(t[1]) if t[1] in DTYPES else d._same([SAME, -1], n),
    GENERATOR: Decoder._generator,
    TENSOR: lambda d, t, n: d._tensor(t, n),
    TENSOR_DTYPE: lambda d, t, n: getattr(_torch(), t[1]) if t[1] in TENSOR_DTYPES else d._same([SAME, -1], n),
    TENSOR_GENERATOR: Decoder._tensor_generator,
    SIZE: lambda d, t, n: _torch().Size(d._items(t, n)),
    DEVICE: lambda d, t, n: _torch().device("cpu"),
    SAME: lambda d, t, n: d._same(t, n),
    HANDLE: Decoder._taken,
    CALLBACK: Decoder._taken,
}
