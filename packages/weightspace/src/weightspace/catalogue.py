"""Which tasks there are: ids, order, seeds. Costs nothing; no network is made here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from benchwright import Param, TaskSpec

from weightspace.functions import BY_NAME, FUNCTIONS, Function

SUITE = "weightspace"
VERSION = "1"
MODES = ("read", "fix", "write")
CYCLE = len(MODES) * len(FUNCTIONS)
"""Tasks until mode and function repeat: their counts share no divisor, so each pair comes up once in a cycle."""

PARAMS = (
    Param("num_tasks", 48, "tasks of the suite weightspace; above 48, functions repeat", minimum=1, maximum=100_000),
    Param("hidden", 16, "hidden units of the networks shown", minimum=8, maximum=64),
    Param("seed", 20261103, "seed of task 0; task i uses seed + i", minimum=0, maximum=2**53),
)

TITLES = {
    "read": "Read which function a network computes: {}",
    "fix": "Repair one overwritten parameter: {}",
    "write": "Write the weights from scratch: {}",
}
PROBES = {
    "read": "whether a model can tell from raw weights what a network computes and which units do it",
    "fix": "whether a model can find and repair damage in raw weights",
    "write": "whether a model can write weights that compute a given function",
}


class TaskPlace(NamedTuple):
    """A task's place in the order of generation."""

    number: int
    """From 0; the task uses the suite's seed plus this."""
    mode: str
    function: Function

    @property
    def repeat(self) -> int:
        """1 where this pair of mode and function comes up first."""
        return self.number // CYCLE + 1

    @property
    def id(self) -> str:
        suffix = f"__{self.repeat}" if self.repeat > 1 else ""
        return f"weightspace/{self.mode}_{self.function.name}{suffix}"


def place(index: int) -> TaskPlace:
    """The task number `index`, from 0: modes and functions both cycle."""
    return TaskPlace(index, MODES[index % len(MODES)], FUNCTIONS[index % len(FUNCTIONS)])


def places(params: Mapping[str, Any]) -> Iterator[TaskPlace]:
    """Every task for these parameters, in order."""
    return map(place, range(params["num_tasks"]))


def find(task_id: str, params: Mapping[str, Any]) -> TaskPlace | None:
    """The task of this id, or None where these parameters have none."""
    slug, _, repeat = task_id.removeprefix("weightspace/").partition("__")
    mode, _, name = slug.partition("_")
    if mode not in MODES or name not in BY_NAME or (repeat and not (repeat.isascii() and repeat.isdecimal())):
        return None
    m, f = MODES.index(mode), FUNCTIONS.index(BY_NAME[name])
    within = next(i for i in range(CYCLE) if i % len(MODES) == m and i % len(FUNCTIONS) == f)
    index = within + CYCLE * (int(repeat or 1) - 1)
    found = place(index) if 0 <= index < params["num_tasks"] else None
    return found if found is not None and found.id == task_id else None


def is_default(params: Mapping[str, Any]) -> bool:
    return all(params[param.name] == param.default for param in PARAMS)


def spec(task: TaskPlace, params: Mapping[str, Any]) -> TaskSpec:
    """What is said of a task without loading it.

    The function is the family: its three tasks, and its repeats, ask about one and the same mechanism, so an interval
    treats sixteen functions as independent and not forty-eight tasks.
    """
    units = len(task.function.units)
    return TaskSpec(
        id=task.id,
        title=TITLES[task.mode].format(task.function.name),
        suite=SUITE,
        family=task.function.name,
        category=task.mode,
        difficulty=f"{units} unit{'s' if units > 1 else ''}",
        probes=PROBES[task.mode],
        tags=(task.mode, task.function.name),
        default=is_default(params),
    )
