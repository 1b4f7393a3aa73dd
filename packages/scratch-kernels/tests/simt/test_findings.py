"""How grave a finding is follows from the language and from whether a doubtful value reaches an output."""

from __future__ import annotations

import numpy as np
import pytest
from scratch_kernels import simt

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"


def kinds(result):
    return {f.kind: f.severity for f in result.findings}


@pytest.mark.parametrize("counts", [pytest.param(True, id="counting"), pytest.param(False, id="fast")])
@pytest.mark.parametrize(
    "line", [pytest.param(3, id="a store"), pytest.param(4, id="a load"), pytest.param(0, id="nothing wrong")]
)
def test_the_last_array_of_a_structure_has_an_end_too(line, counts):
    source = """template <int N> struct Part { float v[N]; };
__global__ void k(float* out, const float* x, int n) { Part<4> a; float s = 0; int i = threadIdx.x;
  for (int j = 0; j < n + STORE; ++j) a.v[j] = x[i * 4 + j];
  for (int j = 0; j < n + LOAD; ++j) s += a.v[j];
  out[i] = s; }"""
    source = source.replace("STORE", str(int(line == 3))).replace("LOAD", str(int(line == 4)))
    result = simt.cuda(source).launch("k", 1, 32, [simt.out(32), np.ones(160, np.float32), 4], counts=counts)
    assert {f.line for f in result.errors if f.kind == "index_out_of_range"} == ({line} if line else set())
    assert line or not result.findings


def test_writing_the_same_value_twice_is_a_note():
    source = HEAD + "kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]]) { out[0] = 7; }"
    result = simt.metal(source).launch("k", 1, 64, [simt.out(1, "uint32")])
    assert kinds(result) == {"same_value_write": "note"}
    assert result["out"][0] == 7


def test_a_raced_read_whose_value_is_thrown_away_is_a_warning():
    source = (
        HEAD
        + """kernel void k(device float* a, device float* out, uint t [[thread_position_in_threadgroup]]) {
  float v = a[t + 1];
  a[t] = float(t);
  out[t] = t > 1000u ? v : 1.0f;
}"""
    )
    buffers = {"a": np.zeros(65, np.float32), "out": simt.out(64)}
    result = simt.metal(source).launch("k", 1, 64, buffers, schedule="ordered")
    assert kinds(result) == {"unused_race": "warning"}
    used = simt.metal(source.replace("t > 1000u", "t > 10u")).launch("k", 1, 64, buffers, schedule="ordered")
    assert kinds(used)["race_in_group_read_write"] == "error"


UPDATE = (
    HEAD
    + """kernel void k(device char* board, constant uint& colour, uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]], uint i [[thread_position_in_grid]]) {
  threadgroup char tile[66];
  tile[64 - t] = board[g * 64 + 63 - t];
  if (t == 0 && g == 1) tile[0] = board[i - 1];
  if (t == 63 && g == 0) tile[65] = board[i + 1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if ((i & 1u) != colour || i == 0 || i == 127) return;
  board[i] = USED;
}"""
)


def test_a_raced_read_that_is_thrown_away_stays_a_warning_beside_one_that_a_barrier_parts_from_the_write():
    buffers = {"board": np.arange(128, dtype=np.int8), "colour": 1}
    source = UPDATE.replace("USED", "-tile[t + 1]")
    result = simt.metal(source).launch("k", 2, 64, buffers, schedule="ordered")
    assert kinds(result) == {"write_after_read_across_unfenced_barrier": "warning", "unused_race": "warning"}
    wrong = UPDATE.replace("USED", "tile[t] + tile[t + 2] + tile[t + 1]").replace("(i & 1u) != colour", "false")
    assert (
        kinds(simt.metal(wrong).launch("k", 2, 64, buffers, schedule="ordered"))["race_across_groups_read_write"]
        == "error"
    )


def test_a_reader_of_another_group_is_remembered_behind_many_readers_of_the_writers_own():
    source = (
        HEAD
        + """kernel void k(device int* a, device int* out, uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  out[g * 64 + t] = a[64 + t / 8];
  threadgroup_barrier(mem_flags::mem_device);
  if (g == 1) a[64 + t] = -1;
}"""
    )
    buffers = {"a": np.arange(128, dtype=np.int32), "out": simt.out(128, "int32")}
    result = simt.metal(source).launch("k", 2, 64, buffers, schedule="ordered")
    assert kinds(result) == {"race_across_groups_read_write": "error"}


