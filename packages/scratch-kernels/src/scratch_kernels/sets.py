"""`sets.yaml`: which task stands in which set, pinned by version and digest. Written by `bench kernels pin`."""

from __future__ import annotations

from pathlib import Path

from benchwright import digests, documents
from benchwright.errors import UserError
from benchwright.registry import Pin, SetsFile

from scratch_kernels import folder as folders

PATH = Path(__file__).parent / "sets.yaml"
FIRST = "warmup"
"""The set that a validated task starts in; calibration alone moves it on."""


def kept(path: Path = PATH) -> dict[str, list[Pin]]:
    """The sets as they are written down."""
    return documents.load(path, SetsFile).sets if path.exists() else {}


def pins(tasks: Path = folders.TASKS) -> list[Pin]:
    """Every task as it is now."""
    found = []
    for slug in folders.slugs(tasks):
        folder = tasks / slug
        id = f"{folders.BENCHMARK}/{slug}"
        found.append(Pin(id, folders.read(folder).version, digests.task_digest(folders.parts(folder))))
    return found


def pinned(old: dict[str, list[Pin]], now: list[Pin], *, again: bool = False) -> dict[str, list[Pin]]:
    """`old` with today's tasks: a task keeps its set, a new one joins the first.

    Raises UserError where a task changed and its version did not, unless `again`: what was pinned under a
    version is what that version is.
    """
    before = {pin.id: (name, pin) for name, members in old.items() for pin in members}
    sets: dict[str, list[Pin]] = {name: [] for name in old}
    for pin in now:
        name, was = before.get(pin.id, (FIRST, None))
        if was is not None and was.version == pin.version and was.digest != pin.digest and not again:
            raise UserError(f"{pin.id} changed and is still version {pin.version}: raise `version` in its task.yaml.")
        sets.setdefault(name, []).append(pin)
    return sets


def written(sets: dict[str, list[Pin]]) -> str:
    """The text of `sets.yaml`."""
    lines = [f"# {digests.CANARY}", "# Written by `bench kernels pin`; a test compares the two.", "sets:"]
    for name, members in sets.items():
        lines.append(f"  {name}:" if members else f"  {name}: []")
        lines += [f'    - {{id: {pin.id}, version: "{pin.version}", digest: "{pin.digest}"}}' for pin in members]
    return "\n".join(lines) + "\n"
