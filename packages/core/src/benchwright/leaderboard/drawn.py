"""Sorts admitted attempts into boards, rows and tasks, so that nothing is mixed that is not the same measurement.

One board is one suite, set, tier and device, one round of revision, structured replies or plain ones,
and one edition of each task: its version, digest, prompt and data. One row is one model by its full
identity, one snapshot that answered, one person who handed it in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

import msgspec

from benchwright import names
from benchwright.errors import UserError
from benchwright.leaderboard.editions import Editions, was_graded
from benchwright.leaderboard.entries import EntriesFile, Entry
from benchwright.outcomes import OUTCOMES
from benchwright.records import ModelRef
from benchwright.stats import Cell

Role = Literal["model", "person", "control", "mutant"]

_ROLES: dict[str, Role] = {
    "reference": "control",
    "starter": "control",
    "baseline": "control",
    "mutant": "mutant",
    "file": "person",
    "person": "person",
}


class BoardKey(msgspec.Struct, frozen=True, order=True):
    """What makes two measurements comparable, beside the task itself."""

    suite: str
    set: str
    tier: str
    device: str = ""
    """`emulated`, the name of an accelerator, or empty where none takes part."""
    round: int = 0
    """0 is the first reply; 1 the first revision."""
    structured: bool = False
    """Whether the provider was made to answer in a given structure."""
    network: bool = False
    """Whether the model, a program, was allowed the network."""
    self_contained: bool = True
    """False where the submission imports its benchmark's own package, so that it is no whole answer; the attempt's
    metric `self_contained` is 0 there."""
    edition: int = 0
    """0 is the newest edition of every task; older ones stand on boards of their own."""


class RowKey(msgspec.Struct, frozen=True, order=True):
    """A row: the model's identity with its knobs, the snapshot that answered, who handed it in."""

    model: str
    answered: str
    by: str


class Drawn:
    """The draws of one row at one task of one board."""

    __slots__ = ("cluster", "costs", "missing", "scores", "solved", "unpriced", "unread")

    def __init__(self, cluster: str) -> None:
        self.cluster = cluster
        self.scores: list[float] = []
        self.solved = 0
        self.missing: dict[str, int] = {}
        self.unread = 0
        self.costs: list[float] = []
        self.unpriced = False

    def cell(self, task: str) -> Cell:
        """These draws as the record that the statistics take."""
        return Cell(task, self.cluster, tuple(self.scores), self.solved, self.missing, self.unread)


class RowDraws:
    """All draws of one row of one board, by task, and what they share."""

    __slots__ = ("calls", "first", "isolation", "labels_seen", "last", "runs", "settings", "tasks", "tokens")

    def __init__(self, model: ModelRef) -> None:
        self.settings = model.settings
        self.tasks: dict[str, Drawn] = {}
        self.runs: set[str] = set()
        self.isolation: set[str] = set()
        self.labels_seen = 0
        self.first = "9"
        self.last = ""
        self.tokens = [0, 0]
        self.calls = 0

    def cells(self) -> list[Cell]:
        """The draws as cells, by task id."""
        return [self.tasks[task].cell(task) for task in sorted(self.tasks)]


Boards = dict[BoardKey, dict[RowKey, RowDraws]]


@cache
def role(model: str) -> Role:
    """What a model identity is on a board: controls and mutants are shown, and are not ranked."""
    try:
        provider, _, _ = names.parse_model(model)
    except UserError:
        return "model"
    return _ROLES.get(provider, "model")


def sort_attempts(files: Sequence[EntriesFile]) -> Boards:
    """The attempts of every file with purpose `board`; mutants, and what controls revised, stay off the boards."""
    shown = [found for found in files if found.header.purpose == "board"]
    editions = Editions(shown)
    boards: Boards = {}
    for found in shown:
        answered = answered_most(found)
        slots: dict[tuple[int, int, int, int, bool, bool], tuple[Drawn, RowDraws] | None] = {}
        for entry in found.entries:
            for number, score, outcome, labels in _rounds(entry):
                spot = (entry.task, entry.model, entry.at, number, was_graded(entry), _self_contained(entry))
                if spot not in slots:
                    slots[spot] = _slot(boards, editions, found, entry, number, answered)
                slot = slots[spot]
                if slot is not None:
                    _count(slot, found.header.run, entry, number, score, outcome, labels)
    return boards


def _count(
    slot: tuple[Drawn, RowDraws], run: str, entry: Entry, number: int, score: float | None, outcome: str, labels: int
) -> None:
    drawn, row = slot
    if OUTCOMES[outcome].evidence == "none":
        drawn.missing[outcome] = drawn.missing.get(outcome, 0) + 1
    else:
        drawn.scores.append(score or 0.0)
        drawn.solved += outcome == "solved"
        drawn.unread += entry.parse_failure and number == 0
    if entry.cost_usd is not None:
        drawn.costs.append(entry.cost_usd)
    elif entry.usage is not None:
        drawn.unpriced = True
    if entry.usage is not None:
        row.tokens[0] += entry.usage.input + entry.usage.cache_read + entry.usage.cache_write
        row.tokens[1] += entry.usage.output
    row.runs.add(run)
    row.calls += entry.calls
    row.labels_seen = max(row.labels_seen, labels)
    row.first = min(row.first, entry.started)
    row.last = max(row.last, entry.started)


def answered_most(found: EntriesFile) -> dict[str, str]:
    """For each model of a run the snapshot that answered most; draws that nobody answered are put to it."""
    counts: dict[str, Counter[str]] = {}
    models = found.header.models
    for place, number in Counter(entry.model for entry in found.entries).items():
        name, answered = models[place].name, models[place].answered
        counts.setdefault(name, Counter())
        if answered:
            counts[name][answered] += number
    return {name: min(table, key=lambda one: (-table[one], one)) if table else "" for name, table in counts.items()}


def _slot(
    boards: Boards, editions: Editions, found: EntriesFile, entry: Entry, number: int, answered: dict[str, str]
) -> tuple[Drawn, RowDraws] | None:
    model = found.header.models[entry.model]
    kind = role(model.name)
    if kind == "mutant" or (kind == "control" and number):  # a control gives the same answer in every round
        return None
    task = found.header.tasks[entry.task]
    key = BoardKey(
        task.suite,
        task.set,
        task.tier,
        editions.device(found, entry.task, entry.at, was_graded(entry)),
        number,
        bool(model.settings.get("structured", False)),
        bool(model.settings.get("network", False)),
        _self_contained(entry),
        editions.number(found, entry.task, entry.at, was_graded(entry)),
    )
    name = RowKey(model.name, model.answered or answered[model.name], found.header.by)
    row = boards.setdefault(key, {}).setdefault(name, RowDraws(model))
    if OUTCOMES[entry.outcome].evidence != "none":
        row.isolation.add(found.header.circumstances[entry.at].isolation)
    return row.tasks.setdefault(task.id, Drawn(task.cluster or task.id)), row


def _self_contained(entry: Entry) -> bool:
    return entry.metrics.get("self_contained") != 0


def _rounds(entry: Entry) -> Iterator[tuple[int, float | None, str, int]]:
    """(round, score, outcome, labels seen) of each graded submission; one where nothing was graded."""
    if entry.protocol != "revise" or not entry.rounds:
        yield 0, entry.score, entry.outcome, entry.labels_seen
        return
    for number, played in enumerate(entry.rounds):
        yield number, played.score, played.outcome, played.labels_seen
