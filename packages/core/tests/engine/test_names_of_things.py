"""A suite, task, model, run or parameter that is not there is one sentence and exit code 2, whatever the command."""

import subprocess
from collections.abc import Callable

import pytest
from benchwright import engine

UNKNOWN = {
    "report --suite sum": "has no suite `sum`. Did you mean `sums`? It has: sums.",
    "report --suite sums,zzz": "has no suite `zzz`. It has: sums.",
    "report --task sums/zzz": "matches `sums/zzz`.",
    "report --json --suite zzz": "has no suite `zzz`.",
    "report 20200101-000000-zzzz": "No run `20200101-000000-zzzz`.",
    "costs 20200101-000000-zzzz": "No run `20200101-000000-zzzz`.",
    "regrade 20200101-000000-zzzz": "No run `20200101-000000-zzzz`.",
    "regrade --tasks sums/zzz": "matches `sums/zzz`.",
    "compare zzz": "`zzz` is no run",
    "list --suite sum": "No suite `sum`. Did you mean `sums`?",
    "list --tasks sums/zzz": "No task matches `sums/zzz`.",
    "list --params -P zzz.x=1": "no benchmark `zzz`",
    "list -P sums.zzz=1": "`sums` has no parameter `zzz`.",
    "prompt zzz/n1": "No benchmark `zzz` is installed.",
    "prompt sums/zzz": "No task `sums/zzz`.",
    "prompt zzz": "`zzz` is not a task id",
    "score sums/zzz manifest.json": "No task `sums/zzz`.",
    "devreport sums/zzz manifest.json": "No task `sums/zzz`.",
    "validate --suite zzz": "No suite `zzz`.",
    "validate --tasks sums/zzz": "No task matches `sums/zzz`.",
    "run --suite zzz": "No suite `zzz`.",
    "run --tasks sums/zzz": "No task matches `sums/zzz`.",
    "run --suite sums --tasks trials/solved": "No task matches `trials/solved`.",
    "run --model zzz/m": "No provider `zzz`",
    "run --model zzz": "No provider `zzz`",
    "run --model replay:zzz": "No run `zzz`",
    "run --model file:zzz": "zzz: cannot be read",
    "run --model command:zzz": "there is no program `zzz`",
    "run -P sums.num_tasks=many": "expected a whole number",
}


@pytest.mark.parametrize("command", UNKNOWN)
def test_what_is_not_there_is_one_sentence(
    command: str, play: Callable[..., engine.Done], bench: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    play(tasks=("sums/n1",))
    done = bench(*command.split(), timeout=300)
    assert done.returncode == 2, done.stdout + done.stderr
    assert UNKNOWN[command] in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
