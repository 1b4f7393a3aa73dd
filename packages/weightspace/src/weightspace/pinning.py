"""`sets.yaml`: the default tasks of both suites, pinned by id, version and digest."""

from __future__ import annotations

import importlib.resources

from benchwright.digests import CANARY

from weightspace import catalogue, tasks, tools

FILE = "sets.yaml"
SET = "warmup"
"""Where a validated task starts; numbered sets come from calibration."""


def sets_yaml() -> str:
    """What sets.yaml must hold now, computed from the tasks themselves."""
    params = {param.name: param.default for param in catalogue.PARAMS}
    made = [
        *(tasks.load(place, params) for place in catalogue.places(params)),
        *(tools.load(task, params) for task in tools.TASKS),
    ]
    lines = [f"# {CANARY}", "# Written by `bench weightspace pin`; a test compares the two.", "sets:", f"  {SET}:"]
    lines += [f'    - {{id: {task.id}, version: "{task.version}", digest: "{task.digest}"}}' for task in made]
    return "\n".join(lines) + "\n"


def pinned() -> str:
    """What sets.yaml holds."""
    return (importlib.resources.files("weightspace") / FILE).read_text(encoding="utf-8")
