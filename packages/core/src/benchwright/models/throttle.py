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
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from benchwright.errors import ModelError
from benchwright.models.guard import Guard, Halt, NoMoreCalls, Stopped, guard, settle
from benchwright.models.knobs import Options
from benchwright.records import Reply, Usage

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
        self._queue: deque[asyncio.Future[bool]] = deque()

    async def ask(self, model: str, options: Options, one_try: Callable[[Try], Awaitable[Reply]]) -> Reply:
        """A complete reply, with every request counted. Raises ModelError where tries, patience or sense run out.

        Raises Stopped where the run stops while no request is under way; one that is under way is waited for.
        """
        began = time.monotonic()
        calls = late = 0
        wasted: Usage | None = None
        seen = Try()
        watch = guard()

        def nothing() -> Reply:
            spent = round(time.monotonic() - began, 6)
            return Reply(
                "", seen.answered, "failed", None, tuple(seen.events), calls=calls, wasted=wasted, seconds=spent
            )

        try:
            while True:
                started = await self._enter(model, options, watch, calls, wasted)
                seen = Try()
                calls += 1
                fault: Fault | None = None
                try:
                    async with asyncio.timeout(options.call_seconds):
                        reply = await one_try(seen)
                    self._grow()
                except TimeoutError:
                    fault = Fault(f"no complete reply within {options.call_seconds:g} s", label="slow", late=True)
                except Fault as error:
                    fault = error
                    if fault.busy:
                        self._cut(started)
                finally:
                    self._leave()
                if fault is None:
                    return msgspec.structs.replace(
                        reply, calls=calls, wasted=wasted, seconds=round(time.monotonic() - began, 6)
                    )
                if seen.billed is not None:
                    wasted = seen.billed if wasted is None else wasted + seen.billed
                watch.note(calls, wasted, in_flight=False)
                late += fault.late
                most = options.busy_tries if fault.busy else options.tries
                pause = self._pause(fault, calls, options)
                if not fault.again or calls >= most or late > 1 or pause is None:
                    raise ModelError(_last_words(fault, calls, pause is None, options), fault.outcome, nothing())
                if fault.busy:
                    # The provider is busy for everybody: nobody begins a call before it is over.
                    self._open_at = max(self._open_at, time.monotonic() + pause)
                    self._why = fault.label
                # A request that was turned away before it gave anything costs nothing with any provider.
                if not await watch.further(billed=not fault.busy or bool(seen.events)):
                    fault = Fault(f"{fault}; --max-cost has no room for another try")
                    raise ModelError(_last_words(fault, calls, False, options), "over_budget", nothing())
                if not fault.busy:
                    await self._sit_out(pause, model, fault.label, options, watch.halt)
        except NoMoreCalls:
            raise Stopped("the run stopped before it was asked again" if calls else "the run stopped before it was asked",
                          reply=nothing()) from None  # fmt: skip

    async def _enter(self, model: str, options: Options, watch: Guard, calls: int, wasted: Usage | None) -> float:
        """Waits until the provider takes a call; gives when it began."""
        noted = calls > 0
        while True:
            pause = self._open_at - time.monotonic()
            if not noted and (pause > 0 or self._full):
                watch.note(calls, wasted, in_flight=False)
                noted = True
            if pause > 0:
                # Spread out, or all would come back at once.
                await self._sit_out(pause * (1 + 0.1 * random.random()), model, self._why, options, watch.halt)
            await self._place(watch.halt)
            if self._open_at > time.monotonic():
                self._leave()  # another call was turned away meanwhile
                continue
            if noted:
                watch.note(calls, wasted, in_flight=True)
            return time.monotonic()

    async def _sit_out(self, pause: float, model: str, why: str, options: Options, halt: Halt) -> None:
        """Waits for the provider, and tells so."""
        self.waiting += 1
        try:
            if options.waiting is not None:
                options.waiting(model, why, pause)
            await halt.sleep(pause)
        finally:
            self.waiting -= 1

    @property
    def _full(self) -> bool:
        return self.in_flight >= max(1, int(self.limit))

    async def _place(self, halt: Halt) -> None:
        """Waits for a place among the calls in flight, first come first served."""
        if halt.halted:
            raise NoMoreCalls
        if not self._full and not self._queue:
            self.in_flight += 1
            return
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append(waiter)
        try:
            await halt.until(waiter)
        except BaseException:
            if waiter.done() and not waiter.cancelled() and waiter.result():
                self._leave()  # the place came as the wait was called off
            elif waiter in self._queue:
                self._queue.remove(waiter)
            raise

    def _leave(self) -> None:
        """Gives a place back, and hands on what is free."""
        self.in_flight -= 1
        while self._queue and not self._full:
            waiter = self._queue.popleft()
            if not waiter.done():
                self.in_flight += 1
                settle(waiter, True)

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
