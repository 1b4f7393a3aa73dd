"""Opening a run folder for a plan: a new one, or the unfinished one of the same plan."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests, names
from benchwright.engine.environment import environment, versions
from benchwright.engine.plan import Plan
from benchwright.errors import UserError
from benchwright.journal import (
    TRY_AGAIN,
    Manifest,
    RunFolder,
    Session,
    find_unfinished,
    read_manifest,
    runs_folder,
    turns,
)
from benchwright.journal.folder import vacant
from benchwright.journal.manifest import NAME as MANIFEST
from benchwright.plugins import Benchmark

_WHO = {"provider_error": "the provider failed", "over_budget": "the budget cut short"}


class Begin(msgspec.Struct, frozen=True):
    """How a run is to be opened."""

    out: Path | None = None
    """The run folder itself; None: a new one in the runs folder, or the unfinished one of this plan."""
    fresh: bool = False
    """Never resume."""
    command: tuple[str, ...] = ()
    notes: dict[str, Any] = {}
    isolation: dict[str, Any] = {}
    prices: Callable[[str], dict[str, Any]] = lambda day: {}
    """What the manifest keeps of the prices of a day (YYYY-MM-DD)."""


class Opened(msgspec.Struct, frozen=True):
    """A run folder that is ready, and what is to be told about how it was found."""

    folder: RunFolder
    resumed: bool
    notes: tuple[str, ...] = ()


def open_run(plan: Plan, benchmarks: Mapping[str, Benchmark], begin: Begin) -> Opened:
    """The run folder of `plan`, locked. Raises UserError where `out` holds another plan or tasks that have changed."""
    used = [benchmarks[name] for name in sorted({place.spec.id.partition("/")[0] for place in plan.places})]
    notes: list[str] = []
    path, resume = begin.out, False
    if path is not None:
        resume = (path / MANIFEST).exists()
        if resume and begin.fresh:
            raise UserError(f"{path} holds a run already; name another folder with --out.")
        if not resume and path.is_dir() and not vacant(path) and not (path / MANIFEST).exists():
            raise UserError(f"{path} is not empty and not a run folder; name another with --out.")
    elif not begin.fresh:
        path = find_unfinished(runs_folder(), plan.digest)
        if path is not None:
            changed = _changed_tasks(read_manifest(path), plan)
            if changed:
                notes.append(f"Not resuming {path.name}, because {changed}; a new run begins.")
                path = None
        resume = path is not None
    if not resume or path is None:
        run = names.new_run_id()
        return Opened(_create(plan, used, begin, path or runs_folder() / run, run), False, tuple(notes))
    folder = RunFolder.resume(path)
    try:
        return _resumed(folder, plan, used, notes, begin.prices)
    except BaseException:
        folder.close()
        raise


def _create(plan: Plan, used: list[Benchmark], begin: Begin, path: Path, run: str) -> RunFolder:
    found = environment(used)
    created = turns.stamp(time.time())
    return RunFolder.create(
        path,
        Manifest(
            run=run,
            created=created,
            status="running",
            plan=plan.record,
            plan_digest=plan.digest,
            tasks=plan.pinned(),
            versions=versions(used),
            environment=found,
            environment_digest=digests.sha256(digests.canonical_json(found)),
            isolation=begin.isolation,
            prices=begin.prices(created[:10]),
            command=list(begin.command),
            notes=begin.notes,
            sessions=[Session(created, shuffle=plan.shuffle)],
        ),
    )


def _resumed(
    folder: RunFolder, plan: Plan, used: list[Benchmark], notes: list[str], prices: Callable[[str], dict[str, Any]]
) -> Opened:
    manifest = folder.manifest
    assert manifest is not None
    folder.refuse_other(plan.record)
    changed = _changed_tasks(manifest, plan)
    if changed:
        raise UserError(
            f"{folder.path} cannot be continued: {changed} since it began. "
            "Begin a new run, or install the versions that it began with."
        )
    drift = _drift(manifest.versions, versions(used)) + _set_drift(manifest, plan) + _price_drift(manifest, prices)
    notes += [f"Since this run began: {text}." for text in drift]
    if folder.recovered:
        notes.append(
            f"Behind the last whole line of attempts.jsonl stood the rest of a torn one; it is kept in {folder.recovered}."
        )
    failed, aside = folder.take_back_failed()
    if failed:
        which = " or ".join(f"that {_WHO[outcome]}" for outcome in TRY_AGAIN if failed[outcome])
        count = failed.total()
        are = f"1 attempt {which} is" if count == 1 else f"{count:,} attempts {which} are"
        notes.append(f"{are} made again; the earlier lines are kept in {aside}.")
    session = Session(
        turns.stamp(time.time()),
        len(folder.finished),
        shuffle=plan.shuffle,
        drift=drift,
        recovered=os.path.basename(folder.recovered),
    )
    folder.write_manifest(
        msgspec.structs.replace(manifest, status="running", sessions=[*manifest.sessions, session], files={})
    )
    return Opened(folder, True, tuple(notes))


def _changed_tasks(manifest: Manifest, plan: Plan) -> str:
    """In words, which tasks are not what they were when the run began; empty where none changed."""
    now = plan.pinned()
    changed = [
        name for name, pin in manifest.tasks.items() if name in now and now[name] != pin and _matters(now[name], pin)
    ]
    if not changed:
        return ""
    name = changed[0]
    was, became = manifest.tasks[name], now[name]
    what = (
        f"version {was.version} became {became.version}"
        if was.version != became.version
        else f"digest {was.digest[:16]}… became {became.digest[:16]}…"
        if was.digest != became.digest
        else "its prompt changed"
    )
    more = f", and {len(changed) - 1} more tasks" if len(changed) > 1 else ""
    return f"the task {name} changed ({what}){more}"


def _matters(one: Any, other: Any) -> bool:
    """A task's set may move; what is graded and what is sent may not."""
    return any(getattr(one, name) != getattr(other, name) for name in ("version", "digest", "prompt_digest"))


def _drift(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return [
        f"{name} {then.get(name, 'was absent')} became {now.get(name, 'absent')}"
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]


def _set_drift(manifest: Manifest, plan: Plan) -> list[str]:
    """In words, that the registry places tasks in other sets than it did; attempts made from now on say so."""
    now = plan.pinned()
    moved = [name for name, pin in manifest.tasks.items() if name in now and now[name].set != pin.set]
    if not moved:
        return []
    first = moved[0]
    more = f", and {len(moved) - 1} more tasks" if len(moved) > 1 else ""
    return [f"the set of {first} was {manifest.tasks[first].set} and is {now[first].set}{more}"]


def _price_drift(manifest: Manifest, prices: Callable[[str], dict[str, Any]]) -> list[str]:
    """In words, that the price table has another price for the day on which the run began."""
    was, now = manifest.prices.get("models", {}), prices(manifest.created[:10]).get("models", {})
    return [
        f"the price of {model} for {manifest.created[:10]} changed in the price table; "
        "what is on record keeps the cost it has, and `bench costs` derives all of it anew"
        for model, price in was.items()
        if model in now and now[model] != price
    ]
