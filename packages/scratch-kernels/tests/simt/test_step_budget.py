"""A loop without end is a finding at its line, whatever it does inside."""

from __future__ import annotations

import numpy as np
import pytest
from scratch_kernels import simt

METAL = """#include <metal_stdlib>
using namespace metal;
int forever(int i) {
  while (i < 100000) { if (i > 50000) i = 0; i++; }
  return i;
}
#define KERNEL(name) kernel void name(device float* out, device atomic_int* flag, const device volatile int* seen, uint i [[thread_position_in_threadgroup]])
KERNEL(nothing) { out[i] = 1;
  while (true) { } }
KERNEL(loads) { out[i] = 1;
  while (seen[0] == 0) { } }
KERNEL(barriers) { out[i] = 1;
  while (true) { threadgroup_barrier(mem_flags::mem_threadgroup); } }
KERNEL(collectives) { out[i] = 1;
  while (simd_sum(1) > 0) { } }
KERNEL(atomics) { out[i] = 1;
  while (atomic_load_explicit(flag, memory_order_relaxed) == 0) { } }
KERNEL(helper) {
  out[i] = forever(int(i)); }
"""
CUDA = """__device__ int forever(int i) {
  while (i < 100000) { if (i > 50000) i = 0; i++; }
  return i;
}
#define KERNEL(name) __global__ void name(float* out, int* flag, const volatile int* seen)
#define i threadIdx.x
KERNEL(nothing) { out[i] = 1;
  while (true) { } }
KERNEL(loads) { out[i] = 1;
  while (seen[0] == 0) { } }
KERNEL(barriers) { out[i] = 1;
  while (true) { __syncthreads(); } }
KERNEL(collectives) { out[i] = 1;
  while (__shfl_sync(0xffffffff, 1, 0) > 0) { } }
KERNEL(atomics) { out[i] = 1;
  while (atomicAdd(flag, 0) == 0) { } }
KERNEL(helper) {
  out[i] = forever(int(i)); }
"""
LOOPS = ("nothing", "loads", "barriers", "collectives", "atomics", "helper")


def launched(language: str, name: str, group: int = 64, **options: object) -> tuple[simt.Launch, int]:
    """The launch, and the line of the loop."""
    source = {"metal": METAL, "cuda": CUDA}[language]
    lines = source.split("\n")
    start = "while (i <" if name == "helper" else f"KERNEL({name})"
    line = next(n for n, text in enumerate(lines, 1) if start in text) + (name != "helper")
    library = simt.metal(source) if language == "metal" else simt.cuda(source)
    buffers = {"out": simt.out(group), "flag": np.zeros(1, np.int32), "seen": np.zeros(1, np.int32)}
    return library.launch(name, 1, group, buffers, **options), line


@pytest.mark.parametrize("schedule", ["shuffled", "simdgroup", "ordered"])
@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("language", ["metal", "cuda"])
def test_an_endless_loop_is_a_finding_at_its_line_that_names_the_kernel(language, name, schedule):
    result, line = launched(language, name, schedule=schedule, budget=20_000, group_budget=400_000)
    (found,) = result.errors
    assert found.kind in {"step_budget", "step_budget_of_group"}
    assert found.line == line
    assert found.message.startswith("step budget: ")
    assert f"kernel `{name}`" in found.message
    assert "step budget" in result.stopped


@pytest.mark.proof
@pytest.mark.parametrize("group", [32, 1024])
@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize("name", LOOPS)
def test_the_budgets_that_nobody_set_come_before_the_limit_of_time(name, counts, group):
    result, line = launched("cuda", name, group, counts=counts)
    assert [(f.kind, f.line) for f in result.errors] in ([("step_budget", line)], [("step_budget_of_group", line)])


def test_what_was_found_before_the_loop_is_kept():
    source = """__global__ void k(float* out) {
  out[threadIdx.x + 1] = threadIdx.x;
  while (true) { __syncthreads(); }
}"""
    result = simt.cuda(source).launch("k", 1, 32, [simt.out(32)], group_budget=100_000)
    assert {(f.kind, f.line) for f in result.errors} == {("out_of_bounds_write", 2), ("step_budget_of_group", 3)}


def test_steps_are_those_of_a_group_and_not_of_the_launch():
    source = """__global__ void k(float* out) {
  float sum = 0;
  for (int i = 0; i < 100; i++) { sum += i; __syncthreads(); }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}"""
    library = simt.cuda(source)
    one = library.launch("k", 1, 32, [simt.out(32)])
    enough = one.counts.work + 8 * 32 * 102  # a turn for each of the barriers, and two more
    many = library.launch("k", 40, 32, [simt.out(40 * 32)], group_budget=enough)
    assert not many.errors
    assert many.counts.work == 40 * one.counts.work > enough
    too_few = library.launch("k", 40, 32, [simt.out(40 * 32)], group_budget=one.counts.work)
    assert [f.kind for f in too_few.errors] == ["step_budget_of_group"]


def test_recursion_without_end_overflows_the_stack_at_its_line():
    source = """__device__ int down(int i) {
  return i < 0 ? 0 : 1 + down(i + 1) * 3;
}
__global__ void k(int* out) { out[threadIdx.x] = down(threadIdx.x); }"""
    for counts in (True, False):
        (found,) = simt.cuda(source).launch("k", 1, 32, [simt.out(32, "int32")], counts=counts).errors
        assert (found.kind, found.line) in {("stack_overflow", 2), ("stack_overflow", 4)}
