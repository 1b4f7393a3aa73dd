"""What `bench doctor` calls installed is what the command itself needs."""

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from benchwright.engine.checkup import checkup
from benchwright.errors import UserError
from benchwright.tracking import server


def test_the_pages_of_mlflow_are_missing_to_doctor_where_they_are_missing_to_ui(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec

    def without_flask(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "flask" else found(name, package)

    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", without_flask)
    [row] = [row for row in checkup() if "bench ui" in row.what]
    assert (row.state, row.remedy) == ("not installed", "pip install 'benchwright[ui]'")
    with pytest.raises(UserError, match="MLflow's pages are not installed"), server.serving():
        pass
