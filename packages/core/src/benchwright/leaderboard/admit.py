"""Lets a run join the board: whole, or not at all and with the reasons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests, names
from benchwright.counting import plural
from benchwright.engine.plan import load_place
from benchwright.errors import FileError, UserError
from benchwright.journal import Manifest, read_attempts, read_manifest
from benchwright.leaderboard import entries, transcripts
from benchwright.leaderboard.costs import attempt_problems
from benchwright.leaderboard.entries import Header, Purpose
from benchwright.leaderboard.everything import ATTEMPTS
from benchwright.outcomes import OUTCOMES
from benchwright.plugins import Plugins
from benchwright.records import Attempt, TaskRef
from benchwright.registry import Registry

_BY = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_SHOWN = 8
_PATH = re.compile(r"(?:/[\w.+-]+){2,}/?")
"""Two folders deep or more: a place on the machine that ran, which a public file does not need."""


class Admitted(msgspec.Struct, frozen=True):
    """A run that joined."""

    path: Path
    attempts: int
    tasks: int
    models: list[str]


def admit(
    folder: Path, root: Path, *, by: str, plugins: Plugins, known: Registry, purpose: Purpose = "board"
) -> Admitted:
    """Checks the run in `folder` and writes its attempts into `root`/attempts.

    A run joins whole, with all its models, draws and suites. Raises UserError with every reason where it
    is not complete, not isolated, not of the tasks as they are now, not the default parameters, or a
    cost does not follow from its tokens.
    """
    if not _BY.fullmatch(by):
        raise UserError(f"--by `{by}`: a name of at most 40 letters, digits, spaces, dots, dashes and underscores.")
    manifest = read_manifest(folder)
    if "imported" in manifest.notes or not names.RUN_ID.fullmatch(manifest.run):
        raise UserError(f"{folder} was not made by `bench run`: imported runs stay off the boards.")
    attempts = read_attempts(folder / "attempts.jsonl")
    raw = _bytes(folder / "attempts.jsonl")
    problems = [*_complete(manifest, attempts, raw), *_isolated(attempts), *_own_numbers(attempts)]
    current, outdated = _current(manifest, attempts, plugins, known)
    problems.extend(outdated)
    problems.extend(attempt_problems(attempts, manifest.prices))
    problems.extend(transcripts.problems(folder, attempts))
    target = root / ATTEMPTS / f"{manifest.run}.jsonl"
    if target.exists():
        problems.append(f"the run stands on the board already ({target})")
    if problems:
        raise UserError(_refusal(folder, problems))
    header = Header(
        run=manifest.run,
        by=by,
        plan_digest=manifest.plan_digest,
        attempts_sha256=digests.sha256(raw),
        count=0,
        tasks=[],
        models=[],
        circumstances=[],
        versions=manifest.versions,
        prices=manifest.prices,
        purpose=purpose,
    )
    pinned = [
        msgspec.structs.replace(
            one, task=_without_params(one.task, current[one.task.id]), reason=_PATH.sub("<path>", one.reason)[:300]
        )
        for one in attempts
    ]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(entries.encode(header, pinned))
    try:
        entries.read_all(target.parent)
    except FileError:
        target.unlink()
        raise
    models = sorted({one.model.name for one in attempts})
    return Admitted(target, len(attempts), len(current), models)


def _refusal(folder: Path, problems: Sequence[str]) -> str:
    shown = [f"  - {problem}" for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        shown.append(f"  - and {len(problems) - _SHOWN} more of the kind")
    return "\n".join([f"{folder} cannot join the board:", *shown])


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None


def _complete(manifest: Manifest, attempts: Sequence[Attempt], raw: bytes) -> Iterator[str]:
    if manifest.status != "finished":
        yield f"it is not complete: {manifest.status.replace('_', ' ')}; the command that began it continues it"
    pinned = manifest.files.get("attempts.jsonl")
    if pinned is not None and pinned != digests.sha256(raw):
        yield "attempts.jsonl is not the file that manifest.json names: its hash differs"
    if manifest.plan.digest != manifest.plan_digest:
        yield "the plan in manifest.json has another digest than it says"
    expected = {
        names.attempt_id(manifest.plan_digest, pinned_task.digest or task, model.name, draw): (task, model.name, draw)
        for task, pinned_task in manifest.tasks.items()
        for model in manifest.plan.models
        for draw in range(1, manifest.plan.draws + 1)
    }
    found = {one.attempt: (one.task.id, one.model.name, one.draw) for one in attempts}
    lost = [place for attempt, place in expected.items() if attempt not in found]
    if lost:
        task, model, draw = lost[0]
        yield f"{plural(len(lost), 'planned attempt')} not there, the first: {task}, {model}, draw {draw}"
    strange = [attempt for attempt, place in found.items() if expected.get(attempt) != place]
    if strange:
        task, model, draw = found[strange[0]]
        yield f"{plural(len(strange), 'attempt')} of another plan, the first: {strange[0]} ({task}, {model}, draw {draw})"
    unbought = Counter(one.outcome for one in attempts if one.outcome == "over_budget")
    if unbought:
        yield f"the budget ended before {unbought['over_budget']} of its attempts"


def _isolated(attempts: Iterable[Attempt]) -> Iterator[str]:
    open_doors = [one for one in attempts if one.isolation == "unsafe"]
    if open_doors:
        yield f"{plural(len(open_doors), 'attempt')} ran without walls (--unsafe): not comparable"


def _own_numbers(attempts: Iterable[Attempt]) -> Iterator[str]:
    for one in attempts:
        where = f"{one.task.id}, {one.model.name}, draw {one.draw}"
        if one.outcome not in OUTCOMES:
            yield f"{where}: unknown outcome `{one.outcome}`"
        elif OUTCOMES[one.outcome].evidence == "none" and one.score is not None:
            yield f"{where}: {one.outcome} is no evidence and has a score"
        elif one.score is not None and not 0 <= one.score <= 1:
            yield f"{where}: the score {one.score} lies outside [0, 1]"
        if one.model.name.startswith("file:") and "/" in one.model.name:
            yield f"{where}: the model's name is a path of one machine; name the submission with --model"
        if one.data is not None and not one.data.official:
            yield f"{where}: measured on unofficial data ({one.data.id})"


def _current(
    manifest: Manifest, attempts: Sequence[Attempt], plugins: Plugins, known: Registry
) -> tuple[dict[str, TaskRef], list[str]]:
    """The tasks as they are now, by id, and where the run's are not these."""
    problems: list[str] = []
    owners = sorted({names.split_task_id(one.task.id)[0] for one in attempts})
    for name in owners:
        if name not in known.benchmarks:
            problems.append(f"`{name}` is not in {known.path}: its runs stay off the boards")
        elif name not in plugins.benchmarks:
            problems.append(f"`{name}` is not installed, so its tasks cannot be compared with the run's")
    if problems:
        return {}, problems
    problems.extend(sentence for sentence in known.problems(plugins) if any(f"`{name}`" in sentence for name in owners))
    defaults = plugins.all_params({})
    specs = {spec.id: spec for spec in plugins.specs(defaults)}
    current: dict[str, TaskRef] = {}
    refs = {msgspec.json.encode(one.task, order="deterministic"): one.task for one in attempts}
    for ref in sorted(refs.values(), key=lambda ref: ref.id):
        task = ref.id
        owner = names.split_task_id(task)[0]
        changed = _changed(ref.params, defaults[owner])
        if changed:
            problems.append(f"{task}: parameters are not the default ({changed})")
            continue
        if task not in specs:
            problems.append(f"{task}: {owner} has no such task now")
            continue
        if task not in current:
            place = load_place(plugins, known, specs[task], defaults)
            if place.failure:
                problems.append(f"{task}: {place.failure.splitlines()[0]}")
                continue
            current[task] = place.ref
        now = current[task]
        if (ref.version, ref.digest) != (now.version, now.digest):
            problems.append(
                f"{task}: the task has changed since (version {ref.version}, now {now.version}; {ref.digest[:15]}, now {now.digest[:15]})"
            )
        elif ref.prompt_digest != now.prompt_digest:
            problems.append(f"{task}: what a model is sent has changed since")
        elif manifest.tasks.get(task) is None or manifest.tasks[task].digest != ref.digest:
            problems.append(f"{task}: manifest.json pins another digest than the attempts")
    return current, problems


def _changed(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={given[name]}" for name in sorted(given) if given[name] != defaults.get(name))


def _without_params(ref: TaskRef, now: TaskRef) -> TaskRef:
    """The task with the set it is in now; default parameters need no mention."""
    return msgspec.structs.replace(ref, set=now.set, tier=now.tier, suite=now.suite, cluster=now.cluster, params={})
