"""A finished run, and an MLflow store of its own for each test."""

import sys
from pathlib import Path

import pytest
from benchwright.records import Attempt

sys.path.insert(0, str(Path(__file__).parent))
from tracking_runs import RUN, attempt, write_run


@pytest.fixture
def attempts() -> list[Attempt]:
    return [
        attempt(model, task, draw, "solved" if model == "reference" or task else "unsolved")
        for model in ("anthropic/claude-x[effort=high]", "reference")
        for draw in (1, 2)
        for task in range(3)
    ]


@pytest.fixture
def run(tmp_path: Path, attempts: list[Attempt]) -> Path:
    return write_run(tmp_path / "runs" / RUN, attempts)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BENCHWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.delenv("BENCHWRIGHT_MLFLOW", raising=False)
    return tmp_path / "data" / "mlflow" / "mlflow.db"
