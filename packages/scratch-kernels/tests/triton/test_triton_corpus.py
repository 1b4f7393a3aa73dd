"""One fault each, found and named at its line; right kernels accused of nothing."""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from scratch_kernels import simt

_spec = importlib.util.spec_from_file_location("triton_small_kernels", Path(__file__).parent / "small_kernels.py")
assert _spec
assert _spec.loader
small_kernels = importlib.util.module_from_spec(_spec)
sys.modules["triton_small_kernels"] = small_kernels
_spec.loader.exec_module(small_kernels)
FAULTY, CORRECT = small_kernels.FAULTY, small_kernels.CORRECT
ORDERS = [("ordered", 0), ("reversed", 0), *(("shuffled", seed) for seed in range(8))]


def call(word, **options):
    small = {**FAULTY, **CORRECT}[word]
    empty = "lock" in word or "last" in word or "flag" in word
    x = np.zeros(small.n, np.float32) if empty else np.arange(small.n, dtype=np.float32)
    arguments = {"x": x, "y": simt.out(small.n), "n": small.n, "BLOCK": small.block}
    return simt.Call(small_kernels.name(word), small.grid, arguments, {"budget": 2000, **options})


@functools.cache
def library():
    return simt.triton(small_kernels.source())


@functools.cache
def launched():
    words = [*FAULTY, *CORRECT]
    return dict(zip(words, library().launch_all([call(word, targets=("sm_90",)) for word in words]), strict=True))


@functools.cache
def in_every_order():
    wanted = [(word, *order) for word in CORRECT for order in ORDERS]
    calls = [call(word, schedule=schedule, seed=seed, targets=()) for word, schedule, seed in wanted]
    return dict(zip(wanted, library().launch_all(calls), strict=True))


@pytest.mark.parametrize("word", FAULTY)
def test_a_fault_is_found_at_its_line(word):
    small, result = FAULTY[word], launched()[word]
    found = [f for f in result.errors if f.kind in small.kind.split("|")]
    assert found, [f.message for f in result.findings]
    if small.line:
        assert any(small.line in small_kernels.source().split("\n")[f.line - 1] for f in found), found


@pytest.mark.parametrize("word", CORRECT)
def test_a_right_kernel_is_accused_of_nothing(word):
    result = launched()[word]
    assert not result.errors, [f.message for f in result.errors]
    assert not result.warnings, [f.message for f in result.warnings]


@pytest.mark.parametrize("word", CORRECT)
def test_a_right_kernel_gives_the_same_in_every_order(word):
    results = [in_every_order()[word, *order] for order in ORDERS]
    assert len({r["y"].tobytes() for r in results}) == 1
    if "lock" not in word and "last" not in word:
        assert len({r.counts[:8] for r in results}) == 1
    assert not [f.message for r in results for f in r.errors]
