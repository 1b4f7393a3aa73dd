"""Parts of the Metal language that C++ has not, or has otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from scratch_kernels import simt

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"


def launch(source, buffers, threads=4, **options):
    library = simt.metal(HEAD + source)
    return library.launch(library.kernels[0], 1, threads, buffers, counts=False, **options)


def refused(source):
    library = simt.metal(HEAD + source)
    with pytest.raises(simt.CompileError) as told:
        library.build(library.kernels[0])
    return told.value


def test_host_names_may_be_written_in_pieces():
    source = """template <typename T> [[kernel]] void scale(device T* x, uint i [[thread_position_in_grid]]) { x[i] *= T(2); }
#define FOR(name, T) template [[host_name("scale_" #name)]] [[kernel]] decltype(scale<T>) scale<T>;
FOR(f32, float)
FOR(f16, half)"""
    library = simt.metal(HEAD + source)
    assert library.kernels == ("scale_f32", "scale_f16")
    x = np.arange(4, dtype=np.float16)
    assert np.array_equal(library.launch("scale_f16", 1, 4, [x])["x"], 2 * x)


def test_functions_may_differ_in_address_space_alone():
    source = """template <typename T> T sum(const device T* p) { return p[0] + p[1]; }
template <typename T> T sum(const threadgroup T* p) { return p[0] + p[1]; }
struct Two {
  float a, b;
  float both() const thread { return a + b; }
  float both() const device { return a + b; }
};
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[4];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Two two{sum<float>(x), t == 0 ? sum<float>(s) : 0.0};
  out[t] = two.both();
}"""
    x = np.arange(1, 5, dtype=np.float32)
    result = launch(source, [simt.out(4), x])
    assert result["out"].tolist() == [6, 3, 3, 3]


def test_a_cast_from_one_address_space_to_another_is_refused():
    error = refused(
        "kernel void k(device float* out, const device float* x) {\n  constant float* p = (constant float*)x;\n  out[0] = p[0]; }"
    )
    assert "mismatching address spaces" in error.why
    assert error.line == 4


def test_casts_within_an_address_space_are_not():
    source = """kernel void k(device float* out, const device uchar* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[8];
  const device float2* p = (const device float2*)x;
  threadgroup float2* q = (threadgroup float2*)(s);
  q[t] = p[t];
  out[t] = q[t].y;
}"""
    x = np.arange(8, dtype=np.float32)
    assert launch(source, [simt.out(4), x.view(np.uint8)])["out"].tolist() == [1, 3, 5, 7]


def test_vectors_are_built_converted_and_swizzled():
    source = """constant float2 table[2] = {float2(1.0, -0.0), float2(0.5f)};
constant float3 up(0, 0, 1);
kernel void k(device float4* out, const device half4* h, uint t [[thread_position_in_threadgroup]]) {
  float4 a = float4(h[t]);
  float4 b(a.xy, table[1]);
  int4 c = (int4)(a * 2.0);
  b.zw = float2(c.w, up.z) + table[0];
  out[t] = b.wzyx;
}"""
    h = np.arange(16, dtype=np.float16).reshape(4, 4)
    out = launch(source, [simt.out((4, 4)), h])["out"]
    wanted = np.stack([np.full(4, 1.0), h[:, 3] * 2 + 1, h[:, 1], h[:, 0]], 1)
    assert np.array_equal(out, wanted)


def test_unsuffixed_literals_are_floats_and_half_arithmetic_is_half():
    source = """kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  float third = 1.0 / 3.0;
  half tenth = 0.1h;
  out[0] = third * 3.0 == 1.0 ? sizeof(1.0) : 0;
  out[1] = float(tenth * tenth);
}"""
    out = launch(source, [simt.out(2)], threads=1)["out"]
    assert out.tolist() == [4.0, float(np.float16(0.1) * np.float16(0.1))]


def test_a_library_is_called_as_torch_calls_one():
    source = HEAD + (
        "kernel void axpy(device float* y, const device float* x, constant float& a, constant long& n,\n"
        "                 uint i [[thread_position_in_grid]]) { if (long(i) < n) y[i] += a * x[i]; }"
    )
    shader = simt.compile_shader(source)
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    shader.axpy(y, x, 0.5, 100)
    assert np.array_equal(y, 1 + 0.5 * x)
    shader.axpy(y, x, 0.5, 100, threads=64, group_size=32)
    assert np.array_equal(y[:64], 1 + x[:64])
    assert np.array_equal(y[64:], 1 + 0.5 * x[64:])
    assert [launch.errors for launch in shader.launches] == [(), ()]
    with pytest.raises(AttributeError, match="it has axpy"):
        shader.nothing(y)
    with pytest.raises(simt.SimtError, match="exceeds 1024"):
        shader.axpy(y, x, 0.5, 100, threads=4096, group_size=2048)


def test_tensors_are_changed_in_place():
    torch = pytest.importorskip("torch")
    source = HEAD + "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
    whole = torch.arange(10, dtype=torch.float32)
    simt.compile_shader(source).twice(whole[4:], threads=3)
    assert whole.tolist() == [0, 1, 2, 3, 8, 10, 12, 7, 8, 9]
