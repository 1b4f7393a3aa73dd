"""What a task needs of this machine, looked for before a model is asked."""

from __future__ import annotations

import functools
import importlib.util
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from benchwright.records import TaskSpec


class Missing(msgspec.Struct, frozen=True):
    """One unmet requirement: the outcome that an attempt gets, and how to add what is missing."""

    requirement: str
    outcome: str
    remedy: str


def missing(spec: TaskSpec, data: Path) -> list[Missing]:
    """The requirements of `spec` that this machine does not meet. An unknown kind of requirement is unmet."""
    return [found for requirement in spec.requires if (found := _look(requirement, data)) is not None]


@functools.lru_cache(maxsize=1024)
def _look(requirement: str, data: Path) -> Missing | None:
    kind, _, name = requirement.partition(":")
    look = _LOOKS.get(kind)
    if look is None:
        return Missing(requirement, "needs_dependency", f"this bench does not know the requirement `{requirement}`")
    return look(requirement, name, data)


def _module(requirement: str, name: str, data: Path) -> Missing | None:
    try:
        present = importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        present = False
    return None if present else Missing(requirement, "needs_dependency", f"pip install {name.partition('.')[0]}")


def _program(requirement: str, name: str, data: Path) -> Missing | None:
    if any(shutil.which(choice) for choice in name.split("|")):
        return None
    return Missing(requirement, "needs_dependency", f"install the program {' or '.join(name.split('|'))}")


def _data(requirement: str, name: str, data: Path) -> Missing | None:
    return None if (data / name).exists() else Missing(requirement, "needs_data", f"bench data fetch {name}")


def _accelerator(requirement: str, name: str, data: Path) -> Missing | None:
    found = {
        "cuda": lambda: bool(shutil.which("nvidia-smi")) and Path("/dev/nvidiactl").exists(),
        "metal": lambda: Path("/System/Library/Frameworks/Metal.framework").exists(),
        "rocm": lambda: Path("/dev/kfd").exists(),
    }.get(name, lambda: False)()
    return None if found else Missing(requirement, "needs_accelerator", f"run it on a machine with {name}")


_LOOKS: dict[str, Callable[[str, str, Path], Missing | None]] = {
    "module": _module,
    "program": _program,
    "data": _data,
    "accelerator": _accelerator,
}


def remedies(specs: Iterable[TaskSpec], data: Path) -> dict[str, tuple[Missing, list[str]]]:
    """What is left out: requirement -> (how to add it, the tasks that wait for it)."""
    found: dict[str, tuple[Missing, list[str]]] = {}
    for spec in specs:
        for gap in missing(spec, data):
            found.setdefault(gap.requirement, (gap, []))[1].append(spec.id)
    return found
