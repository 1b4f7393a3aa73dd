"""What builds the kernels: found, named by `bench doctor`, and where it is missing a sentence says what to install."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from benchwright import plugins
from scratch_kernels import simt
from scratch_kernels.simt import cache as store
from scratch_kernels.simt import toolchain

METAL = """#include <metal_stdlib>
using namespace metal;
kernel void sum(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  %s
  if (t == 0) { float s = 0; for (uint i = 0; i < 64; i++) s += exp(part[i]); out[0] = s; }
}
"""
CUDA = """
__global__ void add(float* c, const float* a, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * 32 + threadIdx.x;
  part[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) c[i] = part[threadIdx.x] + __shfl_xor_sync(0xffffffff, 1.0f, 1);
}
"""


@pytest.fixture
def looked_for_again() -> Iterator[None]:
    toolchain.find.cache_clear()
    yield
    toolchain.find.cache_clear()


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, looked_for_again: None) -> None:
    monkeypatch.delenv("BENCHWRIGHT_CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "ziglang" else found(name, *a))


def test_doctor_names_the_compiler_in_a_line() -> None:
    [row] = [row for row in plugins.load().call("kernels", "check_machine") if row.what == "kernel emulator"]
    assert row.state == f"builds with {toolchain.find().identity}"
    assert (row.remedy, row.ok) == ("", True)


def test_doctor_says_what_to_install_where_there_is_no_compiler(no_compiler: None) -> None:
    [row] = [row for row in plugins.load().call("kernels", "check_machine") if row.what == "kernel emulator"]
    assert row.state == "No compiler for GPU kernels on this machine"
    assert "apt install clang-16" in row.remedy
    assert "pip install 'scratch-kernels[compiler]'" in row.remedy
    assert not row.ok


def test_a_launch_says_what_to_install_where_there_is_no_compiler(no_compiler: None) -> None:
    with pytest.raises(simt.ToolchainError, match=r"No compiler for GPU kernels on this machine: apt install clang-16"):
        simt.cuda(CUDA)


def test_a_compiler_asked_for_that_is_none_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, looked_for_again: None
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_CXX", "/bin/true")
    with pytest.raises(simt.ToolchainError, match=r"BENCHWRIGHT_CXX=/bin/true is no clang\+\+ of version 16 or newer"):
        toolchain.find()


SCRIPT = f"""
import numpy as np
from scratch_kernels import simt
from scratch_kernels.simt import cache as store
from scratch_kernels.simt import toolchain
assert toolchain.find().identity.startswith("zig clang"), toolchain.find()
x = np.linspace(-1, 1, 64).astype(np.float32)
source = {METAL!r}
right = simt.metal(source % "threadgroup_barrier(mem_flags::mem_threadgroup);").launch("sum", 1, 64, {{"out": simt.out(1), "x": x}})
assert np.allclose(right["out"], np.exp(x.astype(np.float64)).sum(), rtol=1e-6), right
assert not right.findings, right.findings
assert right.counts.barriers == 1 and right.counts.device_load_bytes == 256, right.counts
wrong = simt.metal(source % "").launch("sum", 1, 64, {{"out": simt.out(1), "x": x}})
assert "uninitialised_read" in {{f.kind for f in wrong.errors}}, wrong.findings
a = np.arange(100, dtype=np.float32)
done = simt.cuda({CUDA!r}).launch("add", 4, 32, {{"c": simt.out(100), "a": a, "n": 100}})
assert np.array_equal(done["c"], a + 1), done
fast = simt.cuda({CUDA!r}).launch("add", 4, 32, {{"c": simt.out(100), "a": a, "n": 100}}, counts=False)
assert np.array_equal(fast["c"], a + 1), fast
try:
    simt.cuda("__global__ void k(int *p) {{ *p = q; }}").build("k")
except simt.CompileError as error:
    assert error.line == 1 and "undeclared identifier 'q'" in error.why, error
else:
    raise AssertionError("no complaint")
print(done.counts.work, wrong.errors[0].kind, wrong.errors[0].line)
"""


@pytest.mark.full
@pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="pip install ziglang: this compiler is not installed"
)
def test_kernels_are_built_and_run_by_the_wheel_where_no_clang_is_on_the_path(tmp_path: Path) -> None:
    cache = os.environ.get("BENCHWRIGHT_CACHE", str(tmp_path / "cache"))
    env = {"PATH": str(tmp_path), "HOME": str(tmp_path), "BENCHWRIGHT_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    work, kind, line = done.stdout.split()
    assert int(work) > 0
    assert kind == "uninitialised_read"
    assert int(line) == 7
    assert np.isfinite(float(work))


@pytest.fixture
def cache_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path))
    store.folder.cache_clear()
    yield tmp_path / "benchwright" / "simt"
    store.folder.cache_clear()


def test_headers_are_read_once_and_serve_a_cache_whose_times_were_lost(cache_of_its_own: Path) -> None:
    def run(scale: int) -> float:
        source = METAL % "threadgroup_barrier(mem_flags::mem_threadgroup);"
        library = simt.metal(source.replace("exp(", f"{scale} * ("))
        return float(library.launch("sum", 1, 64, [simt.out(1), np.ones(64, np.float32)], counts=False)["out"][0])

    assert run(2) == 128
    made = {path: path.stat().st_mtime_ns for path in cache_of_its_own.glob("headers-*/*") if path.is_file()}
    if toolchain.find().libraries:
        assert not made  # a compiler that has no such form
    else:
        assert {path.name for path in made} == {"head.h", "check", "fast"}
    for path in cache_of_its_own.glob("headers-*/**/*"):
        if path.name not in ("check", "fast"):
            os.utime(path, (1, 1))
    assert run(3) == 192
    assert all(path.stat().st_mtime_ns == time for path, time in made.items() if path.name != "head.h")


def test_a_complaint_names_its_line_whether_or_not_the_headers_were_read_before() -> None:
    source = METAL % "part[t] = nothing;"
    for counts in (True, False):
        with pytest.raises(simt.CompileError, match="nothing") as refused:
            simt.metal(source).build("sum", counts=counts)
        assert refused.value.line == 6


def test_a_compiler_without_the_static_library_links_with_the_shared_one(tmp_path, monkeypatch):
    from scratch_kernels.simt import build

    asked = []

    def linker(arguments, *_):
        asked.append("-static-libstdc++" in arguments)
        if asked[-1]:
            raise simt.CompileError("cannot find -lstdc++")
        return ""

    monkeypatch.setattr(build, "run_compiler", linker)
    monkeypatch.setattr(build, "_without_libraries", set())
    monkeypatch.setattr(build.toolchain, "find", lambda: build.toolchain.Compiler(("clang++",), "clang 16"))
    for _ in range(2):
        build._link(tmp_path, tmp_path / "runtime.o", "kernel.metal")
    assert asked == [True, False, False]


def test_what_is_for_a_debugger_does_not_reach_the_assembler():
    from scratch_kernels.simt import assembly

    text = '\t.text\n\t.file\t1 "kernel.metal"\nk:\n\t.loc\t1 7 3\n\tcallq\t__tsan_read4@PLT\n\t.section\t.debug_info,"",@progbits\n\t.long\t5\n.Ldebug_info_end0:\n\t.section\tsimt_tables_of_mine,"aw"\n\t.long\t6\n'
    made = assembly.process(text, "kernel.metal").text
    assert ".loc" not in made
    assert "debug" not in made
    assert "\t.long\t6" in made
    assert "\t.long 7, 0" in made
