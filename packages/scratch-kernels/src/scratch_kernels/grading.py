"""One program against a task's hidden tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import msgspec
from benchwright import Evaluation, Limits
from benchwright.hookspecs import Sandbox
from benchwright.outcomes import OUTCOMES

from scratch_kernels import folder as folders


def grade(folder: Path, files: Mapping[str, bytes], sandbox: Sandbox, limits: Limits | None = None) -> Evaluation:
    """The verdict of the hidden tests in `folder` on a submission's files."""
    file = folders.read(folder)
    if file.tier == "gpu" and (missing := _no_compiler("triton" in file.imports)):
        return Evaluation("needs_dependency", reason=missing)
    device = "emulated"
    if file.tier == "gpu" and _is_cuda(file, files):
        device, missing = _device()
        if missing:
            return Evaluation("needs_accelerator", reason=missing)
    verdict = sandbox.run_tests(folder, files, imports=file.imports, limits=limits or file.limits)
    if file.tier == "gpu" and OUTCOMES[verdict.outcome].evidence != "none":
        artifacts = {**verdict.artifacts, **_real_compiler(file, files, sandbox)}
        return msgspec.structs.replace(verdict, device=device, artifacts=artifacts)
    return verdict


def _real_compiler(file: folders.TaskFile, files: Mapping[str, bytes], sandbox: Sandbox) -> dict[str, bytes]:
    """What NVRTC says of a CUDA submission, for a person to read: the verdict is the same whether it is installed or not."""
    from benchwright.sandbox import SubmissionError

    from scratch_kernels import simt
    from scratch_kernels.simt import check, nvrtc

    if nvrtc.find() is None or not _is_cuda(file, files):
        return {}
    try:
        with sandbox.open(files, imports=file.imports) as box:
            source = box.load(file.file).SOURCE
        said = check.real_compiler(simt.cuda(source))._asdict()
    except (simt.SimtError, SubmissionError, AttributeError) as error:
        said = {"problem": str(error)}
    return {"nvrtc.json": (json.dumps(said, indent=2) + "\n").encode()}


def _is_cuda(file: folders.TaskFile, files: Mapping[str, bytes]) -> bool:
    return b"__global__" in files.get(file.file, b"")


def _device() -> tuple[str, str]:
    """What the kernel's outputs will come from, and why not where a device was asked for and cannot be used."""
    from scratch_kernels.simt import ToolchainError, device

    try:
        return device.find().name if device.wanted() else "emulated", ""
    except ToolchainError as error:
        return "", str(error)


def _no_compiler(triton: bool) -> str:
    """Why kernels cannot be emulated here, or nothing."""
    from scratch_kernels.simt import ToolchainError, toolchain, triton_process

    try:
        if triton:
            triton_process.version()
        else:
            toolchain.find()
    except ToolchainError as error:
        return str(error)
    return ""


def failed(verdict: Evaluation) -> tuple[str, ...]:
    """The ids of the tests that did not pass, in order."""
    return tuple(check.id for check in verdict.checks if not check.passed)


def function(id: str) -> str:
    """The test function of an id: `test_x.py::test_y[word]` -> `test_y`."""
    return id.rpartition("::")[2].partition("[")[0]
