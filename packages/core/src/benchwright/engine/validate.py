"""The proof of each task: its reference solves it, its starter does not, and what its benchmark checks besides."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from benchwright import folders
from benchwright.engine.grading import Grader
from benchwright.engine.plan import Place, load_place
from benchwright.engine.selection import read_params, select
from benchwright.engine.workbench import Workbench
from benchwright.errors import BenchError
from benchwright.hookspecs import Validate
from benchwright.models.reference import reference_of, starter_of
from benchwright.outcomes import OUTCOMES
from benchwright.records import Evaluation


class Proof(msgspec.Struct, frozen=True):
    """What was found of one task. `problems` is empty where it is proven; `lacks` says why it could not be tried here."""

    task: str
    reference: str
    starter: str
    problems: tuple[str, ...]
    lacks: str = ""

    @property
    def proven(self) -> bool:
        """The reference ran and solved it, the starter ran and did not, and nothing else was found."""
        return not self.problems and not self.lacks


def validate(
    bench: Workbench, *, suites: Sequence[str] = (), tasks: Sequence[str] = (), params: Sequence[str] = ()
) -> Iterator[Proof]:
    """A proof for every task, in order, as they come."""
    values = read_params(bench.plugins, params)
    specs = select(bench.plugins, bench.registry, values, suites, tasks)
    grader = Grader(bench.plugins, bench.sandbox)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        yield from pool.map(
            lambda spec: _prove(bench, grader, load_place(bench.plugins, bench.registry, spec, values)), specs
        )


def _prove(bench: Workbench, grader: Grader, place: Place) -> Proof:
    if place.task is None:
        return Proof(place.spec.id, "not run", "not run", (place.failure.splitlines()[0],))
    if place.lacks:
        return Proof(place.spec.id, "not run", "not run", (), place.lacks[0].requirement)
    problems = []
    try:
        reference = grader.grade(place, reference_of(place.spec, place.task), grader.sandbox()).evaluation
    except BenchError as error:
        reference = Evaluation("harness_error", reason=str(error))
    if reference.outcome != "solved":
        problems.append(f"the reference is {_told(reference)}")
    starter = grader.grade(place, starter_of(place.spec, place.task), grader.sandbox()).evaluation
    if OUTCOMES[starter.outcome].evidence != "failure":
        problems.append(f"the starter is {_told(starter)}")
    owner = bench.plugins.owner(place.spec.id).name
    context = Validate(place.spec, place.task, grader.sandbox(), folders.data())
    problems += list(bench.plugins.call(owner, "validate", context) or ())
    return Proof(place.spec.id, reference.outcome, starter.outcome, tuple(problems))


def _told(evaluation: Evaluation) -> str:
    label = OUTCOMES[evaluation.outcome].label
    return f"{label} ({evaluation.reason})" if evaluation.reason else label
