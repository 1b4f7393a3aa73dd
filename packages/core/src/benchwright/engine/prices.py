"""What calls cost: the price table, asked in the engine's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchwright import pricing
from benchwright.models.interface import Ask, Model
from benchwright.models.knobs import OUTPUT_CAP
from benchwright.records import Usage

_TOKENS_A_MESSAGE = 64
"""More than any provider adds around a message."""


class Prices:
    """What the engine asks about money. This one knows no price; `TablePrices` does."""

    def cost(self, model: Model, usage: Usage | None, day: str) -> float | None:
        """US dollars for tokens on record, or None for a model without a price."""
        return None

    def worst_case(self, model: Model, ask: Ask, day: str) -> float | None:
        """The most that one call can cost, or None for a model without a price."""
        return None

    def record(self, models: Sequence[Model], day: str) -> dict[str, Any]:
        """What the manifest keeps of the prices."""
        return {}


class TablePrices(Prices):
    """Prices of the table that comes with the package."""

    def __init__(self) -> None:
        self._table = pricing.load_prices()

    def cost(self, model: Model, usage: Usage | None, day: str) -> float | None:
        """See `Prices.cost`; a model whose calls cannot cost money has no price."""
        return self._table.cost(usage, model.identity, day) if model.paid else None

    def worst_case(self, model: Model, ask: Ask, day: str) -> float | None:
        """Every byte of the prompt a token, the reply at its output cap."""
        cap = model.settings.get(OUTPUT_CAP)
        if not isinstance(cap, int):
            return None
        sent = len(ask.system.encode()) + _TOKENS_A_MESSAGE
        for message in ask.messages:
            sent += len(message.text.encode("utf-8", "replace")) + _TOKENS_A_MESSAGE
            sent += sum(len(content) for content in message.attachments.values())
        return self._table.worst_case(sent, cap, model.identity, day)

    def record(self, models: Sequence[Model], day: str) -> dict[str, Any]:
        """The table's digest, and each paid model's price with its day and source."""
        paid = [model.identity for model in models if model.paid]
        return self._table.record(paid, day) if paid else {}


def cost_of(prices: Prices, model: Model, billed: Iterable[Usage], day: str) -> float | None:
    """The cost of several calls: of their sum, as anybody can derive it again from the tokens on record.

    Where the sum passes a limit that a price holds for, the calls are priced one by one. None where there was
    no call or one has no price.
    """
    usages = list(billed)
    if not usages:
        return None
    whole = prices.cost(model, sum(usages[1:], usages[0]), day)
    if whole is not None:
        return whole
    each = [prices.cost(model, usage, day) for usage in usages]
    return sum(cost for cost in each if cost is not None) if None not in each else None
