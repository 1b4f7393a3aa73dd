"""CPU time that grading takes: per hidden test, and of the slowest single test.

`start` is what a sandbox costs before its first grading of this kind (importing numpy, or numpy and torch, twice).
`grading` is one further grading of the reference, every process counted. `proof` is that times the number of
programs that `bench validate` grades for the task, with the start, per test executed. `slowest` runs the tests
beside the reference in one process, submission included. With
`--baseline SECONDS TESTS` the factor to another harness's CPU seconds for so many tests executed.

    python benchmarks/kernels_cpu.py [--baseline SECONDS TESTS] [task …]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def graded(slug: str, times: int) -> float:
    """CPU seconds of a fresh sandbox that grades a reference so often."""
    from benchwright.sandbox import Sandbox
    from scratch_kernels import folder as folders
    from scratch_kernels import grading

    folder = folders.TASKS / slug
    before = cpu()
    with Sandbox() as sandbox:
        for _ in range(times):
            verdict = grading.grade(folder, folders.files(folder / "reference"), sandbox)
            if verdict.outcome != "solved":
                raise SystemExit(f"{slug}: the reference is {verdict.outcome} ({verdict.reason})")
    return cpu() - before


class Clock:
    """A pytest plugin: the CPU seconds of the slowest test after the first, which also pays for imports."""

    def __init__(self, local: object, out: Path) -> None:
        self.local, self.out = local, out
        self.began, self.seconds = 0.0, {}

    def pytest_generate_tests(self, metafunc):
        if "submission" in metafunc.fixturenames:
            metafunc.parametrize("submission", [self.local], ids=[""])

    def pytest_runtest_setup(self, item):
        self.began = time.process_time()

    def pytest_runtest_teardown(self, item):
        self.seconds[item.name] = time.process_time() - self.began

    def pytest_sessionfinish(self):
        self.out.write_text(json.dumps(max(list(self.seconds.values())[1:])))


def clocked(folder: str, out: str) -> int:
    """In a process of its own: the hidden tests beside the reference, each timed."""
    import pytest
    from kernels_tolerances import Local

    sys.path.insert(0, f"{folder}/reference")
    for package in ("numpy", "torch._dynamo") if "torch" in Path(folder, "task.yaml").read_text() else ("numpy",):
        __import__(package)
    options = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={folder}"]
    return int(pytest.main([*options, f"{folder}/hidden_tests"], plugins=[Clock(Local(Path(folder)), Path(out))]))


def slowest(folder: Path) -> float:
    """CPU seconds of the slowest single test of a task."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place, "seconds.json")
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, __file__, "--clocked", str(folder), str(out)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if not out.exists():
            raise SystemExit(done.stdout + done.stderr)
        return float(json.loads(out.read_text()))


def main() -> None:
    from scratch_kernels import folder as folders
    from scratch_kernels import mutants, validation

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--baseline", nargs=2, type=float, metavar=("SECONDS", "TESTS"))
    given = parser.parse_args()
    print(
        "task                              tests  programs   start  grading  ms a test  proof, ms a test  slowest test"
    )
    spent = executed = worst = 0.0
    laptop = [slug for slug in folders.slugs() if folders.read(folders.TASKS / slug).tier == "laptop"]
    for slug in given.tasks or laptop:
        folder = folders.TASKS / slug
        tests = len(validation.expected_ids(folder))
        programs = 5 + len(mutants.mutants(folder)) + len(mutants.skips(folder))  # reference three times, starter twice
        one, four = graded(slug, 1), graded(slug, 4)
        grading = (four - one) / 3
        start = max(one - grading, 0.0)
        proof = start + programs * grading
        slow = slowest(folder)
        print(
            f"{slug:34}{tests:5}{programs:10}{start:7.2f}s{grading:8.2f}s{grading / tests * 1000:11.1f}"
            f"{proof / programs / tests * 1000:18.1f}{slow:13.3f}s",
            flush=True,
        )
        spent, executed, worst = spent + proof, executed + programs * tests, max(worst, slow)
    print(
        f"all: {spent:.1f} CPU s for {executed:.0f} tests executed, {spent / executed * 1000:.2f} ms each; slowest {worst:.3f} s"
    )
    if given.baseline:
        seconds, count = given.baseline
        print(
            f"baseline: {seconds / count * 1000:.2f} ms each, {seconds / count / (spent / executed):.1f} times as much"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--clocked"]:
        sys.exit(clocked(*sys.argv[2:4]))
    main()
