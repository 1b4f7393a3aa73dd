"""Which edition of a task an attempt was made at, and on which device.

An attempt that was never graded (a refusal, a reply without a submission) knows neither the device nor
the data it would have been measured on; it takes those of its neighbours: the same task in the same
run, then the same suite in the same run, then the only one on record.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchwright.leaderboard.entries import EntriesFile, Entry
from benchwright.records import TaskRef

_Place = tuple[str, str, str]


class Editions:
    """Resolves devices and editions over all files of a board."""

    def __init__(self, files: Sequence[EntriesFile]) -> None:
        self._devices: dict[tuple[object, ...], set[str]] = {}
        self._data: dict[tuple[object, ...], dict[str, str]] = {}
        self._numbers: dict[tuple[str, str], dict[str, str]] = {}
        spots = [(found, _last_started(found)) for found in files]
        for found, seen in spots:
            for (task, at, _), started in seen.items():
                self._remember(found, found.header.tasks[task], at, started)
        for found, seen in spots:
            for (task, at, graded), started in seen.items():
                ref = found.header.tasks[task]
                table = self._numbers.setdefault((ref.id, self.device(found, task, at, graded)), {})
                identity = self._identity(found, task, at, graded)
                table[identity] = max(table.get(identity, ""), started)

    def _remember(self, found: EntriesFile, ref: TaskRef, at: int, started: str) -> None:
        circumstance = found.header.circumstances[at]
        keys: tuple[tuple[object, ...], ...] = ((found.path, ref.id), (found.path, _place(ref)), (_place(ref),))
        if circumstance.device:
            for key in keys:
                self._devices.setdefault(key, set()).add(circumstance.device)
        if circumstance.data is not None:
            for key in ((found.path, ref.id), (ref.id,)):
                table = self._data.setdefault(key, {})
                table[circumstance.data.sha256] = max(table.get(circumstance.data.sha256, ""), started)

    def device(self, found: EntriesFile, task: int, at: int, graded: bool) -> str:
        """`emulated`, the name of an accelerator, or an empty text where none takes part."""
        own = found.header.circumstances[at].device
        if own or graded:
            return own or ""
        ref = found.header.tasks[task]
        keys: tuple[tuple[object, ...], ...] = ((found.path, ref.id), (found.path, _place(ref)), (_place(ref),))
        for key in keys:
            known = self._devices.get(key, set())
            if len(known) == 1:
                return next(iter(known))
        return ""

    def number(self, found: EntriesFile, task: int, at: int, graded: bool) -> int:
        """0 for the newest edition of the task (the one attempted last), 1 for the one before it, …"""
        table = self._numbers[found.header.tasks[task].id, self.device(found, task, at, graded)]
        order = sorted(table, key=lambda identity: (table[identity], identity), reverse=True)
        return order.index(self._identity(found, task, at, graded))

    def _identity(self, found: EntriesFile, task: int, at: int, graded: bool) -> str:
        ref, data = found.header.tasks[task], found.header.circumstances[at].data
        if data is not None or graded:
            measured = data.sha256 if data is not None else ""
        else:
            known = self._data.get((found.path, ref.id)) or self._data.get((ref.id,)) or {}
            measured = max(known, key=lambda one: (known[one], one), default="")
        return "\n".join((ref.version, ref.digest, ref.prompt_digest, measured))


def _place(ref: TaskRef) -> _Place:
    return ref.suite, ref.set, ref.tier


def was_graded(entry: Entry) -> bool:
    """Whether the submission ran to a verdict, so that what the attempt says of device and data is the whole truth."""
    return entry.outcome in ("solved", "unsolved")


def _last_started(found: EntriesFile) -> dict[tuple[int, int, bool], str]:
    """(task, circumstance, graded) -> when the last attempt of it started."""
    seen: dict[tuple[int, int, bool], str] = {}
    for entry in found.entries:
        spot = (entry.task, entry.at, was_graded(entry))
        if entry.started > seen.get(spot, ""):
            seen[spot] = entry.started
    return seen
