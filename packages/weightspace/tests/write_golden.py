"""Writes golden/first_tasks.json: `python packages/weightspace/tests/write_golden.py`.

To be run only together with a new task version: it pins what the default seed gives.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchwright.digests import CANARY
from weightspace import catalogue, tasks
from weightspace.corruption import Broken

FILE = Path(__file__).parent / "golden" / "first_tasks.json"
TASKS = 12


def record(number: int, params: dict[str, Any]) -> dict[str, Any]:
    """Everything that the generator draws for a task."""
    place = catalogue.place(number)
    made = tasks.make(place, params)
    drawn: dict[str, Any] = {"id": place.id, "seed": params["seed"] + number}
    if made is not None:
        drawn |= {"network": made.network._asdict(), "functional": made.functional, "attempts": made.attempts}
    if isinstance(made, Broken):
        drawn |= {"place": made.place._asdict(), "original": made.original, "wrong": made.wrong}
    return drawn


def content() -> dict[str, Any]:
    """The first tasks of the default seed as they are made now, and one prompt of each mode in full."""
    params = {param.name: param.default for param in catalogue.PARAMS}
    prompts = {place.id: tasks.load(place, params).messages[0].text for place in map(catalogue.place, range(3))}
    made = {"canary": CANARY, "tasks": [record(number, params) for number in range(TASKS)], "prompts": prompts}
    decoded: dict[str, Any] = json.loads(json.dumps(made))
    return decoded


if __name__ == "__main__":
    found = content()
    lines = [f"    {json.dumps(task)}" for task in found["tasks"]]
    text = json.dumps({**found, "tasks": "@"}, indent=2, ensure_ascii=False)
    FILE.write_text(text.replace('"@"', "[\n" + ",\n".join(lines) + "\n  ]") + "\n", encoding="utf-8")
