"""Other tools' results as runs: read-only, never on a board, and everything that reads a run reads them."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests, names
from benchwright.errors import UserError
from benchwright.journal import Manifest, PinnedTask, PlanRecord, RunFolder, Session
from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt, DataRef, ModelRef, ProtocolRecord, Round, TaskRef, Usage

SET = "imported"


class Origin(msgspec.Struct, frozen=True):
    """What a log of another tool's form says of the attempt of ours that it was written from."""

    task: TaskRef
    protocol: ProtocolRecord
    isolation: str
    device: str | None = None
    data: DataRef | None = None
    rounds: list[Round] = []


class Sample(msgspec.Struct, frozen=True):
    """One question asked of one model once, as another tool recorded it."""

    suite: str
    id: str
    content: bytes
    """What decides that two samples are the same question: its text and its target."""
    model: str
    settings: dict[str, Any]
    draw: int
    outcome: str
    score: float | None
    answered: str | None = None
    usage: Usage | None = None
    started: str = ""
    seconds: float = 0.0
    reason: str = ""
    origin: Origin | None = None
    """Where this is an attempt of ours come back: it keeps its task, so that it compares with its run."""


class Imported(msgspec.Struct, frozen=True):
    """A run made of another tool's results."""

    manifest: Manifest
    attempts: tuple[Attempt, ...]


def build(
    samples: Sequence[Sample], *, tool: str, version: str, created: str, source: bytes, place: object
) -> Imported:
    """Samples as attempts of one run. The run id follows from `created` and the source's bytes, so a log read twice is one run."""
    if not samples:
        raise UserError(f"{place}: holds no sample to compare.")
    tasks = _task_ids(tool, samples)
    refs = {
        key: _task(tool, key, tasks[key], sample)
        for key, sample in {(sample.suite, sample.id): sample for sample in samples}.items()
    }
    models = {
        (sample.model, msgspec.json.encode(sample.settings, order="deterministic")): ModelRef(
            sample.model, settings=sample.settings
        )
        for sample in samples
    }
    plan = PlanRecord(
        suites=sorted({sample.suite for sample in samples}),
        tasks=[ref.id for ref in refs.values()],
        models=list(models.values()),
        draws=max(sample.draw for sample in samples),
    )
    run = f"{_stamp(created)}-{hashlib.sha256(source).hexdigest()[:4]}"
    attempts = tuple(
        _attempt(run, plan.digest, refs[sample.suite, sample.id], sample, tool, version) for sample in samples
    )
    if len({one.attempt for one in attempts}) < len(attempts):
        raise UserError(f"{place}: holds one sample twice (same id, model and epoch).")
    manifest = Manifest(
        run=run,
        created=created,
        status="finished",
        plan=plan,
        plan_digest=plan.digest,
        tasks={ref.id: PinnedTask(ref.version, ref.digest, "", SET) for ref in refs.values()},
        versions={tool: version},
        environment={},
        environment_digest="",
        isolation={},
        prices={},
        notes={"imported": {"tool": tool, "version": version, "source_sha256": digests.sha256(source)}},
        sessions=[Session(created, ended=created, status="finished")],
    )
    return Imported(manifest, attempts)


def _task(tool: str, key: tuple[str, str], id: str, sample: Sample) -> TaskRef:
    """A sample's task: that of its origin, else one of its own, made of what the log says."""
    if sample.origin is not None:
        return msgspec.structs.replace(sample.origin.task, set=SET)
    return TaskRef(
        id=id,
        version="1",
        digest=digests.task_digest({"sample": sample.content, "tool": f"{tool}/{key[0]}/{key[1]}".encode()}),
        set=SET,
        tier="unknown",
        suite=key[0],
        cluster=id,
    )


def _attempt(run: str, plan: str, ref: TaskRef, sample: Sample, tool: str, version: str) -> Attempt:
    evidence = OUTCOMES[sample.outcome].evidence != "none"
    origin = sample.origin
    return Attempt(
        run=run,
        attempt=names.attempt_id(plan, ref.digest, sample.model, sample.draw),
        task=ref,
        model=ModelRef(sample.model, sample.answered, sample.settings),
        draw=sample.draw,
        outcome=sample.outcome,
        score=sample.score if evidence else None,
        metrics={},
        failed_checks=[],
        violations=[],
        protocol=origin.protocol if origin else ProtocolRecord("single", 1),
        usage=sample.usage,
        cost_usd=None,
        isolation=origin.isolation if origin else "not-needed",
        device=origin.device if origin else None,
        data=origin.data if origin else None,
        environment="",
        started=sample.started,
        seconds=sample.seconds,
        files={},
        rounds=origin.rounds if origin else [],
        reason=sample.reason,
        benchmark=f"{tool} {version}",
    )


def _task_ids(tool: str, samples: Iterable[Sample]) -> dict[tuple[str, str], str]:
    """(suite, sample id) -> a task id; where letters had to be replaced, a short hash keeps two apart."""
    found: dict[tuple[str, str], str] = {}
    for sample in samples:
        key = (sample.suite, sample.id)
        if key not in found:
            slug = f"{sample.suite}__{sample.id}"
            if names.SLUG.fullmatch(slug) is None or len(slug) > 80:
                plain = re.sub(r"[^a-z0-9]+", "_", slug.lower()).strip("_")[:60]
                slug = f"s_{plain}_{hashlib.sha256(repr(key).encode()).hexdigest()[:8]}"
            found[key] = f"{tool}/{slug}"
    return found


def _stamp(created: str) -> str:
    digits = re.sub(r"\D", "", created)[:14]
    return f"{digits[:8]}-{digits[8:]}" if len(digits) == 14 else time.strftime("%Y%m%d-%H%M%S", time.gmtime(0))


def write(imported: Imported, folder: Path) -> Path:
    """The run folder of an import, its files made read-only. Raises UserError where it is there already."""
    if (folder / "manifest.json").exists():
        raise UserError(f"{folder}: this log is imported already.")
    with RunFolder.create(folder, imported.manifest) as run:
        run.append(imported.attempts)
        run.write_manifest(msgspec.structs.replace(imported.manifest, files=run.file_digests()))
    for name in ("manifest.json", "attempts.jsonl"):
        os.chmod(folder / name, 0o444)
    return folder
