"""The board lands in MLflow: a run a row, its interval in columns, again without doubling, and never stale."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import registry
from benchwright.leaderboard.everything import collect
from benchwright.tracking import board, views
from benchwright.tracking.store import find_store, opened
from tracking_rows import write_board


def rows(store: Path, question: str, *values: object) -> list[tuple]:
    with sqlite3.connect(store) as database:
        return database.execute(question, values).fetchall()


def shown(store: Path, kind: str = "latest_metrics") -> dict[str, dict[str, object]]:
    """Run name -> key -> value, of the runs that a page shows."""
    found: dict[str, dict[str, object]] = {}
    for name, key, value in rows(
        store,
        f"select r.name, t.key, t.value from {kind} t join runs r on r.run_uuid = t.run_uuid "
        "where r.lifecycle_stage = 'active'",
    ):
        found.setdefault(name, {})[key] = value
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_board(tmp_path / "leaderboard")


def project(root: Path) -> board.Sent:
    with opened(find_store()) as client:
        return board.project_board(client, root, registry.load(), find_store().artifacts)


def test_every_row_of_the_board_is_a_run_with_the_figures_of_the_row(root, store):
    assert project(root) == board.Sent(6, 0, 0)
    assert rows(store, "select name from experiments where name != 'Default'") == [("leaderboard",)]
    metrics, params = shown(store), shown(store, "params")
    for one in collect(root, registry.load()).boards:
        for row in one.rows:
            name = f"{row.short} · {board.label(one.key)}"
            figures = metrics[name]
            assert (figures["score"], figures["low"], figures["high"]) == (row.score, row.low, row.high)
            assert (figures["k"], figures["n"], figures["evidence_rate"]) == (row.k, row.n, row.evidence_rate)
            assert params[name]["model_identity"] == row.model
            if row.rank is not None:
                assert (figures["rank_best"], figures["rank_worst"]) == row.rank
                assert figures["cost_per_solved"] == row.cost_per_solved


def test_what_is_not_known_is_absent_and_never_zero(root, store):
    project(root)
    control = shown(store)["reference · kernels/laptop-1/laptop"]
    assert not {"rank_best", "rank_worst", "cost_per_draw", "cost_per_solved"} & set(control)
    assert control["score"] == 1


def test_rows_sort_as_the_board_does(root, store):
    project(root)
    found = rows(
        store, "select r.name from tags t join runs r on r.run_uuid = t.run_uuid where key = 'place' order by t.value"
    )
    expected = [
        f"{row.short} · {board.label(one.key)}" for one in collect(root, registry.load()).boards for row in one.rows
    ]
    assert [name for (name,) in found] == expected


def test_a_second_projection_changes_nothing(root, store):
    project(root)
    before = rows(store, "select run_uuid, key, value, timestamp from metrics order by 1, 2")
    assert project(root) == board.Sent(0, 6, 0)
    assert rows(store, "select run_uuid, key, value, timestamp from metrics order by 1, 2") == before


def test_a_corrected_score_is_shown_though_it_is_lower(root, store):
    project(root)
    higher = shown(store)["strong · kernels/laptop-1/laptop"]["score"]
    write_board(root, (("p/strong", 5, 0.02), ("p/weak", 3, 0.001), ("reference", 8, None)))
    project(root)
    assert higher == 0.875
    assert shown(store)["strong · kernels/laptop-1/laptop"]["score"] == 0.625
    assert rows(store, "select count(*) from runs") == [(6,)]


def test_a_figure_that_is_not_known_any_more_is_not_shown(root, store):
    project(root)
    write_board(root, (("p/strong", 7, None), ("p/weak", 3, 0.001), ("reference", 8, None)))
    project(root)
    now = shown(store)["strong · kernels/laptop-1/laptop"]
    assert "cost_per_draw" not in now
    assert now["score"] == 0.875
    assert rows(store, "select count(*) from runs where lifecycle_stage = 'active'") == [(6,)]


def test_a_row_and_a_board_that_are_gone_are_gone_from_the_page(root, store):
    project(root)
    write_board(root, (("p/strong", 7, 0.02), ("reference", 8, None)), suites=("kernels",))
    assert project(root).deleted == 4
    assert set(shown(store)) == {"strong · kernels/laptop-1/laptop", "reference · kernels/laptop-1/laptop"}
    keys = {key for (key,) in rows(store, "select key from experiment_tags")}
    assert {key for key in keys if key.startswith(views.TAG)} == {
        f"{views.TAG}bench", f"{views.TAG}bench-board/kernels/laptop-1/laptop",
    }  # fmt: skip


def test_nothing_that_somebody_named_becomes_markup(tmp_path, store):
    bad = "<img src=//x.example/y onerror=z()> ![a](//x.example/b)"
    write_board(tmp_path / "leaderboard", (("file:" + bad, 7, None),), suites=("kernels",), by=bad)
    project(tmp_path / "leaderboard")
    ((uri, note),) = rows(
        store,
        "select r.artifact_uri, t.value from runs r join tags t on t.run_uuid = r.run_uuid where key = 'mlflow.note.content'",
    )
    folder = Path(uri.removeprefix("file://"))
    page = (folder / "row.html").read_text()
    assert "&lt;img src=//x.example/y" in page
    assert not re.findall(r"<(?:img|script|iframe|link(?! rel=\"icon\" href=\"data:))", page)
    assert "default-src 'none'" in page
    assert json.loads((folder / "row.json").read_bytes())["row"]["by"] == bad
    assert "<img" not in note
    assert board.plain("[a](b) <c> `d` *e* d.f!") == r"\[a\]\(b\) \<c\> \`d\` \*e\* d\.f\!"


def test_the_command_sends_the_board_and_says_so(root, store):
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", "sync", "--board", str(root), "--json", "--seconds", "600"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["written"], answer["current"], answer["deleted"], answer["folders"]) == (6, 0, 0, [])
    assert "6 runs written" in done.stderr


def test_a_folder_that_is_no_leaderboard_is_a_sentence(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", "sync", "--board", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        f"{tmp_path} is no leaderboard: it has no folder `attempts`. "
        f"bench leaderboard add RUN --by NAME --board {tmp_path} begins one.\n"
    )
