"""What the kernel tasks' own solutions compute and cost does not hang on the order in which threads and programs run."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scratch_kernels
import yaml
from scratch_kernels import simt
from scratch_kernels.simt import toolchain, triton_process

TASKS = Path(scratch_kernels.__file__).parent / "tasks"
FIFTY = 50
GROUPS = (1, 33, 96, 1024)
pytestmark = pytest.mark.proof


def reason(look: Callable[[], object]) -> str:
    """Why what `look` asks for is not here, or nothing."""
    try:
        look()
    except simt.ToolchainError as error:
        return str(error)
    return ""


@cache
def no_compiler() -> str:
    return reason(toolchain.find)


@cache
def no_triton() -> str:
    return reason(triton_process.version)


def gpu_tasks() -> list[str]:
    return sorted(p.parent.name for p in TASKS.glob("*/task.yaml") if yaml.safe_load(p.read_text())["tier"] == "gpu")


def solutions(slug: str) -> list[str]:
    """The reference and the skips, which compute the right thing in a way that the task does not take."""
    folder = TASKS / slug
    rows = yaml.safe_load((folder / "skips" / "skips.yaml").read_text())["skips"]
    (reference,) = (p.name for p in (folder / "reference").glob("*.py"))
    return [f"reference/{reference}", *(f"skips/{row['file']}" for row in rows)]


def rows(columns: int, language: str) -> np.ndarray:
    rng = np.random.default_rng([columns, len(language)])
    return (rng.normal(size=(4, columns)) * 3).astype(np.float32)


def metal(source: str, group: int, options: dict) -> simt.Launch:
    logits = rows(333, "metal")
    buffers = {0: simt.out(4), 1: logits, 2: np.array([0, 332, 7, 100], np.int32), 3: np.uint32(333)}
    return simt.metal(source).launch("cross_entropy_rows", 4, group, buffers, **options)


def cuda(source: str, group: int, options: dict) -> simt.Launch:
    x = rows(333, "cuda")
    arguments = [simt.out(x.shape), x, np.array([333, 0, 5, 170], np.int32), np.int32(333)]
    return simt.cuda(source).launch("block_softmax", 4, group, arguments, **options)


def triton(text: str, options: list[dict]) -> list[simt.TritonLaunch]:
    x, weight = rows(333, "triton"), rows(333, "weight")[0]
    arguments = {"x_ptr": x, "weight_ptr": weight, "out_ptr": simt.out(x.shape), "x_row_stride": 333, "out_row_stride": 333, "n_cols": 333, "eps": 1e-6, "BLOCK_SIZE": 512}  # fmt: skip
    calls = [simt.Call("rmsnorm_fwd_kernel", 4, arguments, {"targets": (), **order}) for order in options]
    return simt.triton(text).launch_all(calls)


LAUNCHES = {"cuda_block_softmax_kernel": cuda, "metal_cross_entropy_kernel": metal}
TRITON = "fused_rmsnorm_kernel"


def differ(results: list) -> tuple[int, int]:
    """How many outputs and how many counts there are among `results`."""
    outputs = {tuple(sorted((name, data.tobytes()) for name, data in r.outputs.items())) for r in results}
    return len(outputs), len({repr(r.counts) for r in results})


def test_each_task_with_a_kernel_is_proved_here():
    assert gpu_tasks() == sorted([*LAUNCHES, TRITON])


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("slug", "file"), [(slug, file) for slug in LAUNCHES for file in solutions(slug)])
def test_a_solution_gives_the_same_outputs_and_counts_over_fifty_schedules(slug, file, group):
    if no_compiler():
        pytest.skip(no_compiler())
    source = runpy.run_path(str(TASKS / slug / file))["SOURCE"]
    orders = [{"schedule": ("shuffled", "simdgroup", "ordered")[i % 3], "seed": i} for i in range(FIFTY)]
    results = [LAUNCHES[slug](source, group, order) for order in orders]
    assert differ(results) == (1, 1)
    assert [str(f) for r in results for f in (*r.errors, *r.warnings)] == []
    assert all(np.isfinite(data).all() for data in results[0].outputs.values())


@pytest.mark.parametrize("file", solutions(TRITON))
def test_a_triton_solution_gives_the_same_outputs_and_counts_over_fifty_schedules(file):
    if no_triton():
        pytest.skip(no_triton())
    orders = [{"schedule": ("shuffled", "reversed", "ordered")[i % 3], "seed": i} for i in range(FIFTY)]
    results = triton((TASKS / TRITON / file).read_text(), orders)
    assert differ(results) == (1, 1)
    assert [str(f) for r in results for f in r.errors] == []
    assert all(np.isfinite(data).all() for data in results[0].outputs.values())


def test_a_solution_that_loses_a_barrier_is_told_from_one_that_keeps_it():
    if no_compiler():
        pytest.skip(no_compiler())
    slug = "metal_cross_entropy_kernel"
    source = runpy.run_path(str(TASKS / slug / solutions(slug)[0]))["SOURCE"]
    barrier = "        threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    assert source.count(barrier) == 2
    broken = source.replace(barrier, "")
    results = [metal(broken, 96, {"schedule": "shuffled", "seed": i}) for i in range(FIFTY)]
    assert differ(results)[0] > 1
    assert all(r.errors for r in results)
