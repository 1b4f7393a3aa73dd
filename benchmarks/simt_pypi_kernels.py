"""Kernels inside public Python distributions, with a launch each and what numpy says their output is.

The emulator's headers were extended while these were looked at; `simt_untuned_kernels.py` has those that were not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from scratch_kernels import simt
from simt_archives import struct, texts

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kernel(NamedTuple):
    """One kernel with a launch. `source` and `headers` make the library; `wanted` is numpy's word on `output`."""

    project: str
    file: str
    language: str
    name: str
    source: str
    headers: Mapping[str, str]
    folder: str
    launch: Mapping[str, Any]
    output: str
    wanted: Any
    tolerance: float = 2e-5


def floats(seed: int, *shape: int) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def halves(seed: int, *shape: int) -> Any:
    return floats(seed, *shape).astype(np.float16)


def softmax(x: Any) -> Any:
    e = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def silu(x: Any) -> Any:
    return x / (1 + np.exp(-x))


def rms(x: Any, eps: float = 1e-5) -> Any:
    x = x.astype(np.float64)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)


def normed(x: Any, eps: float = 1e-5) -> Any:
    x = x.astype(np.float64)
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


def llama_cpp(folder: Path) -> Iterator[Kernel]:
    """llama.cpp's Metal kernels in the source archive of llama-cpp-python."""
    base = texts(folder, "llama_cpp_python-*.tar.gz", "vendor/llama.cpp/ggml/src/")
    headers = {k.removeprefix("ggml-metal/kernels/"): v for k, v in base.items() if k.startswith("ggml-metal/kernels/")}
    impl = base["ggml-metal/ggml-metal-impl.h"]
    headers |= {"ggml-metal-impl.h": impl, "ggml-common.h": base["ggml-common.h"]}
    out = simt.out
    rows, wide, w = floats(1, 6, 100), floats(2, 5, 256), floats(3, 256)

    def made(file: str, name: str, output: str, wanted: Any, tolerance: float = 2e-5, **launch: Any) -> Kernel:
        return Kernel("llama.cpp", file, "metal", name, headers[file], headers, "", launch, output, wanted, tolerance)

    def norm(x: Any, parts: int = 1) -> Any:
        n = x.shape[1]
        row = 4 * n  # one row of weights for all rows
        return struct(impl, "ggml_metal_kargs_norm", ne00=n, ne00_t=n // parts, nb1=row, nb2=row * len(x), nb3=row * len(x), eps=1e-5,
                      nef1=1, nef2=1, nef3=1, nbf1=[row, row, row], nbf2=[row * len(x)] * 3, nbf3=[row * len(x)] * 3)  # fmt: skip

    group = {"threadgroup": {0: 128}}
    weighed = {**group, "constants": {"FC_norm_use_scale": False}}
    for name, wanted in (("kernel_norm_f32", normed(rows)), ("kernel_rms_norm_f32", rms(rows))):
        buffers = {"args": norm(rows), "src0": rows, "src1_0": rows, "src1_1": rows, "dst": out((6, 100))}
        yield made("norm.metal", name, "dst", wanted, grid=(6, 1), group=64, buffers=buffers, **weighed)
    buffers = {"args": norm(wide, 4), "src0": wide, "src1_0": w, "src1_1": w, "dst": out((5, 256))}
    yield made(
        "norm.metal",
        "kernel_rms_norm_mul_f32_4",
        "dst",
        rms(wide) * w,
        grid=(5, 1),
        group=64,
        buffers=buffers,
        **weighed,
    )
    for name, x, n in (("kernel_soft_max_f32", rows, 100), ("kernel_soft_max_f32_4", wide, 256)):
        args = struct(impl, "ggml_metal_kargs_soft_max", ne00=n, ne01=len(x), ne02=1, nb01=4 * n, nb02=4 * n * len(x), nb03=4 * n * len(x),
                      ne11=len(x), ne12=1, ne13=1, nb11=4 * n, nb12=4 * n * len(x), nb13=4 * n * len(x), nb1=4 * n, nb2=4 * n * len(x),
                      nb3=4 * n * len(x), scale=0.5)  # fmt: skip
        mask, sinks = floats(4, len(x), n), floats(5, 1)
        with_sink = softmax(np.concatenate([0.5 * x + mask, np.full((len(x), 1), sinks[0])], 1))[:, :n]
        buffers = {"args": args, "src0": x, "src1": mask, "src2": sinks, "dst": out(x.shape)}
        yield made("softmax.metal", name, "dst", with_sink, grid=(len(x), 1), group=64, buffers=buffers, **group)
    x = floats(6, 3, 128)
    args = struct(impl, "ggml_metal_kargs_unary", ne00=128, ne01=3, ne02=1, ne03=1, nb00=4, nb01=512, nb02=1536, nb03=1536, ne0=128, ne1=3,
                  ne2=1, ne3=1, nb0=4, nb1=512, nb2=1536, nb3=1536)  # fmt: skip
    for op, wanted in ((106, silu(x)), (103, gelu(x)), (100, np.tanh(x)), (109, np.abs(x))):
        yield made("unary.metal", "kernel_unary_f32_f32", "dst", wanted, grid=(6, 1), group=64, constants={"FC_unary_op": op, "FC_unary_cnt": False},
                   buffers={"args": args, "src0": x, "dst": out((3, 128))})  # fmt: skip
    a, b = floats(7, 4, 96), floats(8, 4, 96)
    args = struct(impl, "ggml_metal_kargs_glu", ne00=96, nb01=384, ne10=96, nb11=384, ne0=96, nb1=384)
    for name, wanted in (
        ("kernel_swiglu_f32", silu(a) * b),
        ("kernel_geglu_f32", gelu(a) * b),
        ("kernel_reglu_f32", np.maximum(a, 0) * b),
    ):
        yield made(
            "unary.metal",
            name,
            "dst",
            wanted,
            grid=4,
            group=32,
            buffers={"args": args, "src0": a, "src1": b, "dst": out((4, 96))},
        )
    x = floats(9, 4, 50)
    args = struct(impl, "ggml_metal_kargs_argsort", ne00=50, ne01=4, ne02=1, ne03=1, nb00=4, nb01=200, nb02=800, nb03=800, ne0=50, ne1=4, ne2=1,
                  ne3=1, top_k=50)  # fmt: skip
    for order, wanted in (("asc", x.argsort(1)), ("desc", (-x).argsort(1))):
        yield made("argsort.metal", f"kernel_argsort_f32_i32_{order}", "dst", wanted, grid=(4, 1), group=64, threadgroup={0: 256},
                   buffers={"args": args, "src0": x, "dst": out((4, 50), "int32")})  # fmt: skip
    args = struct(impl, "ggml_metal_kargs_sum_rows", ne00=100, ne01=6, ne02=1, ne03=1, nb00=4, nb01=400, nb02=2400, nb03=2400, ne0=1, ne1=6, ne2=1,
                  ne3=1, nb0=4, nb1=4, nb2=24, nb3=24)  # fmt: skip
    yield made("reduce.metal", "kernel_sum_rows_f32_f32", "dst", rows.sum(1), grid=(6, 1), group=64, constants={"FC_sum_rows_op": 10},
               buffers={"args": args, "src0": rows, "dst": out(6)}, **group)  # fmt: skip
    yield made("reduce.metal", "kernel_op_sum_f32", "dst", rows.astype(np.float64).sum(), 1e-4, grid=1, group=96,
               buffers={"args": struct(impl, "ggml_metal_kargs_sum", np=600), "src0": rows, "dst": out(1)}, **group)  # fmt: skip
    args = struct(
        impl, "ggml_metal_kargs_cumsum_blk", ne00=64, ne01=5, ne02=1, ne03=1, nb00=4, nb01=256, nb02=1280, nb03=1280
    )
    x = floats(10, 5, 64)
    yield made("reduce.metal", "kernel_cumsum_blk_f32", "dst", x.astype(np.float64).cumsum(1), 1e-4, grid=(5, 1), group=64,
               buffers={"args": args, "src0": x, "tmp": out(5), "dst": out((5, 64))}, **group)  # fmt: skip
    args = struct(impl, "ggml_metal_kargs_argmax", ne00=100, nb01=400)
    yield made("misc.metal", "kernel_argmax_f32", "dst", rows.argmax(1), grid=6, group=64, threadgroup={0: 256},
               buffers={"args": args, "src0": rows, "dst": out(6, "int32")})  # fmt: skip
    x = floats(11, 20, 20)
    args = struct(impl, "ggml_metal_kargs_tri", ne00=20, ne01=20, ne02=1, ne03=1, nb00=4, nb01=80, nb02=1600, nb03=1600, ne0=20, ne1=20, ne2=1,
                  ne3=1, nb0=4, nb1=80, nb2=1600, nb3=1600)  # fmt: skip
    yield made(
        "tri.metal",
        "kernel_tri_f32_2",
        "dst",
        np.tril(x),
        grid=(20, 1),
        group=32,
        buffers={"args": args, "src0": x, "dst": x * 0},
    )
    x = floats(12, 2, 12, 10)
    args = struct(impl, "ggml_metal_kargs_pool_2d", k0=2, k1=3, s0=2, s1=3, IH=12, IW=10, OH=4, OW=5, np=40)
    yield made("pool.metal", "kernel_pool_2d_max_f32", "dst", x.reshape(2, 4, 3, 5, 2).max((2, 4)), grid=1, group=64,
               buffers={"args": args, "src0": x, "dst": out((2, 4, 5))})  # fmt: skip
    s, c = floats(13, 6, 13), floats(14, 6, 4)
    args = struct(impl, "ggml_metal_kargs_ssm_conv", ne00=13, ne01=6, ne02=1, nb00=4, nb01=52, nb02=312, ne11=6, nb10=4, nb11=16, ne0=6, ne1=10,
                  ne2=1, nb0=4, nb1=24, nb2=240)  # fmt: skip
    windows = np.lib.stride_tricks.sliding_window_view(s, 4, axis=1)
    yield made("ssm.metal", "kernel_ssm_conv_f32_f32", "dst", np.einsum("rtk,rk->tr", windows, c), grid=(6, 10), group=1,
               constants={"FC_ssm_conv_silu": False, "FC_ssm_conv_nc": 4}, buffers={"args": args, "src0": s, "src1": c, "dst": out((10, 6))})  # fmt: skip
    x = floats(15, 3, 64)
    hadamard = np.array([[1.0]])
    while len(hadamard) < 64:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    yield made("misc.metal", "kernel_fwht_f32_64", "dst", x @ hadamard / 8, grid=2, group=64,
               buffers={"args": struct(impl, "ggml_metal_kargs_fwht", nrows=3), "src": x, "dst": out((3, 64))})  # fmt: skip


