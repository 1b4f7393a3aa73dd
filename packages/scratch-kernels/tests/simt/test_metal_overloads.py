"""What public Metal kernels do with bfloat: functions of their own beside the library's, which the language leaves room for."""

from __future__ import annotations

import numpy as np
import pytest
from scratch_kernels import simt

OWN = """
#include <metal_stdlib>
using namespace metal;
namespace metal {
METAL_FUNC bfloat abs(bfloat x) { return static_cast<bfloat>(__metal_fabs(static_cast<float>(x), __METAL_MAYBE_FAST_MATH__)); }
METAL_FUNC bfloat exp(bfloat x) { return static_cast<bfloat>(__metal_exp(static_cast<float>(x), __METAL_MAYBE_FAST_MATH__)); }
METAL_FUNC bfloat simd_sum(bfloat x) { return static_cast<bfloat>(__metal_simd_sum(static_cast<float>(x))); }
namespace precise {
METAL_FUNC bfloat exp(bfloat x) { return static_cast<bfloat>(__metal_exp(static_cast<float>(x), __METAL_PRECISE_MATH__)); }
}
namespace fast {
METAL_FUNC bfloat exp(bfloat x) { return bfloat(-1.0f); }
}
}
constant int asked [[function_constant(40 + (2 - 1))]];
kernel void k(device float* out, const device float* x, uint i [[thread_position_in_grid]]) {
  bfloat b = static_cast<bfloat>(x[i]);
  out[i] = precise::exp(x[i]);
  out[32 + i] = float(abs(-b));
  out[64 + i] = float(precise::exp(b)) + float(fast::exp(b)) + asked;
  out[96 + i] = float(simd_sum(b));
}
"""


def rounded(x: np.ndarray) -> np.ndarray:
    """To bfloat16, to nearest even."""
    bits = x.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)


def test_an_overload_of_bfloat_hides_no_function_of_float() -> None:
    x = np.linspace(-2, 2, 32).astype(np.float32)
    result = simt.metal(OWN).launch("k", 1, 32, {"out": simt.out(128), "x": x}, constants={"asked": 5})
    b = rounded(x)
    exact, positive, both, summed = result["out"].reshape(4, 32)
    np.testing.assert_allclose(exact, np.exp(x.astype(np.float64)), rtol=1e-6)
    np.testing.assert_array_equal(positive, np.abs(b))
    np.testing.assert_array_equal(both, rounded(np.exp(b)) + np.float32(4))
    np.testing.assert_allclose(summed, np.full(32, rounded(b.sum()[None])[0]), atol=1e-2)
    assert not result.findings


def test_the_index_of_a_function_constant_may_be_a_sum() -> None:
    assert simt.metal(OWN).function_constants == {"asked": 41}


@pytest.mark.parametrize("index", ["FIRST + 1", "1 << 70", "9 ** 9", ""])
def test_an_index_that_is_no_whole_number_is_a_sentence(index: str) -> None:
    source = OWN.replace("40 + (2 - 1)", index)
    with pytest.raises(simt.CompileError, match="the index of a function constant is a whole number"):
        simt.metal(source)


TABLE = """
#include <metal_stdlib>
using namespace metal;
%s ulong table[N] = {0x0102, 0x0304, 0x0506, 0x0708};
kernel void k(device uint* out, device const uint* x, uint i [[thread_position_in_grid]]) {
  %s uint8_t* bytes = (%s uint8_t*)(table + (i & 3));
  out[i] = bytes[0] + x[i];
}
"""


@pytest.mark.parametrize("space", ["constant", "static const constant", "constant constexpr"])
def test_a_table_of_the_program_scope_may_be_cast_within_the_constant_space(space: str) -> None:
    source = "#define N 4\n" + TABLE % (space, "constant", "constant")
    result = simt.metal(source).launch("k", 1, 8, {"out": simt.out(8, "uint32"), "x": np.zeros(8, np.uint32)})
    np.testing.assert_array_equal(result["out"], np.tile([2, 4, 6, 8], 2))


@pytest.mark.parametrize("other", ["device", "threadgroup"])
def test_and_not_into_another(other: str) -> None:
    with pytest.raises(simt.CompileError, match="mismatching address spaces"):
        simt.metal("#define N 4\n" + TABLE % ("constant", other, other)).build("k")


def test_nor_a_device_pointer_into_the_constant_space() -> None:
    source = "#define N 4\n" + (TABLE % ("constant", "constant", "constant")).replace("(table + (i & 3))", "(x + i)")
    with pytest.raises(simt.CompileError, match="mismatching address spaces"):
        simt.metal(source).build("k")


LATER = """
#include <metal_stdlib>
using namespace metal;
template <typename to4_t, typename to_t, typename from4_t>
void moved(device to4_t* out, device const from4_t* x, device int* whole, uint i) {
  out[i] = (to4_t)x[i] * (to_t)2 + (to4_t)(x[i].x);
  whole[i] = (int)(to_t)x[i].y;
}
kernel void k(device half4* out, const device float4* x, device int* whole, uint i [[thread_position_in_grid]]) {
  moved<half4, half>(out, x, whole, i);
}
"""


def test_a_cast_to_a_templates_vector_converts_each_element() -> None:
    x = np.arange(32, dtype=np.float32).reshape(8, 4) + np.float32(0.25)
    buffers = {"out": simt.out((8, 4), "float16"), "x": x, "whole": simt.out(8, "int32")}
    result = simt.metal(LATER).launch("k", 1, 8, buffers)
    np.testing.assert_array_equal(result["out"], (2 * x + x[:, :1]).astype(np.float16))
    np.testing.assert_array_equal(result["whole"], x[:, 1].astype(int))
