"""The money a run may spend: no call is begun whose worst case would lead past it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from benchwright.errors import BudgetReached
from benchwright.models.guard import Halt, settle
from benchwright.models.interface import Ask, Model
from benchwright.records import Reply

Further = Callable[[bool], Awaitable[bool]]
"""Asked before each further try of a call: whether there is room; told whether the last try may have been billed."""


class Budget:
    """What was spent, what is reserved for calls in flight, and the most that may be."""

    def __init__(
        self,
        most: float | None,
        worst_case: Callable[[Model, Ask], float | None],
        price: Callable[[Model, Reply], float | None],
        spent: float = 0.0,
    ) -> None:
        self.most = most
        self.total = spent
        """US dollars spent so far, earlier sessions included."""
        self._worst_case = worst_case
        self._price = price
        self._reserved = 0.0
        self._in_flight = 0
        self._stuck = 0
        self._waiters: list[asyncio.Future[bool]] = []

    @asynccontextmanager
    async def reserved(self, model: Model, ask: Ask, halt: Halt) -> AsyncIterator[Further | None]:
        """Room for one call; gives what finds room for each further try of it.

        Waits for calls in flight where they may leave some; raises BudgetReached where none is left, and NoMoreCalls
        where the run stops meanwhile.
        """
        if self.most is None or not model.paid:
            yield None
            return
        worst = self._worst_case(model, ask)
        if worst is None:
            raise BudgetReached(f"`{model.identity}` has no price, so a call to it cannot be held against --max-cost.")
        while not self._fits(worst):
            if not self._in_flight:
                raise BudgetReached(
                    f"The next call could cost ${worst:.4f}, with ${self.total:.4f} of ${self.most:.2f} spent."
                )
            await self._change(halt)
        self._reserved += worst
        self._in_flight += 1
        held = worst

        async def further(billed: bool) -> bool:
            # A try that failed may be billed in full as well, so the next one needs room of its own.
            nonlocal held
            if not billed:
                return True
            while not self._fits(worst):
                self._stuck += 1
                try:
                    if self._stuck == self._in_flight:
                        return False  # nobody is left who could leave some room
                    await self._change(halt)
                finally:
                    self._stuck -= 1
            self._reserved += worst
            held += worst
            return True

        try:
            yield further
        finally:
            self._reserved -= held
            self._in_flight -= 1
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                settle(waiter, True)

    def _fits(self, worst: float) -> bool:
        assert self.most is not None
        return self.total + self._reserved + worst <= self.most

    async def _change(self, halt: Halt) -> None:
        """Waits until a call has ended."""
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await halt.until(waiter)

    def spent(self, model: Model, reply: Reply) -> None:
        """Enters what a reply cost; a model without a price costs nothing here and is shown as unpriced."""
        if model.paid:
            self.total += self._price(model, reply) or 0.0
