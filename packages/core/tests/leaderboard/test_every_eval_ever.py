"""The Every Eval Ever schema without its package: what is told. With it: `test_inspect_real.py`."""

from __future__ import annotations

import json
import sys

import board_files as b
import pytest
from benchwright.errors import FileError, UserError
from benchwright.leaderboard import every_eval_ever


@pytest.fixture
def without(monkeypatch):
    """An interpreter that cannot import the package."""
    for name in (
        "every_eval_ever",
        *(f"every_eval_ever.{part}" for part in ("cli", "eval_types", "instance_level_types")),
    ):
        monkeypatch.setitem(sys.modules, name, None)


def test_reading_without_the_package_says_how_to_add_it(tmp_path, without):
    path = tmp_path / "x_samples.jsonl"
    path.write_text("{}\n")
    with pytest.raises(UserError, match=r"pip install 'benchwright\[every-eval-ever\]', on Python 3\.12 or newer"):
        every_eval_ever.read(path)
    with pytest.raises(UserError, match="pip install"):
        every_eval_ever.convert("helm", tmp_path)


def test_figures_without_rows_cannot_be_compared(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{}")
    with pytest.raises(FileError, match="has no rows beside it"):
        every_eval_ever.read(path)


def test_a_board_is_exported_the_same_every_time_and_without_the_package(tmp_path, known, without):
    root = tmp_path / "leaderboard"
    b.write(root, [b.attempt(f"t{task}", draw=draw) for task in range(4) for draw in (1, 2)])
    [first] = every_eval_ever.export(root, tmp_path / "1", known)
    [second] = every_eval_ever.export(root, tmp_path / "2", known)
    assert first.read_bytes() == second.read_bytes()
    assert first.relative_to(tmp_path / "1") == second.relative_to(tmp_path / "2")
    record = json.loads(first.read_bytes())
    [result] = record["evaluation_results"]
    assert result["score_details"]["score"] == 1.0
    details = result["score_details"]["details"]
    assert details["solved"] == "8/8"
    assert "None" not in details.values()
    assert first.parts[-5:-1] == ("data", "benchwright", "provider", "strong")