MLX = "mlx/backend/metal/kernels/"


def mlx(folder: Path) -> Iterator[Kernel]:
    """MLX's kernels, whose headers the wheel for macOS brings for its own compilation at run time."""
    headers = {f"mlx/{k}": v for k, v in texts(folder, "mlx_metal-*.whl", "mlx/include/mlx/").items()}
    # Older releases keep what differs by version of the language in a folder of its own, which their host names to the compiler.
    for version in ("metal_3_0", "metal_3_1"):
        own = f"{MLX}{version}/"
        headers |= {k.removeprefix(own): v for k, v in headers.items() if k.startswith(own)}
    out = simt.out
    x, y, rows = floats(20, 1000), floats(21, 1000), floats(22, 5, 300)

    def made(
        files: str, name: str, template: str, output: str, wanted: Any, tolerance: float = 2e-5, **launch: Any
    ) -> Kernel:
        own = "".join(f'#include "{MLX}{file}.h"\n' for file in ("utils", *files.split()))
        text = f'#include <metal_stdlib>\n{own}template [[host_name("{name}")]] [[kernel]] decltype({template}) {template};\n'
        return Kernel(
            "mlx", f"{files.split()[-1]}.h", "metal", name, text, headers, "", launch, output, wanted, tolerance
        )

    for op, wanted in (("Exp", np.exp(x)), ("Sigmoid", 1 / (1 + np.exp(-x))), ("Tanh", np.tanh(x)), ("Square", x * x)):
        yield made("unary_ops unary", f"{op}_float", f"unary_v<float, float, {op}>", "out", wanted, threads=500, group=64, grid=1,
                   buffers={"in": x, "out": out(1000), "size": 1000})  # fmt: skip
    for op, wanted in (("Add", x + y), ("Maximum", np.maximum(x, y)), ("Multiply", x * y)):
        yield made("binary_ops binary", f"{op}_float", f"binary_vv<float, float, {op}>", "c", wanted, threads=500, group=64, grid=1,
                   buffers={"a": x, "b": y, "c": out(1000), "size": 1000})  # fmt: skip
    for function, launch in (("softmax_single_row", 96), ("softmax_looped", 1024)):
        yield made("softmax", function, f"{function}<float, float, 4>", "out", softmax(rows), grid=5, group=launch,
                   buffers={"in": rows, "out": out((5, 300)), "axis_size": 300})  # fmt: skip
    yield made("logsumexp", "logsumexp", "logsumexp<float, float, 4>", "out", np.log(np.exp(rows.astype(np.float64)).sum(1)), grid=5, group=96,
               buffers={"in": rows, "out": out(5), "axis_size": 300})  # fmt: skip
    yield made("arange", "arange", "arange<float>", "out", 0.5 + 0.25 * np.arange(100), threads=100, group=32, grid=1,
               buffers={"start": 0.5, "step": 0.25, "out": out(100)})  # fmt: skip
    line = floats(23, 5, 200)
    yield made("binary_ops scan", "scan_sum", "contiguous_scan<float, float, CumSum<float>, 4, true, false>", "out",
               line.astype(np.float64).cumsum(1), 1e-4, grid=(1, 5), group=64, buffers={"in": line, "out": out((5, 200)), "axis_size": 200})  # fmt: skip


