"""Files of a person's own on one task: graded as a run of one attempt, or shown the development report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchwright import names, replies
from benchwright.engine.begin import Begin
from benchwright.engine.grading import Grader
from benchwright.engine.plan import Plan, load_place
from benchwright.engine.prices import Prices
from benchwright.engine.progress import Watcher
from benchwright.engine.revision import RevisedFiles, earlier_submissions
from benchwright.engine.selection import find_spec, read_params
from benchwright.engine.session import Done, Settings, run
from benchwright.engine.workbench import Workbench
from benchwright.errors import UserError
from benchwright.journal.manifest import PlanRecord
from benchwright.models.file import FileModel, read_files, submission_of
from benchwright.records import Evaluation, ModelRef


def score_files(
    bench: Workbench,
    task: str,
    files: Sequence[Path],
    *,
    label: str | None = None,
    params: Sequence[str] = (),
    out: Path | None = None,
    notes: dict[str, Any] | None = None,
    command: Sequence[str] = (),
    revision_of: str | None = None,
) -> Done:
    """Grades files on a task; a run of one attempt, never a resumed one. Raises UserError for what cannot be read.

    `revision_of`: the run or attempt that these files revise; its rounds come first, and their labels count as seen.
    """
    values = read_params(bench.plugins, params)
    spec = find_spec(bench.plugins, values, task)
    given = read_files(files)
    if spec.submission != "json":
        submission_of(spec, given)  # a wrong number of files is the person's slip, not an outcome
    identity = label or "file:" + ",".join(str(path) for path in files)
    names.refuse_unprintable(identity)
    place = load_place(bench.plugins, bench.registry, spec, values)
    model = FileModel(identity, given)
    if revision_of is not None:
        attempt, earlier = earlier_submissions(revision_of, place)
        model = RevisedFiles(identity, given, earlier, attempt.attempt)
        protocol = msgspec.structs.replace(spec.protocol, rounds=len(earlier))
        place = msgspec.structs.replace(place, spec=msgspec.structs.replace(spec, protocol=protocol))
        notes = {"revision_of": {"run": attempt.run, "attempt": attempt.attempt}, **(notes or {})}
    owner = bench.plugins.owner(task).name
    record = PlanRecord(
        suites=[spec.suite],
        tasks=[spec.id],
        models=[ModelRef(identity, settings=dict(model.settings))],
        draws=1,
        params={owner: values[owner]},
        unsafe=bench.unsafe,
    )
    plan = Plan(record, [place], [model])
    return run(
        plan,
        bench.plugins,
        bench.registry,
        bench.sandbox,
        begin=Begin(out=out, fresh=True, command=tuple(command), notes=notes or {}),
        settings=Settings(concurrency=1, graders=1),
        watcher=Watcher(),
        prices=Prices(),
    )


def development_report(bench: Workbench, task: str, files: Sequence[Path], *, params: Sequence[str] = ()) -> Evaluation:
    """What the benchmark says about files on its development split. Nothing is written."""
    values = read_params(bench.plugins, params)
    spec = find_spec(bench.plugins, values, task)
    place = load_place(bench.plugins, bench.registry, spec, values)
    if place.task is None:
        raise UserError(place.failure.splitlines()[0])
    if place.lacks:
        raise UserError(f"`{task}` needs {place.lacks[0].requirement} here: {place.lacks[0].remedy}.")
    try:
        submission = submission_of(spec, read_files(files))
    except replies.Unreadable as error:
        raise UserError(f"No submission could be read: {error.reason}") from None
    grader = Grader(bench.plugins, bench.sandbox)
    return grader.development(place, submission, grader.sandbox()).evaluation
