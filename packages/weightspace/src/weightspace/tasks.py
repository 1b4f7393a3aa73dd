"""A task, made: network, prompt, reference and starter, and the verdict on a submission."""

from __future__ import annotations

import functools
import importlib.resources
import string
from collections.abc import Iterable, Mapping
from typing import Any

from benchwright import Evaluation, Submission, Task
from benchwright.digests import canonical_json

from weightspace import scoring
from weightspace.answers import MAX_UNITS
from weightspace.catalogue import VERSION, TaskPlace
from weightspace.corruption import Broken, break_network
from weightspace.functions import FUNCTIONS, NAMES, Function
from weightspace.network import Network
from weightspace.rewrites import Hidden, hide


def thousandths(value: int) -> str:
    """A parameter as it is printed: three decimals."""
    size = abs(value)
    return f"{'-' if value < 0 else ''}{size // 1000}.{size % 1000:03d}"


def number(value: int) -> Any:
    """A parameter as a number of an answer: a Decimal that says thousandths exactly."""
    from decimal import Decimal

    return Decimal(value).scaleb(-3)


def shown(network: Network) -> str:
    """A network as a model reads it: one line a unit, numbers aligned, c last."""
    cells = [[*map(thousandths, row), thousandths(b), thousandths(v)] for row, b, v in zip(*network[:3], strict=True)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    digits = len(str(network.hidden - 1))
    lines = []
    for unit, line in enumerate(cells):
        *row, b, v = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        lines.append(f"    unit {unit:>{digits}}: W1 = [{', '.join(row)}]  b1 = {b}  v = {v}")
    return "\n".join([*lines, f"    c = {thousandths(network.c)}"])


@functools.cache
def template(mode: str) -> string.Template:
    """The prompt of a mode, from its file in this package, canary line included."""
    path = importlib.resources.files("weightspace") / "prompts" / f"{mode}.md"
    return string.Template(path.read_text(encoding="utf-8"))


def menu(functions: Iterable[Function] = FUNCTIONS) -> str:
    """Names and definitions, a line each."""
    return "\n".join(f"- {function.name}: {function.definition}" for function in functions)


def make(place: TaskPlace, params: Mapping[str, Any]) -> Hidden | Broken | None:
    """The network of a task; None in write mode."""
    seed = params["seed"] + place.number
    if place.mode == "read":
        return hide(place.function, params["hidden"], seed)
    if place.mode == "fix":
        return break_network(place.function, params["hidden"], seed)
    return None


def prompt(function: Function, made: Hidden | Broken | None) -> str:
    """The prompt as its file has it, filled in."""
    if made is None:
        return template("write").substitute(function=function.name, definition=function.definition, units=MAX_UNITS)
    common = {
        "hidden": made.network.hidden,
        "last": made.network.hidden - 1,
        "network": shown(made.network),
    }
    if isinstance(made, Hidden):
        return template("read").substitute(common, menu=menu())
    return template("fix").substitute(common, function=function.name, definition=function.definition)


def reference(function: Function, made: Hidden | Broken | None) -> dict[str, Any]:
    """An answer that solves the task: the truth, the value before the damage, or the hand-built construction."""
    if isinstance(made, Hidden):
        return {"function": function.name, "functional_units": list(made.functional)}
    if isinstance(made, Broken):
        place = made.place._asdict()
        edit = {key: value for key, value in place.items() if value is not None}
        return {"edits": [{**edit, "value": number(made.original)}]}
    return {
        "W1": [[number(w) for w in unit.weights] for unit in function.units],
        "b1": [number(unit.bias) for unit in function.units],
        "v": [number(unit.out) for unit in function.units],
        "c": number(function.rest),
    }


def starter(mode: str) -> dict[str, Any]:
    """An answer of the right form that says nothing, and solves no task."""
    if mode == "read":
        return {"function": NAMES[0], "functional_units": []}
    if mode == "fix":
        return {"edits": []}
    return {"W1": [], "b1": [], "v": [], "c": 0}


def load(place: TaskPlace, params: Mapping[str, Any]) -> Task:
    """The task at a place of the order."""
    made = make(place, params)
    return assemble(
        place.id,
        VERSION,
        prompt(place.function, made),
        place.function,
        made,
        place.mode,
        parameters={"hidden": params["hidden"]},
        seed=params["seed"] + place.number,
    )


def assemble(
    task_id: str,
    version: str,
    text: str,
    function: Function,
    made: Hidden | Broken | None,
    mode: str,
    *,
    parameters: Mapping[str, Any],
    seed: int,
    files: Mapping[str, bytes] | None = None,
) -> Task:
    """A task whose digest covers whatever decides it; `private` holds what `evaluate` needs."""
    solution, empty = reference(function, made), starter(mode)
    parts = {
        "reference.json": canonical_json(solution),
        "starter.json": canonical_json(empty),
        "network.json": canonical_json(_record(made)),
        "truth.json": canonical_json(function.truth()),
        "parameters": canonical_json(parameters),
        "seed": canonical_json(seed),
        **{f"workspace/{name}": data for name, data in (files or {}).items()},
    }
    return Task.single(
        task_id,
        version=version,
        prompt=text,
        parts=parts,
        private={"mode": mode, "function": function, "made": made},
        reference=submission(solution),
        starter=submission(empty),
    )


def submission(answer: dict[str, Any]) -> Submission:
    """An answer as a model would have given it: the decoded value, and the JSON text with its decimals as written."""
    return Submission("json", answer=answer, text=written_json(answer))


def written_json(value: Any) -> str:
    """JSON that writes a Decimal as a plain number with its digits kept."""
    import json
    from decimal import Decimal

    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written_json(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written_json, value)) + "]"
    return json.dumps(value)


def evaluate(private: Mapping[str, Any], answer: Any) -> Evaluation:
    """The verdict on any decoded JSON value."""
    mode, function, made = private["mode"], private["function"], private["made"]
    if mode == "read":
        return scoring.evaluate_read(answer, function, made)
    if mode == "fix":
        return scoring.evaluate_fix(answer, function, made)
    return scoring.evaluate_write(answer, function)


def _record(made: Hidden | Broken | None) -> Any:
    """What JSON can say of a network: tuples by field, without functions."""
    if made is None:
        return None
    record: dict[str, Any] = made._asdict()
    for name in ("network", "intact", "place"):
        if name in record:
            record[name] = record[name]._asdict()
    return record
