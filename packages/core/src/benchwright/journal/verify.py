"""Whether a run folder still holds what was written: manifest to lines, lines to state, state to every file."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchwright import digests
from benchwright.journal.attempts import NAME, read_attempts
from benchwright.journal.folder import PROJECTIONS
from benchwright.journal.manifest import read_manifest
from benchwright.journal.turns import STATE, AttemptState, attempt_folder


def verify(run: Path) -> list[str]:
    """A sentence for each file that is absent or not what its digest says; empty for a run that is whole.

    Raises FileError where the manifest or a line of `attempts.jsonl` cannot be read at all.
    """
    problems: list[str] = []
    for name, digest in read_manifest(run).files.items():
        if name in PROJECTIONS:  # runs of earlier versions list them
            continue
        _check(run / name, digest, problems)
    for attempt in read_attempts(run / NAME):
        folder = attempt_folder(run, attempt.task.id, attempt.model.name, attempt.draw)
        for name, digest in attempt.files.items():
            content = _check(folder / name, digest, problems)
            if name != STATE or content is None:
                continue
            state = msgspec.json.decode(content, type=AttemptState)
            if state.attempt != attempt.attempt:
                problems.append(f"{folder / STATE} is of another attempt, {state.attempt}")
            for path, expected in state.files.items():
                _check(folder / path, expected, problems)
    return problems


def _check(path: Path, digest: str, problems: list[str]) -> bytes | None:
    """The content of a file that is as it was."""
    try:
        content = path.read_bytes()
    except OSError as error:
        problems.append(f"{path} cannot be read: {error.strerror or error}")
        return None
    if digests.sha256(content) != digest:
        problems.append(f"{path} has a different hash")
        return None
    return content
