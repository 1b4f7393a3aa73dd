"""Kernels of public projects on the emulator: which build, run, agree with numpy, and are flagged.

Takes a folder with distributions as `pip download` leaves them, and local copies of projects that have none, each under its own
name (`candle`, `llm.c`, `metal-sci-kernels`); what is not there is left out. Their text is no part of this repository.

    cd FOLDER
    pip download --no-deps --no-binary :all: llama-cpp-python
    pip download --no-deps --only-binary :all: --platform macosx_14_0_arm64 mlx-metal==0.29.1
    pip download --no-deps exllamav2 thinc cupy-cuda12x metal-linalg mlx-lm
    python benchmarks/simt_real_kernels.py FOLDER
    python benchmarks/simt_real_kernels.py FOLDER --untuned
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from scratch_kernels import simt
from simt_pypi_kernels import Kernel, kernels

RNG = np.random.default_rng(0)
CANDLE = "candle/candle-metal-kernels/src/metal_src"
LLMC = "llm.c/dev/cuda"


class Run(NamedTuple):
    """One kernel of one file with a launch and what numpy says its output is."""

    file: str
    kernel: str
    shape: dict[str, Any]
    buffers: dict[str, Any]
    output: str
    wanted: Any
    options: Mapping[str, Any] = MappingProxyType({})


def floats(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def runs() -> list[Run]:
    x, y, rows = floats(1000), floats(1000), floats(8, 96)
    out, n = simt.out, 1000

    def many(file: str, kernel: str, buffers: dict[str, Any], wanted: Any) -> Run:
        given = {"dim": n, **buffers, "output": out(n)}
        return Run(f"{CANDLE}/{file}", kernel, {"threads": 500, "group": 32}, given, "output", wanted)

    found = [
        many("affine.metal", "affine_f32", {"mul": 2.0, "add": 1.0, "input": x}, 2 * x + 1),
        many("unary.metal", "exp_f32", {"input": x}, np.exp(x)),
        many("unary.metal", "sqr_f32", {"input": x}, x * x),
        many("unary.metal", "relu_f32", {"input": x}, np.maximum(x, 0)),
        many("unary.metal", "silu_f32", {"input": x}, x / (1 + np.exp(-x))),
        many("unary.metal", "gelu_f32", {"input": x}, gelu(x)),
        many("binary.metal", "badd_f32", {"left": x, "right": y}, x + y),
        many("binary.metal", "bmaximum_f32", {"left": x, "right": y}, np.maximum(x, y)),
        many("cast.metal", "cast_f32_f16", {"input": x}, x.astype(np.float16).astype(np.float32)),
        Run(f"{CANDLE}/fill.metal", "fill_f32", {"threads": 100, "group": 32}, {"out": out(100), "value": 3.5, "numel": 100}, "out", np.full(100, 3.5)),
        Run(f"{CANDLE}/sort.metal", "asort_asc_f32", {"grid": (1, 4), "group": 64}, {"x": x[:200], "dst": out(200, "uint32"), "ncols": 50, "ncols_pad": 64}, "dst", x[:200].reshape(4, 50).argsort(1).ravel(), {"threadgroup": {0: 256}}),
        Run(f"{CANDLE}/reduce.metal", "fast_sum_f32", {"grid": 8, "group": 32}, {}, "dst", rows.sum(1)),
    ]  # fmt: skip
    weight, bias = floats(96), floats(96)
    normal = (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + 1e-5) * weight + bias
    layer = {
        "out": out((8, 96)),
        "mean": out(8),
        "rstd": out(8),
        "inp": rows,
        "weight": weight,
        "bias": bias,
        "N": 8,
        "C": 96,
    }
    for kernel, grid, block in (("1", 1, 32), ("3", 4, 64), ("4", 4, 64), ("5", 8, 64)):
        found.append(
            Run(
                f"{LLMC}/layernorm_forward.cu",
                f"layernorm_forward_kernel{kernel}",
                {"grid": grid, "group": block},
                layer,
                "out",
                normal,
            )
        )
    soft = {"out": out((8, 96)), "inp": rows, "N": 8, "C": 96}
    for kernel, grid, block, shared in (("kernel1", 1, 32, 0), ("kernel2", 8, 64, 256), ("kernel3", 8, 32, 128), ("kernel4", 8, 64, 16), ("online_kernel1", 1, 32, 0), ("online_kernel2", 4, 64, 0), ("kernel7", 8, 64, 16), ("online_kernel8", 4, 64, 0)):  # fmt: skip
        found.append(
            Run(
                f"{LLMC}/softmax_forward.cu",
                f"softmax_forward_{kernel}",
                {"grid": grid, "group": block},
                soft,
                "out",
                softmax(rows),
                {"shared": shared},
            )
        )
    tokens = RNG.integers(20, size=24).astype(np.int32)
    table, place = floats(20, 16), floats(8, 16)
    embedded = table[tokens].reshape(3, 8, 16) + place
    code = {"out": out((3, 8, 16)), "inp": tokens, "wte": table, "wpe": place, "B": 3, "T": 8, "C": 16}
    for kernel, blocks in (("1", 1), ("2", 12), ("3", 3)):
        found.append(
            Run(
                f"{LLMC}/encoder_forward.cu",
                f"encoder_forward_kernel{kernel}",
                {"grid": blocks, "group": 32},
                code,
                "out",
                embedded,
            )
        )
    probabilities = softmax(floats(24, 20)).astype(np.float32)
    found += [
        Run(f"{LLMC}/gelu_forward.cu", "gelu_forward_kernel1", {"grid": 8, "group": 128}, {"out": out(n), "inp": x, "N": n}, "out", gelu(x)),
        Run(f"{LLMC}/gelu_forward.cu", "gelu_forward_kernel2", {"grid": 2, "group": 128}, {"out": out(n), "inp": x, "N": n}, "out", gelu(x)),
        Run(f"{LLMC}/residual_forward.cu", "residual_forward_kernel1", {"grid": 8, "group": 128}, {"out": out(n), "inp1": x, "inp2": y, "N": n}, "out", x + y),
        Run(f"{LLMC}/residual_forward.cu", "residual_forward_kernel2", {"grid": 2, "group": 128}, {"out": out(n), "inp1": x, "inp2": y, "N": n}, "out", x + y),
        Run(f"{LLMC}/crossentropy_forward.cu", "crossentropy_forward_kernel1", {"grid": 1, "group": 32}, {"losses": out(24), "probs": probabilities, "targets": tokens, "B": 3, "T": 8, "V": 20}, "losses", -np.log(probabilities[np.arange(24), tokens])),
        Run("metal-sci-kernels/seeds/saxpy.metal", "saxpy", {"threads": 1000, "group": 64}, {"x": x, "y": y, "a": 0.5, "N": n}, "y", 0.5 * x + y),
        Run("metal-sci-kernels/seeds/heat2d.metal", "heat_step", {"threads": (24, 20), "group": (8, 8)}, {"u_in": floats(480), "u_out": out(480), "NX": 24, "NY": 20, "alpha": 0.1}, "u_out", None),
    ]  # fmt: skip
    for i, run in enumerate(found):
        if run.kernel == "heat_step":
            u = run.buffers["u_in"].reshape(20, 24)
            w = u.copy()
            w[1:-1, 1:-1] += 0.1 * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1])
            found[i] = run._replace(wanted=w.ravel())
        if run.kernel == "fast_sum_f32":
            found[i] = run._replace(buffers={"src_numel": 768, "el_per_block": 96, "src": rows.ravel(), "dst": out(8)})
        if run.kernel == "cast_f32_f16":
            found[i] = run._replace(buffers={**run.buffers, "output": out(n, "float16")})
    return found


def copies(folder: Path) -> Iterator[Kernel]:
    """The kernels of local copies."""
    for run in runs():
        path = folder / run.file
        if not path.exists():
            continue
        beside = [p for pattern in ("*.h", "*.cuh", "*.metal") for p in path.parent.glob(pattern) if p != path]
        headers = {p.name: p.read_text() for p in beside}
        # The files of llm.c choose bfloat16 by a definition of their own; numpy has no such type.
        source = path.read_text().replace("#define ENABLE_BF16", "")
        launch = {"grid": 1, **run.shape, "buffers": run.buffers, **run.options}
        language = "metal" if path.suffix == ".metal" else "cuda"
        tolerance = 1e-3 if "f16" in run.kernel else 2e-5
        yield Kernel(
            run.file.split("/")[0],
            path.name,
            language,
            run.kernel,
            source,
            headers,
            "",
            launch,
            run.output,
            run.wanted,
            tolerance,
        )


LIBRARIES: dict[tuple[str, str, str], Any] = {}


def library(kernel: Kernel) -> Any:
    """The kernel's file, read once."""
    key = (kernel.project, kernel.file, kernel.source)
    if key not in LIBRARIES:
        make = simt.metal if kernel.language == "metal" else simt.cuda
        LIBRARIES[key] = make(kernel.source, headers=kernel.headers, folder=kernel.folder)
    return LIBRARIES[key]


