"""A sandbox for the tests, and a numpy task of thirty hidden tests to grade with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchwright.records import Evaluation, Limits
from benchwright.sandbox import open_sandbox
from benchwright.sandbox.sandbox import Sandbox

HERE = Path(__file__).parent
TASK = HERE / "softmax_task"
REFERENCE = (TASK / "reference" / "stable_softmax.py").read_bytes()
QUICK = Limits(seconds=20.0, cpu_seconds=3.0, memory_mb=256, file_mb=4)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The best walls of this machine."""
    with open_sandbox() as opened:
        yield opened


@pytest.fixture(scope="session")
def softmax_task() -> Path:
    """The folder of the numpy task."""
    return TASK


def grade(sandbox: Sandbox, source: bytes, limits: Limits = QUICK, task: Path = TASK) -> Evaluation:
    """The verdict of the numpy task on a source."""
    return sandbox.run_tests(task, {"stable_softmax.py": source}, imports=("numpy",), limits=limits)
