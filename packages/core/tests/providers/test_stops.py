"""Ctrl-C, errors and kills while a provider makes a run wait: no wait is sat out, no token that was told is lost."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest


def begin(here, *arguments):
    command = [sys.executable, "-m", "benchwright", "run", "--no-mlflow", *map(str, arguments)]
    return subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def attempts(folder):
    return [json.loads(line) for line in (folder / "attempts.jsonl").read_text().splitlines()]


def until(met):
    for _ in range(30000):
        if met():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to it within five minutes")


@pytest.mark.parametrize(("provider", "base"), [("anthropic", ""), ("openai", "/v1"), ("openai-compatible", "/v1")])
def test_ctrl_c_cuts_the_wait_that_a_provider_asked_for(here, server, provider, base):
    server.script("m", "429:after=119")
    arguments = ("--suite", "sums", "--model", f"{provider}/m", "--base-url", server.origin + base, "--out", "run")
    running = begin(here, *arguments)
    until(lambda: server.requests)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    told, _ = running.communicate(timeout=110)  # the wait would go on for longer
    assert running.returncode == 130, told
    assert "10 attempts to go; the same command continues" in told
    turned_away = len(server.requests)
    server.script("m", "ok")
    last = begin(here, *arguments)
    told, _ = last.communicate(timeout=300)
    assert last.returncode == 0, told
    found = attempts(here / "run")
    assert len(found) == 10
    assert sum(attempt["calls"] for attempt in found) == len(server.requests) == turned_away + 10
    assert not any("interrupted_calls" in attempt["notes"] for attempt in found), "nothing was in flight"


def test_tokens_of_a_try_that_broke_survive_a_kill_in_the_wait_before_the_next(here, server):
    server.script("m", "cut", "429:after=100")
    arguments = ("--tasks", "sums/n1", "--model", "anthropic/m", "--base-url", server.origin, "--out", "run")
    running = begin(here, *arguments)
    until(lambda: len(server.requests) == 2)
    time.sleep(0.5)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    server.script("m", "ok")
    last = begin(here, *arguments)
    told, _ = last.communicate(timeout=300)
    assert last.returncode == 0, told
    [attempt] = attempts(here / "run")
    assert attempt["calls"] == len(server.requests) == 3
    assert attempt["notes"]["wasted_usage"]["input"] == 120
    assert attempt["usage"]["input"] == 240
    assert "interrupted_calls" not in attempt["notes"], (
        "at the kill the second try had ended, and the third had not begun"
    )


def test_an_error_that_ends_the_run_lets_replies_in_flight_come_in_and_be_kept(here, server):
    server.script("missing", "404")
    server.script("fine", "slow:2")
    arguments = ("--tasks", "sums/n1", "--base-url", f"{server.origin}/v1", "--out", "run",
                 "--model", "openai/missing", "--model", "openai/fine")  # fmt: skip
    running = begin(here, *arguments)
    told, _ = running.communicate(timeout=300)
    assert running.returncode == 2, told
    assert "The provider openai answers 404" in told
    assert "Stopping on an error: what is in flight is finished and kept" in told
    assert [attempt["model"]["answered"] for attempt in attempts(here / "run")] == ["fine"]
    server.script("missing", "ok")
    last = begin(here, *arguments)
    told, _ = last.communicate(timeout=300)
    assert last.returncode == 0, told
    assert server.calls("fine") == 1
    assert {attempt["model"]["answered"]: attempt["calls"] for attempt in attempts(here / "run")} == {
        "fine": 1,
        "missing": 2,
    }
    assert not any("interrupted_calls" in attempt["notes"] for attempt in attempts(here / "run"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_places_that_come_free_after_ctrl_c_are_not_taken(here, server, number):
    # Eight calls are begun at first, the others wait for a place.
    server.script("m", "slow:1")
    arguments = (
        "--suite",
        "sums",
        "-P",
        "sums.num_tasks=40",
        "--model",
        "openai/m",
        "--base-url",
        f"{server.origin}/v1",
        "--out",
        "run",
    )
    running = begin(here, *arguments)
    until(lambda: len(server.requests) == 8)
    running.send_signal(number)
    told, _ = running.communicate(timeout=300)
    assert running.returncode == 130, told
    assert len(server.requests) == len(attempts(here / "run")) == 8
    assert os.listdir(here / "run")


def test_no_program_is_started_after_ctrl_c(here):
    program = here / "slow.sh"
    program.write_text(
        "#!/bin/sh\ncat >/dev/null\necho $$ >>started\nsleep 2\necho '{\"sum\": 4}'\n".replace(
            "started", f"{here}/started"
        )
    )
    program.chmod(0o755)
    arguments = (
        "--suite",
        "sums",
        "-P",
        "sums.num_tasks=40",
        "--model",
        f"command:{program}",
        "--unsafe",
        "--out",
        "run",
    )
    running = begin(here, *arguments)
    until(lambda: (here / "started").exists())
    running.send_signal(signal.SIGINT)
    told, _ = running.communicate(timeout=300)
    assert running.returncode == 130, told
    began = len((here / "started").read_text().split())
    assert began <= (os.cpu_count() or 1), "programs run one a processor, and none after the first few"
    assert len(attempts(here / "run")) == began
