"""What calls cost, from tokens on record and the dated price table."""

from __future__ import annotations

from typing import Any

from benchwright.models.interface import Ask, Model
from benchwright.records import Usage


class Prices:
    """What the engine asks about money. This one knows no price; see `TablePrices`."""

    def cost(self, model: Model, usage: Usage | None, day: str) -> float | None:
        """US dollars for tokens on record, or None for a model without a price."""
        return None

    def worst_case(self, model: Model, ask: Ask) -> float | None:
        """The most that one call can cost, or None for a model without a price."""
        return None

    def record(self) -> dict[str, Any]:
        """What the manifest says of the prices."""
        return {}


class TablePrices(Prices):
    """Prices of the table."""
