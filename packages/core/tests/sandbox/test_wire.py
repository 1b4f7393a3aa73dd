"""Values that cross, exactly; and what does not."""

from __future__ import annotations

import contextlib
import enum
import math
from collections import namedtuple
from typing import Any

import msgspec
import numpy as np
import pytest
from benchwright.sandbox.wire import (
    ARRAY,
    DICT,
    DTYPES,
    FROZENSET,
    INT,
    RANGE,
    SET,
    Decoder,
    Encoder,
    Malformed,
    NotPlain,
)
from hypothesis import given, settings
from hypothesis import strategies as st


def across(value: Any) -> Any:
    """The value after a trip through msgpack and raw buffers."""
    encoder = Encoder()
    tree = msgspec.msgpack.decode(msgspec.msgpack.encode(encoder.tree(value)))
    return Decoder([bytearray(b) for b in encoder.buffers]).value(tree)


leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.complex_numbers(allow_nan=False)
)
keys = st.text() | st.integers() | st.tuples(st.integers(), st.text())
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(keys, inner)
        | st.sets(st.integers())
        | st.frozensets(st.text())
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(values)
def test_plain_values_come_back_equal_and_of_the_same_type(value: Any) -> None:
    back = across(value)
    assert back == value
    assert repr(back) == repr(value) or isinstance(value, set | frozenset | list | tuple | dict)


@pytest.mark.parametrize(
    "value", [slice(1, None, 2), range(3, 9), ..., bytearray(b"x"), "\ud800 alone", 1 << 200, -(1 << 64)], ids=repr
)
def test_odd_values_come_back(value: Any) -> None:
    assert across(value) == value
    assert type(across(value)) is type(value)


def test_nan_and_the_sign_of_zero_come_back() -> None:
    assert math.isnan(across(math.nan))
    assert math.copysign(1, across(-0.0)) == -1


@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_every_listed_dtype_comes_back_bit_for_bit(dtype: str) -> None:
    raw = np.random.default_rng(0).integers(0, 2, 48 * np.dtype(dtype).itemsize, dtype=np.uint8)
    array = np.zeros(48, dtype) if dtype in ("<f16", "<c32") else raw.view(dtype)
    back = across(array.reshape(2, 3, 8))
    assert type(back) is np.ndarray
    assert back.dtype == array.dtype
    assert back.tobytes() == array.tobytes()
    assert back.flags.writeable


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.arange(12.0).reshape(3, 4)[::-1, ::2],
        np.zeros((0, 3)),
        np.float64(2.5).reshape(()),
        np.arange(6)[None, :, None],
    ],
    ids=["fortran", "strided", "empty", "scalar_array", "with_ones"],
)
def test_arrays_of_every_layout_come_back(array: np.ndarray) -> None:
    back = across(array)
    assert back.shape == array.shape
    assert np.array_equal(back, array)
    assert (
        back.flags.f_contiguous == np.array(array, order="K").flags.f_contiguous
        or array.ndim < 2
        or not array.flags.f_contiguous
    )


def test_a_read_only_array_stays_read_only() -> None:
    array = np.arange(3)
    array.flags.writeable = False
    assert not across(array).flags.writeable


def test_numpy_scalars_keep_their_type() -> None:
    for value in (np.float32(1.5), np.int8(-3), np.bool_(True), np.complex64(1j)):
        assert type(across(value)) is type(value)
        assert across(value) == value


def test_a_namedtuple_keeps_its_fields() -> None:
    point = namedtuple("point", "x y")(1, [2])
    back = across(point)
    assert back == point
    assert back.y == [2]