def test_a_race_in_the_memory_of_one_simdgroup_makes_no_thrown_away_value_look_used():
    source = (
        HEAD
        + """kernel void k(device float* a, device float* out, uint t [[thread_position_in_threadgroup]], uint i [[thread_position_in_grid]]) {
  threadgroup float s[32];
  s[t] = float(t);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  float near = s[t ^ 1];
  s[t] = 2 * near;
  float v = a[i + 1];
  a[i] = near;
  out[i] = i > 1000u ? v : 1.0f;
}"""
    )
    buffers = {"a": np.zeros(65, np.float32), "out": simt.out(64)}
    result = simt.metal(source).launch("k", 2, 32, buffers, schedule="ordered")
    assert kinds(result) == {"race_in_simdgroup_read_write": "warning", "unused_race": "warning"}


def test_the_value_of_a_lane_that_is_not_there_counts_only_where_it_is_used():
    source = (
        HEAD
        + """kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  float v = x[t];
  for (ushort d = 16; d > 0; d /= 2) v += simd_shuffle_down(v, d);
  if (t == 0) out[0] = v;
}"""
    )
    x = np.arange(32, dtype=np.float32)
    result = simt.metal(source).launch("k", 1, 32, [simt.out(1), x])
    assert kinds(result) == {"unused_undefined_lane": "note"}
    assert result["out"][0] == x.sum()


def test_write_after_read_across_an_unfenced_barrier_is_a_warning():
    source = (
        HEAD
        + """kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float v = s[63 - t];
  threadgroup_barrier(mem_flags::mem_none);
  s[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = s[t];
}"""
    )
    result = simt.metal(source).launch("k", 1, 64, [simt.out(64), np.arange(64, dtype=np.float32)])
    assert kinds(result) == {"write_after_read_across_unfenced_barrier": "warning"}


def test_a_message_names_place_threads_and_buffer():
    source = HEAD + "kernel void k(device float* out, uint2 i [[thread_position_in_grid]]) { out[i.y * 8 + i.x] = 1; }"
    result = simt.metal(source).launch("k", (2, 1), (4, 2), [simt.out(15)])
    (found,) = result.errors
    assert (found.kind, found.name, found.offset, found.line) == ("out_of_bounds_write", "out", 60, 3)
    assert (found.group, found.thread) == ((1, 0, 0), (3, 1, 0))
    assert "`out` (60 bytes) at line 3" in found.message


def test_a_run_goes_on_after_a_finding_and_still_gives_numbers():
    source = HEAD + "kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) { out[t] = float(t); }"
    result = simt.metal(source).launch("k", 1, 64, [simt.out(60)])
    assert [f.kind for f in result.errors] == ["out_of_bounds_write"]
    assert np.array_equal(result["out"], np.arange(60))


def test_an_index_past_a_row_but_inside_the_array_is_a_warning():
    source = (
        HEAD
        + """kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[2][8];
  s[0][t] = float(t);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = s[0][15 - t];
}"""
    )
    result = simt.metal(source).launch("k", 1, 16, [simt.out(16)])
    assert set(kinds(result)) == {"index_past_row"}
    assert result.errors == ()
    assert np.array_equal(result["out"], np.arange(16)[::-1])


def test_an_exited_thread_named_in_a_mask_is_a_warning():
    source = """__global__ void k(float* out) {
  if (threadIdx.x >= 8) return;
  out[threadIdx.x] = __shfl_sync(0xffffffffu, 1.f, 0);
}"""
    result = simt.cuda(source).launch("k", 1, 32, [simt.out(8)])
    assert kinds(result) == {"mask_names_returned": "warning"}


def test_returning_before_a_barrier_warns_in_metal_and_is_noted_in_cuda():
    metal = HEAD + (
        "kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {\n"
        "  if (t > 40) return;\n  threadgroup_barrier(mem_flags::mem_threadgroup);\n  out[t] = 1; }"
    )
    cuda = "__global__ void k(float* out) { if (threadIdx.x > 40) return; __syncthreads(); out[threadIdx.x] = 1; }"
    assert kinds(simt.metal(metal).launch("k", 1, 64, [simt.out(41)])) == {"barrier_after_return": "warning"}
    assert kinds(simt.cuda(cuda).launch("k", 1, 64, [simt.out(41)])) == {"barrier_after_return": "note"}


def test_a_wild_store_ends_the_run_with_a_finding():
    source = (
        HEAD + "kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) { out[1000000000] = 1; }"
    )
    result = simt.metal(source).launch("k", 1, 1, [simt.out(4)])
    assert result.errors[0].kind == "out_of_bounds_write"
    assert result.stopped


