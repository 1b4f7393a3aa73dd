"""The money a run may spend: no call is begun whose worst case would lead past it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from benchwright.errors import BudgetReached
from benchwright.models.interface import Ask, Model
from benchwright.models.throttle import FURTHER_CALL
from benchwright.records import Reply


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
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def reserved(self, model: Model, ask: Ask) -> AsyncIterator[None]:
        """Room for one call, and for further tries of it as far as there is any.

        Waits for calls in flight where they may leave some; raises BudgetReached where none is left.
        """
        if self.most is None or not model.paid:
            yield
            return
        worst = self._worst_case(model, ask)
        if worst is None:
            raise BudgetReached(f"`{model.identity}` has no price, so a call to it cannot be held against --max-cost.")
        async with self._changed:
            while self.total + self._reserved + worst > self.most:
                if not self._in_flight:
                    raise BudgetReached(
                        f"The next call could cost ${worst:.4f}, with ${self.total:.4f} of ${self.most:.2f} spent."
                    )
                await self._changed.wait()
            self._reserved += worst
            self._in_flight += 1
        held, most = worst, self.most

        def further() -> bool:
            # A try that failed may be billed in full as well, so the next one needs room of its own.
            nonlocal held
            if self.total + self._reserved + worst > most:
                return False
            self._reserved += worst
            held += worst
            return True

        token = FURTHER_CALL.set(further)
        try:
            yield
        finally:
            FURTHER_CALL.reset(token)
            async with self._changed:
                self._reserved -= held
                self._in_flight -= 1
                self._changed.notify_all()

    def spent(self, model: Model, reply: Reply) -> None:
        """Enters what a reply cost; a model without a price costs nothing here and is shown as unpriced."""
        if model.paid:
            self.total += self._price(model, reply) or 0.0
