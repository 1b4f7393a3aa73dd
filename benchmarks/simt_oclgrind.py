"""A reduction, a scan and a transpose, right and with faults, in OpenCL under Oclgrind and in Metal here: what each finds, and the time.

Needs `oclgrind-kernel` (Debian package oclgrind).

    python benchmarks/simt_oclgrind.py
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scratch_kernels import simt

# One text for both languages; the macros are below.
BODIES = {
    "reduction": """
  s[t] = x[g * 64 + t]; SYNC
  for (int k = 32; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; FOLD_SYNC }
  if (t == 0) out[g] = s[OTHER];""",
    "scan": """
  s[t] = x[g * 64 + t]; SYNC
  for (int d = 1; d < 64; d *= 2) { float v = t >= d ? s[t - d] : 0; FOLD_SYNC s[t] += v; SYNC }
  out[g * 64 + t] = s[t + OTHER];""",
    "transpose": """
  int r = t / 8, c = t % 8;
  s[r * 8 + c] = x[g * 64 + t]; FOLD_SYNC
  out[g * 64 + t] = s[c * 8 + r + OTHER];""",
}
OUTPUTS = {"reduction": 2, "scan": 128, "transpose": 128}
VARIANTS = {
    "right": {},
    "no barrier": {"FOLD_SYNC": ""},
    "out of bounds": {"OTHER": "(t == 0 ? 64 : 0)"},
    "uninitialised": {"SYNC": "", "STORE": "if (t < 60)"},
    "unfenced barrier": {"FOLD_SYNC": "UNFENCED"},
}
OPENCL = {"SYNC": "barrier(CLK_LOCAL_MEM_FENCE);", "UNFENCED": "barrier(0);"}
METAL = {
    "SYNC": "threadgroup_barrier(mem_flags::mem_threadgroup);",
    "UNFENCED": "threadgroup_barrier(mem_flags::mem_none);",
}


def body(name: str, variant: str, language: dict[str, str]) -> str:
    words = {"SYNC": language["SYNC"], "FOLD_SYNC": language["SYNC"], "OTHER": "0"}
    changes = dict(VARIANTS[variant])
    text = BODIES[name]
    if "STORE" in changes:
        text = text.replace("  s[", f"  {changes.pop('STORE')} s[", 1)
        changes.pop("SYNC")
    words.update(changes)
    for word in ("FOLD_SYNC", "SYNC", "OTHER"):
        text = re.sub(rf"\b{word}\b", words[word], text)
    return text.replace("UNFENCED", language["UNFENCED"])


def oclgrind(name: str, variant: str, folder: Path) -> tuple[str, float]:
    source = f"kernel void k(global float* out, global const float* x, local float* s) {{ int t = get_local_id(0), g = get_group_id(0);{body(name, variant, OPENCL)} }}"
    (folder / "k.cl").write_text(source)
    (folder / "k.sim").write_text(
        f"k.cl\nk\n128 1 1\n64 1 1\n<size={4 * OUTPUTS[name]} fill=0>\n<size=512 range=0:1:127>\n<size=256>\n"
    )
    started = time.perf_counter()
    done = subprocess.run(
        ["oclgrind-kernel", "--data-races", "--uninitialized", "k.sim"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - started
    told = done.stdout + done.stderr
    kinds = {
        "data race": "race",
        "Invalid read": "out of bounds",
        "Invalid write": "out of bounds",
        "Uninitialized": "uninitialised",
    }
    return ", ".join(dict.fromkeys(short for words, short in kinds.items() if words in told)) or "nothing", seconds


def here(name: str, variant: str) -> tuple[str, float, float]:
    source = (
        "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device float* out, const device float* x,"
        " int_ t [[thread_position_in_threadgroup]], int_ g [[threadgroup_position_in_grid]]) {\n  threadgroup float s[64];"
        + body(name, variant, METAL)
        + "\n}"
    )
    source = (
        source.replace("int_ t", "uint t_")
        .replace("int_ g", "uint g_")
        .replace("s[64];", "s[64]; int t = t_, g = g_;", 1)
    )
    started = time.perf_counter()
    library: Any = simt.metal(source)
    library.build("k")
    built = time.perf_counter() - started
    started = time.perf_counter()
    result = library.launch("k", 2, 64, [simt.out(OUTPUTS[name]), np.arange(128, dtype=np.float32)])
    seconds = time.perf_counter() - started
    found = dict.fromkeys(f"{f.kind}{'' if f.severity == 'error' else f' ({f.severity})'}" for f in result.findings)
    return ", ".join(found) or "nothing", built, seconds


def main() -> None:
    if not shutil.which("oclgrind-kernel"):
        sys.exit("not installed: oclgrind-kernel (Debian package oclgrind)")
    print("kernel | variant | Oclgrind | s | here | build s | run s")
    with tempfile.TemporaryDirectory() as name:
        for kernel in BODIES:
            for variant in VARIANTS:
                theirs, seconds = oclgrind(kernel, variant, Path(name))
                ours, built, ran = here(kernel, variant)
                print(f"{kernel} | {variant} | {theirs} | {seconds:.2f} | {ours} | {built:.2f} | {ran:.2f}")


if __name__ == "__main__":
    main()
