"""The projection has a process of its own: many may start at once, and an absent or silent server ends in one line."""

import socket
import sqlite3
import threading
from pathlib import Path

import pytest
from benchwright import tracking


def rows(store: Path, question: str) -> list[tuple]:
    with sqlite3.connect(store) as database:
        return database.execute(question).fetchall()


def test_several_processes_that_start_at_once_initialise_the_store_once(run, no_store):
    results: list[tracking.Projected] = []
    threads = [threading.Thread(target=lambda: results.append(tracking.project([run], seconds=600))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.message for one in results if not one.ok] == []
    assert rows(no_store, "select count(*) from runs") == [(4,)]
    assert sum(one.written for one in results) == 4


def test_a_server_that_is_not_there_is_told_in_one_line(run, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{free.getsockname()[1]}")
    done = tracking.project([run])
    assert not done.ok
    assert "\n" not in done.message
    assert "`bench sync` sends it later" in done.message


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
def test_a_patience_that_is_no_time_is_told_and_never_fails_a_run(run, monkeypatch, text):
    monkeypatch.setenv("BENCHWRIGHT_MLFLOW_SECONDS", text)
    done = tracking.project([run])
    assert not done.ok
    assert f"BENCHWRIGHT_MLFLOW_SECONDS is '{text}'" in done.message


def test_a_store_that_is_yet_to_be_made_gets_more_time(run, no_store, monkeypatch):
    from benchwright.tracking import background
    from benchwright.tracking.store import find_store

    monkeypatch.delenv("BENCHWRIGHT_MLFLOW_SECONDS", raising=False)
    assert background.patience(find_store()) == background.FIRST_PATIENCE
    no_store.parent.mkdir(parents=True, exist_ok=True)
    no_store.touch()
    assert background.patience(find_store()) == background.PATIENCE
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:1")
    assert background.patience(find_store()) == background.PATIENCE


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


def test_a_database_whose_making_was_killed_is_made_again(run, no_store):
    no_store.parent.mkdir(parents=True, exist_ok=True)
    half = no_store.with_name(f"{no_store.name}.making-1")
    half.write_bytes(b"half a database")
    done = tracking.project([run], seconds=600)
    assert done.ok, done.message
    assert not half.exists()
    assert sorted(path.name for path in no_store.parent.iterdir() if "making" in path.name) == []


def test_sync_gives_a_store_that_is_yet_to_be_made_the_time_it_needs(run, no_store, monkeypatch):
    from benchwright.cli import tracking as cli
    from benchwright.tracking import background
    from click.testing import CliRunner

    given = []
    monkeypatch.delenv("BENCHWRIGHT_MLFLOW_SECONDS", raising=False)
    monkeypatch.setattr(
        tracking,
        "project",
        lambda found, store, allowed, **_: given.append(allowed) or tracking.Projected(True, 0, 0, ""),
    )
    CliRunner().invoke(cli.sync, [str(run)])
    monkeypatch.setenv("BENCHWRIGHT_MLFLOW_SECONDS", "77")
    CliRunner().invoke(cli.sync, [str(run)])
    assert given == [background.FIRST_PATIENCE, 77.0]


def test_sync_of_what_is_switched_off_says_what_to_do(run, monkeypatch):
    import subprocess
    import sys

    monkeypatch.setenv("BENCHWRIGHT_MLFLOW", "off")
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", "sync", str(run)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "BENCHWRIGHT_MLFLOW=off switches MLflow off; unset it, and `bench sync` sends what is here.\n"
