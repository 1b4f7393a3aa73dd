"""The fault corpus in one run: for each class, how many are found, at their place, and how many correct kernels are accused.

python benchmarks/simt_faults.py
"""

from __future__ import annotations

import collections
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "packages/scratch-kernels/tests/simt"))
import corpus_reader as reader
from scratch_kernels import simt


def main() -> None:
    started = time.perf_counter()
    table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for language in ("metal", "cuda"):
        for case in reader.cases("faulty", language):
            row = table[case.expects.split("|")[0]]
            row["kernels"] += 1
            try:
                result, _ = reader.run(case)
            except simt.CompileError as error:
                row["found"] += case.expects == "compile"
                row["place"] += error.line in case.places
                continue
            found = [f for f in result.findings if f.kind in case.expects.split("|")] if result else []
            row["found"] += bool(found)
            row["place"] += any(not case.places or f.line in case.places or f.other_line in case.places for f in found)
    print(f"{'class':45s} kernels found place")
    for kind, row in sorted(table.items()):
        print(f"{kind:45s} {row['kernels']:7d} {row['found']:5d} {row['place']:5d}")
    total = sum(table.values(), collections.Counter())
    print(f"{'all':45s} {total['kernels']:7d} {total['found']:5d} {total['place']:5d}")
    accused = wrong = n = 0
    for language in ("metal", "cuda"):
        for case in reader.cases("correct", language):
            for schedule in ("shuffled", "simdgroup"):
                result, buffers = reader.run(case, schedule=schedule)
                n += schedule == "shuffled"
                accused += any(f.severity != "note" for f in result.findings)
                wrong += not reader.right(case, result, buffers)
    print(f"{n} correct kernels under two schedules: {accused} accused, {wrong} with a wrong output")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