def test_bytes_that_nothing_wrote_are_counted():
    source = HEAD + "kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) { out[2 * t] = 1; }"
    result = simt.metal(source).launch("k", 1, 8, [simt.out(16)])
    assert result.unwritten == {"out": 32}
    assert np.isnan(result["out"][1])


UNSET = """#include <cuda_runtime.h>
__global__ void summed(const float* x, float* c) {
  float s;
  for (int i = 0; i < 4; i++) s += x[i];
  c[threadIdx.x] = s;
}
__global__ void chosen(int* c, int from) {
  int v;
  if ((int)threadIdx.x > from) v = 1;
  c[threadIdx.x] = v;
}
__global__ void looked_up(int* c) {
  int a[4];
  a[0] = 1;
  c[threadIdx.x] = a[threadIdx.x & 3];
}
__global__ void whole(int* c) {
  int a[4], last;
  for (int i = 0; i < 4; i++) last = a[i] = -i;
  c[threadIdx.x] = a[threadIdx.x & 3] - last - 4;
}
"""


def test_a_variable_that_is_summed_up_from_no_value_is_an_error_at_its_line():
    result = simt.cuda(UNSET).launch("summed", 1, 64, [np.ones(4, np.float32), simt.out(64)])
    (found,) = result.errors
    assert (found.kind, found.name, found.line) == ("uninitialised_variable", "s", 4)
    assert found.message == "`s` is read at line 4, and nothing has given it a value"
    assert np.isnan(result["c"]).all()


def test_a_variable_unset_on_one_way_is_an_error_where_that_way_was_gone_and_else_a_warning():
    library = simt.cuda(UNSET)
    gone = library.launch("chosen", 1, 64, [simt.out(64, "int32"), 40])
    (found,) = gone.findings
    assert (found.kind, found.severity, found.line) == ("uninitialised_variable", "error", 10)
    spared = library.launch("chosen", 1, 64, [simt.out(64, "int32"), -1])
    (found,) = spared.findings
    assert (found.kind, found.severity, found.line, found.other_line) == ("unset_on_a_path", "warning", 10, 9)


def test_a_metal_variable_unset_on_one_way_is_found_as_well():
    source = (
        HEAD
        + "kernel void k(device int* c, uint t [[thread_position_in_threadgroup]]) {\n  int v;\n  if (t > 40) v = 1;\n  c[t] = v;\n}"
    )
    (found,) = simt.metal(source).launch("k", 1, 64, [simt.out(64, "int32")]).errors
    assert (found.kind, found.name, found.line) == ("uninitialised_variable", "v", 6)


@pytest.mark.parametrize("group", [4, 64])
def test_a_local_array_that_is_read_where_nothing_was_written_is_an_error(group):
    (found,) = simt.cuda(UNSET).launch("looked_up", 1, group, [simt.out(group, "int32")]).errors
    assert (found.kind, found.name, found.offset) == ("uninitialised_local", "c", 4)


def test_a_local_array_that_was_filled_is_no_finding_though_its_values_look_like_the_filling():
    result = simt.cuda(UNSET).launch("whole", 1, 64, [simt.out(64, "int32")])
    assert result["c"][0] == -1
    assert result.findings == ()


def test_a_kernel_may_have_any_name_of_the_language():
    result = simt.cuda("__global__ void b(int* c) { c[threadIdx.x] = 1; }").launch("b", 1, 4, [simt.out(4, "int32")])
    assert result["c"].tolist() == [1, 1, 1, 1]


def test_two_threads_of_one_finding_are_told_in_as_many_dimensions():
    source = HEAD + "kernel void k(device uint* out, uint2 t [[thread_position_in_threadgroup]]) { out[0] = 7; }"
    (found,) = simt.metal(source).launch("k", 1, (16, 16), [simt.out(1, "uint32")]).findings
    first, second = found.message.removeprefix("threads ").partition(" both")[0].split(" and ")
    assert first.startswith("(") == second.startswith("(")


def test_cuda_is_told_of_warps_and_shared_memory():
    source = """__global__ void k(int* out) { __shared__ int s[SIZE]; s[0] = threadIdx.x; out[threadIdx.x] = s[0]; }"""
    raced = simt.cuda(source.replace("SIZE", "1")).launch("k", 1, 32, [simt.out(32, "int32")])
    assert any("(both in one warp)" in f.message for f in raced.errors)
    large = simt.cuda(source.replace("SIZE", "99999")).launch("k", 1, 32, [simt.out(32, "int32")])
    assert large.stopped == "more shared memory than a group may have"
