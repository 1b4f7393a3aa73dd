"""What real CUDA files hold beside plain kernels: host code with types of its own, headers in folders, intrinsics on words and halves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scratch_kernels import emulator_commands, simt
from scratch_kernels.simt import nvrtc

MIXED = """
#include <torch/extension.h>
#include <vector>
#include "scale.cuh"
class Graph {
 public:
  cudaGraph_t graph;
  std::vector<int> nodes;
  void begin() { cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal); }
};
typedef void (*launcher)(const float *, float *, cudaStream_t);
struct Pair { float a, b; };
typedef struct { Pair first, second; } Quad;
__device__ float total(Quad q) { return q.first.a + q.first.b + q.second.a + q.second.b; }
__global__ void sums(float *out, const Quad *in) { out[threadIdx.x] = SCALE * total(in[threadIdx.x]); }
void run(Graph &g, at::Tensor x) { g.begin(); sums<<<1, 8>>>(x.data_ptr<float>(), nullptr); }
"""


def test_types_that_only_host_code_names_are_left_out() -> None:
    library = simt.cuda(MIXED, headers={"scale.cuh": "#pragma once\n#define SCALE 2.0f\n"})
    given = np.arange(32, dtype=np.float32)
    result = library.launch("sums", 1, 8, {"out": simt.out(8), "in": given}, strict=False)
    assert not result.findings
    assert np.array_equal(result["out"], 2 * given.reshape(8, 4).sum(1))


def test_a_type_that_device_code_names_must_be_right() -> None:
    with pytest.raises(simt.CompileError, match="cudaGraph_t"):
        simt.cuda(MIXED.replace("Quad q)", "Quad q, Graph *g)").replace("total(in", "total(in, nullptr"), headers={"scale.cuh": "#define SCALE 2.0f\n"}).build("sums")  # fmt: skip


def test_a_header_is_found_beside_the_one_that_includes_it_and_in_the_folder_of_the_source() -> None:
    headers = {
        "config.h": "#define ONE 1.0f\n",
        "cuda/a.cuh": '#pragma once\n#include "deep/b.cuh"\n#include "../config.h"\n',
        "cuda/deep/b.cuh": '#pragma once\n#include "../a.cuh"\n__device__ float two() { return 2.0f; }\n',
    }
    source = '#include "a.cuh"\n#include "a.cuh"\n__global__ void k(float *x) { x[threadIdx.x] = two() + ONE; }\n'
    result = simt.cuda(source, headers=headers, folder="cuda").launch("k", 1, 4, [simt.out(4)])
    assert np.array_equal(result.outputs["x"], np.full(4, 3.0))


def test_an_include_counts_where_it_is_reached() -> None:
    source = (
        "#ifdef __METAL__\n#include <nowhere.h>\n#pragma nowhere\n#endif\n%s__global__ void k(float *x) { x[0] = 1; }\n"
    )
    assert simt.cuda(source % "").kernels == ("k",)
    with pytest.raises(
        simt.CompileError, match=r"cannot include <nowhere.h>: only the headers of the language are there"
    ) as caught:
        simt.cuda(source % "#include <nowhere.h>\n")
    assert caught.value.line == 5


@pytest.mark.parametrize("name", ["../up.h", "/etc/passwd", "a/../../b.h"])
def test_a_header_cannot_be_called_what_leads_out_of_its_folder(name: str) -> None:
    with pytest.raises(simt.CompileError, match="leads out of its folder"):
        simt.cuda("__global__ void k() {}", headers={name: ""})


def test_a_folder_of_headers_is_given_to_the_command(tmp_path: Path) -> None:
    (tmp_path / "lib" / "cuda").mkdir(parents=True)
    (tmp_path / "lib" / "one.h").write_text("#define ONE 1.0f\n")
    (tmp_path / "lib" / "cuda" / "k.cu").write_text(
        '#include "../one.h"\n__global__ void k(float *x) { x[threadIdx.x] = ONE; }\n'
    )
    argv = ["check", "-I", str(tmp_path / "lib"), str(tmp_path / "lib" / "cuda" / "k.cu"), "--kernel", "k"]
    done = CliRunner().invoke(emulator_commands.kernel, argv)
    assert "k  line 2  builds" in done.output
    missing = CliRunner().invoke(emulator_commands.kernel, ["check", "-I", str(tmp_path / "nowhere"), argv[3]])
    assert "is no folder" in str(missing.exception)


WORDS = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void words(unsigned *out, const unsigned *a, const unsigned *b) {
  unsigned u = a[threadIdx.x], w = b[threadIdx.x], *o = out + 16 * threadIdx.x;
  o[0] = __vadd4(u, w); o[1] = __vsub4(u, w); o[2] = __vsubss4(u, w); o[3] = __vcmpne4(u, w);
  o[4] = __vminu4(u, w); o[5] = __vmaxs4(u, w); o[6] = __dp4a(u, w, 7u); o[7] = (unsigned)__dp4a((int)u, (int)w, 7);
  o[8] = __funnelshift_lc(u, w, w & 63); o[9] = __funnelshift_r(u, w, w); o[10] = __byte_perm(u, w, 0x5140); o[11] = __umulhi(u, w);
  o[12] = __brev(u); o[13] = (unsigned)__popc(u) + 64u * (unsigned)__clz((int)w); o[14] = __vsub2(u, w); o[15] = (unsigned)__hadd((int)u, (int)w);
}
"""


