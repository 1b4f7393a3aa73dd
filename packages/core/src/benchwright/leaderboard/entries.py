"""Admitted attempts: one JSON-lines file a run, small, hashed line by line.

The first line holds what many attempts share (tasks, models, circumstances), each further line one
attempt that points into it. Every line begins with the first 16 hex digits of the sha256 of its rest,
so that one changed byte is found and named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchwright.counting import plural
from benchwright.errors import FileError
from benchwright.outcomes import OUTCOMES
from benchwright.records import (
    Attempt,
    DataRef,
    ModelRef,
    ProtocolKind,
    ProtocolRecord,
    Round,
    TaskRef,
    Usage,
    Violation,
)

SCHEMA = 1
_PREFIX = b'{"sha256":"'
_START = len(_PREFIX) + 16

Purpose = Literal["board", "calibration"]


class Circumstance(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where and with what attempts were made."""

    benchmark: str
    isolation: str
    environment: str
    device: str | None = None
    data: DataRef | None = None


class Header(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="run"):
    """The first line of an entries file."""

    run: str
    by: str
    """Who handed the run in; rows of one model by two people are never pooled."""
    plan_digest: str
    attempts_sha256: str
    """sha256 of the run folder's attempts.jsonl."""
    count: int
    tasks: list[TaskRef]
    models: list[ModelRef]
    circumstances: list[Circumstance]
    versions: dict[str, str]
    prices: dict[str, Any] = {}
    """What the run says of the price table that costs derive from."""
    purpose: Purpose = "board"
    """`calibration`: draws that decide which set a task joins, which no board shows."""
    schema: int = SCHEMA


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One attempt. `task`, `model`, `at` are places in the header's lists."""

    attempt: str
    task: int
    model: int
    at: int
    draw: int
    outcome: str
    started: str
    seconds: float
    score: float | None = None
    metrics: dict[str, float | int | None] = {}
    failed_checks: list[str] = []
    violations: list[Violation] = []
    protocol: ProtocolKind = "single"
    turns: int = 1
    labels_seen: int = 0
    passes: int = 0
    usage: Usage | None = None
    cost_usd: float | None = None
    files: dict[str, str] = {}
    rounds: list[Round] = []
    reason: str = ""
    parse_failure: bool = False
    calls: int = 0


class EntriesFile(msgspec.Struct, frozen=True):
    """A file of admitted attempts, read back."""

    path: Path
    header: Header
    entries: list[Entry]
    sha256: str
    """Of the file's bytes."""

    def attempt(self, entry: Entry) -> Attempt:
        """The attempt's record, as the run folder had it; notes and the only round of an attempt are left out."""
        at = self.header.circumstances[entry.at]
        return Attempt(
            run=self.header.run,
            attempt=entry.attempt,
            task=self.header.tasks[entry.task],
            model=self.header.models[entry.model],
            draw=entry.draw,
            outcome=entry.outcome,
            score=entry.score,
            metrics=entry.metrics,
            failed_checks=entry.failed_checks,
            violations=entry.violations,
            protocol=ProtocolRecord(entry.protocol, entry.turns, entry.labels_seen, entry.passes),
            usage=entry.usage,
            cost_usd=entry.cost_usd,
            isolation=at.isolation,
            device=at.device,
            data=at.data,
            environment=at.environment,
            started=entry.started,
            seconds=entry.seconds,
            files=entry.files,
            rounds=entry.rounds,
            reason=entry.reason,
            parse_failure=entry.parse_failure,
            calls=entry.calls,
            benchmark=at.benchmark,
        )


def encode(header: Header, attempts: Sequence[Attempt]) -> bytes:
    """The bytes of an entries file; the header's lists and count are filled in from the attempts, sorted by task, model and draw."""
    tasks: dict[bytes, int] = {}
    models: dict[bytes, int] = {}
    places: dict[bytes, int] = {}
    task_list: list[TaskRef] = []
    model_list: list[ModelRef] = []
    place_list: list[Circumstance] = []
    ordered = sorted(attempts, key=lambda one: (one.task.id, one.model.name, one.draw, one.attempt))
    entries = [
        Entry(
            attempt=one.attempt,
            task=_place(tasks, task_list, one.task),
            model=_place(models, model_list, one.model),
            at=_place(
                places,
                place_list,
                Circumstance(one.benchmark, one.isolation, one.environment, one.device, one.data),
            ),
            draw=one.draw,
            outcome=one.outcome,
            started=one.started,
            seconds=round(one.seconds, 3),
            score=one.score,
            metrics=one.metrics,
            failed_checks=one.failed_checks,
            violations=one.violations,
            protocol=one.protocol.kind,
            turns=one.protocol.turns,
            labels_seen=one.protocol.labels_seen,
            passes=one.protocol.passes,
            usage=one.usage,
            cost_usd=one.cost_usd,
            files=one.files,
            rounds=one.rounds if len(one.rounds) > 1 else [],
            reason=one.reason,
            parse_failure=one.parse_failure,
            calls=one.calls,
        )
        for one in ordered
    ]
    header = msgspec.structs.replace(
        header, count=len(entries), tasks=task_list, models=model_list, circumstances=place_list
    )
    return b"".join(_line(record) for record in (header, *entries))


