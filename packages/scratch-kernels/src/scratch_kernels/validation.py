"""What `bench validate` asks of a task beyond its reference and its starter being graded.

Layout and promises; explicit test ids; a starter that fails every test, none of them at import; the same verdict
twice; every mutant judged as its author expects; every program without the mechanism caught for that reason; and the
record of how they all fail up to date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from benchwright import Evaluation, digests
from benchwright.counting import plural
from benchwright.hookspecs import Sandbox
from benchwright.outcomes import OUTCOMES

from scratch_kernels import folder as folders
from scratch_kernels import grading, mutants, promises

_WORDS = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*")


def problems(folder: Path, sandbox: Sandbox) -> list[str]:
    """What is wrong with the task in `folder`, a sentence each."""
    found = still_problems(folder)
    if found:
        return found
    shapes, found = judged(folder, sandbox)
    return [*_twice(folder, sandbox), *_starter(folder, sandbox), *found, *_record(folder, shapes)]


def still_problems(folder: Path) -> list[str]:
    """What can be seen without running anything."""
    listed = mutants.mutants(folder)
    wrong = sum(mutant.expect == "caught" for mutant in listed)
    return [
        *folders.layout_problems(folder),
        *promises.problems(folder),
        *_ids(folder),
        *([] if wrong >= mutants.LEAST else [f"it has {plural(wrong, 'wrong mutant')} of at least {mutants.LEAST}"]),
        *([] if mutants.skips(folder) else ["it has no program that skips the mechanism"]),
        *_unlisted(folder),
    ]


def expected_ids(folder: Path) -> list[str]:
    """The ids in `expected_ids.txt`, in order."""
    lines = folders.text(folder / "expected_ids.txt").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _ids(folder: Path) -> Iterator[str]:
    for id in expected_ids(folder):
        parameters = id.partition("[")[2].removesuffix("]")
        if "[" in id and not _WORDS.fullmatch(parameters):
            yield f"expected_ids.txt: the parameters of {id} are not plain words"


def _unlisted(folder: Path) -> Iterator[str]:
    for part, used in (
        ("mutants", {mutant.file for mutant in mutants.mutants(folder)}),
        ("skips", {skip.file for skip in mutants.skips(folder)}),
    ):
        for path in sorted((folder / part).glob("*.py")):
            if path.name not in used:
                yield f"{part}/{path.name} is listed nowhere"


def judged(folder: Path, sandbox: Sandbox) -> tuple[mutants.Shapes, list[str]]:
    """How every mutant and every skip fails, and where that is not what its author expects."""
    found = []
    shapes: dict[str, dict[str, tuple[str, ...]]] = {"mutants": {}, "skips": {}}
    for mutant in mutants.mutants(folder):
        verdict = grading.grade(folder, mutants.program(folder, mutant), sandbox)
        shapes["mutants"][mutant.name] = grading.failed(verdict)
        got = "survives" if verdict.outcome == "solved" else "caught"
        if OUTCOMES[verdict.outcome].evidence == "none":
            found.append(f"mutant {mutant.name} could not be judged: {verdict.reason}")
        elif got != mutant.expect:
            found.append(
                f"mutant {mutant.name} {'survives' if got == 'survives' else 'is caught'}, against what its author expects"
            )
    for skip in mutants.skips(folder):
        verdict = grading.grade(folder, mutants.skip_program(folder, skip), sandbox)
        shapes["skips"][skip.file.removesuffix(".py")] = grading.failed(verdict)
        found += _skip_problems(skip, verdict)
    return mutants.Shapes(digests.task_digest(folders.parts(folder)), shapes["mutants"], shapes["skips"]), found


def _skip_problems(skip: mutants.Skip, verdict: Evaluation) -> Iterator[str]:
    if verdict.outcome == "solved":
        yield f"skips/{skip.file} is taken for a solution, without {skip.mechanism}"
        return
    failed = {grading.function(id) for id in grading.failed(verdict)}
    for name in sorted({*skip.fails, *skip.also} - failed):
        yield f"skips/{skip.file} passes {name}, which should see that it lacks {skip.mechanism}"
    for name in sorted(failed - {*skip.fails, *skip.also}):
        yield f"skips/{skip.file} also fails {name}: list it under `also`, or give the program the right values"


def _twice(folder: Path, sandbox: Sandbox) -> list[str]:
    reference = folders.files(folder / "reference")
    first, again = (grading.grade(folder, reference, sandbox) for _ in range(2))
    if digests.canonical_json(first) != digests.canonical_json(again):
        return ["the reference graded twice gives two different results"]
    return []


def _starter(folder: Path, sandbox: Sandbox) -> list[str]:
    verdict = grading.grade(folder, folders.files(folder / "starter"), sandbox)
    passed = [check.id for check in verdict.checks if check.passed]
    if verdict.outcome != "unsolved":
        return [f"the starter should fail test by test, and ends in {verdict.outcome} ({verdict.reason})"]
    silent = [check.id for check in verdict.checks if not check.passed and check.detail == "did not run"]
    return [f"the starter passes {id}" for id in passed] + [f"{id} did not run on the starter" for id in silent]


def _record(folder: Path, now: mutants.Shapes) -> list[str]:
    kept = mutants.shapes(folder)
    if kept == now:
        return []
    how = (
        "is missing"
        if kept is None
        else "is of another version of the task"
        if kept.digest != now.digest
        else "differs from what happens now"
    )
    return [f"mutants/shapes.yaml {how}; `bench kernels shapes {folder.name}` writes it"]
