"""How long the emulator takes: a row reduction of 64 x 4096 floats in groups of 256 threads, races watched.

python benchmarks/simt_speed.py
"""

from __future__ import annotations

import statistics
import time

import numpy as np
from scratch_kernels import simt

SOURCE = """#include <metal_stdlib>
using namespace metal;
kernel void row_sum(device float* out, const device float* x, constant uint& n, uint tid [[thread_position_in_threadgroup]],
                    uint row [[threadgroup_position_in_grid]], uint tpg [[threads_per_threadgroup]]) {
  threadgroup float part[256];
  float s = 0;
  for (uint i = tid; i < n; i += tpg) s += x[row * n + i];
  part[tid] = s;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = tpg / 2; k > 0; k /= 2) {
    if (tid < k) part[tid] += part[tid + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (tid == 0) out[row] = part[0];
}
"""


def main() -> None:
    x = np.random.default_rng(0).normal(size=(64, 4096)).astype(np.float32)
    library = simt.metal(SOURCE)
    for counts in (True, False):
        started = time.perf_counter()
        library.build("row_sum", counts=counts)
        built = time.perf_counter() - started
        times = []
        for _ in range(9):
            started = time.perf_counter()
            result = library.launch("row_sum", 64, 256, [simt.out(64), x, 4096], counts=counts, trace=counts)
            times.append(time.perf_counter() - started)
            np.testing.assert_allclose(result["out"], x.sum(1), rtol=1e-4, atol=1e-3)
        what = "counts and races" if counts else "races, nothing counted"
        print(
            f"{what}: build or cache {built:.2f} s; launch, walls included: median {1e3 * statistics.median(times):.0f} ms, least {1e3 * min(times):.0f} ms"
        )


if __name__ == "__main__":
    main()
