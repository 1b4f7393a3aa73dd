"""What the sandbox costs: starting, a fresh worker with a call, calls of several sizes, gradings, and what gradings leave.

    python benchmarks/sandbox.py [GRADINGS]

Prints one JSON line for each figure. Wall times are medians with the best beside them, because other work on the
machine shows in the median; CPU is that of this process and of every process of the sandbox together.
"""

import contextlib
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
from benchwright.sandbox import open_sandbox, probe
from benchwright.sandbox.sandbox import Sandbox

TASK = Path(__file__).resolve().parent.parent / "packages" / "core" / "tests" / "sandbox" / "softmax_task"
REFERENCE = (TASK / "reference" / "stable_softmax.py").read_bytes()
SOURCE = b"def same(x):\n    return x\ndef add(x):\n    return x + 1\ndef total(x):\n    return float(x.sum())\n"


def tell(what: str, **figures: object) -> None:
    print(json.dumps({"what": what, **figures}), flush=True)


def timed(repeats: int, work: Callable[[], object], *, unit: float) -> dict[str, float]:
    """Median and best wall time of `work` in units of `unit` seconds."""
    found = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        found.append((time.perf_counter() - began) / unit)
    return {"median": round(statistics.median(found), 3), "best": round(min(found), 3), "repeats": repeats}


def keepers(sandbox: Sandbox) -> list[psutil.Process]:
    running = (*sandbox._keepers.values(), *sandbox._graders.values())
    return [psutil.Process(keeper.process.pid) for keeper in running]


def cpu(sandbox: Sandbox) -> float:
    """CPU seconds of this process and of the sandbox's, workers that have ended included."""
    return sum(sum(p.cpu_times()[:4]) for p in keepers(sandbox)) + time.process_time()


def standing(sandbox: Sandbox) -> dict[str, int]:
    """What is held between gradings."""
    processes = keepers(sandbox)
    return {
        "processes": sum(len(p.children(recursive=True)) for p in processes),
        "descriptors": sum(p.num_fds() for p in processes) + psutil.Process().num_fds(),
        "files": len(os.listdir(sandbox._work())),
        "rss_mb": round(sum(p.memory_info().rss for p in (*processes, psutil.Process())) / 2**20, 1),
    }


def fresh_worker(sandbox: Sandbox, imports: tuple[str, ...]) -> Callable[[], object]:
    def once() -> object:
        with sandbox.open({"m.py": SOURCE}, imports=imports) as box:
            return box.load("m.py").same(1)

    return once


def main() -> None:
    gradings = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with open_sandbox() as sandbox:
        began = time.perf_counter()
        tier = sandbox.tier
        tell("probing the walls of the tier", unit="s", value=round(time.perf_counter() - began, 3), tier=tier)
        for imports in ((), ("numpy",), ("numpy", "torch")):
            if "torch" in imports and probe.reading.importable("torch") is None:
                continue
            once = fresh_worker(sandbox, imports)
            name = "+".join(imports) or "no package"
            tell(f"first worker, {name}", unit="s", **timed(1, once, unit=1))
            before = cpu(sandbox)
            figures = timed(40, once, unit=1e-3)
            spent = (cpu(sandbox) - before) / 40 * 1e3
            tell(f"fresh worker, one call, end, {name}", unit="ms", **figures, cpu=round(spent, 2))
        with sandbox.open({"m.py": SOURCE}, imports=("numpy",)) as box:
            module = box.load("m.py")
            tell("call with a scalar", unit="us", **timed(3000, lambda: module.same(1), unit=1e-6))
            small, large = np.zeros(100), np.zeros(1 << 17)
            tell("call with 800 bytes, there and back", unit="us", **timed(1000, lambda: module.add(small), unit=1e-6))
            tell("call with 1 MB", unit="ms", **timed(100, lambda: module.total(large), unit=1e-3))
            tell("call with 1 MB, there and back", unit="ms", **timed(100, lambda: module.add(large), unit=1e-3))
            batch = [(n,) for n in range(10_000)]
            tell("batch of 10,000 scalars", unit="ms", **timed(5, lambda: box.batch(module.same, batch), unit=1e-3))

        def grade() -> None:
            evaluation = sandbox.run_tests(TASK, {"stable_softmax.py": REFERENCE}, imports=("numpy",))
            assert evaluation.outcome == "solved", evaluation.reason

        grade()
        before, spent = standing(sandbox), cpu(sandbox)
        figures = timed(gradings, grade, unit=1e-3)
        spent = (cpu(sandbox) - spent) / gradings * 1e3
        after = standing(sandbox)
        tell("grading of 30 hidden tests", unit="ms", **figures, cpu=round(spent, 2), cpu_per_test=round(spent / 30, 3))
        left = {name: round(after[name] - before[name], 1) for name in before}
        tell(f"left behind by {gradings} gradings", **left)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