def _place(known: dict[bytes, int], values: list[Any], value: msgspec.Struct) -> int:
    key = msgspec.json.encode(value, order="deterministic")
    place = known.setdefault(key, len(values))
    if place == len(values):
        values.append(value)
    return place


def _line(record: msgspec.Struct) -> bytes:
    rest = b'",' + msgspec.json.encode(record, order="deterministic")[1:]
    return _PREFIX + _short(rest) + rest + b"\n"


def _short(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest()[:16].encode()


_header_decoder = msgspec.json.Decoder(Header)
_entry_decoder = msgspec.json.Decoder(Entry)


def read(path: Path, *, hashes: bool = True) -> EntriesFile:
    """An entries file, every line's hash checked. Raises FileError with `path:line` for what does not hold.

    Without `hashes` a changed line is read all the same where it still is an attempt, so that a check can
    say which figures it moves.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    if not raw.endswith(b"\n"):
        raise FileError(
            path, "its last line has no end: it was cut, or something was written behind the last whole line"
        )
    lines = raw[:-1].split(b"\n")
    for number, line in enumerate(lines, 1):
        if hashes and (not line.startswith(_PREFIX) or line[len(_PREFIX) : _START] != _short(line[_START:])):
            raise FileError(f"{path}:{number}", "has a different hash than it was admitted with")
    try:
        header = _header_decoder.decode(lines[0])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}:1", f"is not the head of admitted attempts: {error}") from None
    if header.schema > SCHEMA:
        raise FileError(
            path, f"has schema {header.schema}, and this bench reads up to {SCHEMA}; upgrade benchwright to read it"
        )
    entries: list[Entry] = []
    try:
        for line in lines[1:]:
            entries.append(_entry_decoder.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}:{len(entries) + 2}", f"is not an admitted attempt: {error}") from None
    found = EntriesFile(path, header, entries, "sha256:" + hashlib.sha256(raw).hexdigest())
    _check_places(found)
    return found


def _check_places(found: EntriesFile) -> None:
    header = found.header
    if header.count != len(found.entries):
        raise FileError(found.path, f"holds {plural(len(found.entries), 'attempt')} and its head says {header.count}")
    sizes = (len(header.tasks), len(header.models), len(header.circumstances))
    for number, entry in enumerate(found.entries, 2):
        if not all(0 <= place < size for place, size in zip((entry.task, entry.model, entry.at), sizes, strict=True)):
            raise FileError(f"{found.path}:{number}", "points past the lists in the file's head")
        for outcome, score in ((entry.outcome, entry.score), *((one.outcome, one.score) for one in entry.rounds)):
            if outcome not in OUTCOMES:
                raise FileError(f"{found.path}:{number}", f"has the unknown outcome `{outcome}`")
            if score is not None and not 0 <= score <= 1:
                raise FileError(f"{found.path}:{number}", f"has the score {score:g}, which lies outside [0, 1]")


def read_all(folder: Path) -> list[EntriesFile]:
    """Every entries file in `folder`, by name, checked by `refuse_twice`."""
    files = [read(path) for path in sorted(folder.glob("*.jsonl"))]
    refuse_twice(files)
    return files


def refuse_twice(files: Iterable[EntriesFile]) -> None:
    """Raises FileError where a run stands in two files, or one run's attempts under two names, or an attempt twice."""
    runs: dict[str, Path] = {}
    for found in files:
        for key in (found.header.run, found.header.attempts_sha256):
            if key in runs:
                raise FileError(found.path, f"holds the same run as {runs[key]}")
            runs[key] = found.path
        if len({entry.attempt for entry in found.entries}) < len(found.entries):
            raise FileError(found.path, "holds an attempt twice")
