"""Wrong programs on purpose, and programs that skip the mechanism: what is expected of each, and how each fails.

`mutants/mutants.yaml` lists changes of the reference, each with its reason and its expected verdict: `caught`, or
`survives` with an explanation of why it is no wrong program after all. `skips/skips.yaml` lists whole programs whose
values are right and whose mechanism is missing. `mutants/shapes.yaml` records which tests each of them fails; it
is written by `bench kernels shapes` and is what a model's failure is compared with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from benchwright import documents
from benchwright.counting import plural
from benchwright.errors import FileError
from msgspec import Meta

from scratch_kernels import folder as folders

LEAST = 8
"""Mutants that a task has to come with."""

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, Meta(min_length=1)]


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One replacement; `find` has to stand in the file exactly once."""

    find: Text
    replace: str


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A changed reference: by `find` and `replace`, by several `edits`, or as a whole `file` beside the list."""

    name: Name
    reason: Text
    expect: Literal["caught", "survives"]
    explanation: str = ""
    find: str = ""
    replace: str = ""
    edits: tuple[Edit, ...] = ()
    file: str = ""


class Skip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program without the mechanism. It fails the test functions in `fails`, which are there to see that, those in
    `also`, where what is missing shows too, and no other."""

    file: Text
    mechanism: Text
    reason: Text
    fails: Annotated[tuple[str, ...], Meta(min_length=1)]
    also: tuple[str, ...] = ()


class _Mutants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mutants: list[Mutant]


class _Skips(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    skips: list[Skip]


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How mutants and skips of the task with `digest` fail: name -> failing test ids."""

    digest: str
    mutants: dict[str, tuple[str, ...]]
    skips: dict[str, tuple[str, ...]]


def mutants(folder: Path) -> list[Mutant]:
    """The mutants of a task. Raises FileError."""
    path = folder / "mutants" / "mutants.yaml"
    found = documents.load(path, _Mutants).mutants
    names = [mutant.name for mutant in found]
    for mutant in found:
        ways = sum((bool(mutant.find), bool(mutant.edits), bool(mutant.file)))
        if ways != 1:
            raise FileError(path, f"mutant {mutant.name} needs one of `find`, `edits` and `file`, and has {ways}")
        if (mutant.expect == "survives") != bool(mutant.explanation):
            raise FileError(path, f"mutant {mutant.name}: an explanation belongs to `survives`, and only there")
        if names.count(mutant.name) > 1:
            raise FileError(path, f"two mutants are called {mutant.name}")
    return found


def skips(folder: Path) -> list[Skip]:
    """The programs of a task that skip the mechanism. Raises FileError."""
    return documents.load(folder / "skips" / "skips.yaml", _Skips).skips


def program(folder: Path, mutant: Mutant) -> dict[str, bytes]:
    """The files of a mutant. Raises FileError where a change does not find its place exactly once."""
    name = folders.read(folder).file
    if mutant.file:
        return {name: folders.content(folder / "mutants" / mutant.file)}
    source = folders.text(folder / "reference" / name)
    for edit in mutant.edits or (Edit(mutant.find, mutant.replace),):
        if (count := source.count(edit.find)) != 1:
            first = edit.find.strip().splitlines()[0]
            raise FileError(
                folder / "mutants" / "mutants.yaml",
                f"mutant {mutant.name}: `{first}` stands {plural(count, 'time')} in {name}",
            )
        source = source.replace(edit.find, edit.replace)
    return {name: source.encode()}


def skip_program(folder: Path, skip: Skip) -> dict[str, bytes]:
    """The files of a program that skips the mechanism."""
    return {folders.read(folder).file: folders.content(folder / "skips" / skip.file)}


def shapes(folder: Path) -> Shapes | None:
    """The recorded failures, or None where there are none yet."""
    path = folder / "mutants" / "shapes.yaml"
    return documents.load(path, Shapes) if path.exists() else None
