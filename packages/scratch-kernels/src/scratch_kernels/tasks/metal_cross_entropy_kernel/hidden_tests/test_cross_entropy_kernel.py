# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden tests of metal_cross_entropy_kernel.

The kernel runs in the emulator, in a process of its own. The oracle is float64 with math.fsum.
"""

import functools
import math

import cross_entropy_kernel
import numpy as np
import pytest
from scratch_kernels import simt

ATOL, RTOL = 1e-5, 2e-6
GROUPS = {"one": 1, "seven": 7, "thirty_two": 32, "thirty_three": 33, "ninety_six": 96, "two_hundred": 200, "largest": 1024}
WIDTHS = {"one_column": 1, "two_columns": 2, "thirty_one": 31, "a_hundred": 100, "seven_hundred": 700}


@functools.cache
def library():
    source = cross_entropy_kernel.SOURCE
    if type(source) is not str:
        raise AssertionError("SOURCE is no string")
    return simt.metal(source)


def launch(logits, targets, group, **options):
    rows, columns = logits.shape
    buffers = {0: simt.out(rows), 1: logits, 2: targets.astype(np.int32), 3: np.uint32(columns)}
    return library().launch("cross_entropy_rows", rows, group, buffers, seconds=30, budget=2_000_000, **options)


def output(result):
    (name,) = result.outputs
    return result.outputs[name]


def exact(logits, targets):
    out = []
    for row, target in zip(logits.astype(np.float64), targets, strict=True):
        top = float(row.max())
        total = math.fsum(math.exp(v - top) for v in row)
        out.append(math.log1p(total - 1.0) + top - float(row[target]))
    return np.array(out)


def draw(rows, columns, seed=0, scale=3.0, shift=0.0):
    rng = np.random.default_rng([rows, columns, seed])
    logits = (rng.normal(size=(rows, columns)) * scale + shift).astype(np.float32)
    return logits, rng.integers(columns, size=rows)


def unwritten(result):
    """The host's arrays are copied for a launch; what a kernel does to its copies of the inputs is a finding."""
    written = [e.message for e in result.errors if e.kind == "write_to_const"]
    assert not written, written[0]


def close(result, logits, targets):
    unwritten(result)
    got = output(result)
    assert got.dtype == np.float32
    assert got.shape == (len(targets),)
    np.testing.assert_allclose(got, exact(logits, targets), rtol=RTOL, atol=ATOL, equal_nan=False)


def clean(result):
    assert not result.errors, result.errors[0].message
    assert not result.stopped, result.stopped


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("group", GROUPS)
def test_the_value_is_right_for_any_group_and_width(group, width):
    """[P1] [P2] [P3]"""
    logits, targets = draw(3, WIDTHS[width])
    close(launch(logits, targets, GROUPS[group], trace=False), logits, targets)


@pytest.mark.parametrize("group", GROUPS)
def test_no_rule_of_the_language_is_broken(group):
    """[P8]"""
    logits, targets = draw(3, 150)
    for schedule, seed in (("shuffled", 1), ("simdgroup", 2), ("ordered", 3)):
        result = launch(logits, targets, GROUPS[group], trace=False, schedule=schedule, seed=seed)
        clean(result)
        close(result, logits, targets)
        assert not [w for w in result.warnings if w.kind.startswith("race")], result.warnings[0].message


@pytest.mark.parametrize("columns", [1, 5, 31, 33])
def test_rows_narrower_than_the_group_break_no_rule(columns):
    """[P3] [P8]"""
    logits, targets = draw(4, columns)
    result = launch(logits, targets, 64, trace=False)
    clean(result)
    close(result, logits, targets)


@pytest.mark.parametrize("offset", ["hundreds_up", "hundreds_down", "a_thousand_up", "a_thousand_down"])
def test_large_logits_neither_overflow_nor_vanish(offset):
    """[P5]"""
    shift = {"hundreds_up": 300.0, "hundreds_down": -300.0, "a_thousand_up": 960.0, "a_thousand_down": -960.0}[offset]
    logits, targets = draw(4, 257, scale=10.0, shift=shift)
    close(launch(logits, targets, 128, trace=False), logits, targets)


def test_rows_of_very_different_size_do_not_mix():
    """[P1] [P5]"""
    logits, targets = draw(6, 90)
    logits += np.array([-900, 900, 0, 500, -500, 10], np.float32)[:, None]
    close(launch(logits, targets, 64, trace=False), logits, targets)


def test_an_unlikely_target_has_a_large_loss():
    """[P5]"""
    logits, targets = draw(3, 50)
    targets[:] = logits.argmin(axis=1)
    logits[np.arange(3), targets] -= 400
    close(launch(logits, targets, 32, trace=False), logits, targets)


@pytest.mark.parametrize("group", ["thirty_two", "two_hundred"])
def test_masked_entries_add_nothing(group):
    """[P6]"""
    logits, targets = draw(5, 130)
    keep = np.random.default_rng(9).random(logits.shape) < 0.4
    keep[np.arange(5), targets] = True
    keep[0] = False
    keep[0, targets[0]] = True
    logits = np.where(keep, logits, -np.inf).astype(np.float32)
    close(launch(logits, targets, GROUPS[group], trace=False), logits, targets)


def test_every_schedule_gives_the_same_bits():
    """[P7]"""
    logits, targets = draw(5, 333)
    schedules = ("shuffled", "simdgroup", "ordered")
    results = [launch(logits, targets, 96, trace=False, schedule=schedules[s % 3], seed=s) for s in range(9)]
    close(results[0], logits, targets)
    assert len({output(result).tobytes() for result in results}) == 1


def test_only_the_row_s_own_result_is_written():
    """[P1] [P8]"""
    logits, targets = draw(7, 40)
    result = launch(logits, targets, 64, trace=False)
    clean(result)
    assert result.unwritten == {next(iter(result.outputs)): 0}
    assert result.counts.device_stores == 7


def test_group_memory_stays_below_the_limit():
    """[P4]"""
    logits, targets = draw(1, 64)
    result = launch(logits, targets, 32)
    clean(result)
    close(result, logits, targets)
    assert result.shared_bytes <= 32768


@functools.cache
def counted():
    logits, targets = draw(4, 4096)
    result = launch(logits, targets, 256)
    close(result, logits, targets)
    clean(result)
    return result.counts


def test_each_logit_is_read_at_most_three_times():
    """[P9]"""
    # Beside the logits, every thread of a group may look at the target and at its logit.
    assert counted().device_load_bytes <= 4 * (3 * 4 * 4096) + 4 * 256 * 8


def test_the_threads_share_the_row():
    """[P10]"""
    assert counted().active_lanes >= 64


def test_neighbouring_threads_read_neighbouring_logits():
    """[P11]"""
    counts = counted()
    assert counts.untraced == 0
    assert 32 * counts.sectors <= 1.5 * counts.device_bytes


def test_the_banks_of_group_memory_are_shared_out():
    """[P12]"""
    counts = counted()
    assert counts.bank_conflicts <= counts.shared_accesses / 2
