"""How many machine-made changes of a reference the hidden tests see, and what is said of those that they do not.

`mutants/survivors.yaml` explains each change that survives: why the changed program is a right one, or what keeps
any test from seeing it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import msgspec
from benchwright import documents
from benchwright.hookspecs import Sandbox
from benchwright.outcomes import OUTCOMES
from msgspec import Meta

from scratch_kernels import folder as folders
from scratch_kernels import grading
from scratch_kernels.changes import Change, changes

SECONDS = 20.0
"""Time limit of one changed program; an endless one is as good as caught."""


class Explained(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes that no test sees, and why that is right. A change is written `before -> after`."""

    changes: Annotated[tuple[str, ...], Meta(min_length=1)]
    why: Annotated[str, Meta(min_length=1)]


class _Survivors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    survivors: list[Explained]


class Result(msgspec.Struct, frozen=True):
    """What the changes of one reference came to."""

    task: str
    made: int
    survived: tuple[Change, ...]
    unexplained: tuple[Change, ...]
    stale: tuple[str, ...]
    """Explanations of changes that are made no more, or that are caught now."""

    def told(self) -> str:
        """A line on the rate, and one for each change that nothing explains."""
        rate = len(self.survived) / self.made if self.made else 0.0
        head = (
            f"{self.task}: {self.made} changes, {self.made - len(self.survived)} caught, {len(self.survived)} survive "
            f"({rate:.1%}), {len(self.survived) - len(self.unexplained)} of these explained"
        )
        lines = [f"  line {change.line}: {change.key}" for change in self.unexplained]
        return "\n".join([head, *lines, *(f"  explained, and not a survivor: {key}" for key in self.stale)])


def laptop() -> list[Path]:
    """The folders of tasks whose reference is a Python program, which is what can be changed."""
    return [folders.TASKS / slug for slug in folders.slugs() if folders.read(folders.TASKS / slug).tier == "laptop"]


def explained(folder: Path) -> dict[str, str]:
    """Change -> why it survives."""
    path = folder / "mutants" / "survivors.yaml"
    entries = documents.load(path, _Survivors).survivors if path.exists() else []
    return {key: entry.why for entry in entries for key in entry.changes}


def made(folder: Path) -> tuple[Change, ...]:
    """Every change of a task's reference."""
    return changes(folders.text(folder / "reference" / folders.read(folder).file))


def run(
    folder: Path, sandbox: Sandbox, *, sample: int | None = None, seed: int = 0, only: Sequence[str] | None = None
) -> Result:
    """Grades the changes of a reference: all, those with a key in `only`, or a sample drawn by `seed`."""
    file = folders.read(folder)
    limits = msgspec.structs.replace(file.limits, seconds=min(SECONDS, file.limits.seconds))
    todo = [change for change in made(folder) if only is None or change.key in only]
    if sample is not None and sample < len(todo):
        todo = random.Random(f"{folder.name} {seed}").sample(todo, sample)

    def survives(change: Change) -> bool:
        verdict = grading.grade(folder, {file.file: change.source.encode()}, sandbox, limits)
        return OUTCOMES[verdict.outcome].evidence == "success"

    with ThreadPoolExecutor(2) as pool:
        survived = tuple(c for c, lives in zip(todo, pool.map(survives, todo), strict=True) if lives)
    known = explained(folder)
    alive = {change.key for change in survived}
    tried = {change.key for change in todo}
    gone = {key for key in known if key not in {change.key for change in made(folder)}}
    return Result(
        task=folder.name,
        made=len(todo),
        survived=survived,
        unexplained=tuple(change for change in survived if change.key not in known),
        stale=tuple(sorted(gone | {key for key in known if key in tried and key not in alive})),
    )
