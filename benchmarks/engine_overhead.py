"""CPU of the engine per trivial attempt with its run folder written, beside the bare writing of the same files.

    python benchmarks/engine_overhead.py [ATTEMPTS]

Prints one JSON line: milliseconds of CPU an attempt for the engine (planning included) and for the baseline, which
writes the same files with the same content and one fsync a hundred attempts; their ratio; resident memory of the
engine's process at its peak.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMS = ROOT / "packages" / "core" / "tests" / "plugins" / "sums"


def main() -> None:
    attempts = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as place:
        site = Path(place) / "site"
        install(site)
        environment = {**os.environ, "PYTHONPATH": str(site), "BENCHWRIGHT_CACHE": f"{place}/cache"}
        code = f"import sys; sys.path.insert(0, {str(ROOT / 'benchmarks')!r}); import engine_overhead as e; e.engine({attempts}, {place!r})"
        done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
        measured = json.loads(done.stdout.splitlines()[-1])
        baseline = bare_writing(Path(place) / "run", Path(place) / "copy") / attempts * 1000
        print(
            json.dumps(
                {
                    "attempts": attempts,
                    "engine_cpu_ms": round(measured["cpu"] / attempts * 1000, 3),
                    "baseline_cpu_ms": round(baseline, 3),
                    "ratio": round(measured["cpu"] / attempts * 1000 / baseline, 2),
                    "wall_s": round(measured["wall"], 2),
                    "peak_rss_mb": round(measured["rss_mb"], 1),
                }
            )
        )


def install(site: Path) -> None:
    """The benchmark `sums` of the tests, as an installed package."""
    info = site / "sums-0.1.0.dist-info"
    info.mkdir(parents=True)
    (site / "sums.py").write_bytes((SUMS / "sums.py").read_bytes())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sums\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[benchwright.plugins]\nsums = sums\n")


def engine(attempts: int, place: str) -> None:
    """A run of the reference at so many sums, timed from the plan to the closed folder."""
    from benchwright import engine
    from benchwright.engine.workbench import Workbench

    class Counter(engine.Watcher):
        finished_attempts = 0

        def finished(self, attempt: object) -> None:
            self.finished_attempts += 1

    with Workbench() as bench:
        request = engine.Request(suites=("sums",), params=(f"sums.num_tasks={attempts}",))
        watcher = Counter()
        cpu, wall = time.process_time(), time.perf_counter()
        plan = engine.make_plan(bench.plugins, bench.registry, request)
        done = engine.run(
            plan, bench.plugins, bench.registry, bench.sandbox, begin=engine.Begin(out=Path(place) / "run"),
            settings=engine.Settings(), watcher=watcher, prices=engine.Prices(),
        )  # fmt: skip
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    assert done.status == "finished"
    assert watcher.finished_attempts == len(done.attempts) == attempts
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu, "wall": wall, "rss_mb": rss}))


def bare_writing(run: Path, copy: Path) -> float:
    """CPU seconds of writing every file of `run` again, read beforehand."""
    content = [(path.relative_to(run), path.read_bytes()) for path in sorted(run.rglob("*")) if path.is_file()]
    began = time.process_time()
    made = set()
    for number, (name, data) in enumerate(content):
        target = copy / name
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        with open(target, "wb") as file:
            file.write(data)
            if number % 500 == 0:
                os.fsync(file.fileno())
    return time.process_time() - began


if __name__ == "__main__":
    main()
