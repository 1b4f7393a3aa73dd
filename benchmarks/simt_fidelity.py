"""How well the Metal emulator agrees with an M1 Pro on kernels that language models wrote.

Takes a local copy of the public repository vicgalle/metal-sci-kernels (537 distinct kernels with the verdicts of a real
M1 Pro), runs the repository's own host code against the emulator, and prints both confusion matrices, agreement of the
error values, findings by class and the time. Nothing of that repository is part of this one.

    python benchmarks/simt_fidelity.py PATH [--jobs 2] [--task nbody] [--limit 50] [--out results.json]
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import hashlib
import importlib
import json
import math
import pkgutil
import random
import re
import sys
import time
import types
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
import psutil

# Smaller than the benchmark's own where those take minutes on a CPU; every threadgroup shape is the host's. A label names the
# size of the benchmark that this is, steps and all; the errors that the M1 showed there are compared with ours.
SIZES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "hmc": [("", {"d": 8, "K": 1024}), ("", {"d": 16, "K": 1024}), ("", {"d": 32, "K": 1024})],
    "lj": [("N1728_M5_steps20", {"N": 1728, "M": 5, "L": 13.8, "n_steps": 20})],
    "fft3d": [("32cube", {"n": 32}), ("64cube", {"n": 64})],
    "nbody": [
        ("256_10", {"n": 256, "n_steps": 10}),
        ("", {"n": 1024, "n_steps": 4}),
        ("", {"n": 2048, "n_steps": 1}),
    ],
    "gradshaf": [("", {"nr": 65, "nz": 65, "k": 4}), ("", {"nr": 257, "nz": 257, "k": 1})],
    "adi3d": [("", {"NX": 64, "NY": 64, "NZ": 64, "n_steps": 1})],
    "wave3d": [("", {"nx": 64, "ny": 64, "nz": 64, "n_steps": 4})],
    "heat2d": [("", {"nx": 256, "ny": 256, "n_steps": 6})],
    "ising": [("", {"nx": 256, "ny": 256, "n_sweeps": 4})],
    "lbm": [("", {"nx": 64, "ny": 64, "n_steps": 6}), ("", {"nx": 128, "ny": 128, "n_steps": 2})],
    "morton": [("", {"N": 32, "n_steps": 3})],
    "saxpy": [("", {"n": 1 << 17})],
}
HMC_STEPS = 40
"""Of the benchmark's 200: a fifth of the Markov chain meets every line of the kernel."""
SCHEDULES = (("shuffled", 1), ("simdgroup", 2))
WATCHED = {"hmc": 4, "lj": 4}
"""Of a chain that launches one kernel dozens of times, how many launches are watched for races; all are for everything else."""
SAME = {"hmc": 2}
"""The Markov chain is judged by its distribution, after many steps. The second schedule, which looks for wrong orders, has to give the
same bytes as the first after this many steps, which is a sharper question."""


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
        self.harness.launches[self.pipeline.name] += 1
        watched = self.harness.watched
        result = self.pipeline.library.launch(
            self.pipeline.name,
            group=group,
            buffers=given,
            strict=False,
            counts=False,
            schedule=schedule,
            seed=seed,
            race=watched is None or self.harness.launches[self.pipeline.name] <= watched,
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

    def __init__(self, schedule: tuple[str, int], watched: int | None = None) -> None:
        self.schedule = schedule
        self.watched = watched
        self.launches: collections.Counter[str] = collections.Counter()
        self.findings: dict[tuple[str, str], list[Any]] = {}
        self.buffers: list[Buffer] = []

    def buf_from_np(self, array: Any) -> Buffer:
        self.buffers.append(Buffer(np.ascontiguousarray(array).tobytes()))
        return self.buffers[-1]

    def buf_zeros(self, nbytes: int) -> Buffer:
        self.buffers.append(Buffer(bytes(nbytes)))
        return self.buffers[-1]

    def buf_scalar(self, value: Any, dtype: Any) -> Buffer:
        return self.buf_from_np(np.array([value], dtype))

    def np_view(self, buffer: Buffer, dtype: Any, count: int) -> Any:
        return buffer.data.view(np.uint8)[: np.dtype(dtype).itemsize * count].view(dtype)

    def time_dispatch(self, dispatch: Any) -> float:
        dispatch(Encoder(self))
        return 1.0


_kept: dict[str, dict[str, Any]] = {}


def _start(root: str, kept: dict[str, dict[str, Any]]) -> None:
    _kept.update(kept)
    _host(root)


def judge(root: str, task_name: str, source: str) -> dict[str, Any]:
    """Compiles one candidate, and runs it at every size under both schedules unless that was done before."""
    from scratch_kernels import simt

    task_module, _ = _host(root)
    task = task_module.get_task(task_name)
    started, used = time.perf_counter(), _used()
    try:
        library = simt.metal(source)
        pipelines = {name: Pipeline(library, name) for name in task.spec.kernel_names}
    except simt.SimtError as error:
        return {"compiled": False, "message": str(error), "findings": {}, "sizes": [], "build_cpu": _used() - used}
    build = {"build": time.perf_counter() - started, "build_cpu": _used() - used}
    names = [library.build(name, counts=False).path.parent.name for name in pipelines]
    key = hashlib.sha256(
        repr((task_name, names, _rest(), *(t[task_name] for t in (WATCHED, SAME) if task_name in t))).encode()
    ).hexdigest()
    if key in _kept:
        return {**_kept[key], "kept": True, "build": build["build"]}
    return {"compiled": True, "key": key, **build, **_run(root, task_name, task, pipelines)}


def _run(root: str, task_name: str, task: Any, pipelines: dict[str, Pipeline]) -> dict[str, Any]:
    from scratch_kernels import simt

    task_module, chip = _host(root)
    out: dict[str, Any] = {"findings": {}, "sizes": []}
    started, used = time.perf_counter(), _used()
    right = True
    for schedule in SCHEDULES:
        for label, parameters in SIZES[task_name]:
            harness = Harness(schedule, WATCHED.get(task_name))
            try:
                size = task_module.TaskSize(label or "small", parameters)
                if schedule != SCHEDULES[0] and task_name in SAME:
                    row = [_same(task, pipelines, size, chip, harness, SAME[task_name]), "the same bytes", label]
                else:
                    got = task.evaluate_size(harness, pipelines, size, chip, 0, 0)
                    row = [bool(got.correct), float(got.error_value), label]
            except (RuntimeError, simt.SimtError) as error:
                row = [False, str(error)[:200], label]
            right &= bool(row[0])
            out["sizes"].append(row)
            for (kind, severity), (n, message) in harness.findings.items():
                seen = out["findings"].setdefault(f"{severity} {kind}", [0, message])
                seen[0] += n
        if not right:
            break
    return {**out, "correct": right, "run": time.perf_counter() - started, "run_cpu": _used() - used}


def _same(task: Any, pipelines: Any, size: Any, chip: Any, harness: Harness, steps: int) -> bool:
    """Whether a chain of `steps` leaves the same bytes in every buffer under both schedules."""
    module = vars(importlib.import_module(type(task).__module__))
    first = Harness(SCHEDULES[0], harness.watched)
    module["_T_HMC"] = steps
    try:
        for each in (first, harness):
            task.evaluate_size(each, pipelines, size, chip, 0, 0)
    finally:
        module["_T_HMC"] = HMC_STEPS
    return [b.data.tobytes() for b in first.buffers] == [b.data.tobytes() for b in harness.buffers]


def _used() -> float:
    """Seconds of processor that this process, the sandbox's under it and everything that ended under them have used."""
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            t = process.cpu_times()
            total += t.user + t.system + t.children_user + t.children_system
    return total


@functools.cache
def _rest() -> str:
    """A digest of what a result depends on besides the built programs."""
    from scratch_kernels import simt

    digest = hashlib.sha256(repr((SIZES, HMC_STEPS, SCHEDULES)).encode())
    for name in ("launch.py", "metal.py", "findings.py", "signature.py", "msl_signature.py"):
        digest.update((Path(simt.__file__).parent / name).read_bytes())
    return digest.hexdigest()


def _host(root: str) -> tuple[Any, Any]:
    if "Metal" not in sys.modules:
        # The host code takes the median of its measured times, of which there are none here.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="numpy")
        metal = types.ModuleType("Metal")
        metal.MTLSizeMake = lambda a, b, c: (int(a), int(b), int(c))  # type: ignore[attr-defined]
        metal.__getattr__ = lambda name: None  # type: ignore[method-assign]
        sys.modules["Metal"] = metal
        sys.path.insert(0, root)
        package = importlib.import_module("metal_kernels.tasks")
        for found in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"metal_kernels.tasks.{found.name}")
            for name in ("_cpu_reference", "_count_pairs_within_rcut"):
                if name in vars(module):
                    vars(module)[name] = _once(vars(module)[name])
        vars(importlib.import_module("metal_kernels.tasks.hmc"))["_T_HMC"] = HMC_STEPS
    hardware = importlib.import_module("metal_kernels.hardware")
    return importlib.import_module("metal_kernels.task"), hardware.ChipSpec("Apple M1 Pro", 4500, 200)


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reference depends on its arguments alone and is the same for every candidate: it is computed once in each process."""
    kept: dict[tuple[Any, ...], Any] = {}

    def call(*arguments: Any, **named: Any) -> Any:
        key = tuple(a.tobytes() if isinstance(a, np.ndarray) else a for a in (*arguments, *named.items()))
        if key not in kept:
            kept[key] = function(*arguments, **named)
        return kept[key]

    return call


def candidates(root: Path) -> list[dict[str, Any]]:
    """Every distinct candidate that has a verdict."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(root.glob("results/**/*candidate.metal")):
        result = path.with_name(path.name.replace("candidate.metal", "result.json"))
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
    # The longest come first, so that no processor waits for the other at the end.
    return sorted(found.values(), key=lambda c: list(SIZES).index(c["task"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("root", type=Path, help="the local copy")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--task", action="append", help="only candidates of this task")
    parser.add_argument("--only", help="only candidates whose path holds this text")
    parser.add_argument("--limit", type=int, help="only the first candidates")
    parser.add_argument("--results", type=Path, help="where verdicts are kept and taken from")
    parser.add_argument(
        "--seconds", type=float, help="stop after this time and report on what was judged, in a shuffled order"
    )
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    todo = [
        c
        for c in candidates(root)
        if (not arguments.task or c["task"] in arguments.task) and (not arguments.only or arguments.only in c["path"])
    ][: arguments.limit]
    if not todo:
        sys.exit(f"{root}: no candidate with a verdict (results/*/*_candidate.metal beside *_result.json)")
    if arguments.seconds:
        random.Random(0).shuffle(todo)
    kept: dict[str, dict[str, Any]] = {}
    if arguments.results and arguments.results.exists():
        kept = {row["key"]: row for row in map(json.loads, arguments.results.read_text().splitlines())}
    results: list[dict[str, Any]] = []
    started = time.perf_counter()
    with ProcessPoolExecutor(arguments.jobs, initializer=_start, initargs=(str(root), kept)) as pool:
        waiting = {pool.submit(judge, str(root), c["task"], c["source"]): c for c in todo}
        for n, future in enumerate(as_completed(waiting), 1):
            candidate = waiting[future]
            try:
                ours = future.result()
            except Exception as error:  # noqa: BLE001 - one candidate's failure is a row of the table
                ours = {"compiled": None, "message": f"failure of the emulator: {error!r}", "findings": {}, "sizes": []}
            results.append({**{k: v for k, v in candidate.items() if k != "source"}, "ours": ours})
            if arguments.results and "key" in ours and not ours.get("kept"):
                with arguments.results.open("a") as file:
                    file.write(json.dumps(ours) + "\n")
            same = candidate["compiled"] == ours["compiled"] and candidate["correct"] == ours.get("correct", False)
            print(
                f"{n}/{len(waiting)} {time.perf_counter() - started:.0f} s {candidate['path']} {'agrees' if same else 'DIFFERS'}{' (kept)' if ours.get('kept') else ''}",
                flush=True,
            )
            if arguments.seconds and time.perf_counter() - started > arguments.seconds:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    report(results, time.perf_counter() - started)


def matrix(rows: list[dict[str, Any]], key: str, yes: str, no: str) -> None:
    """A confusion matrix and the number that agree."""
    table = collections.Counter((bool(r[key]), r["ours"].get(key)) for r in rows)
    print(f"{'':16s} emulator {yes:9s} {no}")
    for theirs, name in ((True, yes), (False, no)):
        print(f"M1 {name:13s} {table[theirs, True]:14d} {table[theirs, False]:9d}")
    if broken := sum(n for (_, b), n in table.items() if b is None):
        print(f"{broken} could not be judged")
    print(f"agree: {table[True, True] + table[False, False]} of {len(rows)}")


def report(results: list[dict[str, Any]], seconds: float) -> None:
    """Prints the tables."""
    kept = sum(bool(r["ours"].get("kept")) for r in results)
    build = sum(r["ours"].get("build_cpu", 0) for r in results)
    run = sum(r["ours"].get("run_cpu", 0) for r in results)
    print(f"\n{len(results)} distinct kernels, {kept} results kept from before; this run took {seconds:.0f} s")
    print(f"processor time of all of them: {build + run:.0f} s, {build:.0f} building and {run:.0f} running")
    print("\nCompilation")
    matrix(results, "compiled", "accepts", "rejects")
    for r in results:
        if r["compiled"] != r["ours"]["compiled"]:
            print(
                f"  differs: {r['path']} | M1: {_line(r['reason'])} | ours: {_line(r['ours'].get('message', 'accepted'))}"
            )
    both = [r for r in results if not r["compiled"] and not r["ours"]["compiled"]]
    same = sum(_place(r["reason"]) == _place(r["ours"].get("message", "")) != "" for r in both)
    print(f"of {len(both)} that both reject, {same} at the same line")
    ran = [r for r in results if r["compiled"] and r["ours"]["compiled"]]
    print("\nResults of those that both compile")
    matrix(ran, "correct", "correct", "wrong")
    for r in ran:
        if r["correct"] != r["ours"]["correct"]:
            print(
                f"  differs: {r['path']} | M1: {_line(r['reason'])} | ours: {r['ours']['sizes']} {list(r['ours']['findings'])[:4]}"
            )
    magnitudes(ran)
    for severity in ("error", "warning", "note"):
        kinds: dict[str, collections.Counter[bool]] = collections.defaultdict(collections.Counter)
        flagged: collections.Counter[bool] = collections.Counter()
        for r in ran:
            here = {k.split(" ", 1)[1] for k in r["ours"]["findings"] if k.startswith(severity)}
            for kind in here:
                kinds[kind][r["correct"]] += 1
            flagged[r["correct"]] += bool(here)
        right, wrong = sum(r["correct"] for r in ran), sum(not r["correct"] for r in ran)
        print(
            f"\n{severity}s: in {flagged[False]} of {wrong} that the M1 got wrong, in {flagged[True]} of {right} that it got right"
        )
        for kind, n in sorted(kinds.items()):
            print(f"  {kind:45s} wrong {n[False]:4d}  right {n[True]:4d}")
    builds = sorted(r["ours"].get("build", 0) for r in results)
    runs = sorted(r["ours"].get("run", 0) for r in ran) or [0]
    print(
        f"\nbuild: median {builds[len(builds) // 2]:.2f} s; run: median {runs[len(runs) // 2]:.2f} s, longest {runs[-1]:.1f} s"
    )


def magnitudes(ran: list[dict[str, Any]]) -> None:
    """How the size of the error here compares with that on the M1, at the sizes that are the benchmark's own."""
    print("\nSize of the error at the benchmark's own sizes, first schedule")
    table: dict[tuple[str, bool], collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for r in ran:
        theirs = {s["label"]: s for s in r["sizes"]}
        half = r["ours"]["sizes"][: len(SIZES[r["task"]])]
        for _, ours, label in half:
            if not label or label not in theirs:
                continue
            known = theirs[label]["error_value"]
            row = table[f"{r['task']} {label}", bool(theirs[label]["correct"])]
            row["all"] += 1
            if not isinstance(ours, float) or known is None:
                row["no number"] += 1
                continue
            if not (math.isfinite(ours) and math.isfinite(known)):
                row["identical" if math.isfinite(ours) == math.isfinite(known) else "farther"] += 1
                continue
            ratio = (max(ours, known) + 1e-30) / (min(ours, known) + 1e-30)
            row[
                "identical"
                if ratio <= 1.001
                else "within 2"
                if ratio <= 2
                else "within 10"
                if ratio <= 10
                else "farther"
            ] += 1
    names = ["all", "identical", "within 2", "within 10", "farther", "no number"]
    print(f"  {'':32s} " + " ".join(f"{n:>9s}" for n in names))
    for (label, right), row in sorted(table.items()):
        print(f"  {label:26s} {'right' if right else 'wrong'} " + " ".join(f"{row[n]:9d}" for n in names))


def _place(message: str) -> str:
    found = re.search(r"program_source:(\d+):\d+: error|kernel(?:\.metal)?:(\d+)", message)
    return found[1] or found[2] if found else ""


def _line(text: str) -> str:
    return text[:160].replace("\n", " ")


if __name__ == "__main__":
    main()