def words(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The same by numpy and Python's whole numbers."""
    rows = []
    for u, w in zip(a.tolist(), b.tolist(), strict=True):
        p, q = (np.frombuffer(np.uint32(v).tobytes(), np.uint8).astype(int) for v in (u, w))
        ps, qs = (np.where(v > 127, v - 256, v) for v in (p, q))
        pack = lambda v: int.from_bytes(bytes(int(x) & 255 for x in v), "little")  # noqa: E731
        signed = lambda v: v - (1 << 32) if v >> 31 else v  # noqa: E731
        wide = w << 32 | u
        k = min(w & 63, 32)
        both = pack(p) | pack(q) << 32
        h = [(u >> s & 65535) - (w >> s & 65535) & 65535 for s in (0, 16)]
        rows.append([
            pack(p + q), pack(p - q), pack(np.clip(ps - qs, -128, 127)), pack(np.where(p != q, 255, 0)),
            pack(np.minimum(p, q)), pack(np.maximum(ps, qs)), int((p * q).sum()) + 7, int((ps * qs).sum()) + 7,
            wide >> (32 - k), wide >> (w & 31), sum((both >> 8 * n & 255) << 8 * i for i, n in enumerate((0, 4, 1, 5))), u * w >> 32,
            int(f"{u:032b}"[::-1], 2), u.bit_count() + 64 * (32 - w.bit_length()), h[0] | h[1] << 16, signed(u) + signed(w) >> 1,
        ])  # fmt: skip
    return np.array([[v % (1 << 32) for v in row] for row in rows], np.uint32)


def test_intrinsics_on_words_give_what_whole_numbers_give() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(1 << 32, size=(2, 64), dtype=np.uint32)
    b[::4] = a[::4] ^ 0x00FF0000
    result = simt.cuda(WORDS).launch("words", 1, 64, {"out": simt.out((64, 16), "uint32"), "a": a, "b": b})
    np.testing.assert_array_equal(result["out"], words(a, b))
    assert not result.findings


HALVES = """
#include <cuda_fp16.h>
#include <type_traits>
#include <limits>
template <typename T> __device__ T largest() { return std::is_same<T, float>::value ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest(); }
__global__ void halves(half *out, const half *x, int *whole, float *limits) {
  int i = threadIdx.x;
  half2 v = ((const half2 *)x)[i], w = __halves2half2(__int2half_rn(i), __float2half(0.5f));
  half2 r = __hfma2(v, w, __hneg2(v)) + __hmax2(v, w) * h2rcp(__float22half2_rn(make_float2(2.0f, 4.0f)));
  ((half2 *)out)[i] = r;
  whole[i] = __half2int_rd(__low2half(v)) + 100 * __half2int_rn(__high2half(v)) + 10000 * (__half_as_ushort(v.x) >> 15) + 100000 * __hge(v.x, v.y);
  limits[i] = largest<float>() * (largest<int>() < 0) + pow(2, i) - std::sqrt((float)i);
}
"""


def test_halves_round_after_each_operation() -> None:
    x = np.random.default_rng(1).normal(size=64).astype(np.float16) * np.float16(3)
    buffers = {"out": simt.out(64, "float16"), "x": x, "whole": simt.out(32, "int32"), "limits": simt.out(32)}
    result = simt.cuda(HALVES).launch("halves", 1, 32, buffers)
    v = x.reshape(32, 2)
    w = np.stack([np.arange(32), np.full(32, 0.5)], 1).astype(np.float16)
    fused = (v.astype(np.float64) * w - v).astype(np.float16)
    wanted = fused + np.maximum(v, w) * (1 / np.array([2, 4], np.float16))
    np.testing.assert_array_equal(result["out"].reshape(32, 2), wanted)
    low, high = v[:, 0].astype(np.float64), v[:, 1].astype(np.float64)
    whole = np.floor(low) + 100 * np.rint(high) + 10000 * (low < 0) + 100000 * (low >= high)
    np.testing.assert_array_equal(result["whole"], whole.astype(np.int32))
    np.testing.assert_allclose(
        result["limits"], np.finfo(np.float32).max + 2.0 ** np.arange(32) - np.sqrt(np.arange(32)), rtol=1e-6
    )
    assert not result.findings


@pytest.mark.skipif(nvrtc.find() is None, reason=f"NVRTC is not installed: {nvrtc.REMEDY}")
@pytest.mark.full
def test_the_real_compiler_knows_the_intrinsics_too() -> None:
    assert simt.cuda(WORDS).compiled("words")[0].resources
    assert simt.cuda(MIXED, headers={"scale.cuh": "#define SCALE 2.0f\n"}).compiled("sums")[0].resources


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("__device__ float f() { return 2; }\n__device__ float g = f();", id="a call"),
        pytest.param("struct S { float v; __device__ S() : v(3) {} };\n__device__ S g;", id="a constructor"),
    ],
)
def test_a_variable_of_the_program_that_would_be_computed_before_the_kernel_is_refused(head):
    with pytest.raises(simt.CompileError, match="constructor") as told:
        simt.cuda(head + "\n__global__ void k(float* o) { o[0] = 1; }").launch("k", 1, 1, [simt.out(1)])
    assert told.value.line == 2
