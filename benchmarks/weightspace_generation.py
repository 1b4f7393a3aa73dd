"""Valid weight-space tasks a second on one core, by both paths, and what part of the candidates each function rejects.

python benchmarks/weightspace_generation.py [--seeds 2000] [--hidden 16] [--json]

A task here is a network for `read` or a broken network for `fix`, half of each; `write` needs no network and would only
raise the figure. Seconds are CPU seconds of this process with numpy held to one thread. Both paths are compared on the
seeds that the scalar path makes. "rejected" counts networks drawn for `read`, "redrawn to break" those drawn for `fix`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from weightspace import batch, corruption, rewrites
from weightspace.functions import FUNCTIONS, Function

BAR = 4000
SCALAR_SEEDS = 50


def timed(work: Callable[[], list[Any]]) -> tuple[list[Any], float]:
    started = time.process_time()
    made = work()
    return made, time.process_time() - started


def measure(function: Function, hidden: int, seeds: range) -> dict[str, Any]:
    """One function: seconds by path, candidates drawn."""
    few = seeds[:SCALAR_SEEDS]
    read, read_s = timed(lambda: batch.hide_many(function, hidden, seeds))
    fix, fix_s = timed(lambda: batch.break_many(function, hidden, seeds))
    slow_read, slow_read_s = timed(lambda: [rewrites.hide(function, hidden, seed) for seed in few])
    slow_fix, slow_fix_s = timed(lambda: [corruption.break_network(function, hidden, seed) for seed in few])
    if slow_read != read[: len(few)] or slow_fix != fix[: len(few)]:
        sys.exit(f"{function.name}: the two paths differ")
    return {
        "function": function.name,
        "batch_s": read_s + fix_s,
        "scalar_s": slow_read_s + slow_fix_s,
        "tasks": 2 * len(seeds),
        "scalar_tasks": 2 * len(few),
        "rejected": 1 - len(seeds) / sum(made.attempts for made in read),
        "redrawn_to_break": 1 - len(seeds) / sum(made.attempts for made in fix),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2000, help="seeds for each function")
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    seeds = range(20261103, 20261103 + options.seeds)
    batch.hide_many(FUNCTIONS[0], options.hidden, range(8))  # numpy is imported here, outside the clock
    rows = [measure(function, options.hidden, seeds) for function in FUNCTIONS]
    total = {
        "batch_tasks_per_s": round(sum(row["tasks"] for row in rows) / sum(row["batch_s"] for row in rows)),
        "scalar_tasks_per_s": round(sum(row["scalar_tasks"] for row in rows) / sum(row["scalar_s"] for row in rows)),
        "bar": BAR,
    }
    if options.json:
        print(json.dumps({**total, "functions": rows}))
        return
    print(f"{'function':<16} {'batch/s':>8} {'scalar/s':>9} {'rejected':>9} {'redrawn to break':>17}")
    for row in rows:
        rates = f"{row['tasks'] / row['batch_s']:>8.0f} {row['scalar_tasks'] / row['scalar_s']:>9.0f}"
        print(f"{row['function']:<16} {rates} {row['rejected']:>9.3f} {row['redrawn_to_break']:>17.3f}")
    print(
        f"all functions: {total['batch_tasks_per_s']} tasks a second (bar {BAR}), scalar {total['scalar_tasks_per_s']}"
    )


if __name__ == "__main__":
    main()
