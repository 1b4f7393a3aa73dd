"""`bench ui` starts the real server; its link opens, in a real browser, on models and scores."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from benchwright import tracking

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture
def served(run, store):
    """What `bench ui --json` printed, with the server up; ended by the signal that Ctrl-C sends."""
    assert tracking.project([run]).ok
    process = subprocess.Popen(
        [sys.executable, "-m", "benchwright", "ui", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    line = process.stdout.readline()
    assert line, process.stderr.read()
    yield json.loads(line)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")
def test_the_runs_page_shows_the_model_and_the_score_columns(served, tmp_path):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", "--window-size=1600,1000", f"--user-data-dir={tmp_path / 'profile'}"):  # fmt: skip
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        browser.get(served["links"]["bench/weightspace"])
        text, end = "", time.monotonic() + 60
        while time.monotonic() < end and not {"reference", "0.75", "score"} <= set(text.split()):
            time.sleep(0.5)
            text = browser.find_element("tag name", "body").text
        shot = tmp_path / "runs.png"
        assert browser.save_screenshot(str(shot))
    finally:
        browser.quit()
    words = text.split()
    assert "score" in words, text
    assert "solved" in words
    assert "model" in words
    assert "reference" in words
    assert "claude-x[effort=high]" in words
    assert "0.75" in words
    assert shot.stat().st_size > 10_000


def test_the_server_listens_on_loopback_only_and_is_gone_after_ctrl_c(run, store):
    assert tracking.project([run]).ok
    process = subprocess.Popen([sys.executable, "-m", "benchwright", "ui", "--json"], stdout=subprocess.PIPE, text=True)
    address = json.loads(process.stdout.readline())["address"]
    assert address.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(f"{address}/health", timeout=10) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=5)


def test_a_taken_port_is_a_sentence(store):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "benchwright", "ui", "--port", str(port)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert f"Port {port} cannot be used" in done.stderr
    assert done.stdout == "", "nothing is said to start"
    assert "Traceback" not in done.stderr


def test_a_silent_server_is_a_sentence_and_not_a_wait(run):
    from benchwright.errors import UserError
    from benchwright.tracking import server

    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UserError, match=f"MLflow at {address} does not answer"):
            server._reached(address, seconds=0.2)


@pytest.mark.parametrize("uri", ["", "nonsense://here", "http://127.0.0.1:1"])
def test_a_store_that_cannot_be_used_is_a_sentence(tmp_path, uri):
    (tmp_path / "file").write_text("no folder")
    environment = {**os.environ, "BENCHWRIGHT_DATA": str(tmp_path / "file"), "MLFLOW_TRACKING_URI": uri}
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", "ui"], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("MLflow at ")


def test_a_server_of_ones_own_is_linked_and_not_started(monkeypatch, run):
    from benchwright.tracking import server

    with socket.create_server(("127.0.0.1", 0)) as own:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{own.getsockname()[1]}/")
        with server.serving() as (address, _):
            assert address == os.environ["MLFLOW_TRACKING_URI"].rstrip("/")
        assert server.starts() is False


def test_without_the_pages_nothing_is_said_to_start(monkeypatch):
    import importlib.util

    from benchwright.cli import bench
    from benchwright.errors import UserError
    from click.testing import CliRunner

    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "flask" else there(name, *more)
    )
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    done = CliRunner().invoke(bench, ["ui"])
    assert isinstance(done.exception, UserError)
    assert str(done.exception) == "MLflow's pages are not installed. Add them: pip install 'benchwright[ui]'"
    assert done.output == ""
