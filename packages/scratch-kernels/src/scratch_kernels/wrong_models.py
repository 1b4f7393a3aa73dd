"""`mutant/NAME`: a model that hands in a task's mutant, or its program without the mechanism, of that name.

So a board can hold how each of them fails, graded like any other attempt.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright import Reply, Submission
from benchwright.errors import ModelError, UserError
from benchwright.models.interface import Ask
from benchwright.names import suggest

from scratch_kernels import folder as folders
from scratch_kernels import mutants


class WrongProgram:
    """Answers with the program called `name`; an error of the run on a task that has none of that name."""

    paid = False
    fixed = True

    def __init__(self, name: str) -> None:
        self.identity = f"mutant/{name}"
        self.settings: Mapping[str, Any] = {}
        self._name = name

    async def reply(self, ask: Ask) -> Reply:
        """The wrong program as a submission."""
        found = programs(folders.of(ask.spec.id)) if ask.spec.id.startswith("kernels/") else {}
        if self._name not in found:
            raise ModelError(f"`{ask.spec.id}` has no mutant `{self._name}`.", "harness_error")
        return Reply("", submission=Submission(ask.spec.submission, files=found[self._name]), calls=0)

    async def close(self) -> None:
        """Nothing is held."""


def programs(folder: Path) -> dict[str, dict[str, bytes]]:
    """The wrong programs of a task by name: its mutants, then `skip_…` for those without the mechanism.

    A mutant that is no wrong program after all is called `equivalent_…`, and is expected to be solved.
    """
    found = {_of_mutant(mutant): mutants.program(folder, mutant) for mutant in mutants.mutants(folder)}
    for skip in mutants.skips(folder):
        found[_of_skip(skip)] = mutants.skip_program(folder, skip)
    return found


def names() -> frozenset[str]:
    """The names of the wrong programs of every task."""
    places = [folders.TASKS / slug for slug in folders.slugs()]
    return frozenset(
        [_of_mutant(mutant) for place in places for mutant in mutants.mutants(place)]
        + [_of_skip(skip) for place in places for skip in mutants.skips(place)]
    )


def _of_mutant(mutant: mutants.Mutant) -> str:
    return f"{'equivalent_' if mutant.expect == 'survives' else ''}{mutant.name}"


def _of_skip(skip: mutants.Skip) -> str:
    return f"skip_{Path(skip.file).stem}"


def mutant(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> WrongProgram:
    """Factory of `mutant/NAME`."""
    if not argument or knobs:
        raise UserError("The model `mutant` takes a name: mutant/NAME, as `mutants.yaml` of the task has it.")
    known = names()
    if argument not in known:
        raise UserError(f"No kernels task has a mutant `{argument}`.{suggest(argument, known)}")
    return WrongProgram(argument)
