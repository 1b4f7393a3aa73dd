"""The emulator built for aarch64 and run by qemu: the same outputs and counts as on this machine.

Needs qemu-user, g++-aarch64-linux-gnu and clang 16 or newer (Debian's names).

    python benchmarks/simt_aarch64.py
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scratch_kernels import simt
from scratch_kernels.simt import assembly, build, msl, toolchain, walls

SOURCE = """#include <metal_stdlib>
using namespace metal;
kernel void row_sum(device float* out, const device float* x, constant uint& n, uint tid [[thread_position_in_threadgroup]],
                    uint row [[threadgroup_position_in_grid]], uint tpg [[threads_per_threadgroup]]) {
  threadgroup float part[256];
  float s = 0;
  for (uint i = tid; i < n; i += tpg) s += exp(x[row * n + i]);
  part[tid] = simd_sum(s);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (tid == 0) { float t = 0; for (uint k = 0; k < tpg; k += 32) t += part[k]; out[row] = t; }
}
"""
TARGET = "--target=aarch64-linux-gnu"
HEADERS = "/usr/aarch64-linux-gnu/include"


def run(argv: list[str], folder: Path) -> None:
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{argv[0]} failed: {done.stderr[:500]}")


def main() -> None:
    missing = [p for p in ("qemu-aarch64", "aarch64-linux-gnu-g++") if not shutil.which(p)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    library = simt.metal(SOURCE)
    metal = importlib.import_module("scratch_kernels.simt.metal")
    signature = library.signature("row_sum")
    body = msl.lower(library._source, signature, {}, spaces=False)
    text = f'#include "metal_stdlib"\n#include "bind.h"\n#line 1 "kernel.metal"\n{body}\n{metal._launcher(signature)}'
    clang = toolchain.find().argv[0]
    x = np.random.default_rng(0).normal(size=(4, 4096)).astype(np.float32)
    faulty = x[:, :4000]
    here = [
        library.launch("row_sum", 4, 256, [simt.out(4), data, 4096], seed=s) for data in (x, faulty) for s in (1, 2)
    ]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "in.cpp").write_text(text)
        standard = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-fPIE"]
        system = [
            f"-I{HEADERS}/c++/12",
            f"-I{HEADERS}/c++/12/aarch64-linux-gnu",
            "-idirafter",
            HEADERS,
            "--gcc-toolchain=/usr",
        ]
        run(
            [clang, TARGET, *system, *standard, "-O2", "-c", str(build.RUNTIME / "runtime.cpp"), "-o", "runtime.o"],
            work,
        )
        include = [f"-I{build.RUNTIME}", f"-I{build.RUNTIME}/metal"]
        run(
            [clang, TARGET, "-std=c++20", *build.COUNTING, *build.DIALECT, *include, "-S", "in.cpp", "-o", "out.s"],
            work,
        )
        (work / "kernel.s").write_text(assembly.process((work / "out.s").read_text(), "kernel.metal").text)
        run([clang, TARGET, "-c", "kernel.s", "-o", "kernel.o"], work)
        run(["aarch64-linux-gnu-g++", "kernel.o", "runtime.o", "-pie", "-o", "kernel", "-lm"], work)

        def emulated(argv: Any, folder: Path, **_: Any) -> walls.Ran:
            line = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", str(work / "kernel"), *argv[1:]]
            done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
            return walls.Ran(done.returncode, done.stdout, done.stderr)

        walls.run = emulated  # type: ignore[assignment]
        there = [
            library.launch("row_sum", 4, 256, [simt.out(4), data, 4096], seed=s) for data in (x, faulty) for s in (1, 2)
        ]
    for a, b in zip(here, there, strict=True):
        near = np.allclose(a["out"], b["out"], rtol=1e-6, equal_nan=True)
        kinds = [f.kind for f in b.findings]
        print("outputs agree" if near else "OUTPUTS DIFFER", "| same counts" if a.counts == b.counts else "| COUNTS DIFFER", "| same findings" if a.findings == b.findings else "| FINDINGS DIFFER", kinds)  # fmt: skip


if __name__ == "__main__":
    main()
