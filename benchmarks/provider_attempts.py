"""CPU and memory for an attempt against a fast server on loopback, beside Inspect AI on the same server in the same run.

    python benchmarks/provider_attempts.py [ATTEMPTS] [--inspect PYTHON]

ATTEMPTS: 1000 where not given. PYTHON: an interpreter that has `inspect_ai` and `openai` installed; without
it only our side is measured. CPU is user and system time of the whole command, start-up included, the
server's not; memory is the largest resident set of any process of it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "packages" / "core" / "tests"

SERVER = f"""
import sys, time
sys.path.insert(0, {str(TESTS / "providers")!r})
from fault_server import FaultServer
with FaultServer() as server:
    server.reply = lambda body: '{{"sum": 4}}'
    print(server.port, flush=True)
    sys.stdin.read()
"""

TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

@task
def sums():
    prompt = 'Reply with JSON: {{"sum": the sum of {n} and {n}}}'
    return Task([Sample(input=prompt.format(n=n), target=str(2 * n)) for n in range(ATTEMPTS)], solver=generate(), scorer=includes())
"""


def measured(command: list[str], env: dict[str, str], folder: Path) -> tuple[float, float, float]:
    """CPU seconds, wall seconds, and MiB of the largest process."""
    # A child's own children are counted with it once it has ended, so a wrapper gives this command's share alone.
    wrapper = (
        "import json, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))\n"
    )
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", wrapper, *command], env=env, cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    wall = time.perf_counter() - began
    status, cpu, memory = json.loads(done.stdout)
    if status != 0:
        raise SystemExit(f"{command[0]} ended with status {status}")
    return cpu, wall, memory


def ours(folder: Path, port: str, attempts: int) -> tuple[float, float, float]:
    """`bench run` of the test suite `sums`."""
    spec = importlib.util.spec_from_file_location("conftest", TESTS / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    fixtures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fixtures)
    site = folder / "site"
    site.mkdir()
    fixtures.install("sums", site)
    env = {**os.environ, "PYTHONPATH": str(site), "BENCHWRIGHT_CACHE": str(folder / "cache")}
    command = [
        sys.executable, "-m", "benchwright", "run", "--suite", "sums", "-P", f"sums.num_tasks={attempts}", "--model",
        "openai-compatible/m", "--base-url", f"http://127.0.0.1:{port}/v1", "--no-mlflow", "--out", str(folder / "run"),
    ]  # fmt: skip
    found = measured(command, env, folder)
    lines = (folder / "run" / "attempts.jsonl").read_text().splitlines()
    assert len(lines) == attempts
    assert sum(json.loads(line)["usage"]["output"] for line in lines) == 30 * attempts
    return found


def theirs(folder: Path, port: str, attempts: int, python: str) -> tuple[float, float, float]:
    """`inspect eval` of the same prompts."""
    (folder / "sums.py").write_text(TASK.replace("ATTEMPTS", str(attempts)))
    env = {**os.environ, "LOCAL_API_KEY": "none", "LOCAL_BASE_URL": f"http://127.0.0.1:{port}/v1"}
    command = [
        python, "-m", "inspect_ai", "eval", "sums.py", "--model", "openai-api/local/m", "--display", "none",
        "--max-connections", "32", "--log-dir", str(folder / "logs"),
    ]  # fmt: skip
    found = measured(command, env, folder)
    code = (
        "import sys, pathlib, collections\n"
        "from inspect_ai.log import read_eval_log\n"
        "log = read_eval_log(str(next(pathlib.Path(sys.argv[1]).iterdir())))\n"
        "answered = sum(sample.output is not None and not sample.error for sample in log.samples)\n"
        "print(log.status, len(log.samples), answered, sum(u.output_tokens for s in log.samples for u in s.model_usage.values()))\n"
    )
    seen = subprocess.run([python, "-c", code, str(folder / "logs")], capture_output=True, text=True, check=True).stdout
    # The same work, or the figures are not comparable.
    assert seen.split() == ["success", str(attempts), str(attempts), str(30 * attempts)], seen
    return found


def main(arguments: list[str]) -> None:
    """Prints one row a program."""
    from tabulate import tabulate

    python = ""
    if "--inspect" in arguments:
        at = arguments.index("--inspect")
        python = arguments[at + 1]
        del arguments[at : at + 2]
    attempts = int(arguments[0]) if arguments else 1000
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = server.stdout.readline().strip()
    rows = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(("benchwright", *ours(Path(folder), port, attempts)))
            if python:
                version = [python, "-c", "import importlib.metadata as m; print(m.version('inspect_ai'))"]
                name = subprocess.run(version, capture_output=True, text=True, check=True).stdout.strip()
                rows.append((f"inspect_ai {name}", *theirs(Path(folder), port, attempts, python)))
    finally:
        server.communicate("")
    table = [
        (name, attempts, f"{cpu:.2f}", f"{1000 * cpu / attempts:.2f}", f"{wall:.1f}", f"{memory:.0f}")
        for name, cpu, wall, memory in rows
    ]
    print(tabulate(table, ["program", "attempts", "CPU s", "CPU ms each", "wall s", "MiB"], "github"))
    if len(rows) == 2:
        print(f"CPU: {rows[1][1] / rows[0][1]:.2f} times less.")


if __name__ == "__main__":
    main(sys.argv[1:])
