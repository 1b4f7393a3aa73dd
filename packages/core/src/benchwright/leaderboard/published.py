"""Rows that other projects published: shown beside a board, never inside one, for they cannot be re-derived here."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchwright import documents
from benchwright.errors import FileError


class PublishedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure as its source prints it."""

    task: str
    model: str
    figure: str
    """As printed there: `18/40`, `79.4%`."""
    draws: int | None = None
    note: str = ""


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of one source. `beside` names the suite they are shown next to."""

    source: str
    home: str
    date: str
    """Of the figures, as the source gives it."""
    beside: str
    what: str
    """What was measured there, and how it differs from here."""
    rows: list[PublishedRow]


NOT_HERE = "not re-derivable here"


def read(folder: Path) -> list[Published]:
    """Every file in `folder`, by name. Raises FileError for a bad one."""
    found = []
    for path in sorted(folder.glob("*.yaml")):
        record = documents.load(path, Published)
        if not (record.source and record.home and record.date):
            raise FileError(path, "names no source, home or date; a published figure needs all three")
        found.append(record)
    return found
