"""Entry points of installed distributions, remembered between starts.

Reading them takes the standard library longer than everything else `bench list` does. They change only
when a folder on the import path changes, so what was read is kept under the paths and their times.
"""

from __future__ import annotations

import contextlib
import os
import sys
import zlib

import msgspec

from benchwright import folders

_MOST = 8
"""Import paths that are remembered, the newest first."""


class Entry(msgspec.Struct, frozen=True):
    """One entry point: its name, the module it names, and where it comes from."""

    name: str
    module: str
    distribution: str
    version: str


class _Kept(msgspec.Struct):
    """What one import path led to. A script and `python -m` have another path each, and so does each folder of the latter."""

    group: str
    path: list[tuple[str, int]]
    entries: list[Entry]


def entry_points(group: str) -> list[Entry]:
    """Every entry point of `group`, in the order of names; the same name may stand there several times."""
    path = _path()
    kept = folders.cache() / f"entry-points-{zlib.crc32(sys.prefix.encode()):08x}.json"
    known: list[_Kept] = []
    with contextlib.suppress(OSError, msgspec.DecodeError):
        known = msgspec.json.decode(kept.read_bytes(), type=list[_Kept])
    for one in known:
        if one.group == group and one.path == path:
            return one.entries
    entries = _read(group)
    places = [place for place, _ in path]
    others = [one for one in known if one.group != group or [place for place, _ in one.path] != places]
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        temporary = kept.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(msgspec.json.encode([_Kept(group, path, entries), *others][:_MOST]))
        temporary.replace(kept)
    return entries


def _read(group: str) -> list[Entry]:
    from importlib import metadata

    return sorted(
        (
            Entry(found.name, found.module, *((found.dist.name, found.dist.version) if found.dist else ("?", "?")))
            for found in metadata.entry_points(group=group)
        ),
        key=lambda entry: (entry.name, entry.distribution),
    )


def _path() -> list[tuple[str, int]]:
    """Each place on the import path with the time of its last change; 0 for one that is not there."""
    found = []
    for place in sys.path:
        place = os.path.abspath(place)
        try:
            found.append((place, os.stat(place).st_mtime_ns))
        except OSError:
            found.append((place, 0))
    return found