def exllamav2(folder: Path) -> Iterator[Kernel]:
    """ExLlamaV2's CUDA extension, whose sources its wheel brings."""
    headers = texts(folder, "exllamav2-*.whl", "exllamav2/exllamav2_ext/")
    headers = {k: v for k, v in headers.items() if not k.endswith(".py")}
    out = simt.out
    x, w, b = halves(30, 4, 256), halves(31, 256), halves(32, 256)
    x32, w32, b32 = (a.astype(np.float64) for a in (x, w, b))

    def made(file: str, name: str, output: str, wanted: Any, tolerance: float = 4e-3, **launch: Any) -> Kernel:
        return Kernel(
            "exllamav2", file, "cuda", name, headers[f"cuda/{file}"], headers, "cuda", launch, output, wanted, tolerance
        )

    buffers = {
        "x": x,
        "w": w,
        "y": out((4, 256), "float16"),
        "epsilon": 1e-5,
        "r_dim": 1 / 256,
        "rows": 4,
        "dim": 256,
        "add_residual": False,
    }
    yield made("rms_norm.cu", "rms_norm_kernel<1>", "y", rms(x32) * w32, grid=4, group=1024, buffers={**buffers, "input_fp32": False, "output_fp32": False})  # fmt: skip
    yield made(
        "layer_norm.cu",
        "layer_norm_kernel<1>",
        "y",
        normed(x32) * w32 + b32,
        8e-3,
        grid=4,
        group=1024,
        buffers={**buffers, "b": b},
    )
    heads = halves(33, 3, 2, 128)
    weights = halves(34, 2, 128)
    yield made("head_norm.cu", "head_norm_kernel", "y", rms(heads) * weights.astype(np.float64) + weights, 8e-3, grid=(2, 3), group=64,
               buffers={"x": heads, "w": weights, "b": weights, "y": out((3, 2, 128), "float16"), "epsilon": 1e-5, "r_dim": 1 / 128, "rows": 3,
                        "num_heads": 2, "head_dim": 128, "rms": True})  # fmt: skip
    dest, source = halves(35, 10, 192), halves(36, 192)
    stamped = np.tile(source, (10, 1))
    narrow, wide = {"grid": (3, 1), "group": 32}, {"grid": (1, 5), "group": 128}
    for name, wanted, shape in (
        ("add", dest + source, narrow),
        ("set", stamped, narrow),
        ("add_int4", dest + source, wide),
        ("set_int4", stamped, wide),
    ):
        yield made("h_add.cu", f"cuda_vector_{name}_kernel", "dest", wanted, **shape,
                   buffers={"dest": dest, "source": source, "height": 10, "width": 192})  # fmt: skip
    v = floats(37, 300) * 20
    yield made(
        "softcap.cu",
        "cuda_softcap_kernel",
        "x",
        30 * np.tanh(v / 30),
        1e-5,
        grid=2,
        group=256,
        buffers={"x": v, "numel": 300, "scale": 30.0},
    )
    rope = halves(38, 5, 2, 64)
    angle = np.arange(5)[:, None] * 10000.0 ** (-np.arange(32) / 32)
    table = {"sin": np.tile(np.sin(angle), 2).astype(np.float16), "cos": np.tile(np.cos(angle), 2).astype(np.float16)}
    first, second = rope[..., :32].astype(np.float64), rope[..., 32:].astype(np.float64)
    sin, cos = table["sin"][:, None, :32].astype(np.float64), table["cos"][:, None, :32].astype(np.float64)
    turned = np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)
    yield made("rope.cu", "rope_cuda_kernel", "x", turned, 8e-3, grid=(1, 3, 1), group=(32, 4),
               buffers={"x": rope, **table, "rows_per_batch": 10, "head_dim": 64, "num_heads": 2, "past_len": 0, "past_lens": np.zeros(1, np.int32),
                        "threads_y": 4, "sincos_size": 64, "neox_style": True})  # fmt: skip
    four = np.random.default_rng(39).integers(1, 17, size=(3, 64)).astype(np.uint16)
    packed = ((four - 1).astype(np.uint32).reshape(3, 8, 8) << (4 * np.arange(8, dtype=np.uint32))).sum(
        -1, dtype=np.uint32
    )
    yield made("pack_tensor.cu", "pack_rows_4_kernel", "output", packed, grid=(1, 1), group=(32, 4),
               buffers={"input": four, "output": out((3, 8), "uint32"), "rows": 3, "out_columns": 8})  # fmt: skip
    whole = halves(40, 4, 64)
    kept = (whole.view(np.uint16) >> 8).astype(np.uint8)
    yield made("cache.cu", "fp8_to_fp16_kernel", "pOut", (kept.astype(np.uint16) << 8).view(np.float16), grid=(1, 4), group=32,
               buffers={"pIn": kept, "pOut": out((4, 64), "float16"), "stride": 64, "height": 4, "min": 0, "max": 64})  # fmt: skip


def kernels(folder: Path) -> Iterator[Kernel]:
    """Every kernel of the distributions in `folder`."""
    for project in (llama_cpp, mlx, exllamav2):
        try:
            yield from project(folder)
        except FileNotFoundError as error:
            print(f"left out: {error}")
