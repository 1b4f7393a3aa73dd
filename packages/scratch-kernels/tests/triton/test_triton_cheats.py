"""Programs that want `fused_rmsnorm_kernel` solved without a right kernel and a right launch: none is."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.outcomes import OUTCOMES
from benchwright.sandbox import Sandbox
from scratch_kernels import folder as folders
from scratch_kernels import grading

CHEATS = sorted((Path(__file__).parent / "cheats").glob("*.py"))
TASK = folders.TASKS / "fused_rmsnorm_kernel"
QUICK = {"patched_language", "forged_notes"}


@pytest.mark.parametrize(
    "cheat", [pytest.param(p, id=p.stem, marks=[] if p.stem in QUICK else [pytest.mark.proof]) for p in CHEATS]
)
def test_a_cheat_fails(cheat: Path, sandbox: Sandbox) -> None:
    found = grading.grade(TASK, {"rmsnorm_kernel.py": cheat.read_bytes()}, sandbox)
    assert OUTCOMES[found.outcome].evidence == "failure", found.reason