@pytest.mark.parametrize("name", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_a_generator_continues_where_it_was(name: str) -> None:
    generator = np.random.Generator(getattr(np.random, name)(7))
    generator.integers(0, 10, 3, dtype=np.int32)
    back = across(generator)
    assert np.array_equal(back.random(5), generator.random(5))


class Loud(enum.IntEnum):
    """An int that is none."""

    ONE = 1


class Sub(np.ndarray):
    """An array with opinions."""


@pytest.mark.parametrize(
    "value",
    [
        Loud.ONE,
        type("F", (float,), {})(1),
        type("S", (str,), {})("x"),
        type("L", (list,), {})([1]),
        type("D", (dict,), {})(),
        np.zeros(3).view(Sub),
        np.ma.masked_all(3),
        np.array([object()]),
        np.zeros(2, [("a", "i4")]),
        np.array(["text"]),
        np.array([0], "datetime64[s]"),
        np.zeros(2, ">f8"),
        object(),
        len,
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_not_exactly_plain_does_not_cross(value: Any) -> None:
    with pytest.raises(NotPlain):
        across(value)


def test_a_list_that_holds_itself_does_not_cross() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotPlain, match="deeply"):
        across(loop)


def test_a_bool_of_another_bit_is_true_and_equal_to_true() -> None:
    back = Decoder([bytearray(b"\x02\x00\x01")]).value([ARRAY, "|b1", [3], 0, 0])
    assert back.tolist() == [True, False, True]
    assert back.tobytes() == b"\x01\x00\x01"


@pytest.mark.parametrize(
    "tree",
    [
        [],
        [99],
        ["list"],
        [ARRAY, "|O", [1], 0, 0],
        [ARRAY, "<f8", [2], 0, 0],
        [ARRAY, "<f8", [-1], 0, 0],
        [ARRAY, "<f8", [1 << 62, 1 << 62], 0, 0],
        [ARRAY, "<f8", [1], 7, 0],
        [ARRAY, "<f8", [1], -1, 0],
        [ARRAY, "<f8", [1] * 40, 0, 0],
        [ARRAY, "<f8", "1", 0, 0],
        [21, "<f8", b"short"],
        [21, "|V8", b"12345678"],
        [22, "|O"],
        [23, "Evil", [3]],
        [3, 1],
        [3, [1], 2],
        [4, [1]],
        [6, "text"],
        [12, "p", ["a"], 1, 2],
        [12, "p", ["not a name"], 1],
        [40, 0],
        [41, 1, ["a", "b"], []],
        [42, 0],
        {"a": 1},
    ],
    ids=repr,
)
def test_a_tree_that_no_encoder_makes_is_malformed(tree: Any) -> None:
    with pytest.raises(Malformed):
        Decoder([bytearray(8)]).value(tree)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_make_the_decoder_raise_anything_else(data: bytes) -> None:
    try:
        tree = msgspec.msgpack.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    with contextlib.suppress(Malformed):
        Decoder([bytearray(8)]).value(tree)


@pytest.mark.parametrize("value", [range(10**10), range(0, -(10**30), -1)], ids=["up", "down"])
def test_a_range_that_is_longer_than_memory_does_not_cross(value: range) -> None:
    with pytest.raises(NotPlain):
        Encoder().tree(value)
    with pytest.raises(Malformed):
        Decoder([]).value([RANGE, 0, 2**60, 1])
    assert across(range(10**18, 10**18 + 5, 2)) == range(10**18, 10**18 + 5, 2)


def test_an_array_of_nothing_may_not_be_wide() -> None:
    with pytest.raises(Malformed):
        Decoder([bytearray()]).value([ARRAY, "<f8", [10**10, 0], 0, 0])
    assert across(np.zeros((3, 0, 1000))).shape == (3, 0, 1000)


@pytest.mark.parametrize("tag", [SET, FROZENSET, DICT])
def test_many_keys_of_one_hash_do_not_become_a_table(tag: int) -> None:
    keys = [[INT, (n * ((1 << 61) - 1)).to_bytes(12, "little")] for n in range(100)]
    tree = [tag, *keys] if tag != DICT else [tag, *[x for key in keys for x in (key, 0)]]
    with pytest.raises(Malformed, match="same hash"):
        Decoder([]).value(tree)
    assert across(set(range(-5000, 5000))) == set(range(-5000, 5000))


@pytest.mark.parametrize(("kind", "place"), [("MT19937", "pos"), ("Philox", "buffer_pos")])
def test_a_generator_whose_place_is_outside_its_block_is_none(kind: str, place: str) -> None:
    bits = getattr(np.random, kind)(0)
    encoder = Encoder()
    tree = encoder.tree(np.random.Generator(bits))
    assert Decoder([]).value(tree).bit_generator.state["bit_generator"] == kind

    def moved(node: Any) -> Any:
        if type(node) is not list:
            return node
        found = [moved(n) for n in node]
        return [10**6 if i and node[i - 1] == place else n for i, n in enumerate(found)]

    with pytest.raises(Malformed):
        Decoder([]).value(moved(tree))
