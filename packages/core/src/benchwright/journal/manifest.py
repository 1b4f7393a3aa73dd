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
            if mine == theirs:
                continue
            if name == "models":
                parts += _other_models(mine, theirs)
            elif name == "params":
                parts += [
                    part
                    for benchmark in sorted({*mine, *theirs})
                    for part in _other_values(f"-P {benchmark}.", mine.get(benchmark, {}), theirs.get(benchmark, {}))
                ]
            elif isinstance(mine, list):
                parts.append(_other_names(name, mine, theirs))
            else:
                parts.append(f"{name} {_brief(mine)}, now {_brief(theirs)}")
        return "; ".join(parts)


def _other_models(mine: list[ModelRef], theirs: list[ModelRef]) -> list[str]:
    was, now = {model.name: model.settings for model in mine}, {model.name: model.settings for model in theirs}
    if list(was) != list(now):
        return [_other_names("models", list(was), list(now))]
    return [part for name in was for part in _other_values(f"{name}: ", was[name], now[name])]


def _other_values(before: str, mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """A part for each name whose value is another, `before` in front of the name."""
    parts = []
    for name in sorted({*mine, *theirs}):
        was, now = mine.get(name), theirs.get(name)
        if isinstance(was, dict) and isinstance(now, dict):
            parts += _other_values(f"{before}{name} ", was, now)
        elif was != now:
            parts.append(f"{before}{name} {_brief(was)}, now {_brief(now)}")
    return parts


def _other_names(what: str, mine: list[str], theirs: list[str]) -> str:
    """Both lists where they are short; else what only one of them holds."""
    if len(mine) <= 3 and len(theirs) <= 3:
        return f"{what} {_brief(mine)}, now {_brief(theirs)}"
    gone, new = [name for name in mine if name not in theirs], [name for name in theirs if name not in mine]
    changes = [f"{word} {_brief(names)}" for word, names in (("without", gone), ("with", new)) if names]
    how = " and ".join(changes) or "in another order"
    return f"{what} {len(mine)}, now {len(theirs)}, {how}"


def _brief(value: Any) -> str:
    if isinstance(value, list):
        shown = ", ".join(map(str, value[:3]))
        return f"{shown} and {len(value) - 3} more" if len(value) > 3 else shown or "none"
    text = "none" if value is None else str(value)
    return f"{text[:16]}…" if text.startswith("sha256:") else text


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
