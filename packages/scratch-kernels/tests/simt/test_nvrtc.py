"""NVIDIA's own compiler, where it is installed: its complaints, what it counts, and that it takes what the emulator takes."""

from __future__ import annotations

import importlib.util
import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from scratch_kernels import emulator_commands, folder, simt
from scratch_kernels.simt import nvrtc, toolchain

_spec = importlib.util.spec_from_file_location("simt_corpus_reader", Path(__file__).parent / "corpus_reader.py")
assert _spec is not None
assert _spec.loader is not None
reader = importlib.util.module_from_spec(_spec)
sys.modules.setdefault("simt_corpus_reader", reader)
_spec.loader.exec_module(reader)

installed = pytest.mark.skipif(nvrtc.find() is None, reason=f"NVRTC is not installed: {nvrtc.REMEDY}")

SHARED = """#include <cuda_fp16.h>
#include <cstdint>
__global__ void half_rows(float* out, const __half* x, int n) {
  __shared__ float part[96];
  part[threadIdx.x] = threadIdx.x < n ? __half2float(x[threadIdx.x]) : -INFINITY;
  __syncthreads();
  out[threadIdx.x] = part[95 - threadIdx.x];
}
template <typename T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }
"""
WITH_HOST = """#include <iostream>
#include <vector>
static std::vector<float> made(int n) { return std::vector<float>(n, 1.0f); }
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main() { twice<<<1, 32>>>(nullptr); std::cout << made(3).size(); }
"""


@pytest.fixture
def without_nvrtc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("BENCHWRIGHT_NVRTC", raising=False)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "nvidia" else found(name, *a))
    nvrtc.find.cache_clear()
    yield
    nvrtc.find.cache_clear()


def test_without_nvrtc_a_sentence_says_what_to_install(without_nvrtc: None) -> None:
    with pytest.raises(simt.ToolchainError, match=r"NVRTC is not installed: pip install 'scratch-kernels\[nvrtc\]'"):
        simt.cuda(WITH_HOST).compiled("twice")


def test_without_nvrtc_the_check_of_a_file_goes_on_and_says_that_nobody_asked(
    without_nvrtc: None, tmp_path: Path
) -> None:
    (tmp_path / "k.cu").write_text(WITH_HOST)
    done = CliRunner().invoke(emulator_commands.kernel, ["check", str(tmp_path / "k.cu")])
    assert done.exit_code == 0, done.output
    assert "twice  line 4  builds" in done.output
    assert "NVRTC is not installed: pip install" in done.output


def test_doctor_says_in_a_line_whether_nvrtc_is_there(without_nvrtc: None) -> None:
    [row] = [row for row in toolchain.doctor() if row.what == "CUDA compile check"]
    assert (row.state, row.remedy, row.ok) == ("NVRTC is not installed", nvrtc.REMEDY, False)


def test_a_library_asked_for_that_is_no_file_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_NVRTC", "/nowhere/libnvrtc.so")
    nvrtc.find.cache_clear()
    try:
        with pytest.raises(simt.ToolchainError, match=r"BENCHWRIGHT_NVRTC=/nowhere/libnvrtc.so is no file"):
            nvrtc.find()
    finally:
        nvrtc.find.cache_clear()


@installed
@pytest.mark.full
def test_it_counts_registers_and_shared_memory_for_each_architecture() -> None:
    made = simt.cuda(SHARED).compiled("half_rows", "scale<float, 4>")
    assert [one.arch for one in made] == ["sm_80", "sm_90"]
    for one in made:
        assert one.compiler.startswith("NVRTC ")
        rows, scaled = (one.resources[one.names[name]] for name in ("half_rows", "scale<float, 4>"))
        assert (rows.shared_bytes, scaled.shared_bytes) == (4 * 96, 0)
        assert 1 <= scaled.registers <= rows.registers <= 255
        assert rows.spilled_bytes == 0


@installed
@pytest.mark.full
@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("__global__ void k(float* x) {\n  x[0] = y;\n}\n", 2, 'identifier "y" is undefined'),
        ("__global__ int k(float* x) { return 1; }\n", 1, "void"),
        ("#include <nowhere.h>\n__global__ void k(float* x) {}\n", 1, "nowhere.h"),
        ("__global__ void k(float* x) {\n  x[0] = 1\n}\n", 3, 'expected a ";"'),
        ("int f(int x) { return x; }\n__global__ void k(int* x) { *x = f(1); }\n", 1, "host function"),
        ("__global__ void k(float* x) {\n  atomicMin(x, 1.0f);\n}\n", 2, "atomicMin"),
    ],
    ids=["no_such_name", "returns_a_value", "no_such_header", "no_semicolon", "host_function", "no_such_overload"],
)
def test_its_complaint_is_one_sentence_with_the_line(source: str, line: int, words: str) -> None:
    with pytest.raises(simt.CompileError) as caught:
        nvrtc.compiled(source)
    assert caught.value.line == line
    assert words in caught.value.why
    assert "\n" not in str(caught.value)


