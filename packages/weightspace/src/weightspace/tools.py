"""The suite `weightspace-tools`: larger networks, handed over as files, with a few passes of Python.

Ten inputs and 48 units are too many to reason through by eye and few enough to run on all 1,024
inputs, so verdicts stay exact. What is measured is whether a model uses a handful of runs well.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from benchwright import Protocol, Task, TaskSpec

from weightspace import catalogue

SUITE = "weightspace-tools"
VERSION = "1"
PASSES = 5
FILE = "network.json"
FIRST_SEED = 1_000_000
"""Task i uses seed + this + i, far from the seeds of the suite `weightspace`."""

ORDER = (
    ("read", "parity_odd"),
    ("fix", "popcount_prime"),
    ("read", "mux_x8_x9"),
    ("fix", "three_in_a_row"),
    ("read", "popcount_mult3"),
    ("fix", "div_by_3"),
    ("read", "adjacent_ones"),
    ("fix", "div_by_5"),
)
"""Mode and function of each task: eight functions, so each task is its own family."""


class ToolTask(NamedTuple):
    """A task's place in the suite."""

    number: int
    mode: str
    name: str

    @property
    def id(self) -> str:
        return f"weightspace/tools_{self.mode}_{self.name}"


TASKS = tuple(ToolTask(number, mode, name) for number, (mode, name) in enumerate(ORDER))


def find(task_id: str) -> ToolTask | None:
    """The task of this id, or None."""
    return next((task for task in TASKS if task.id == task_id), None)


def spec(task: ToolTask, params: Mapping[str, Any]) -> TaskSpec:
    """What is said of a task without loading it."""
    title = "Read which function a larger network computes: {}"
    if task.mode == "fix":
        title = "Repair one overwritten parameter of a larger network: {}"
    return TaskSpec(
        id=task.id,
        title=title.format(task.name),
        suite=SUITE,
        category=task.mode,
        probes="whether a model uses a few runs of Python well to study a network's weights",
        protocol=Protocol("tools", passes=PASSES),
        tags=(task.mode, task.name),
        default=catalogue.is_default(params),
    )


@functools.cache
def _pool() -> Any:
    from weightspace import rewrites, wide_functions

    return rewrites.rows_of(wide_functions.FUNCTIONS)


def make(task: ToolTask, params: Mapping[str, Any]) -> Any:
    """The network: `rewrites.Hidden` or `corruption.Broken`."""
    from weightspace import corruption, rewrites, wide_functions

    function = wide_functions.BY_NAME[task.name]
    seed = params["seed"] + FIRST_SEED + task.number
    if task.mode == "read":
        return rewrites.hide(function, wide_functions.HIDDEN, seed, pool=_pool())
    return corruption.break_network(function, wide_functions.HIDDEN, seed, _pool())


def load(task: ToolTask, params: Mapping[str, Any]) -> Task:
    """The task, its network in the working folder's `network.json`."""
    from weightspace import tasks, wide_functions

    function, made = wide_functions.BY_NAME[task.name], make(task, params)
    network = made.network
    handed = {
        "W1": [[tasks.number(w) for w in row] for row in network.W1],
        "b1": [tasks.number(b) for b in network.b1],
        "v": [tasks.number(v) for v in network.v],
        "c": tasks.number(network.c),
    }
    lines = ",\n ".join(f'"{name}": {tasks.written_json(value)}' for name, value in handed.items())
    common = {"file": FILE, "hidden": network.hidden, "last": network.hidden - 1}
    if task.mode == "read":
        text = tasks.template("tools_read").substitute(common, menu=tasks.menu(wide_functions.FUNCTIONS))
    else:
        text = tasks.template("tools_fix").substitute(common, function=function.name, definition=function.definition)
    workspace = {FILE: f"{{{lines}}}\n".encode()}
    made_task = tasks.assemble(
        task.id,
        VERSION,
        text,
        function,
        made,
        task.mode,
        parameters={"hidden": network.hidden, "passes": PASSES},
        seed=params["seed"] + FIRST_SEED + task.number,
        files=workspace,
    )
    return msgspec.structs.replace(made_task, workspace=workspace)
