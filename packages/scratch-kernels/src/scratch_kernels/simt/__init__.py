"""GPU kernels in Metal, CUDA C++ and Triton, run on this machine's CPU: outputs, exact counts, and what is wrong with them.

from scratch_kernels import simt
result = simt.metal(source).launch("add", grid=4, group=64, buffers=[a, b, simt.out(256)])
result["c"], result.counts.sectors, result.errors
"""

from __future__ import annotations

from scratch_kernels.simt.cuda import CudaLibrary, cuda
from scratch_kernels.simt.errors import CompileError, SimtError, ToolchainError, UnsupportedError
from scratch_kernels.simt.findings import Finding
from scratch_kernels.simt.launch import Counts, Launch, Out, out
from scratch_kernels.simt.metal import MetalLibrary, metal
from scratch_kernels.simt.shader import Shader, compile_shader
from scratch_kernels.simt.triton import Call, TritonLaunch, TritonLibrary, from_bfloat16, pointer, to_bfloat16, triton

__all__ = [
    "Call",
    "CompileError",
    "Counts",
    "CudaLibrary",
    "Finding",
    "Launch",
    "MetalLibrary",
    "Out",
    "Shader",
    "SimtError",
    "ToolchainError",
    "TritonLaunch",
    "TritonLibrary",
    "UnsupportedError",
    "compile_shader",
    "cuda",
    "from_bfloat16",
    "metal",
    "out",
    "pointer",
    "to_bfloat16",
    "triton",
]
