"""Kernels that nothing in the emulator was changed for: chosen by name before the first run, and left as they fell out.

Their first run's figures stand in docs/kernels/emulator.md. What is changed for one of them moves it to `simt_pypi_kernels.py`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scratch_kernels import simt
from simt_archives import texts
from simt_pypi_kernels import Kernel, floats


def strings(source: str) -> dict[str, str]:
    """Name -> text of every string assigned in a Python source, which is where some projects keep their kernels."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found |= {target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)}
    return found


def thinc(folder: Path) -> Iterator[Kernel]:
    """Thinc's CUDA kernels."""
    source = texts(folder, "thinc-*.whl", "thinc/backends/")["_custom_kernels.cu"]
    out, n = simt.out, 500
    x, dy = floats(50, n), floats(51, n)
    x64, dy64 = x.astype(np.float64), dy.astype(np.float64)
    erf = np.vectorize(math.erf)
    cdf = 0.5 * (1 + erf(x64 / math.sqrt(2)))

    def made(name: str, output: str, wanted: Any, tolerance: float = 2e-5, /, grid: int = 2, **buffers: Any) -> Kernel:
        launch = {"grid": grid, "group": 64, "buffers": buffers}
        return Kernel(
            "thinc", "_custom_kernels.cu", "cuda", f"{name}<float>", source, {}, "", launch, output, wanted, tolerance
        )

    limits = {"threshold": 20.0, "N": n}
    yield made("dish", "Y", 0.5 * x64 * (x64 / np.sqrt(1 + x64**2) + 1), Y=out(n), X=x, N=n)
    yield made("gelu", "Y", x64 * cdf, Y=out(n), X=x, **limits)
    yield made("mish", "Y", x64 * np.tanh(np.log1p(np.exp(x64))), Y=out(n), X=x, **limits)
    yield made("swish", "Y", x64 / (1 + np.exp(-x64)), Y=out(n), X=x, **limits)
    yield made(
        "clipped_linear",
        "Y",
        np.clip(x64 * 0.5 + 0.1, -0.4, 0.6),
        Y=out(n),
        X=x,
        slope=0.5,
        offset=0.1,
        min_val=-0.4,
        max_val=0.6,
        N=n,
    )
    pdf = np.exp(-0.5 * x64**2) / math.sqrt(2 * math.pi)
    yield made("backprop_gelu", "dX", dy64 * (cdf + x64 * pdf), dX=out(n), dY=dy, X=x, **limits)
    inside = np.log1p(np.exp(x64))
    slope = np.tanh(inside) + x64 * (1 - np.tanh(inside) ** 2) / (1 + np.exp(-x64))
    yield made("backprop_mish", "dX", dy64 * slope, 1e-4, dX=out(n), dY=dy, X=x, **limits)
    candidates = floats(52, 6, 7, 3)
    yield made(
        "maxout",
        "best",
        candidates.max(2),
        best=out((6, 7)),
        which=out((6, 7), "int32"),
        cands=candidates,
        B=6,
        O=7,
        P=3,
    )
    which = candidates.argmax(2).astype(np.int32)
    gradient = floats(53, 6, 7)
    spread = np.where(np.arange(3) == which[..., None], gradient[..., None], 0)
    yield made("backprop_maxout", "dX", spread, dX=candidates * 0, dY=gradient, which=which, B=6, O=7, P=3)
    table, indices = floats(54, 9, 5), np.random.default_rng(55).integers(9, size=(8, 4)).astype(np.int32)
    yield made(
        "gather_add",
        "out_bo",
        table[indices].sum(1),
        out_bo=np.zeros((8, 5), np.float32),
        table_to=table,
        indices_bk=indices,
        T=9,
        O=5,
        B=8,
        K=4,
    )
    lengths = np.array([3, 5, 1, 4], np.int32)
    rows = floats(56, 13, 6)
    parts = np.split(rows, np.cumsum(lengths)[:-1])
    yield made(
        "reduce_sum",
        "output",
        np.stack([p.sum(0) for p in parts]),
        output=np.zeros((4, 6), np.float32),
        X=rows,
        lengths=lengths,
        B=4,
        T=13,
        O=6,
    )
    yield made("reduce_max", "maxes", np.stack([p.max(0) for p in parts]), maxes=out((4, 6)), which=out((4, 6), "int32"), X=rows, lengths=lengths, B=4, T=13, O=6)  # fmt: skip
    means = floats(57, 4, 6)
    yield made(
        "backprop_reduce_mean",
        "dX",
        np.repeat(means / lengths[:, None], lengths, 0),
        dX=out((13, 6)),
        d_mean=means,
        lengths=lengths,
        B=4,
        T=13,
        O=6,
    )
    around = np.zeros((13, 3, 6))
    for start, part in zip(np.cumsum(lengths) - lengths, parts, strict=True):
        padded = np.pad(part, ((1, 1), (0, 0)))
        for i in range(len(part)):
            around[start + i] = padded[i : i + 3]
    yield made(
        "seq2col",
        "output",
        around,
        output=np.zeros((13, 18), np.float32),
        X=rows,
        lengths=lengths,
        nW=1,
        B=13,
        I=6,
        nL=4,
    )


