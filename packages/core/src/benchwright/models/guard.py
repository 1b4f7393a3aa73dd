"""What the engine says about the requests of one reply: whether another may begin, and what is noted of each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

from benchwright.errors import ModelError
from benchwright.records import Usage


class NoMoreCalls(Exception):
    """The run stops: no request may begin, and nobody waits for one."""


class Stopped(ModelError):
    """The run stops while a reply waits for its provider. `reply` is what came of the tries so far."""


class Halt:
    """Ends waits. Belongs to one event loop, whose thread alone may call it."""

    def __init__(self) -> None:
        self.halted = False
        self._waiters: set[asyncio.Future[bool]] = set()

    def halt(self) -> None:
        """Ends every wait, now and from now on."""
        self.halted = True
        for waiter in self._waiters:
            settle(waiter, False)

    async def until(self, waiter: asyncio.Future[bool]) -> None:
        """Waits for `waiter`. Raises NoMoreCalls where the run stops first."""
        if self.halted:
            raise NoMoreCalls
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)
        if self.halted:
            raise NoMoreCalls

    async def sleep(self, seconds: float) -> None:
        """Sleeps. Raises NoMoreCalls where the run stops first."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        timer = loop.call_later(seconds, settle, waiter, True)
        try:
            await self.until(waiter)
        finally:
            timer.cancel()


def settle(waiter: asyncio.Future[bool], value: bool) -> None:
    """Gives `waiter` its result where it has none yet."""
    if not waiter.done():
        waiter.set_result(value)


class Guard:
    """How the engine watches over the requests of one reply. A model that is called outside a run has one that lets all pass."""

    def __init__(
        self,
        halt: Halt | None = None,
        further: Callable[[bool], Awaitable[bool]] | None = None,
        note: Callable[[int, Usage | None, bool], None] | None = None,
    ) -> None:
        self.halt = halt or Halt()
        self._further = further
        self._note = note

    async def further(self, *, billed: bool) -> bool:
        """Whether there is money for another try; `billed`: the last one may have been billed. May wait for room."""
        return self._further is None or await self._further(billed)

    def note(self, calls: int, wasted: Usage | None, *, in_flight: bool) -> None:
        """Keeps what a kill must not lose: requests ended so far, what they were billed, and whether one is under way."""
        if self._note is not None:
            self._note(calls, wasted, in_flight)


GUARD: ContextVar[Guard | None] = ContextVar("benchwright_guard", default=None)
"""The guard of the reply that is being asked for; set by the engine."""


def guard() -> Guard:
    """The guard of this call."""
    return GUARD.get() or Guard()
