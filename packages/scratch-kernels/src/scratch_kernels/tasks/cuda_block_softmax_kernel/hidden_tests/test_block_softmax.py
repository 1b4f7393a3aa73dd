# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden tests of cuda_block_softmax_kernel.

The kernel runs in the emulator, in a process of its own. The oracle is float64 with math.fsum.
"""

import functools
import math

import block_softmax
import numpy as np
import pytest
from scratch_kernels import simt

ATOL, RTOL = 2e-6, 1e-5
BLOCKS = {"one": 1, "seven": 7, "thirty_two": 32, "thirty_three": 33, "ninety_six": 96, "two_hundred": 200, "largest": 1024}
WIDTHS = {"one_column": 1, "two_columns": 2, "thirty_one": 31, "a_hundred": 100, "seven_hundred": 700}


@functools.cache
def library():
    source = block_softmax.SOURCE
    if type(source) is not str:
        raise AssertionError("SOURCE is no string")
    return simt.cuda(source)


def launch(x, lengths, block, **options):
    rows, columns = x.shape
    arguments = [simt.out((rows, columns)), x, np.asarray(lengths, np.int32), np.int32(columns)]
    return library().launch("block_softmax", rows, block, arguments, seconds=30, budget=2_000_000, **options)


def output(result):
    (name,) = result.outputs
    return result.outputs[name]


def exact(x, lengths):
    want = np.zeros(x.shape)
    for r, n in enumerate(lengths):
        row = [float(v) for v in x[r, :n]]
        top = max(row, default=-math.inf)
        if top == -math.inf:
            continue
        total = math.fsum(math.exp(v - top) for v in row)
        want[r, :n] = [math.exp(v - top) / total for v in row]
    return want


def draw(rows, columns, seed=0, scale=3.0, shift=0.0, full=False):
    rng = np.random.default_rng([rows, columns, seed])
    x = (rng.normal(size=(rows, columns)) * scale + shift).astype(np.float32)
    lengths = rng.integers(1, columns + 1, size=rows)
    lengths[0] = columns
    if full:
        lengths[:] = columns
    return x, lengths


def unwritten(result):
    """The host's arrays are copied for a launch; what a kernel does to its copies of the inputs is a finding."""
    written = [e.message for e in result.errors if e.kind == "write_to_const"]
    assert not written, written[0]


def close(result, x, lengths):
    unwritten(result)
    got = output(result)
    assert got.dtype == np.float32
    assert got.shape == x.shape
    np.testing.assert_allclose(got, exact(x, lengths), rtol=RTOL, atol=ATOL, equal_nan=False)


def clean(result):
    assert not result.errors, result.errors[0].message
    assert not result.stopped, result.stopped


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", BLOCKS)
def test_the_values_are_right_for_any_block_and_width(block, width):
    """[P1] [P3] [P4]"""
    x, lengths = draw(3, WIDTHS[width])
    close(launch(x, lengths, BLOCKS[block], trace=False), x, lengths)


@pytest.mark.parametrize("block", BLOCKS)
def test_no_rule_of_the_language_is_broken(block):
    """[P9]"""
    x, lengths = draw(3, 150)
    for schedule, seed in (("shuffled", 1), ("simdgroup", 2), ("ordered", 3)):
        result = launch(x, lengths, BLOCKS[block], trace=False, schedule=schedule, seed=seed)
        clean(result)
        close(result, x, lengths)


@pytest.mark.parametrize("columns", [1, 5, 31, 33])
def test_rows_narrower_than_the_block_break_no_rule(columns):
    """[P4] [P9]"""
    x, lengths = draw(4, columns)
    result = launch(x, lengths, 64, trace=False)
    clean(result)
    close(result, x, lengths)


@pytest.mark.parametrize("block", ["thirty_two", "two_hundred"])
def test_an_empty_row_becomes_zeros(block):
    """[P2]"""
    x, lengths = draw(4, 60)
    lengths[1] = lengths[3] = 0
    result = launch(x, lengths, BLOCKS[block], trace=False)
    clean(result)
    close(result, x, lengths)
    assert not output(result)[1].any()