def mlx_kernel(name: str, body: str, template: str, inputs: dict[str, Any], outputs: str) -> str:
    """A Metal source as MLX makes it of a body: inputs by name, shapes and strides where the body names them."""
    where = ("thread_position_in_grid", "thread_position_in_threadgroup", "threadgroup_position_in_grid")
    parameters = []
    for key, value in inputs.items():
        array = np.asarray(value)
        kind = "int" if array.dtype.kind == "i" else "float"
        parameters.append(f"const device {kind}* {key}" if array.ndim else f"const constant {kind}& {key}")
        for extra, of in (("shape", "int"), ("strides", "int64_t")):
            if f"{key}_{extra}" in body:
                parameters.append(f"const constant {of}* {key}_{extra}")
    parameters += [f"device float* {key}" for key in outputs.split()]
    parameters += [f"uint3 {w} [[{w}]]" for w in where if w in body]
    parameters += [
        f"uint {w} [[{w}]]" for w in ("thread_index_in_simdgroup", "simdgroup_index_in_threadgroup") if w in body
    ]
    return f"#include <metal_stdlib>\nusing namespace metal;\n{template}\n[[kernel]] void {name}({', '.join(parameters)}) {{{body}}}\n"


def mlx_lm(folder: Path) -> Iterator[Kernel]:
    """Kernels that MLX LM gives to MLX as texts."""
    sources = texts(folder, "mlx_lm-*.whl", "mlx_lm/")
    body = strings(sources["models/ssm.py"])["source"]
    heads, groups, dim, state = 4, 2, 8, 64
    x, c, b = floats(60, heads, dim), floats(61, groups, state), floats(62, groups, state)
    a_log, d, dt, before = (
        floats(63, heads),
        floats(64, heads),
        np.abs(floats(65, heads)),
        floats(66, heads, dim, state),
    )
    inputs = {"X": x, "A_log": a_log, "B": b, "C": c, "D": d, "dt": dt, "state_in": before}
    constants = (
        f"typedef float T; typedef float U; constant int Dh = {dim}, Ds = {state}, H = {heads}, G = {heads // groups};"
    )
    of = np.arange(heads) // (heads // groups)
    after = np.exp(-np.exp(a_log) * dt)[:, None, None] * before + (x * dt[:, None])[..., None] * b[of][:, None, :]
    wanted = (after * c[of][:, None, :]).sum(-1) + x * d[:, None]
    launch = {"grid": 1, "threads": (32, dim, heads), "group": (32, 8, 1), "buffers": {**inputs, "out": simt.out((heads, dim)), "state_out": simt.out(before.shape)}}  # fmt: skip
    text = mlx_kernel("ssm_kernel", body, constants, inputs, "out state_out")
    yield Kernel("mlx-lm", "models/ssm.py", "metal", "ssm_kernel", text, {}, "", launch, "out", wanted, 1e-4)
    body = strings(sources["kernels/rms_norm_sigmoid_gate.py"])["_NORM_GATE_SOURCE"]
    x, g = floats(67, 2, 3, 5, 48), floats(68, 2, 5, 144)
    inputs = {"x": x, "g": g, "eps": np.float32(1e-5)}
    strides = {f"{k}_strides": np.array(v.strides, np.int64) // 4 for k, v in (("x", x), ("g", g))}
    row = x.transpose(0, 2, 1, 3).astype(np.float64)
    gated = row / np.sqrt((row**2).mean(-1, keepdims=True) + 1e-5) / (1 + np.exp(-g.reshape(2, 5, 3, 48)))
    buffers = {
        "x": x,
        "g": g,
        "eps": 1e-5,
        "x_shape": np.array(x.shape, np.int32),
        **strides,
        "out": simt.out((2, 5, 144)),
    }
    text = mlx_kernel("norm_gate", body, "typedef float T; constant int D = 48;", inputs, "out")
    launch = {"grid": 1, "threads": 960, "group": 256, "buffers": buffers}
    yield Kernel("mlx-lm", "rms_norm_sigmoid_gate.py", "metal", "norm_gate", text, {}, "", launch, "out", gated)


def metal_linalg(folder: Path) -> Iterator[Kernel]:
    """Factorisations of small matrices."""
    headers = texts(folder, "metal_linalg-*.tar.gz", "/shaders/")
    source = headers["Cholesky.metal"]
    a = floats(70, 5, 7, 7)
    a = (a @ a.transpose(0, 2, 1) + 7 * np.eye(7)).astype(np.float32)

    def made(name: str, output: str, wanted: Any, **launch: Any) -> Kernel:
        return Kernel(
            "metal-linalg", "Cholesky.metal", "metal", name, source, headers, "", launch, output, wanted, 1e-4
        )

    yield made("chol_simd_8_8", "L", np.linalg.cholesky(a.astype(np.float64)), grid=1, group=64, threadgroup={0: 2 * 32 * 33 * 4},
               buffers={"A": a, "L": simt.out((5, 7, 7)), "info": simt.out(5, "uint32"), "p": np.array([7, 5, 0], np.uint32).view(np.uint8)})  # fmt: skip
    padded = np.zeros((5, 32, 32), np.float32)
    padded[:, :7, :7] = np.tril(a)
    yield made("chol_load", "W", padded, grid=1, threads=(32, 32, 5), group=(32, 8, 1),
               buffers={"A": a, "W": simt.out((5, 32, 32)), "fail": simt.out(5, "uint32"), "p": np.array([7, 32, 0, 5], np.uint32).view(np.uint8)})  # fmt: skip


def cupy(folder: Path) -> Iterator[Kernel]:
    """Kernels that CuPy keeps as texts for NVRTC."""
    sources = texts(folder, "cupy_cuda12x-*.whl", "cupyx/scipy/")
    headers = {
        f"cupy/{k}": v
        for k, v in texts(folder, "cupy_cuda12x-*.whl", "cupy/_core/include/cupy/").items()
        if "/" not in k
    }
    text = strings(sources["signal/_iir_utils.py"])["IIR_KERNEL"]
    order, block = 3, 16
    b = np.array([0.5, -0.2, 0.1])
    start = np.zeros((order, order + block))
    start[:, :order] = np.eye(order)[::-1]
    wanted = start.copy()
    for row in wanted:
        for i in range(block):
            row[order + i] = sum(b[j] * row[order + i - j - 1] for j in range(order))
    launch = {"grid": 1, "group": 32, "buffers": {"m": block, "k": order, "b": b, "out": start}}
    yield Kernel(
        "cupy",
        "_iir_utils.py",
        "cuda",
        "compute_correction_factors<double, double>",
        text,
        headers,
        "",
        launch,
        "out",
        wanted,
    )
    text = strings(sources["interpolate/_bspline.py"])["DESIGN_MAT_KERNEL"]
    basis, intervals = np.random.default_rng(71).normal(size=(10, 7)), np.arange(3, 13)
    launch = {"grid": 1, "group": 32, "buffers": {"k": 3, "intervals": intervals.astype(np.int64), "bspline_basis": basis, "data": simt.out(40, "float64"),
                                                  "indices": simt.out(40, "int32"), "num_intervals": 10}}  # fmt: skip
    yield Kernel(
        "cupy", "_bspline.py", "cuda", "compute_design_matrix<int>", text, headers, "", launch, "data", basis[:, :4]
    )


def kernels(folder: Path) -> Iterator[Kernel]:
    """Every kernel, in the order in which they were chosen."""
    for project in (thinc, mlx_lm, metal_linalg, cupy):
        try:
            yield from project(folder)
        except FileNotFoundError as error:
            print(f"left out: {error}")
