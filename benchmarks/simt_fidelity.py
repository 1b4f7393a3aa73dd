"""How well the Metal emulator agrees with an M1 Pro on kernels that language models wrote.

Takes a local copy of the public repository vicgalle/metal-sci-kernels (537 distinct kernels with the verdicts of a real
M1 Pro), runs the repository's own host code against the emulator, and prints both confusion matrices, agreement of the
error values, findings by class and the time. Nothing of that repository is part of this one.

    python benchmarks/simt_fidelity.py PATH [--jobs 2] [--task nbody] [--limit 50] [--out results.json]
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import importlib
import json
import pkgutil
import random
import sys
import time
import types
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

# Smaller than the benchmark's own where those take minutes on a CPU; every threadgroup shape is the host's.
SIZES: dict[str, list[dict[str, Any]]] = {
    "saxpy": [{"n": 1 << 17}],
    "heat2d": [{"nx": 256, "ny": 256, "n_steps": 6}],
    "wave3d": [{"nx": 64, "ny": 64, "nz": 64, "n_steps": 4}],
    "nbody": [{"n": 256, "n_steps": 10}, {"n": 1024, "n_steps": 4}, {"n": 2048, "n_steps": 1}],
    "ising": [{"nx": 256, "ny": 256, "n_sweeps": 4}],
    "lj": [{"N": 1728, "M": 5, "L": 13.8, "n_steps": 20}],
    "gradshaf": [{"nr": 65, "nz": 65, "k": 4}, {"nr": 257, "nz": 257, "k": 1}],
    "lbm": [{"nx": 64, "ny": 64, "n_steps": 6}, {"nx": 128, "ny": 128, "n_steps": 2}],
    "fft3d": [{"n": 32}, {"n": 64}],
    "morton": [{"N": 32, "n_steps": 3}],
    "adi3d": [{"NX": 64, "NY": 64, "NZ": 64, "n_steps": 1}],
    "hmc": [{"d": 8, "K": 1024}, {"d": 16, "K": 1024}, {"d": 32, "K": 1024}],
}
SCHEDULES = (("shuffled", 1), ("simdgroup", 2))


class Buffer:
    """Shared memory of the host."""

    def __init__(self, data: bytes) -> None:
        self.data = np.frombuffer(data, np.uint8).copy()


class Pipeline:
    """One kernel of a library."""

    def __init__(self, library: Any, name: str) -> None:
        library.build(name, counts=False)
        self.library, self.name = library, name

    def maxTotalThreadsPerThreadgroup(self) -> int:
        return int(self.library.most_threads(self.name))

    def threadExecutionWidth(self) -> int:
        return 32


class Encoder:
    """What the benchmark's host code dispatches through."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.bound: dict[int, tuple[Buffer, int]] = {}
        self.pipeline: Any = None

    def setComputePipelineState_(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline

    def setBuffer_offset_atIndex_(self, buffer: Buffer, offset: int, index: int) -> None:
        self.bound[index] = (buffer, offset)

    def dispatchThreads_threadsPerThreadgroup_(self, threads: Any, group: Any) -> None:
        self._run({"threads": threads, "grid": 1}, group)

    def dispatchThreadgroups_threadsPerThreadgroup_(self, groups: Any, group: Any) -> None:
        self._run({"grid": groups}, group)

    def memoryBarrierWithScope_(self, *_: Any) -> None:
        """Dispatches follow one another here."""

    def _run(self, shape: dict[str, Any], group: Any) -> None:
        signature = self.pipeline.library.signature(self.pipeline.name)
        places = {p.name: p.index for p in signature.parameters if p.role == "buffer"}
        given = {}
        for name, index in places.items():
            buffer, offset = self.bound[index]
            given[name] = buffer.data[offset:]
        schedule, seed = self.harness.schedule
        result = self.pipeline.library.launch(
            self.pipeline.name,
            group=group,
            buffers=given,
            strict=False,
            counts=False,
            schedule=schedule,
            seed=seed,
            seconds=300,
            **shape,
        )
        for name, data in result.outputs.items():
            buffer, offset = self.bound[places[name]]
            buffer.data[offset:] = data
        for finding in result.findings:
            key = (finding.kind, finding.severity)
            self.harness.findings.setdefault(key, [0, finding.message])[0] += finding.count
        if result.stopped:
            raise RuntimeError(f"stopped: {result.stopped}")


class Harness:
    """Stands where the benchmark's own harness talks to a Mac."""

    def __init__(self, schedule: tuple[str, int]) -> None:
        self.schedule = schedule
        self.findings: dict[tuple[str, str], list[Any]] = {}

    def buf_from_np(self, array: Any) -> Buffer:
        return Buffer(np.ascontiguousarray(array).tobytes())

    def buf_zeros(self, nbytes: int) -> Buffer:
        return Buffer(bytes(nbytes))

    def buf_scalar(self, value: Any, dtype: Any) -> Buffer:
        return self.buf_from_np(np.array([value], dtype))

    def np_view(self, buffer: Buffer, dtype: Any, count: int) -> Any:
        return buffer.data.view(np.uint8)[: np.dtype(dtype).itemsize * count].view(dtype)

    def time_dispatch(self, dispatch: Any) -> float:
        dispatch(Encoder(self))
        return 1.0


def judge(root: str, task_name: str, source: str) -> dict[str, Any]:
    """Compiles and runs one candidate at every size, under both schedules."""
    from scratch_kernels import simt

    task_module, chip = _host(root)
    task = task_module.get_task(task_name)
    out: dict[str, Any] = {"compiled": True, "findings": {}, "sizes": []}
    started = time.perf_counter()
    try:
        library = simt.metal(source)
        pipelines = {name: Pipeline(library, name) for name in task.spec.kernel_names}
    except simt.SimtError as error:
        return {**out, "compiled": False, "message": str(error), "build": time.perf_counter() - started}
    out["build"] = time.perf_counter() - started
    started = time.perf_counter()
    right = True
    for schedule in SCHEDULES:
        for parameters in SIZES[task_name]:
            harness = Harness(schedule)
            try:
                got = task.evaluate_size(harness, pipelines, task_module.TaskSize("small", parameters), chip, 0, 0)
                row = [bool(got.correct), float(got.error_value)]
            except (RuntimeError, simt.SimtError) as error:
                row = [False, str(error)[:200]]
            right &= bool(row[0])
            out["sizes"].append(row)
            for (kind, severity), (n, message) in harness.findings.items():
                seen = out["findings"].setdefault(f"{severity} {kind}", [0, message])
                seen[0] += n
        if not right:
            break
    out["correct"] = right
    out["run"] = time.perf_counter() - started
    return out


def _host(root: str) -> tuple[Any, Any]:
    if "Metal" not in sys.modules:
        metal = types.ModuleType("Metal")
        metal.MTLSizeMake = lambda a, b, c: (int(a), int(b), int(c))  # type: ignore[attr-defined]
        metal.__getattr__ = lambda name: None  # type: ignore[method-assign]
        sys.modules["Metal"] = metal
        sys.path.insert(0, root)
        package = importlib.import_module("metal_kernels.tasks")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"metal_kernels.tasks.{module.name}")
        # The whole Markov chain takes minutes on a CPU; a fifth of it meets every line of the kernel.
        importlib.import_module("metal_kernels.tasks.hmc")._T_HMC = 40
    hardware = importlib.import_module("metal_kernels.hardware")
    return importlib.import_module("metal_kernels.task"), hardware.ChipSpec("Apple M1 Pro", 4500, 200)


