"""Whether costs follow from the tokens on record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.leaderboard.entries import EntriesFile
from benchwright.records import Attempt


def cost_problems(found: EntriesFile) -> Iterator[str]:
    """Costs of admitted attempts that do not follow from their tokens, a sentence each."""
    yield from attempt_problems([found.attempt(entry) for entry in found.entries], found.header.prices)


def attempt_problems(attempts: Sequence[Attempt], prices: dict[str, Any]) -> Iterator[str]:
    """As `cost_problems`, for attempts of a run whose manifest says `prices`."""
    for one in attempts:
        if one.cost_usd is not None and one.usage is None:
            yield f"{one.task.id}, {one.model.name}, draw {one.draw}: a cost without tokens"