@installed
@pytest.mark.full
def test_what_the_assembler_refuses_without_a_word_is_told_by_its_counts() -> None:
    with pytest.raises(simt.CompileError, match=r"80,000 bytes of static shared memory; 49,152 are the most"):
        nvrtc.compiled("__global__ void k(float* x) { __shared__ float s[20000]; s[threadIdx.x] = x[0]; x[1] = s[3]; }")


@installed
@pytest.mark.full
def test_a_file_with_host_code_goes_without_it() -> None:
    (made, _) = simt.cuda(WITH_HOST).compiled("twice")
    assert made.names["twice"] in made.resources


@installed
@pytest.mark.full
def test_it_reads_no_file_of_this_machine() -> None:
    with pytest.raises(simt.CompileError, match="passwd"):
        nvrtc.compiled('#include "/etc/passwd"\n__global__ void k(float* x) {}\n')
    with pytest.raises(simt.CompileError, match="secret"):
        nvrtc.compiled(f'#include "{Path(__file__).parent / "secret"}"\n__global__ void k(float* x) {{}}\n')


@installed
@pytest.mark.full
def test_the_check_of_a_file_tells_what_the_real_compiler_says(tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text(SHARED)
    good = CliRunner().invoke(emulator_commands.kernel, ["check", str(tmp_path / "good.cu"), "--json"])
    assert good.exit_code == 0, good.output
    told = json.loads(good.output)["nvrtc"]
    assert {arch: three[1] for arch, three in told["resources"]["half_rows"].items()} == {"sm_80": 384, "sm_90": 384}
    (tmp_path / "bad.cu").write_text("__global__ void k(float* x) { x[0] = CUDART_INF_F; }\n")
    bad = CliRunner().invoke(emulator_commands.kernel, ["check", str(tmp_path / "bad.cu")])
    assert bad.exit_code == 2
    assert "refused by the real compiler: bad.cu:1: NVRTC" in bad.output


@installed
@pytest.mark.full
def test_the_verdict_on_a_cuda_task_is_the_same_without_it_and_keeps_its_word_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from benchwright.sandbox import Sandbox
    from scratch_kernels import grading

    task = folder.TASKS / "cuda_block_softmax_kernel"
    files = {"block_softmax.py": (task / "skips" / "one_thread.py").read_bytes()}
    with Sandbox() as sandbox:
        told = grading.grade(task, files, sandbox)
        monkeypatch.setattr(nvrtc, "find", lambda: None)
        alone = grading.grade(task, files, sandbox)
    assert (told.outcome, told.score, told.checks, told.device) == (
        alone.outcome,
        alone.score,
        alone.checks,
        "emulated",
    )
    assert "nvrtc.json" not in alone.artifacts
    said = json.loads(told.artifacts["nvrtc.json"])
    assert set(said["resources"]["block_softmax"]) == {"sm_80", "sm_90"}


def _programs() -> list[Path]:
    task = folder.TASKS / "cuda_block_softmax_kernel"
    return [*task.glob("reference/*.py"), *task.glob("skips/*.py")]


@installed
@pytest.mark.full
@pytest.mark.parametrize("program", _programs(), ids=lambda path: path.stem)
def test_it_takes_the_reference_and_the_skips_of_the_cuda_task(program: Path) -> None:
    source = runpy.run_path(str(program))["SOURCE"]
    for one in simt.cuda(source).compiled("block_softmax"):
        assert one.resources[one.names["block_softmax"]].shared_bytes <= 49152


@installed
@pytest.mark.full
@pytest.mark.parametrize(
    "case",
    [*reader.cases("correct", "cuda"), *reader.cases("faulty", "cuda")],
    ids=lambda case: case.name.replace(" ", "_"),
)
def test_it_takes_exactly_what_the_emulator_takes_of_the_corpus(case: Any) -> None:
    def taken_here() -> bool:
        try:
            library = simt.cuda(case.source)
            library.build(case.launch.get("kernel", library.kernels[0]))
        except simt.CompileError:
            return False
        return True

    def taken_there() -> bool:
        try:
            library = simt.cuda(case.source)
        except simt.CompileError:
            library = None
        try:
            if library is None:
                nvrtc.compiled(case.source, archs=["sm_80"])
            else:
                library.compiled(case.launch.get("kernel", library.kernels[0]), archs=["sm_80"])
        except simt.CompileError as error:
            # The emulator builds it and tells at the launch, since a device may give more.
            return case.expects == "shared_memory_limit" and "static shared memory" in error.why
        return True

    assert taken_here() == taken_there()
