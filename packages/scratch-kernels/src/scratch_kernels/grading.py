"""One program against a task's hidden tests."""

from __future__ import annotations

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
    if file.tier == "gpu" and (missing := _no_compiler()):
        return Evaluation("needs_dependency", reason=missing)
    verdict = sandbox.run_tests(folder, files, imports=file.imports, limits=limits or file.limits)
    if file.tier == "gpu" and OUTCOMES[verdict.outcome].evidence != "none":
        return msgspec.structs.replace(verdict, device="emulated")
    return verdict


def _no_compiler() -> str:
    """Why kernels cannot be emulated here, or nothing."""
    from scratch_kernels.simt import ToolchainError, toolchain

    try:
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
