"""A real language model, small enough for this machine, behind a real server."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[4] / "benchmarks" / "smollm2.sh"


@pytest.mark.full
def test_every_attempt_of_a_real_model_ends_in_an_outcome_of_its_own(here):
    home = Path(os.environ.get("BENCHWRIGHT_SMOLLM2", Path.home() / ".cache/benchwright/smollm2"))
    if not (home / "venv").is_dir() or shutil.which("bash") is None:
        pytest.skip("SmolLM2 is not set up here: benchmarks/smollm2.sh setup")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    bench = here / "bench"
    bench.write_text(f'#!/bin/sh\nexec {sys.executable} -m benchwright "$@"\n')
    bench.chmod(0o755)
    env = {**os.environ, "BENCHWRIGHT_SMOLLM2": str(home), "BENCHWRIGHT_SMOLLM2_PORT": str(port), "BENCH": str(bench)}
    done = subprocess.run(
        [str(SCRIPT), "run", "--suite", "sums,trials-tools", "--output-cap", "48", "--no-mlflow", "--out", "run"],
        env=env, cwd=here, capture_output=True, text=True, timeout=800, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    attempts = [json.loads(line) for line in (here / "run" / "attempts.jsonl").read_text().splitlines()]
    assert len(attempts) == 11
    for attempt in attempts:
        assert attempt["outcome"] in ("solved", "unsolved", "no_submission", "truncated"), attempt["reason"]
        assert attempt["usage"]["input"] > 0
        assert attempt["usage"]["output"] > 0
        assert attempt["model"]["answered"] == "smollm2-135m"
        assert attempt["calls"] == attempt["protocol"]["turns"]
        assert attempt["cost_usd"] is None
