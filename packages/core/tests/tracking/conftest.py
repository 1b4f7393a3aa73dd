"""A finished run, and an MLflow store of its own for each test."""

import shutil
import sys
from pathlib import Path

import pytest
from benchwright.records import Attempt

sys.path.insert(0, str(Path(__file__).parent))
from benchwright.tracking.store import opened, store_at
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


@pytest.fixture(scope="session")
def fresh_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An initialised, empty database; MLflow's migrations take longer than most tests here."""
    path = tmp_path_factory.mktemp("fresh") / "mlflow.db"
    with opened(store_at(f"sqlite:///{path}")):
        pass
    return path


@pytest.fixture(autouse=True)
def no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the default store of this test would lie."""
    monkeypatch.setenv("BENCHWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.delenv("BENCHWRIGHT_MLFLOW", raising=False)
    return tmp_path / "data" / "mlflow" / "mlflow.db"


@pytest.fixture
def store(no_store: Path, fresh_store: Path) -> Path:
    """The default store of this test, initialised and empty."""
    no_store.parent.mkdir(parents=True)
    shutil.copyfile(fresh_store, no_store)
    return no_store
