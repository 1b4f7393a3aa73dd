"""Counts are exact, and the same whatever the schedule."""

from __future__ import annotations

import numpy as np
import pytest
from scratch_kernels import simt

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
SUM = (
    HEAD
    + """kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]]) {
  threadgroup float s[64];
  s[t] = x[g * 64 + t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 32; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[g] = s[0];
}"""
)


def run(body, n=32, cuda=False, **options):
    if cuda:
        return simt.cuda(f"__global__ void k(float* out, const float* x) {{ {body} }}").launch(
            "k", 1, n, [simt.out(n), np.arange(4096, dtype=np.float32)], **options
        )
    source = f"{HEAD}kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {{ {body} }}"
    return simt.metal(source).launch("k", 1, n, [simt.out(n), np.arange(4096, dtype=np.float32)], **options)


@pytest.mark.parametrize("runs", [12, pytest.param(50, marks=pytest.mark.proof)])
def test_outputs_and_counts_do_not_depend_on_the_schedule(runs):
    x = np.random.default_rng(3).normal(size=192).astype(np.float32)
    library = simt.metal(SUM)
    schedules = [("shuffled", "simdgroup", "ordered")[i % 3] for i in range(runs)]
    results = [library.launch("k", 3, 64, [simt.out(3), x], schedule=s, seed=i) for i, s in enumerate(schedules)]
    assert len({r["out"].tobytes() for r in results}) == 1
    assert len({r.counts for r in results}) == 1


def test_a_race_gives_different_answers_under_different_schedules():
    x = np.random.default_rng(3).normal(size=192).astype(np.float32)
    library = simt.metal(SUM.replace("    threadgroup_barrier(mem_flags::mem_threadgroup);\n  }", "  }"))
    results = [library.launch("k", 3, 64, [simt.out(3), x], seed=i) for i in range(6)]
    assert len({r["out"].tobytes() for r in results}) > 1
    assert all(r.errors or r.warnings for r in results)


def test_neighbouring_words_take_four_sectors_and_strided_ones_thirty_two():
    together = run("out[t] = x[t];").counts
    apart = run("out[t] = x[t * 32];").counts
    assert (together.device_accesses, together.sectors) == (2, 8)
    assert (apart.device_accesses, apart.sectors) == (2, 4 + 32)


@pytest.mark.parametrize(("stride", "lost"), [(1, 0), (2, 1), (16, 15), (32, 31), (33, 0)])
def test_bank_conflicts_of_a_stride(stride, lost):
    counts = run(f"__shared__ float s[32 * 33]; s[threadIdx.x * {stride}] = 1; out[threadIdx.x] = 1;", cuda=True).counts
    assert (counts.shared_accesses, counts.bank_conflicts) == (1, lost)


def test_lanes_that_read_one_word_do_not_conflict():
    body = "__shared__ float s[1]; if (threadIdx.x == 0) s[0] = 1; __syncthreads(); out[threadIdx.x] = s[0];"
    assert run(body, cuda=True).counts.bank_conflicts == 0


def test_one_lane_doing_everything_shows_in_the_lanes_at_work():
    shared = run("float s = 0; for (uint i = t; i < 4096; i += 32) s += x[i]; out[t] = simd_sum(s);").counts
    alone = run(
        "float s = 0; if (t == 0) for (uint i = 0; i < 4096; i++) s += x[i]; out[t] = simd_broadcast(s, 0);"
    ).counts
    assert shared.active_lanes > 31
    assert alone.active_lanes < 1.1
    assert alone.span > 25 * shared.span


def test_every_lane_repeating_the_row_shows_in_the_bytes():
    shared = run("float s = 0; for (uint i = t; i < 4096; i += 32) s += x[i]; out[t] = simd_sum(s);").counts
    repeated = run("float s = 0; for (uint i = 0; i < 4096; i++) s += x[i]; out[t] = s;").counts
    assert shared.device_load_bytes == 4 * 4096
    assert repeated.device_load_bytes == 32 * shared.device_load_bytes


def test_reading_and_writing_one_place_counts_both():
    counts = run("threadgroup float s[32]; s[t] = 1; s[t] += x[t]; out[t] = s[t];").counts
    assert (counts.shared_loads, counts.shared_stores) == (2 * 32, 2 * 32)


def test_constant_parameters_are_no_device_traffic():
    source = (
        HEAD
        + "kernel void k(device float* out, constant uint& n, uint t [[thread_position_in_grid]]) { out[t] = float(n); }"
    )
    assert simt.metal(source).launch("k", 1, 32, [simt.out(32), 3]).counts.device_loads == 0


def test_barriers_and_atomics_are_counted():
    body = "__shared__ int n; if (threadIdx.x == 0) n = 0; __syncthreads(); atomicAdd(&n, 1); __syncthreads(); out[threadIdx.x] = n;"
    result = run(body, n=64, cuda=True)
    assert (result.counts.barriers, result.counts.atomics) == (2, 64)
    assert set(result["out"]) == {64}


def test_the_compiler_is_recorded():
    assert "clang" in run("out[t] = 1;").compiler
