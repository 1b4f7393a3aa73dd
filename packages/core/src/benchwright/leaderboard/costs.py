"""Whether costs follow from the tokens on record and the dated price table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from benchwright import pricing
from benchwright.leaderboard.entries import EntriesFile
from benchwright.records import Attempt, Usage

_MILLION = Decimal(1_000_000)


def cost_problems(found: EntriesFile) -> Iterator[str]:
    """Costs of admitted attempts that do not follow from their tokens, a sentence each."""
    header = found.header
    rows = (
        (f"{found.path}:{number}", header.models[entry.model].name, entry.usage, entry.cost_usd)
        for number, entry in enumerate(found.entries, 2)
    )
    yield from _problems(rows, header.prices)


def attempt_problems(attempts: Iterable[Attempt], prices: dict[str, Any]) -> Iterator[str]:
    """As `cost_problems`, for attempts of a run whose manifest says `prices`."""
    rows = ((f"{one.task.id}, draw {one.draw}", one.model.name, one.usage, one.cost_usd) for one in attempts)
    yield from _problems(rows, prices)


def _problems(rows: Iterable[tuple[str, str, Usage | None, float | None]], prices: dict[str, Any]) -> Iterator[str]:
    day = str(prices.get("day", ""))
    table = pricing.load_prices()
    known: dict[str, pricing.Price | None] = {}
    for where, model, usage, cost in rows:
        if cost is None:
            continue
        if usage is None:
            yield f"{where}: {model} has a cost and no tokens on record"
            continue
        if model not in known:
            known[model] = table.find(model, day) if day else None
        price = known[model]
        if price is None:
            yield f"{where}: {model} has a cost and no price in the table{f' for {day}' if day else ''}"
            continue
        derived = _derive(usage, price)
        if derived is None or abs(derived - cost) > 1e-9 * max(1.0, cost):
            shown = "none" if derived is None else f"${derived:.6f}"
            yield f"{where}: {model} cost ${cost:.6f} on record, {shown} by its tokens and the prices of {price.since}"


def _derive(usage: Usage, price: pricing.Price) -> float | None:
    """The cost of calls that are summed in `usage`: linear in tokens, whatever number of calls they were."""
    total = usage.input * price.input + usage.output * price.output
    for tokens, rate in ((usage.cache_read, price.cache_read), (usage.cache_write, price.cache_write)):
        if tokens and rate is None:
            return None
        total += tokens * (rate or 0)
    return float(total / _MILLION)
