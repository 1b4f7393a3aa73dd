"""Run folders land in MLflow once, whole, and with nothing that is not known."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
from benchwright import report, stats
from benchwright.records import Attempt
from benchwright.tracking import projection, writing
from benchwright.tracking.projection import project_run
from benchwright.tracking.store import find_store, opened


def rows(store: Path, question: str, *values: object) -> list[tuple]:
    with sqlite3.connect(store) as database:
        return database.execute(question, values).fetchall()


def project(run: Path) -> tuple[int, int]:
    """In this process; how many MLflow runs were written, and how many were up to date."""
    with opened(find_store()) as client:
        return project_run(client, run, report.existing(run), find_store().artifacts)


def add(run: Path, more: list[Attempt]) -> None:
    from benchwright.journal import encode_line

    with (run / "attempts.jsonl").open("ab") as file:
        file.writelines(map(encode_line, more))


def figures(attempts: list[Attempt]) -> dict[str, float]:
    """The metrics of attempts of one model and draw."""
    (card,) = projection.cards(attempts)
    return projection.metrics(card, stats.suite_summary(card.attempts))


def rewrite(run: Path, attempts: list[Attempt]) -> None:
    """The run graded again: the same attempts with other outcomes."""
    from benchwright.journal import encode_line

    (run / "attempts.jsonl").write_bytes(b"".join(map(encode_line, attempts)))


def shown(store: Path, name: str) -> dict[str, float]:
    """What the page shows of a run."""
    return dict(
        rows(
            store,
            "select m.key, m.value from latest_metrics m join runs r on r.run_uuid = m.run_uuid "
            "where r.name = ? and r.lifecycle_stage = 'active'",
            name,
        )
    )


def test_a_run_becomes_one_flat_mlflow_run_per_model_suite_and_draw(run, store):
    assert project(run) == (4, 0)
    assert rows(store, "select name from experiments where name != 'Default'") == [("bench/weightspace",)]
    names = {name for (name,) in rows(store, "select name from runs")}
    assert names == {"reference · d1", "reference · d2", "claude-x[effort=high] · d1", "claude-x[effort=high] · d2"}
    assert rows(store, "select distinct status from runs") == [("FINISHED",)]
    assert rows(store, "select count(*) from tags where key = 'mlflow.parentRunId'") == [(0,)]


def test_a_run_has_at_most_ten_metrics_and_their_values_are_right(run, store):
    project(run)
    assert max(n for (n,) in rows(store, "select count(*) from metrics group by run_uuid")) <= 10
    by_run: dict[str, dict[str, float]] = {}
    for name, key, value in rows(
        store, "select r.name, m.key, m.value from metrics m join runs r on r.run_uuid = m.run_uuid"
    ):
        by_run.setdefault(name, {})[key] = value
    assert by_run["reference · d1"]["score"] == 1
    assert by_run["claude-x[effort=high] · d1"] == {
        "score": 0.75, "solved": 2, "attempts": 3, "no_evidence": 0, "parse_failures": 0,
        "cost_usd": 0.03, "tokens_in": 30, "tokens_out": 60, "seconds": 4.5,
    }  # fmt: skip


def test_what_is_not_known_is_absent_and_never_zero(attempts):
    unpriced = [msgspec.structs.replace(a, cost_usd=None) for a in attempts[:3]]
    failed = [
        msgspec.structs.replace(a, outcome="refused", score=None, usage=None, cost_usd=None) for a in attempts[:3]
    ]
    assert "cost_usd" not in figures(unpriced)
    assert figures(unpriced)["tokens_out"] == 60
    values = figures(failed)
    assert not {"score", "solved", "cost_usd", "tokens_in"} & set(values)
    assert values["no_evidence"] == 3


def test_the_dataset_input_carries_the_sealed_digest(run, store):
    project(run)
    ((name, digest),) = rows(store, "select name, digest from datasets")
    assert name == "weightspace@warmup"
    (full,) = {value for (value,) in rows(store, "select value from tags where key = 'bench.sealed_digest'")}
    assert full.startswith(digest)
    assert len(digest) == 32
    assert rows(store, "select distinct value from input_tags") == [("sealed-test",)]


def test_the_sealed_digest_changes_with_the_tasks_and_with_nothing_else(attempts):
    one, two = projection.cards(attempts)[:2]
    assert one.sealed_digest == two.sealed_digest
    moved = [msgspec.structs.replace(a, task=msgspec.structs.replace(a.task, digest="bw1:other")) for a in one.attempts]
    assert projection.cards(moved)[0].sealed_digest != one.sealed_digest


def test_results_and_report_are_artifacts(run, store, attempts):
    report.write(run)
    project(run)
    for identity, name in rows(store, "select artifact_uri, name from runs"):
        folder = Path(identity.removeprefix("file://"))
        assert sorted(path.name for path in folder.iterdir()) == ["report.html", "results.jsonl"], name
        lines = (folder / "results.jsonl").read_text().splitlines()
        assert len(lines) == 3
        assert {json.loads(line)["task"]["id"] for line in lines} == {a.task.id for a in attempts}


def test_a_second_projection_changes_nothing(run, store):
    project(run)
    before = rows(store, "select run_uuid, key, value, timestamp from metrics order by 1, 2")
    assert project(run) == (0, 4)
    assert rows(store, "select run_uuid, key, value, timestamp from metrics order by 1, 2") == before
    assert rows(store, "select count(*) from runs") == [(4,)]


def test_a_run_that_went_on_completes_the_same_mlflow_run(run, store, attempts):
    project(run)
    from tracking_runs import attempt

    add(run, [attempt("reference", 7, 1)])
    assert project(run) == (1, 3)
    assert rows(store, "select count(*) from runs") == [(4,)]
    assert rows(
        store,
        "select value from latest_metrics m join runs r on r.run_uuid = m.run_uuid "
        "where r.name = 'reference · d1' and key = 'attempts'",
    ) == [(4,)]


def test_a_projection_that_was_killed_is_closed_at_the_next_start(run, store):
    project(run)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with sqlite3.connect(store) as database:
        database.execute("update runs set status = 'RUNNING', end_time = null")
        database.execute(
            "update tags set value = ? where key = ?", (f"{socket.gethostname()}:{dead.pid}", writing.WRITER)
        )
        database.execute("update tags set value = 'other' where key = 'bench.run_uid' and value like '%/1'")
        database.execute(
            "update tags set value = 'other' where key = 'bench.run' and run_uuid in "
            "(select run_uuid from tags where key = 'bench.run_uid' and value = 'other')"
        )
    project(run)
    states = dict(rows(store, "select status, count(*) from runs group by status"))
    assert states == {"KILLED": 2, "FINISHED": 4}


def test_a_run_that_another_living_process_writes_is_left_alone(run, store):
    project(run)
    with sqlite3.connect(store) as database:
        database.execute("update runs set status = 'RUNNING', end_time = null")
        database.execute(
            "update tags set value = ? where key = ?", (f"{socket.gethostname()}:{os.getpid()}", writing.WRITER)
        )
        database.execute("update tags set value = 'other' where key in ('bench.run_uid', 'bench.run')")
    project(run)
    assert dict(rows(store, "select status, count(*) from runs group by status")) == {"RUNNING": 4, "FINISHED": 4}


def test_a_run_graded_again_shows_the_new_score_though_it_is_lower(run, store, attempts):
    project(run)
    assert shown(store, "reference · d1")["score"] == 1
    rewrite(run, [msgspec.structs.replace(a, outcome="unsolved", score=0.0) for a in attempts])
    assert project(run) == (4, 0)
    assert shown(store, "reference · d1")["score"] == 0
    assert rows(store, "select count(*) from runs") == [(4,)]


def test_a_figure_that_is_not_known_any_more_is_not_shown(run, store, attempts):
    project(run)
    rewrite(run, [msgspec.structs.replace(a, cost_usd=None) for a in attempts])
    assert project(run) == (4, 0)
    now = shown(store, "reference · d1")
    assert "cost_usd" not in now
    assert now["tokens_out"] == 60
    assert rows(store, "select count(*) from runs where lifecycle_stage = 'active'") == [(4,)]


def test_two_models_of_one_short_name_are_never_one_group(run, store, attempts):
    project(run)
    from benchwright.journal import encode_line

    other = [
        msgspec.structs.replace(
            a,
            run="20261129-210000-abcd",
            model=msgspec.structs.replace(a.model, name="elsewhere/claude-x[effort=high]"),
        )
        for a in attempts
        if a.model.name.startswith("anthropic")
    ]
    second = run.with_name("20261129-210000-abcd")
    second.mkdir()
    (second / "attempts.jsonl").write_bytes(b"".join(map(encode_line, other)))
    assert project(second) == (2, 0)
    assert project(second) == (0, 2)
    assert project(run) == (0, 4)
    called = set(
        rows(
            store,
            "select i.value, m.value from params i join params m on m.run_uuid = i.run_uuid "
            "where i.key = 'model_identity' and m.key = 'model'",
        )
    )
    assert called == {
        ("anthropic/claude-x[effort=high]", "claude-x[effort=high]"),
        ("elsewhere/claude-x[effort=high]", "elsewhere/claude-x[effort=high]"),
        ("reference", "reference"),
    }
