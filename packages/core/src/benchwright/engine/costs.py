"""What a run cost, derived again from the tokens on record and the price table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchwright import pricing
from benchwright.engine.readout import read
from benchwright.journal import turns
from benchwright.records import Attempt, Table, Usage


class ModelCost(msgspec.Struct, frozen=True):
    """One model's part of a run. Dollars are None where the table has no price for it."""

    model: str
    attempts: int
    solved: int
    usage: Usage
    """Every token billed, those of failed tries included."""
    wasted: Usage
    """The part that was billed for tries which gave no reply."""
    interrupted_calls: int
    """Calls in flight at a kill; their tokens are not known."""
    usd: float | None
    recorded_usd: float | None
    usd_per_solved: float | None

    @property
    def billed(self) -> bool:
        """Whether any token is on record; without one there is nothing to price."""
        return self.usage != Usage()


class Costs(msgspec.Struct, frozen=True):
    """The costs of a run, and where the derivation gives another figure than the record."""

    run: str
    day: str
    prices_digest: str
    models: tuple[ModelCost, ...]
    differences: tuple[str, ...]

    def table(self) -> Table:
        """A row a model."""
        columns = (
            "model",
            "attempts",
            "solved",
            "input",
            "cached",
            "output",
            "reasoning",
            "wasted",
            "cost",
            "per solved",
        )
        rows = tuple(
            (
                entry.model,
                entry.attempts,
                entry.solved,
                f"{entry.usage.input:,}",
                f"{entry.usage.cache_read + entry.usage.cache_write:,}",
                f"{entry.usage.output:,}",
                f"{entry.usage.reasoning:,}",
                f"{sum(msgspec.structs.astuple(entry.wasted)) - entry.wasted.reasoning:,}",
                _dollars(entry.usd) if entry.billed else _NOTHING,
                _NOTHING if not entry.billed or not entry.solved else _dollars(entry.usd_per_solved),
            )
            for entry in self.models
        )
        return Table(columns, rows)


_NOTHING = "–"
"""Where there is no amount to tell: no token was billed, or no task was solved."""


def _dollars(value: float | None) -> str:
    return "no price" if value is None else f"${value:.4f}"


def costs(run: Path) -> Costs:
    """The costs of a run folder, by the prices of the day it began."""
    manifest, attempts = read(run)
    prices, day = pricing.load_prices(), manifest.created[:10]
    groups: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.model.name, []).append(attempt)
    differences: list[str] = []
    models = []
    for model, group in sorted(groups.items()):
        usage, wasted, interrupted, solved = Usage(), Usage(), 0, 0
        total: float | None = 0.0
        recorded: float | None = 0.0
        for attempt in group:
            solved += attempt.solved
            interrupted += attempt.notes.get("interrupted_calls", 0)
            if attempt.notes.get("wasted_usage"):
                wasted += msgspec.convert(attempt.notes["wasted_usage"], Usage)
            if attempt.usage is None:
                continue
            usage += attempt.usage
            cost = _derive(prices, run, attempt, day)
            if cost != attempt.cost_usd:
                differences.append(
                    f"{attempt.task.id}, {model}, draw {attempt.draw}: {_dollars(attempt.cost_usd)} on record, "
                    f"{_dollars(cost)} from tokens"
                )
            total = None if total is None or cost is None else total + cost
            recorded = None if recorded is None or attempt.cost_usd is None else recorded + attempt.cost_usd
        per = total / solved if total is not None and solved else None
        models.append(ModelCost(model, len(group), solved, usage, wasted, interrupted, total, recorded, per))
    return Costs(manifest.run, day, prices.digest, tuple(models), tuple(differences))


def _derive(prices: pricing.Prices, run: Path, attempt: Attempt, day: str) -> float | None:
    """As the engine does: the sum where it has a price, else call by call."""
    whole = prices.cost(attempt.usage, attempt.model.name, day)
    if whole is not None:
        return whole
    each = [prices.cost(usage, attempt.model.name, day) for usage in _billed(run, attempt)]
    return sum(cost for cost in each if cost is not None) if each and None not in each else None


def _billed(run: Path, attempt: Attempt) -> Iterator[Usage]:
    folder = turns.attempt_folder(run, attempt.task.id, attempt.model.name, attempt.draw)
    for turn in range(1, attempt.protocol.turns + 1):
        record = turns.read_record(folder, turn)
        if record is not None:
            yield from (usage for usage in (record.usage, record.wasted) if usage is not None)
