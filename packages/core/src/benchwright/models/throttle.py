"""Calls to one provider: how many at once, when to try again, and what a failed try cost.

The SDKs retry nothing; this does, within bounds, and counts every request. The number of calls in
flight is found as TCP finds its window: each reply raises it by one per round, each 429 or overload
halves it, once for the calls that were in flight together.
"""

from __future__ import annotations

import asyncio
import random
import time
import weakref
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import msgspec

from benchwright.errors import ModelError
from benchwright.models.knobs import Options
from benchwright.records import Reply, Usage

FURTHER_CALL: ContextVar[Callable[[], bool] | None] = ContextVar("benchwright_further_call", default=None)
"""Asked before each request after the first of a reply: whether the budget has room for it. Set by the engine."""

FIRST_LIMIT = 8.0
LONGEST_BACKOFF = 60.0


class Fault(Exception):
    """One try that gave no complete reply; `str()` says why, in words without any secret."""

    def __init__(
        self,
        why: str,
        *,
        label: str = "",
        again: bool = True,
        busy: bool = False,
        late: bool = False,
        after: float | None = None,
        outcome: str = "provider_error",
    ) -> None:
        super().__init__(why)
        self.label = label or why
        """The same in a word, for a progress line: `429`."""
        self.again = again
        """Whether another try makes sense."""
        self.busy = busy
        """429 or overload: the provider wants fewer calls."""
        self.late = late
        """It ran past the wall clock; tried once more at most, since each such try may be billed in full."""
        self.after = after
        """Seconds that the provider asks to wait."""
        self.outcome = outcome


class Try:
    """What one try leaves behind, complete or not: events as they came, and tokens known to be billed."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.billed: Usage | None = None
        self.answered: str | None = None


class Throttle:
    """The calls of one run to one provider; shared by its models, for a limit is an account's."""

    def __init__(self, most: int = 64) -> None:
        self.limit = min(FIRST_LIMIT, float(most))
        """Calls allowed in flight now; moves with what the provider bears."""
        self.in_flight = 0
        self.waiting = 0
        """Calls that sit out a pause."""
        self._most = float(most)
        self._open_at = 0.0
        self._why = ""
        self._cut_at = 0.0
        self._room = asyncio.Condition()

    async def ask(self, model: str, options: Options, one_try: Callable[[Try], Awaitable[Reply]]) -> Reply:
        """A complete reply, with every request counted. Raises ModelError where tries, patience or sense run out."""
        began = time.monotonic()
        calls = late = 0
        wasted: Usage | None = None
        while True:
            seen = Try()
            started = await self._enter(model, options)
            calls += 1
            try:
                async with asyncio.timeout(options.call_seconds):
                    reply = await one_try(seen)
            except TimeoutError:
                fault = Fault(f"no complete reply within {options.call_seconds:g} s", label="slow", late=True)
            except Fault as error:
                fault = error
            else:
                self._grow()
                return msgspec.structs.replace(
                    reply, calls=calls, wasted=wasted, seconds=round(time.monotonic() - began, 6)
                )
            finally:
                await self._leave()
            if fault.busy:
                self._cut(started)
            if seen.billed is not None:
                wasted = seen.billed if wasted is None else wasted + seen.billed
            late += fault.late
            most = options.busy_tries if fault.busy else options.tries
            pause = self._pause(fault, calls, options)
            if fault.again and calls < most and late <= 1 and pause is not None and not _room_for_another():
                fault = Fault(f"{fault}; --max-cost has no room for another try", again=False, outcome="over_budget")
            if not fault.again or calls >= most or late > 1 or pause is None:
                raise ModelError(
                    _last_words(fault, calls, pause is None, options),
                    fault.outcome,
                    Reply(
                        "", seen.answered, "failed", None, tuple(seen.events), calls=calls, wasted=wasted,
                        seconds=round(time.monotonic() - began, 6),
                    ),
                )  # fmt: skip
            if fault.busy:
                # The provider is busy for everybody: nobody begins a call before it is over.
                self._open_at = max(self._open_at, time.monotonic() + pause)
                self._why = fault.label
                continue
            self.waiting += 1
            try:
                if options.waiting is not None:
                    options.waiting(model, fault.label, pause)
                await asyncio.sleep(pause)
            finally:
                self.waiting -= 1

    async def _enter(self, model: str, options: Options) -> float:
        """Waits until the provider takes a call; gives when it began."""
        while True:
            pause = self._open_at - time.monotonic()
            if pause > 0:
                self.waiting += 1
                try:
                    if options.waiting is not None:
                        options.waiting(model, self._why, pause)
                    # Spread out, or all would come back at once.
                    await asyncio.sleep(pause * (1 + 0.1 * random.random()))
                finally:
                    self.waiting -= 1
            async with self._room:
                await self._room.wait_for(lambda: self.in_flight < max(1, int(self.limit)))
                if self._open_at > time.monotonic():
                    continue  # another call was turned away meanwhile
                self.in_flight += 1
                return time.monotonic()

    async def _leave(self) -> None:
        self.in_flight -= 1
        # No await between the count and the notice, so a cancelled call gives its place back as well.
        await asyncio.shield(self._notify())

    async def _notify(self) -> None:
        async with self._room:
            self._room.notify_all()

    def _grow(self) -> None:
        if self.in_flight < int(self.limit):
            return  # the limit did not bind, so a reply says nothing about what lies above it
        self.limit = min(self._most, self.limit + 1 / self.limit)

    def _cut(self, started: float) -> None:
        if started >= self._cut_at:
            self.limit = max(1.0, self.limit / 2)
            self._cut_at = time.monotonic()

    def _pause(self, fault: Fault, calls: int, options: Options) -> float | None:
        """Seconds before the next try; None where the provider asks for more than is waited."""
        if fault.after is not None:
            return fault.after if fault.after <= options.longest_wait else None
        backoff = min(LONGEST_BACKOFF, options.backoff * 2.0 ** (calls - 1))
        return float(backoff * random.uniform(0.75, 1.25))


def _room_for_another() -> bool:
    room = FURTHER_CALL.get()
    return room is None or room()


def _last_words(fault: Fault, calls: int, too_long: bool, options: Options) -> str:
    tried = f" after {calls} tries" if calls > 1 else ""
    if too_long and fault.again:
        return f"{fault}, and the provider asks to wait {fault.after:.0f} s, more than the {options.longest_wait:.0f} s that are waited{tried}"
    return f"{fault}{tried}"


_SHARED: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Throttle]] = weakref.WeakKeyDictionary()


def shared(provider: str, most: int) -> Throttle:
    """The throttle of a provider in the running event loop."""
    here = _SHARED.setdefault(asyncio.get_running_loop(), {})
    return here.setdefault(provider, Throttle(most))
