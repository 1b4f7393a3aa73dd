"""What an attempt used, turn by turn: tokens, calls, seconds."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from benchwright.records import Reply, Usage


class Ledger:
    """What an attempt used: tokens, calls, turns, seconds."""

    def __init__(self) -> None:
        self.usage: Usage | None = None
        self.wasted: Usage | None = None
        self.billed: list[Usage] = []
        self.calls = 0
        self.turns = 0
        self.reused = 0
        self.interrupted = 0
        self.seconds = 0.0
        self.answered: list[str] = []

    def enter(self, reply: Reply) -> None:
        """Adds a turn's reply."""
        self.usage = _sum(self.usage, _sum(reply.usage, reply.wasted))
        self.wasted = _sum(self.wasted, reply.wasted)
        self.billed += [usage for usage in (reply.usage, reply.wasted) if usage is not None]
        self.calls += reply.calls
        self.seconds += reply.seconds
        if reply.model_answered and reply.model_answered not in self.answered:
            self.answered.append(reply.model_answered)


def with_earlier(reply: Reply, *, calls: int, billed: Iterable[Usage | None]) -> Reply:
    """What earlier tries at a turn were billed stays on record beside the reply that a later one gave."""
    wasted = reply.wasted
    for usage in billed:
        wasted = _sum(wasted, usage)
    return msgspec.structs.replace(reply, wasted=wasted, calls=reply.calls + calls)


def _sum(one: Usage | None, other: Usage | None) -> Usage | None:
    if one is None or other is None:
        return one or other
    return one + other
