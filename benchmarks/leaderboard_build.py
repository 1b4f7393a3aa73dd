"""Builds a board from made-up attempts, in a process of its own, and prints seconds and peak memory.

python benchmarks/leaderboard_build.py [--attempts 100000]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from benchwright.leaderboard import entries
from benchwright.names import attempt_id
from benchwright.records import Attempt, ModelRef, ProtocolRecord, TaskRef, Usage

MEASURED = """
import json, resource, sys, time
wall, cpu = time.perf_counter(), time.process_time()
from pathlib import Path
from benchwright import registry
from benchwright.leaderboard.build import build
everything = build(Path(sys.argv[1]), registry.load())
print(json.dumps({
    "attempts": sum(source.attempts for source in everything.sources),
    "boards": len(everything.boards),
    "rows": sum(len(board.rows) for board in everything.boards),
    "wall_s": round(time.perf_counter() - wall, 2),
    "cpu_s": round(time.process_time() - cpu, 2),
    "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)),
}))
"""


def make(root: Path, attempts: int) -> None:
    """Runs of five models each over 48 tasks of three suites, five draws, until `attempts` are written."""
    rng = random.Random(1)
    tasks = [
        TaskRef(
            f"{suite}/task_{n}",
            "1",
            f"bw1:{suite}-{n}",
            f"{suite}-1",
            "laptop",
            suite,
            f"family_{n % 16}",
            f"sha256:{n}",
        )
        for suite in ("weightspace", "handnet", "kernels")
        for n in range(16)
    ]
    (root / "attempts").mkdir()
    made = run = 0
    while made < attempts:
        run += 1
        name = f"20261101-{run // 3600:02d}{run // 60 % 60:02d}{run % 60:02d}-{run % 65536:04x}"
        drawn = []
        for model in (f"provider/model-{(run * 5 + n) % 20}" for n in range(5)):
            skill = rng.random()
            for draw in range(1, 6):
                drawn.extend(_attempt(name, task, model, draw, skill, rng) for task in tasks)
        drawn = drawn[: attempts - made]
        made += len(drawn)
        header = entries.Header(
            name, "somebody", "sha256:plan", f"sha256:{run}", 0, [], [], [], {"benchwright": "0.1.0"}
        )
        (root / "attempts" / f"{name}.jsonl").write_bytes(entries.encode(header, drawn))


def _attempt(run: str, task: TaskRef, model: str, draw: int, skill: float, rng: random.Random) -> Attempt:
    solved = rng.random() < skill
    return Attempt(
        run=run,
        attempt=attempt_id("sha256:plan", task.digest, model, draw),
        task=task,
        model=ModelRef(model, f"{model}-20261001", {"max_output": 32000}),
        draw=draw,
        outcome="solved" if solved else rng.choice(["unsolved", "unsolved", "no_submission", "refused"]),
        score=float(solved),
        metrics={"tests_passed": rng.randrange(30), "tests_failed": 0 if solved else 3},
        failed_checks=[] if solved else rng.sample([f"test_check_{n}" for n in range(12)], 2),
        violations=[],
        protocol=ProtocolRecord("single", 1),
        usage=Usage(rng.randrange(2000), rng.randrange(3000)),
        cost_usd=rng.random() / 100,
        isolation="namespaces+landlock+seccomp",
        device=None,
        data=None,
        environment="sha256:environment",
        started=f"2026-11-01T{rng.randrange(24):02d}:00:00Z",
        seconds=rng.random(),
        files={"state.json": "sha256:" + f"{rng.getrandbits(256):064x}"},
        calls=1,
        benchmark="kernels 0.1.0",
    )


def main() -> None:
    """Makes the attempts, builds in a fresh process, prints one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=100_000)
    wanted = parser.parse_args().attempts
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root, wanted)
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, str(root)], stdout=subprocess.PIPE, text=True, check=True
        )
    print(json.dumps(json.loads(done.stdout)))


if __name__ == "__main__":
    main()
