"""Grading the stored submissions of a run again, after a task was mended: no call is made, both verdicts stay."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests, names
from benchwright.engine.environment import environment, versions
from benchwright.engine.grading import Graded, Grader
from benchwright.engine.plan import Place, load_place
from benchwright.engine.readout import read
from benchwright.engine.workbench import Workbench
from benchwright.errors import UserError
from benchwright.journal import Manifest, RunFolder, Session, submissions, turns
from benchwright.journal.manifest import PinnedTask
from benchwright.names import split_task_id
from benchwright.records import Attempt, Round


class Changed(msgspec.Struct, frozen=True):
    """One attempt under both verdicts. Where nothing was stored to grade, `graded` is False and the verdict is carried over."""

    was: Attempt
    now: Attempt
    graded: bool

    @property
    def differs(self) -> bool:
        """Whether outcome or score are another."""
        return (self.was.outcome, self.was.score) != (self.now.outcome, self.now.score)


class Regraded(msgspec.Struct, frozen=True):
    """The folder that holds the new verdicts, and every attempt under both."""

    folder: str
    run: str
    attempts: tuple[Changed, ...]


def regrade(bench: Workbench, run: Path, *, tasks: Sequence[str] = (), command: Sequence[str] = ()) -> Regraded:
    """Grades again what `run` holds, into a run folder of its own below it, `regraded-NN`.

    Attempts without a stored submission keep their outcome, which says what the reply was and which no change of the
    grading can alter; they too stand under the task as it is now. What was handed in and cannot be graded here, its data
    being absent, stays under the task that graded it. The prompt that was sent stays the one on record, so an answer to
    an old prompt is never taken for one to a new. Raises UserError where a task is not installed any more.
    """
    manifest, attempts = read(run, (), tasks)
    if not attempts:
        raise UserError(f"{run} has no finished attempt to grade" + (" that fits." if tasks else "."))
    defaults = bench.plugins.all_params({})
    params = {name: {**values, **manifest.plan.params.get(name, {})} for name, values in defaults.items()}
    specs = {spec.id: spec for spec in bench.plugins.specs(params)}
    gone = sorted({attempt.task.id for attempt in attempts} - set(specs))
    if gone:
        raise UserError(f"{gone[0]} is not installed here{f', nor are {len(gone) - 1} more' if len(gone) > 1 else ''}.")
    places = {
        task: load_place(bench.plugins, bench.registry, specs[task], params)
        for task in sorted({attempt.task.id for attempt in attempts})
    }
    new = _manifest(bench, manifest, places, command)
    with RunFolder.create(_free(run), new) as folder, ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        grader = Grader(bench.plugins, bench.sandbox)

        def again(attempt: Attempt) -> Changed:
            return _again(grader, places[attempt.task.id], run, folder.path, attempt, new, bench)

        found = []
        for changed in pool.map(again, attempts):
            folder.append([changed.now])
            found.append(changed)
        last = msgspec.structs.replace(new.sessions[-1], ended=turns.stamp(time.time()), status="finished")
        folder.write_manifest(
            msgspec.structs.replace(new, status="finished", sessions=[last], files=folder.file_digests())
        )
    return Regraded(str(folder.path), new.run, tuple(found))


def _free(run: Path) -> Path:
    number = 1
    while (run / f"regraded-{number:02d}").exists():
        number += 1
    return run / f"regraded-{number:02d}"


def _manifest(bench: Workbench, old: Manifest, places: dict[str, Place], command: Sequence[str]) -> Manifest:
    used = [bench.plugins.benchmarks[name] for name in sorted({split_task_id(task)[0] for task in places})]
    found = environment(used)
    plan = msgspec.structs.replace(old.plan, tasks=[task for task in old.plan.tasks if task in places])
    return msgspec.structs.replace(
        old,
        run=names.new_run_id(),
        created=turns.stamp(time.time()),
        status="running",
        plan=plan,
        plan_digest=plan.digest,
        tasks={
            task: PinnedTask(place.ref.version, place.ref.digest, place.ref.prompt_digest, place.ref.set)
            for task, place in places.items()
        },
        versions=versions(used),
        environment=found,
        environment_digest=digests.sha256(digests.canonical_json(found)),
        command=list(command),
        notes={**old.notes, "regraded_from": old.run},
        sessions=[Session(turns.stamp(time.time()))],
        files={},
    )


def _again(
    grader: Grader, place: Place, run: Path, target: Path, was: Attempt, manifest: Manifest, bench: Workbench
) -> Changed:
    old = turns.attempt_folder(run, was.task.id, was.model.name, was.draw)
    files = turns.Files(turns.attempt_folder(target, was.task.id, was.model.name, was.draw))
    ref = msgspec.structs.replace(place.ref, prompt_digest=was.task.prompt_digest or place.ref.prompt_digest)
    notes: dict[str, Any] = {
        **was.notes,
        "regraded_from": {"run": was.run, "attempt": was.attempt, "outcome": was.outcome, "score": was.score,
                          "version": was.task.version, "digest": was.task.digest},
    }  # fmt: skip
    common = {"run": manifest.run, "environment": manifest.environment_digest, "notes": notes}
    common["benchmark"] = "{0.distribution} {0.version}".format(bench.plugins.owner(was.task.id))
    sandbox = grader.sandbox()
    rounds: list[Round] = []
    graded: Graded | None = None
    here: dict[str, Any] = {
        **common,
        "attempt": names.attempt_id(manifest.plan_digest, ref.digest, was.model.name, was.draw),
        "task": ref,
    }
    handed_in = any(
        submissions.read_submission(old / f"{prefix}submission", place.spec.submission) is not None
        for prefix in _folders(was)
    )
    gradable = place.task is not None and not place.lacks
    if gradable:
        for prefix, before in zip(_folders(was), was.rounds or [], strict=False):
            submission = submissions.read_submission(old / f"{prefix}submission", place.spec.submission)
            if submission is None:
                rounds.append(before)
                graded = None
                continue
            graded = grader.grade(place, submission, sandbox)
            written = submissions.write_submission(files, f"{prefix}submission", submission)
            submissions.write_verdict(files, f"{prefix}eval", graded.evaluation, graded.violations, graded.trace)
            verdict = graded.evaluation
            rounds.append(
                Round(verdict.score, verdict.outcome == "solved", before.labels_seen, verdict.outcome, written)
            )
    _keep(old, files, without=("eval/",) if graded is not None else ())
    if graded is None:
        kept = common if handed_in and not gradable else here
        now = msgspec.structs.replace(was, **kept, rounds=rounds or was.rounds)
        if files.digests:
            own = turns.state(files, now.attempt, now.outcome)
            now = msgspec.structs.replace(now, files={**was.files, turns.STATE: own})
        return Changed(was, now, graded=False)
    verdict = graded.evaluation
    now = msgspec.structs.replace(
        was,
        **here,
        outcome=verdict.outcome,
        score=verdict.score,
        metrics=dict(verdict.metrics),
        failed_checks=[check.id for check in verdict.checks if not check.passed],
        violations=graded.violations,
        isolation=sandbox.isolation,
        device=verdict.device,
        data=verdict.data,
        rounds=rounds,
        reason=verdict.reason,
        parse_failure=False,
    )
    state = turns.state(files, now.attempt, now.outcome)
    return Changed(was, msgspec.structs.replace(now, files={**rounds[-1].files, turns.STATE: state}), graded=True)


def _keep(old: Path, files: turns.Files, *, without: tuple[str, ...]) -> None:
    """Copies what the attempt's own record lists and is not written yet, its turns above all: a run folder is whole
    by itself, and a board's audit reads the same events in either. A file that is lost stays lost, and is noticed there."""
    try:
        listed = msgspec.json.decode((old / turns.STATE).read_bytes(), type=turns.AttemptState).files
    except (OSError, msgspec.DecodeError):
        return
    for name in sorted(set(listed) - set(files.digests)):
        if turns.safe_name(name) and not any(part in f"/{name}" for part in (f"/{one}" for one in without)):
            with contextlib.suppress(OSError):
                files.write(name, (old / name).read_bytes())


def _folders(attempt: Attempt) -> list[str]:
    """What the paths of each round's files begin with: the last round's, and the only one's, stand in the attempt's own folder."""
    rounds = len(attempt.rounds or [])
    return [f"round-{number:02d}/" for number in range(1, rounds)] + [""]
