"""Whether a run's transcripts are all there, and show no tool that the task does not hand out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchwright import digests
from benchwright.counting import plural
from benchwright.journal import turns
from benchwright.records import Attempt


def problems(folder: Path, attempts: Sequence[Attempt]) -> Iterator[str]:
    """Files that are lost or changed, then what the audit of the raw events finds, a sentence each."""
    with_events: list[Attempt] = []
    for one in attempts:
        place = turns.attempt_folder(folder, one.task.id, one.model.name, one.draw)
        listed = dict(one.files)
        if turns.STATE in listed:
            try:
                listed.update(msgspec.json.decode((place / turns.STATE).read_bytes(), type=turns.AttemptState).files)
            except (OSError, msgspec.DecodeError) as error:
                yield f"{place / turns.STATE} cannot be read: {error}"
                continue
        for name, digest in sorted(listed.items()):
            if not turns.safe_name(name):
                yield f"{place}: the file name `{name}` leads out of the attempt's folder"
                continue
            content = _content(place / name)
            if content is None:
                yield f"{place / name} is not there"
            elif digests.sha256(content) != digest:
                yield f"{place / name} has another hash than the run recorded"
        if any(name.endswith(f"/{turns.EVENTS}") for name in listed):
            with_events.append(one)
    if with_events:
        yield from _audited(folder, with_events)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _audited(folder: Path, attempts: Sequence[Attempt]) -> Iterator[str]:
    """The audit lives with the logs; without it nobody can say that a provider used no tool of its own."""
    try:
        audit: Callable[[Path], Sequence[str]] = importlib.import_module("benchwright_logs.audit").problems
    except ModuleNotFoundError:
        yield (
            f"{plural(len(attempts), 'attempt')} with events of a provider, and the audit that reads them is not installed: "
            "pip install benchwright-logs"
        )
        return
    yield from audit(folder)