def verdict(kernel: Kernel) -> tuple[str, list[Any]]:
    """What became of a kernel: a word, and the findings that are more than notes."""
    launch = dict(kernel.launch)
    constants = {"constants": launch["constants"]} if "constants" in launch else {}
    try:
        read = library(kernel)
        if kernel.language == "metal":
            read.build(kernel.name, **constants)
        else:
            read.build(kernel.name)
    except simt.SimtError as error:
        return f"does not build: {str(error)[:150]}", []
    try:
        result = read.launch(kernel.name, strict=False, **launch)
    except simt.SimtError as error:
        return f"does not run: {str(error)[:150]}", []
    flags = [f for f in result.findings if f.severity != "note"]
    if result.stopped:
        return f"stopped: {result.stopped[:100]}", flags
    if kernel.output not in result.outputs:
        return f"declares {kernel.output} const, so nothing comes back", flags
    got = result.outputs[kernel.output].astype(np.float64).ravel()
    wanted = np.asarray(kernel.wanted, np.float64).ravel()
    if got.shape != wanted.shape:
        return f"differs: {got.shape} values, not {wanted.shape}", flags
    if np.allclose(got, wanted, rtol=max(1e-3, kernel.tolerance), atol=kernel.tolerance, equal_nan=False):
        return "agrees", flags
    return f"differs: by {np.nanmax(np.abs(got - wanted)):.3g}, {np.isnan(got).sum()} NaN", flags


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--untuned", action="store_true", help="those that nothing was changed for")
    parser.add_argument("--only", default="", help="those whose project, file or name holds this")
    given = parser.parse_args()
    if given.untuned:
        from simt_untuned_kernels import kernels as chosen

        listed = chosen(given.folder)
    else:
        listed = (k for group in (kernels(given.folder), copies(given.folder)) for k in group)
    started = time.perf_counter()
    totals: dict[str, Counter[str]] = {}
    for kernel in listed:
        if given.only not in f"{kernel.project} {kernel.file} {kernel.name}":
            continue
        word, flags = verdict(kernel)
        count = totals.setdefault(kernel.project, Counter())
        count["kernels"] += 1
        count["build"] += not word.startswith("does not build")
        count["run"] += not word.startswith(("does not", "stopped"))
        count["agree"] += word == "agrees"
        count["flagged"] += bool(flags)
        print(
            f"{kernel.project:12s} {kernel.file:26s} {kernel.name:32s} {word}",
            *(f"\n      {f}" for f in flags),
            flush=True,
        )
    for project, count in totals.items():
        print(project, dict(count))
    print(dict(sum(totals.values(), Counter())), f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
