"""CUDA kernels on a CUDA device, where there is one; where there is none, a sentence says so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scratch_kernels import simt
from scratch_kernels.simt import device, nvrtc

SOURCE = """
__constant__ float scale[2];
template <int N> __global__ void rows(float *out, const float *x, int n, double shift) {
  extern __shared__ float part[];
  part[threadIdx.x] = threadIdx.x < n ? x[blockIdx.x * n + threadIdx.x] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += part[i];
    out[blockIdx.x] = scale[N] * sum + (float)shift;
  }
}
"""


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BENCHWRIGHT_DEVICE", "cuda")
    yield
    device.find.cache_clear()


def _usable() -> str:
    try:
        return device.find().name
    except simt.ToolchainError:
        return ""
    finally:
        device.find.cache_clear()


def launch() -> tuple[simt.Launch, np.ndarray]:
    x = np.random.default_rng(0).normal(size=(5, 40)).astype(np.float32)
    buffers = {"out": simt.out(5), "x": x, "n": 40, "shift": 0.25}
    symbols = {"scale": np.array([9.0, 2.0], np.float32)}
    return simt.cuda(SOURCE).launch("rows<1>", 5, 64, buffers, shared=256, symbols=symbols), 2 * x.sum(1) + np.float32(
        0.25
    )


def test_a_device_of_no_known_kind_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_DEVICE", "abacus")
    with pytest.raises(simt.ToolchainError, match="BENCHWRIGHT_DEVICE=abacus: there are `cuda` and `emulated`"):
        launch()


def test_without_nvrtc_a_device_cannot_be_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "find", lambda: None)
    with pytest.raises(simt.ToolchainError, match="A CUDA device needs NVRTC to compile for it: pip install"):
        launch()


@pytest.mark.skipif(nvrtc.find() is None, reason=f"NVRTC is not installed: {nvrtc.REMEDY}")
@pytest.mark.skipif(bool(_usable()), reason="this machine has a CUDA device")
@pytest.mark.full
def test_without_a_driver_a_sentence_says_that_no_device_can_be_used() -> None:
    with pytest.raises(simt.ToolchainError, match=r"No CUDA device can be used here: .*libcuda\.so\.1"):
        launch()


def test_the_emulator_alone_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BENCHWRIGHT_DEVICE")
    result, wanted = launch()
    assert result.device == "emulated"
    np.testing.assert_allclose(result["out"], wanted, rtol=1e-5)


@pytest.mark.skipif(not _usable(), reason="no CUDA device on this machine")
@pytest.mark.full
def test_outputs_come_from_the_device_and_findings_from_the_emulator() -> None:
    result, wanted = launch()
    assert result.device == _usable()
    np.testing.assert_allclose(result["out"], wanted, rtol=1e-5)
    assert not result.findings
    assert result.counts is not None
    assert result.counts.barriers > 0


def test_a_cuda_task_is_not_graded_where_the_device_asked_for_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.sandbox import Sandbox
    from scratch_kernels import folder, grading

    monkeypatch.setattr(nvrtc, "find", lambda: None)
    task = folder.TASKS / "cuda_block_softmax_kernel"
    with Sandbox() as sandbox:
        verdict = grading.grade(task, folder.files(task / "reference"), sandbox)
    assert verdict.outcome == "needs_accelerator"
    assert verdict.reason.startswith("A CUDA device needs NVRTC")
