"""Paid attempts through a real SDK under SIGKILL: no reply is paid for twice, and every token is on record."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from benchwright.journal import read_attempts, read_manifest, verify

PROVIDERS = Path(__file__).parent.parent / "providers"
IN_FLIGHT, KILLS, ATTEMPTS = 8, 20, 500


@pytest.mark.parametrize(
    "model",
    [
        pytest.param("anthropic/claude-haiku-4-5", marks=pytest.mark.proof),
        pytest.param("openai/gpt-5-mini", marks=pytest.mark.proof),
        pytest.param("openai-compatible/gpt-5-mini", marks=pytest.mark.full),
    ],
)
def test_killed_twenty_times_in_five_hundred_paid_attempts(
    model: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(PROVIDERS))
    pytest.importorskip(model.partition("/")[0].removesuffix("-compatible"))
    from fault_server import INPUT, OUTPUT, FaultServer

    with FaultServer() as server:
        server.thinks = 0.05
        command = [
            sys.executable, "-m", "benchwright", "run", "--suite", "sums", "-P", f"sums.num_tasks={ATTEMPTS}",
            "--model", model, "--base-url", server.origin + ("/v1" if model.startswith("openai") else ""),
            "--concurrency", str(IN_FLIGHT), "--no-mlflow",
        ]  # fmt: skip
        env = {**os.environ, "ANTHROPIC_API_KEY": "sk-test-0", "OPENAI_API_KEY": "sk-test-0"}
        random = Random(20261103)
        kills = 0
        while kills < KILLS:
            started = subprocess.Popen(command, cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
            before = len(server.requests)
            while started.poll() is None and len(server.requests) == before:
                time.sleep(0.005)
            time.sleep(random.uniform(0, 0.25))
            started.send_signal(signal.SIGKILL)
            assert started.wait() == -signal.SIGKILL, "it ended by itself: fewer attempts fit between two kills"
            kills += 1
        last = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False, env=env)
        assert last.returncode == 0, last.stdout + last.stderr
        made = len(server.requests)
    [run] = (here / "runs").iterdir()
    attempts = read_attempts(run)
    assert len({attempt.attempt for attempt in attempts}) == len(attempts) == ATTEMPTS
    assert verify(run) == []
    assert len(read_manifest(run).sessions) == KILLS + 1
    interrupted = sum(attempt.notes.get("interrupted_calls", 0) for attempt in attempts)
    # Planned calls, and those in flight at a kill; each of these is on record as interrupted.
    assert ATTEMPTS <= made <= ATTEMPTS + interrupted
    assert interrupted <= IN_FLIGHT * KILLS
    tokens = [attempt.usage for attempt in attempts if attempt.usage is not None]
    assert len(tokens) == ATTEMPTS
    assert sum(usage.output for usage in tokens) == OUTPUT * ATTEMPTS
    assert sum(usage.input + usage.cache_read + usage.cache_write for usage in tokens) >= INPUT * ATTEMPTS
    print(
        f"{model}: {ATTEMPTS} attempts, {KILLS} kills, {made} calls, {interrupted} in flight at a kill, on record "
        f"{sum(usage.input + usage.cache_read for usage in tokens):,} tokens in and {sum(usage.output for usage in tokens):,} out"
    )
