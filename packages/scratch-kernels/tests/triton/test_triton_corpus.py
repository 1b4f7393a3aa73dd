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


@functools.cache
def launched(name):
    small = {**FAULTY, **CORRECT}[name]
    x = np.zeros(small.n, np.float32) if "lock" in name or "last" in name else np.arange(small.n, dtype=np.float32)
    arguments = {"x": x, "y": simt.out(small.n), "n": small.n, "BLOCK": small.block}
    return simt.triton(small.source).launch("k", small.grid, arguments, budget=5000, targets=("sm_90",))


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found_at_its_line(name):
    small = FAULTY[name]
    found = [f for f in launched(name).errors if f.kind in small.kind.split("|")]
    assert found, [f.message for f in launched(name).findings]
    if small.line:
        assert small.line in small.source.split("\n")[found[0].line - 1]


@pytest.mark.parametrize("name", CORRECT)
def test_a_right_kernel_is_accused_of_nothing(name):
    result = launched(name)
    assert not result.errors, [f.message for f in result.errors]
    assert not result.warnings, [f.message for f in result.warnings]


@pytest.mark.parametrize("name", CORRECT)
def test_a_right_kernel_gives_the_same_under_every_order(name):
    small = CORRECT[name]
    x = np.zeros(small.n, np.float32) if "lock" in name or "last" in name else np.arange(small.n, dtype=np.float32)
    arguments = {"x": x, "y": simt.out(small.n), "n": small.n, "BLOCK": small.block}
    calls = [
        simt.Call("k", small.grid, arguments, {"schedule": schedule, "seed": seed, "targets": ()})
        for schedule, seed in (("ordered", 0), ("reversed", 0), *(("shuffled", s) for s in range(10)))
    ]
    results = simt.triton(small.source).launch_all(calls)
    assert len({r["y"].tobytes() for r in results}) == 1
    if "lock" not in name:
        assert len({r.counts[:8] for r in results}) == 1
    assert not any(r.errors for r in results)
