"""`manifest.json`: what was planned, with what versions, digests, prices and walls, and how far it came."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from benchwright import digests
from benchwright.errors import FileError
from benchwright.journal.attempts import refuse_newer
from benchwright.records import SCHEMA, ModelRef

NAME = "manifest.json"

Status = Literal["running", "interrupted", "stopped_by_budget", "finished"]


class PlanRecord(msgspec.Struct, frozen=True):
    """What decides which attempts a run has; its digest is the plan's digest."""

    suites: list[str]
    tasks: list[str]
    models: list[ModelRef]
    draws: int
    params: dict[str, dict[str, Any]] = {}
    """Parameters by benchmark, defaults filled in."""
    unsafe: bool = False

    @property
    def digest(self) -> str:
        """`sha256:` over the canonical JSON of this record."""
        return digests.sha256(digests.canonical_json(self))

    def difference(self, other: PlanRecord) -> str:
        """In words, what `other` plans differently; empty where the two are equal."""
        parts = []
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                parts.append(f"{name} {_brief(mine)}, now {_brief(theirs)}")
        return "; ".join(parts)


def _brief(value: Any) -> str:
    if isinstance(value, list):
        shown = [getattr(entry, "name", entry) for entry in value]
        if len(shown) > 3:
            return f"{len(shown)} ({', '.join(map(str, shown[:2]))}, …)"
        return ", ".join(map(str, shown)) or "none"
    return "none" if value is None else str(value)


class PinnedTask(msgspec.Struct, frozen=True):
    """A task as it was when the run began."""

    version: str
    digest: str
    prompt_digest: str
    set: str


class Session(msgspec.Struct, frozen=True):
    """One start of `bench` on this run: the first, and each resumption."""

    started: str
    kept: int = 0
    """Attempts that were finished already."""
    ended: str | None = None
    status: Status = "running"
    shuffle: int | None = None
    """The seed of the order, where it was shuffled."""
    drift: list[str] = []
    """Versions that changed since the run began, in words."""
    recovered: str = ""
    """Where a torn line was put, if there was one."""


class Manifest(msgspec.Struct, frozen=True):
    """The record in `manifest.json`."""

    run: str
    created: str
    status: Status
    plan: PlanRecord
    plan_digest: str
    tasks: dict[str, PinnedTask]
    versions: dict[str, str]
    """Distribution to version: the core, each benchmark of the plan, and Python."""
    environment: dict[str, Any]
    environment_digest: str
    isolation: dict[str, Any]
    prices: dict[str, Any]
    command: list[str] = []
    notes: dict[str, Any] = {}
    sessions: list[Session] = []
    files: dict[str, str] = {}
    """sha256 of the files beside this one, once the run is finished. `attempts.jsonl` holds the digest of
    each attempt's `state.json`, which holds those of the files in the attempt's folder."""
    schema: int = SCHEMA


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run folder. Raises FileError where it is absent, damaged or of a newer schema."""
    path = folder / NAME
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FileError(folder, f"is not a run folder: it has no {NAME}.") from None
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    refuse_newer(content, path)
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(path, f"is not a manifest: {error}") from None