def candidates(root: Path) -> list[dict[str, Any]]:
    """Every distinct candidate that has a verdict."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(root.glob("results/**/*_candidate.metal")):
        result = path.with_name(path.name.replace("_candidate.metal", "_result.json"))
        if not result.exists():
            continue
        verdict = json.loads(result.read_text())
        source = path.read_text()
        task = path.parent.name.split("_")[0]
        if task not in SIZES or "compile_ok" not in verdict:
            continue
        correct = verdict.get("correct", all(s["correct"] for s in verdict.get("sizes", [])))
        failed = str(verdict.get("fail_reason") or "")
        key = (task, hashlib.sha256(source.encode()).hexdigest())
        found.setdefault(
            key,
            {"task": task, "path": str(path.relative_to(root)), "source": source, "compiled": bool(verdict["compile_ok"]), "correct": bool(correct), "reason": failed, "sizes": verdict.get("sizes", [])},
        )  # fmt: skip
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("root", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--task", action="append")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--out", type=Path)
    parser.add_argument(
        "--seconds", type=float, help="Stop after this time and report on what was judged, in a shuffled order."
    )
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    todo = [c for c in candidates(root) if not arguments.task or c["task"] in arguments.task][: arguments.limit]
    if arguments.seconds:
        random.Random(0).shuffle(todo)
    started = time.perf_counter()
    results: list[dict[str, Any]] = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        waiting = {pool.submit(judge, str(root), c["task"], c["source"]): c for c in todo}
        for future in as_completed(waiting):
            candidate = waiting[future]
            try:
                ours = future.result()
            except Exception as error:  # noqa: BLE001 - one candidate's failure is a row of the table
                ours = {"compiled": None, "message": f"failure of the emulator: {error!r}", "findings": {}, "sizes": []}
            results.append({**{k: v for k, v in candidate.items() if k != "source"}, "ours": ours})
            if arguments.out:
                arguments.out.write_text(json.dumps(results, indent=1))
            if arguments.seconds and time.perf_counter() - started > arguments.seconds:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    report(results, time.perf_counter() - started)


def report(results: list[dict[str, Any]], seconds: float) -> None:
    """Prints the tables."""
    table = collections.Counter((r["compiled"], r["ours"]["compiled"]) for r in results)
    print(f"{len(results)} distinct kernels, {seconds:.0f} s")
    print("compilation (M1 accepts, emulator accepts):", dict(table))
    print(f"  agree on {sum(n for (a, b), n in table.items() if a == b)} of {len(results)}")
    for r in results:
        if r["compiled"] != r["ours"]["compiled"]:
            print(
                "  differs:",
                r["path"],
                "| M1:",
                r["reason"][:120].replace("\n", " "),
                "| ours:",
                r["ours"].get("message", "accepted")[:160],
            )
    ran = [r for r in results if r["compiled"] and r["ours"]["compiled"]]
    table = collections.Counter((r["correct"], r["ours"]["correct"]) for r in ran)
    print("results (M1 correct, emulator correct):", dict(table))
    print(f"  agree on {sum(n for (a, b), n in table.items() if a == b)} of {len(ran)}")
    for r in ran:
        if r["correct"] != r["ours"]["correct"]:
            print(
                "  differs:",
                r["path"],
                "| M1:",
                r["reason"][:100],
                "| ours:",
                r["ours"]["sizes"],
                list(r["ours"]["findings"])[:4],
            )
    for severity in ("error", "warning", "note"):
        kinds: collections.Counter[tuple[str, bool]] = collections.Counter()
        flagged: collections.Counter[bool] = collections.Counter()
        for r in ran:
            here = {k.split(" ", 1)[1] for k in r["ours"]["findings"] if k.startswith(severity)}
            kinds.update((k, r["correct"]) for k in here)
            flagged[r["correct"]] += bool(here)
        right, wrong = sum(r["correct"] for r in ran), sum(not r["correct"] for r in ran)
        print(
            f"{severity}s: in {flagged[False]} of {wrong} that the M1 got wrong, in {flagged[True]} of {right} that it got right"
        )
        for (kind, correct), n in sorted(kinds.items()):
            print(f"  {kind:45s} {'right' if correct else 'wrong'} {n}")
    builds = sorted(r["ours"].get("build", 0) for r in results)
    runs = sorted(r["ours"].get("run", 0) for r in ran) or [0]
    print(
        f"build: median {builds[len(builds) // 2]:.2f} s; run: median {runs[len(runs) // 2]:.2f} s, longest {runs[-1]:.1f} s"
    )


if __name__ == "__main__":
    main()
