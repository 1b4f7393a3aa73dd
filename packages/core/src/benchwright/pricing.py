"""What tokens cost: a dated table with sources, and exact arithmetic on it.

A cost is derived, never typed: tokens on record times the price that held on the day. Where the table
does not know, the cost is None, never zero.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchwright import digests, documents
from benchwright.errors import FileError
from benchwright.records import Usage

PATH = Path(__file__).with_name("prices.yaml")
_MILLION = Decimal(1_000_000)
_PRICED_TIERS = ("default", "standard_only", "auto")


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """The price of one model from one day on, for a million tokens of each kind."""

    model: str
    since: str
    currency: Literal["USD"]
    input: Decimal
    output: Decimal
    source: str
    cache_read: Decimal | None = None
    cache_write: Decimal | None = None
    prompt_limit: int | None = None
    """The price holds for prompts up to so many tokens, what was read from a cache included."""
    note: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal[1]
    looked_up: str
    prices: tuple[Price, ...]


class Prices(msgspec.Struct, frozen=True):
    """A price table."""

    looked_up: str
    digest: str
    by_model: dict[str, tuple[Price, ...]]
    """Model to its prices, the latest first."""

    def find(self, model: str, day: str) -> Price | None:
        """The price of `model` (an identity, or a snapshot's name with its provider) on `day` (YYYY-MM-DD).

        A dated snapshot has the price of its model. None where the table has none for that day, or where
        the model was asked for at a service tier with a price of its own.
        """
        name, _, knobs = model.partition("[")
        tier = re.search(r"(?:^|,)service_tier=([^,\]]*)", knobs)
        if tier is not None and tier[1] not in _PRICED_TIERS:
            return None
        prices = self.by_model.get(name) or self.by_model.get(_SNAPSHOT.sub("", name), ())
        return next((price for price in prices if price.since <= day), None)

    def cost(self, usage: Usage | None, model: str, day: str) -> float | None:
        """US dollars for `usage`, or None where there is no price for it.

        Several calls may be summed in `usage`; where their prompts together pass a price's prompt limit it
        cannot be said which call did, and the cost is None.
        """
        price = None if usage is None else self.find(model, day)
        if usage is None or price is None:
            return None
        if price.prompt_limit is not None and usage.input + usage.cache_read + usage.cache_write > price.prompt_limit:
            return None
        total = usage.input * price.input + usage.output * price.output
        for tokens, rate in ((usage.cache_read, price.cache_read), (usage.cache_write, price.cache_write)):
            if tokens and rate is None:
                return None
            total += tokens * (rate or 0)
        return float(total / _MILLION)

    def worst_case(self, input_tokens: int, output_cap: int, model: str, day: str) -> float | None:
        """The most that one call can cost: every token of the prompt at its dearest, the reply at its cap."""
        price = self.find(model, day)
        if price is None or (price.prompt_limit is not None and input_tokens > price.prompt_limit):
            return None
        dearest = max(price.input, price.cache_read or Decimal(0), price.cache_write or Decimal(0))
        return float((input_tokens * dearest + output_cap * price.output) / _MILLION)

    def record(self, models: tuple[str, ...] | list[str], day: str) -> dict[str, Any]:
        """What a manifest keeps of the prices: the table's digest, and each model's price with day and source."""
        found = {model: self.find(model, day) for model in models}
        return {
            "digest": self.digest,
            "looked_up": self.looked_up,
            "day": day,
            "models": {model: None if price is None else _plain(price) for model, price in found.items()},
        }


_SNAPSHOT = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")


def load_prices(path: Path | None = None) -> Prices:
    """The price table at `path`, or the one that comes with the package. Raises FileError, with the place."""
    return _load(path or PATH)


def cost(usage: Usage | None, model: str, day: str) -> float | None:
    """As `Prices.cost`, by the table that comes with the package."""
    return load_prices().cost(usage, model, day)


def worst_case(input_tokens: int, output_cap: int, model: str, day: str) -> float | None:
    """As `Prices.worst_case`, by the table that comes with the package."""
    return load_prices().worst_case(input_tokens, output_cap, model, day)


@cache
def _load(path: Path) -> Prices:
    read = documents.load(path, _File)
    by_model: dict[str, list[Price]] = {}
    for price in read.prices:
        rates = (price.input, price.output, price.cache_read, price.cache_write)
        place = f"{path}: {price.model} from {price.since}"
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", price.since):
            raise FileError(place, "`from` is a day, YYYY-MM-DD.")
        if any(rate is not None and not (rate.is_finite() and rate >= 0) for rate in rates):
            raise FileError(place, "a price is a number of dollars, 0 or more.")
        if not re.match(r"https://\S+$", price.source):
            raise FileError(place, "`source` is an address, https://….")
        others = by_model.setdefault(price.model, [])
        if any(other.since == price.since for other in others):
            raise FileError(place, "stands there twice.")
        others.append(price)
    latest_first = {
        name: tuple(sorted(prices, key=lambda p: p.since, reverse=True)) for name, prices in by_model.items()
    }
    return Prices(read.looked_up, digests.sha256(digests.unix_newlines(path.read_bytes())), latest_first)


def _plain(price: Price) -> dict[str, Any]:
    return {
        name: str(value) if isinstance(value, Decimal) else value
        for name, value in msgspec.structs.asdict(price).items()
        if value not in (None, "")
    }