@pytest.mark.parametrize("offset", ["hundreds_up", "hundreds_down", "a_thousand_up", "a_thousand_down"])
def test_large_entries_neither_overflow_nor_vanish(offset):
    """[P6]"""
    shift = {"hundreds_up": 300.0, "hundreds_down": -300.0, "a_thousand_up": 960.0, "a_thousand_down": -960.0}[offset]
    x, lengths = draw(4, 257, scale=10.0, shift=shift)
    close(launch(x, lengths, 128, trace=False), x, lengths)


def test_rows_of_very_different_size_do_not_mix():
    """[P1] [P6]"""
    x, lengths = draw(6, 90)
    x += np.array([-900, 900, 0, 500, -500, 10], np.float32)[:, None]
    close(launch(x, lengths, 64, trace=False), x, lengths)


def test_what_lies_beyond_the_length_does_not_count():
    """[P1] [P10]"""
    x, lengths = draw(4, 120)
    lengths[:] = [120, 3, 64, 1]
    for r, n in enumerate(lengths):
        x[r, n:] = np.nan
    close(launch(x, lengths, 96, trace=False), x, lengths)


@pytest.mark.parametrize("block", ["thirty_two", "two_hundred"])
def test_masked_entries_become_zero(block):
    """[P7]"""
    x, lengths = draw(5, 130)
    x = np.where(np.random.default_rng(9).random(x.shape) < 0.6, -np.inf, x).astype(np.float32)
    result = launch(x, lengths, BLOCKS[block], trace=False)
    close(result, x, lengths)
    assert not output(result)[np.isneginf(x)].any()


def test_a_row_masked_throughout_becomes_zeros():
    """[P7]"""
    x, lengths = draw(4, 70)
    x[2] = -np.inf
    result = launch(x, lengths, 64, trace=False)
    close(result, x, lengths)
    assert not output(result)[2].any()


def test_every_schedule_gives_the_same_bits():
    """[P8]"""
    x, lengths = draw(5, 333)
    schedules = ("shuffled", "simdgroup", "ordered")
    results = [launch(x, lengths, 96, trace=False, schedule=schedules[s % 3], seed=s) for s in range(9)]
    close(results[0], x, lengths)
    assert len({output(result).tobytes() for result in results}) == 1


def test_every_entry_is_written():
    """[P1] [P11]"""
    x, lengths = draw(5, 75)
    result = launch(x, lengths, 64, trace=False)
    clean(result)
    assert list(result.unwritten.values()) == [0]


def test_shared_memory_stays_below_the_limit():
    """[P5]"""
    x, lengths = draw(1, 64)
    result = launch(x, lengths, 32)
    clean(result)
    close(result, x, lengths)
    assert result.shared_bytes <= 49152


@functools.cache
def counted():
    x, lengths = draw(4, 4096, full=True)
    result = launch(x, lengths, 256)
    close(result, x, lengths)
    clean(result)
    return result.counts


def test_each_entry_is_read_at_most_three_times():
    """[P10]"""
    # An intermediate value that is read back counts as a read of its entry; every thread may look at the length.
    assert counted().device_load_bytes <= 4 * (3 * 4 * 4096) + 4 * 256 * 8


def test_entries_beyond_the_length_are_not_read():
    """[P10]"""
    x, lengths = draw(4, 1024)
    lengths[:] = 64
    result = launch(x, lengths, 64)
    clean(result)
    close(result, x, lengths)
    assert result.counts.device_load_bytes <= 4 * (3 * 4 * 64) + 4 * 64 * 8


def test_each_entry_is_written_at_most_twice():
    """[P11]"""
    assert counted().device_store_bytes <= 4 * (2 * 4 * 4096)


def test_the_threads_share_the_row():
    """[P12]"""
    assert counted().active_lanes >= 64


def test_neighbouring_threads_touch_neighbouring_entries():
    """[P13]"""
    counts = counted()
    assert counts.untraced == 0
    assert 32 * counts.sectors <= 1.5 * counts.device_bytes


def test_the_banks_of_shared_memory_are_shared_out():
    """[P14]"""
    counts = counted()
    assert counts.bank_conflicts <= counts.shared_accesses / 2
