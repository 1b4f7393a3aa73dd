"""Run folders land in MLflow once, whole, and with nothing that is not known."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
from benchwright import tracking
from benchwright.records import Attempt
from benchwright.tracking import projection


def rows(store: Path, question: str, *values: object) -> list[tuple]:
    with sqlite3.connect(store) as database:
        return database.execute(question, values).fetchall()


def add(run: Path, more: list[Attempt]) -> None:
    from benchwright.journal import encode_line

    with (run / "attempts.jsonl").open("ab") as file:
        file.writelines(map(encode_line, more))


def test_a_run_becomes_one_flat_mlflow_run_per_model_suite_and_draw(run, store):
    done = tracking.project([run])
    assert done.ok, done.message
    assert done.written == 4
    assert rows(store, "select name from experiments where name != 'Default'") == [("bench/weightspace",)]
    names = {name for (name,) in rows(store, "select name from runs")}
    assert names == {"reference · d1", "reference · d2", "claude-x[effort=high] · d1", "claude-x[effort=high] · d2"}
    assert rows(store, "select distinct status from runs") == [("FINISHED",)]
    assert rows(store, "select count(*) from tags where key = 'mlflow.parentRunId'") == [(0,)]


def test_a_run_has_at_most_ten_metrics_and_their_values_are_right(run, store):
    tracking.project([run])
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
    assert "cost_usd" not in projection.metrics(projection.cards(unpriced)[0])
    assert projection.metrics(projection.cards(unpriced)[0])["tokens_out"] == 60
    values = projection.metrics(projection.cards(failed)[0])
    assert not {"score", "solved", "cost_usd", "tokens_in"} & set(values)
    assert values["no_evidence"] == 3


def test_the_dataset_input_carries_the_sealed_digest(run, store):
    tracking.project([run])
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
    from benchwright import report

    report.write(run)
    tracking.project([run])
    for identity, name in rows(store, "select artifact_uri, name from runs"):
        folder = Path(identity.removeprefix("file://"))
        assert sorted(path.name for path in folder.iterdir()) == ["report.html", "results.jsonl"], name
        lines = (folder / "results.jsonl").read_text().splitlines()
        assert len(lines) == 3
        assert {json.loads(line)["task"]["id"] for line in lines} == {a.task.id for a in attempts}


def test_a_second_projection_changes_nothing(run, store):
    tracking.project([run])
    before = rows(store, "select run_uuid, key, value, timestamp from metrics order by 1, 2")
    again = tracking.project([run])
    assert (again.ok, again.written, again.current) == (True, 0, 4)
    assert rows(store, "select run_uuid, key, value, timestamp from metrics order by 1, 2") == before
    assert rows(store, "select count(*) from runs") == [(4,)]


def test_a_run_that_went_on_completes_the_same_mlflow_run(run, store, attempts):
    tracking.project([run])
    from tracking_runs import attempt

    add(run, [attempt("reference", 7, 1)])
    again = tracking.project([run])
    assert (again.written, again.current) == (1, 3)
    assert rows(store, "select count(*) from runs") == [(4,)]
    assert rows(
        store,
        "select value from latest_metrics m join runs r on r.run_uuid = m.run_uuid "
        "where r.name = 'reference · d1' and key = 'attempts'",
    ) == [(4,)]


def test_a_projection_that_was_killed_is_closed_at_the_next_start(run, store):
    tracking.project([run])
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with sqlite3.connect(store) as database:
        database.execute("update runs set status = 'RUNNING', end_time = null")
        database.execute(
            "update tags set value = ? where key = ?", (f"{socket.gethostname()}:{dead.pid}", projection.WRITER)
        )
        database.execute("update tags set value = 'other' where key = 'bench.run_uid' and value like '%/1'")
        database.execute(
            "update tags set value = 'other' where key = 'bench.run' and run_uuid in "
            "(select run_uuid from tags where key = 'bench.run_uid' and value = 'other')"
        )
    tracking.project([run])
    states = dict(rows(store, "select status, count(*) from runs group by status"))
    assert states == {"KILLED": 2, "FINISHED": 4}


def test_a_run_that_another_living_process_writes_is_left_alone(run, store):
    tracking.project([run])
    with sqlite3.connect(store) as database:
        database.execute("update runs set status = 'RUNNING', end_time = null")
        database.execute(
            "update tags set value = ? where key = ?", (f"{socket.gethostname()}:{os.getpid()}", projection.WRITER)
        )
        database.execute("update tags set value = 'other' where key in ('bench.run_uid', 'bench.run')")
    tracking.project([run])
    assert dict(rows(store, "select status, count(*) from runs group by status")) == {"RUNNING": 4, "FINISHED": 4}


def test_several_processes_that_start_at_once_initialise_the_store_once(run, store):
    results: list[tracking.Projected] = []
    threads = [threading.Thread(target=lambda: results.append(tracking.project([run], seconds=120))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.message for one in results if not one.ok] == []
    assert rows(store, "select count(*) from runs") == [(4,)]
    assert sum(one.written for one in results) == 4


def test_a_server_that_is_not_there_is_told_in_one_line(run, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{free.getsockname()[1]}")
    done = tracking.project([run])
    assert not done.ok
    assert "\n" not in done.message
    assert "`bench sync` sends it later" in done.message


def test_a_server_that_never_answers_is_put_off_after_the_allowed_time(run, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{silent.getsockname()[1]}")
        done = tracking.project([run], seconds=4)
    assert not done.ok
    assert "did not answer within 4 s" in done.message


def test_a_store_that_cannot_be_written_is_told_in_one_line(run, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BENCHWRIGHT_DATA", str(tmp_path / "file"))
    done = tracking.project([run])
    assert not done.ok
    assert "\n" not in done.message


def test_the_working_folder_never_decides_where_a_run_lands(run, store, tmp_path, monkeypatch):
    (tmp_path / "mlruns" / "0").mkdir(parents=True)
    (tmp_path / "mlruns" / "0" / "meta.yaml").write_text("")
    monkeypatch.chdir(tmp_path)
    assert tracking.project([run]).ok
    assert rows(store, "select count(*) from runs") == [(4,)]
    assert not (tmp_path / "mlflow.db").exists()
