"""The proof of each task: its reference solves it, its starter does not, and what its benchmark checks besides."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from benchwright import blame, digests, folders
from benchwright.counting import plural
from benchwright.engine.grading import Grader
from benchwright.engine.plan import Place, apart, load_place
from benchwright.engine.selection import read_params, select
from benchwright.engine.workbench import Workbench
from benchwright.errors import BenchError
from benchwright.hookspecs import Validate
from benchwright.models.reference import reference_of, starter_of
from benchwright.outcomes import OUTCOMES, is_waiting
from benchwright.records import Evaluation, Task


class Proof(msgspec.Struct, frozen=True):
    """What was found of one task. `problems` is empty where it is proven; `lacks` says why it could not be tried here."""

    task: str
    reference: str
    starter: str
    problems: tuple[str, ...]
    lacks: str = ""
    notes: tuple[str, ...] = ()
    """What is probably a slip, a sentence each, while the task is proven all the same; or what the grading says is missing here."""

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
        places = pool.map(lambda spec: load_place(bench.plugins, bench.registry, spec, values), specs)
        yield from pool.map(lambda place: _prove(bench, grader, place), apart(list(places)))


def _prove(bench: Workbench, grader: Grader, place: Place) -> Proof:
    if place.task is None:
        return Proof(place.spec.id, "not run", "not run", (place.failure.splitlines()[0],))
    if place.lacks:
        return Proof(place.spec.id, "not run", "not run", (), place.lacks[0].requirement)
    problems = []
    sandbox = grader.sandbox()
    try:
        reference = grader.grade(place, reference_of(place.spec, place.task), sandbox).evaluation
    except BenchError as error:
        reference = Evaluation("harness_error", reason=str(error))
    if is_waiting(reference.outcome):  # the rest would say the same of every program that it tries
        lacks = OUTCOMES[reference.outcome].label.removeprefix("needs ")
        return Proof(place.spec.id, reference.outcome, "not run", (), lacks, (reference.reason.rstrip("."),))
    if reference.outcome != "solved":
        problems.append(f"the reference is {_told(reference)}")
    starter = grader.grade(place, starter_of(place.spec, place.task), grader.sandbox()).evaluation
    if OUTCOMES[starter.outcome].evidence != "failure":
        problems.append(f"the starter is {_told(starter)}")
    owner = bench.plugins.owner(place.spec.id)
    context = Validate(place.spec, place.task, grader.sandbox(), folders.data())
    try:
        problems += list(bench.plugins.call(owner.name, "validate", context) or ())
    except Exception as error:  # noqa: BLE001  whatever a benchmark does; the other tasks are proven without it
        told = str(error) if isinstance(error, BenchError) else blame.told(error, owner.module.__name__)
        problems.append(f"the hook `validate` of {owner.distribution} {owner.version} failed: {told}")
    notes = _not_covered(place.task, sandbox.folders)
    return Proof(place.spec.id, reference.outcome, starter.outcome, tuple(problems), notes=tuple(notes))


def _not_covered(task: Task, run: Sequence[Path]) -> list[str]:
    """A sentence for each folder of hidden tests that was run and of which files are in no part of the task's digest."""
    if task.covered is None:
        return []
    told = []
    for folder in dict.fromkeys(run):
        files = [folder / name for name in ("expected_ids.txt", "drivers.py")]
        files += sorted((folder / "hidden_tests").rglob("*.py"))
        missed = [
            path.relative_to(folder).as_posix()
            for path in files
            if path.is_file() and digests.sha256(digests.unix_newlines(path.read_bytes())) not in task.covered
        ]
        if missed:
            told.append(
                f"{plural(len(missed), 'file')} of its hidden tests in {folder} can change and leave its digest as it is "
                f"({', '.join(missed)}): name their bytes in `Task.single(parts=…)`"
            )
    return told


def _told(evaluation: Evaluation) -> str:
    label = OUTCOMES[evaluation.outcome].label
    return f"{label} ({evaluation.reason})" if evaluation.reason else label
