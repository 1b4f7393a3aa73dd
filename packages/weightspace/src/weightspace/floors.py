"""What answers without insight score: the floors that stand beside every score.

Each floor is a way of answering that looks at the form of the task and never at the numbers, graded by
the same scorer on the same tasks:

- `everything`: read names all units functional, with each name of the menu in turn (the mean is exact);
- `constant`: read gives one name and unit 0, the best such name for the tasks at hand; fix sets c so that
  the output is constant, the better of the two; write gives a network with the better constant output;
- `random`: read draws a name and tosses a coin for each unit; fix overwrites one parameter, any, with a
  number from [-2, 2]; write fills all eight units with whole numbers from [-2, 2].

The random ones are means over seeded draws, so they repeat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from weightspace import catalogue, tasks, tools
from weightspace.answers import LARGEST, MAX_UNITS
from weightspace.functions import INPUTS, NAMES
from weightspace.streams import below, draw, stream_key

DRAWS = 32
"""Random answers for each task."""
FLOOR_STREAM = 3


class Floor(NamedTuple):
    """Mean `weight_score`, and the fraction solved, of one way of answering the tasks of one mode."""

    strategy: str
    mode: str
    score: float
    solved: float
    tasks: int


Answer = dict[str, Any]
Strategy = Callable[[Mapping[str, Any], int], list[list[Answer]]]
"""For one task: groups of answers. A group's score is its mean; the task's floor is its best group."""


def everything(private: Mapping[str, Any], seed: int) -> list[list[Answer]]:
    if private["mode"] != "read":
        return []
    units = list(range(private["made"].network.hidden))
    return [[{"function": name, "functional_units": units} for name in private["menu"]]]


def constant(private: Mapping[str, Any], seed: int) -> list[list[Answer]]:
    if private["mode"] == "read":
        return []  # the best single name depends on all tasks together: see `floors`
    if private["mode"] == "fix":
        return [[{"edits": [{"param": "c", "value": value}]}] for value in (-LARGEST, LARGEST)]
    return [[{"W1": [], "b1": [], "v": [], "c": value}] for value in (-1, 1)]


def at_random(private: Mapping[str, Any], seed: int) -> list[list[Answer]]:
    make = {"read": _random_read, "fix": _random_fix, "write": _random_write}[private["mode"]]
    return [[make(private, stream_key(seed, number, FLOOR_STREAM)) for number in range(DRAWS)]]


def floors(params: Mapping[str, Any]) -> tuple[Floor, ...]:
    """Every floor for the tasks that these parameters give, computed now."""
    return _floors(params["num_tasks"], params["hidden"], params["seed"])


def tool_floors(params: Mapping[str, Any]) -> tuple[Floor, ...]:
    """Every floor for the tasks of the suite `weightspace-tools`, which has no `write` and a menu of its own."""
    return _tool_floors(params["seed"])


@functools.lru_cache(maxsize=4)
def _floors(num_tasks: int, hidden: int, seed: int) -> tuple[Floor, ...]:
    params = {"num_tasks": num_tasks, "hidden": hidden, "seed": seed}
    privates: dict[str, list[tuple[int, dict[str, Any]]]] = {mode: [] for mode in catalogue.MODES}
    for place in catalogue.places(params):
        private = {"mode": place.mode, "function": place.function, "made": tasks.make(place, params), "menu": NAMES}
        privates[place.mode].append((seed + place.number, private))
    return _graded(privates, NAMES)


@functools.lru_cache(maxsize=4)
def _tool_floors(seed: int) -> tuple[Floor, ...]:
    from weightspace.wide_functions import BY_NAME

    menu, params = tuple(BY_NAME), {"seed": seed}
    privates: dict[str, list[tuple[int, dict[str, Any]]]] = {"read": [], "fix": []}
    for task in tools.TASKS:
        private = {"mode": task.mode, "function": BY_NAME[task.name], "made": tools.make(task, params), "menu": menu}
        privates[task.mode].append((seed + tools.FIRST_SEED + task.number, private))
    return _graded(privates, menu)


def _graded(privates: Mapping[str, Sequence[tuple[int, dict[str, Any]]]], menu: Sequence[str]) -> tuple[Floor, ...]:
    """Every way of answering on the tasks of each mode: (seed, private) by mode."""
    found = []
    for strategy in (everything, constant, at_random):
        for mode, members in privates.items():
            if strategy is constant and mode == "read":
                grades = max(
                    ([_grade(private, [[_one_name(name)]]) for _, private in members] for name in menu),
                    key=lambda grades: sum(score for score, _ in grades),
                )
            else:
                grades = [_grade(private, groups) for s, private in members if (groups := strategy(private, s))]
            if grades:
                found.append(
                    Floor(
                        strategy.__name__.removeprefix("at_"),
                        mode,
                        float(_mean(score for score, _ in grades)),
                        float(_mean(solved for _, solved in grades)),
                        len(grades),
                    )
                )
    return tuple(found)


def _one_name(name: str) -> Answer:
    return {"function": name, "functional_units": [0]}


def _grade(private: Mapping[str, Any], groups: list[list[Answer]]) -> tuple[Fraction, Fraction]:
    """(mean score, fraction solved) of the best group."""
    graded = []
    for group in groups:
        verdicts = [tasks.evaluate(private, answer) for answer in group]
        graded.append(
            (
                _mean(Fraction(verdict.score or 0) for verdict in verdicts),
                _mean(Fraction(verdict.outcome == "solved") for verdict in verdicts),
            )
        )
    return max(graded)


def _mean(values: Iterable[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


def _random_read(private: Mapping[str, Any], key: int) -> Answer:
    coins = draw(key, 1)
    units = [unit for unit in range(private["made"].network.hidden) if coins >> unit & 1]
    return {"function": private["menu"][below(draw(key, 0), len(private["menu"]))], "functional_units": units}


def _random_fix(private: Mapping[str, Any], key: int) -> Answer:
    network = private["made"].network
    which = below(draw(key, 0), network.hidden * (network.inputs + 2) + 1)
    value = Decimal(below(draw(key, 1), 4001) - 2000).scaleb(-3)
    unit, part = divmod(which, network.inputs + 2)
    if unit == network.hidden:
        edit: Answer = {"param": "c"}
    elif part < network.inputs:
        edit = {"param": "W1", "row": unit, "col": part}
    else:
        edit = {"param": "b1" if part == network.inputs else "v", "row": unit}
    return {"edits": [{**edit, "value": value}]}


def _random_write(private: Mapping[str, Any], key: int) -> Answer:
    size = INPUTS + 2
    values = [below(draw(key, i), 5) - 2 for i in range(MAX_UNITS * size + 1)]
    units = [values[size * unit : size * (unit + 1)] for unit in range(MAX_UNITS)]
    return {
        "W1": [unit[:INPUTS] for unit in units],
        "b1": [unit[INPUTS] for unit in units],
        "v": [unit[INPUTS + 1] for unit in units],
        "c": values[-1],
    }
