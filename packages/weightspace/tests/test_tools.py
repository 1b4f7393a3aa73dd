"""The suite weightspace-tools: its functions, its tasks, and a scripted model that solves them through the engine."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from benchwright import LoadTask, Task
from weightspace import catalogue, plugin, tools
from weightspace.functions import Function, bits
from weightspace.network import MARGIN, Network, inspect, logits, outputs
from weightspace.wide_functions import FUNCTIONS, HIDDEN, INPUTS

DEFAULTS: dict[str, Any] = {param.name: param.default for param in catalogue.PARAMS}
HERE = Path(__file__).parent / "tool_user"

each_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
each_task = pytest.mark.parametrize("place", tools.TASKS, ids=lambda task: task.name)

# What each function means, said a second time and another way: as the set of N with output 1.
ALL = range(1024)
MEANING = {
    "majority": {n for n in ALL if n.bit_count() > 5},
    "exactly_five": {sum(2**i for i in chosen) for chosen in itertools.combinations(range(10), 5)},
    "parity_odd": {n for n in ALL if n.bit_count() & 1},
    "popcount_prime": {n for n in ALL if (k := n.bit_count()) > 1 and all(k % d for d in range(2, k))},
    "popcount_mult3": {n for n in ALL if n.bit_count() % 3 == 0},
    "power_of_two": {2**i for i in range(10)},
    "x0_xor_x9": {n for n in ALL if n % 2 != n // 512},
    "palindrome": {n for n in ALL if (text := f"{n:010b}") == text[::-1]},
    "high_eq_low": set(range(0, 1024, 33)),
    "high_gt_low": {n for n in ALL if divmod(n, 32)[0] > divmod(n, 32)[1]},
    "halves_balanced": {n for n in ALL if (n >> 5).bit_count() == (n & 31).bit_count()},
    "mux_x8_x9": {n for n in ALL if f"{n:010b}"[::-1][n // 256] == "1"},
    "adjacent_ones": {n for n in ALL if "11" in f"{n:b}"},
    "three_in_a_row": {n for n in ALL if "111" in f"{n:b}"},
    "div_by_3": {n for n in ALL if math.gcd(n, 3) == 3},
    "div_by_5": {n for n in ALL if math.gcd(n, 5) == 5},
}


def load(place: tools.ToolTask) -> Task:
    return plugin.load_task(LoadTask(place.id, DEFAULTS, Path()))


@each_function
def test_the_rule_agrees_with_its_meaning(function: Function) -> None:
    assert {n for n, value in enumerate(function.truth()) if value} == MEANING[function.name]


@each_function
def test_the_construction_computes_the_function_and_needs_more_than_half_of_each_unit(function: Function) -> None:
    network = Network(
        tuple(unit.weights for unit in function.units),
        tuple(unit.bias for unit in function.units),
        tuple(unit.out for unit in function.units),
        function.rest,
    )
    assert inspect(network, MARGIN) == (function.truth(), frozenset(range(len(function.units))))
    for unit, out in enumerate(network.v):
        weakened = network._replace(v=(*network.v[:unit], out - out * 380 // 1000, *network.v[unit + 1 :]))
        assert outputs(logits(weakened)) != function.truth()


def test_there_are_eight_tasks_over_eight_functions_with_five_passes() -> None:
    specs = [tools.spec(task, DEFAULTS) for task in tools.TASKS]
    assert len({spec.id for spec in specs}) == len({task.name for task in tools.TASKS}) == 8
    assert {spec.protocol.kind for spec in specs} == {"tools"}
    assert {spec.protocol.passes for spec in specs} == {5}
    assert all(spec.default for spec in specs)
    assert not any(tools.spec(task, DEFAULTS | {"seed": 1}).default for task in tools.TASKS)


@each_task
def test_the_file_holds_the_network_exactly_and_is_right_on_all_inputs_by_the_margin(place: tools.ToolTask) -> None:
    task = load(place)
    handed = json.loads(task.workspace[tools.FILE], parse_float=Decimal)
    made = task.private["made"]
    network = made.network
    assert (network.inputs, network.hidden) == (INPUTS, HIDDEN)
    assert [[int(w * 1000) for w in row] for row in handed["W1"]] == [list(row) for row in network.W1]
    assert [int(b * 1000) for b in handed["b1"]] == list(network.b1)
    assert [int(v * 1000) for v in handed["v"]] == list(network.v)
    assert int(handed["c"] * 1000) == network.c
    function = task.private["function"]
    intact = network if place.mode == "read" else made.intact
    for n in (0, 1, 341, 682, 1022, 1023):
        h = [
            max(0, sum(w * b for w, b in zip(row, bits(n, 10), strict=True)) + b1)
            for row, b1 in zip(intact.W1, intact.b1, strict=True)
        ]
        y = sum(v * value for v, value in zip(intact.v, h, strict=True)) + 1000 * intact.c
        assert (y > 0) == function.rule(bits(n, 10))
    assert inspect(intact, MARGIN) == (function.truth(), frozenset(made.functional))
    assert "$" not in task.messages[0].text
    assert all(str(value) not in task.messages[0].text for value in handed["v"] if abs(value) > 1)


@each_task
def test_the_reference_solves_it_and_the_starter_does_not(place: tools.ToolTask) -> None:
    from weightspace.tasks import evaluate

    task = load(place)
    assert task.reference is not None
    assert task.starter is not None
    assert evaluate(task.private, task.reference.answer).outcome == "solved"
    assert evaluate(task.private, task.starter.answer).outcome == "unsolved"
    wrong = evaluate(task.private, {"edits": [{"param": "c", "value": 9}], "function": "", "functional_units": [0]})
    assert wrong.outcome == "unsolved"
    assert len(wrong.checks) <= 2


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Runs `bench` in a process of its own, with the scripted model installed as a plugin."""
    probe = "from benchwright.sandbox import open_sandbox; open_sandbox().close()"
    walls = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    if "UserError" in walls.stderr:
        pytest.skip(f"this machine cannot hold a program in: {walls.stderr.splitlines()[-1]}")
    site = tmp_path / "site"
    info = site / "tool_user-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "tool_user.py").write_text((HERE / "tool_user.py").read_text(encoding="utf-8"), encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tool_user\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[benchwright.plugins]\ntool-user = tool_user\n")
    work = tmp_path / "work"
    work.mkdir()
    folders = {f"BENCHWRIGHT_{name}": str(tmp_path / name.lower()) for name in ("CACHE", "DATA", "RUNS")}
    environment = {**os.environ, **folders, "PYTHONPATH": str(site), "TOOL_USER_PROGRAMS": str(HERE)}

    def bench(*arguments: str) -> tuple[int, list[dict[str, Any]], str, Path]:
        done = subprocess.run(
            [sys.executable, "-m", "benchwright", "run", *arguments, "--out", str(tmp_path / "out")],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        lines = tmp_path / "out" / "attempts.jsonl"
        attempts = [json.loads(line) for line in lines.read_text().splitlines()] if lines.is_file() else []
        return done.returncode, attempts, done.stdout + done.stderr, tmp_path / "out"

    return bench


def test_a_scripted_model_solves_every_task_by_running_programs(run: Any) -> None:
    code, attempts, told, folder = run("--suite", "weightspace-tools", "--model", "tool-user")
    assert code == 0, told
    assert [attempt["outcome"] for attempt in attempts] == ["solved"] * 8, [a["reason"] for a in attempts]
    for attempt in attempts:
        assert attempt["protocol"] == {"kind": "tools", "turns": 3, "labels_seen": 0, "passes": 2}
        assert attempt["isolation"] != "not-needed"
    calls = [json.loads(line) for path in folder.rglob("tool_calls.jsonl") for line in path.read_text().splitlines()]
    assert len(calls) == 16
    assert all(call["output"]["status"] == "ok" for call in calls)


def test_a_model_that_only_runs_programs_is_out_of_passes_and_has_no_answer(run: Any) -> None:
    code, [attempt], told, _ = run("--tasks", "weightspace/tools_read_parity_odd", "--model", "tool-user/clumsy")
    assert code == 0, told
    assert attempt["outcome"] == "no_submission"
    assert attempt["protocol"]["passes"] == 5
    assert attempt["protocol"]["turns"] == 6
