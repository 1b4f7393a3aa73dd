"""Asking a run to stop: the first Ctrl-C finishes what is in flight, within a bound; the second stops now."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from benchwright.models.guard import Halt

GRACE = 120.0
"""Seconds that calls and gradings in flight have after the first Ctrl-C; what is not finished then is called off."""

Why = Literal["", "interrupted", "stopped_by_budget"]


class Stop:
    """Whether, and why, no further call is begun."""

    def __init__(self) -> None:
        self.why: Why = ""
        self.halt = Halt()
        """Ends waits for a provider. A budget leaves them be: what waits has its money reserved."""

    @property
    def asked(self) -> bool:
        """No call and no attempt is begun any more."""
        return bool(self.why)

    def ask(self, why: Why) -> None:
        """The first reason stays."""
        self.why = self.why or why

    def ask_now(self, why: Why) -> None:
        """As `ask`, and nobody waits for a provider any more."""
        self.ask(why)
        self.halt.halt()


@contextmanager
def on_interrupt(stop: Stop, told: Callable[[], None], grace: float = GRACE) -> Iterator[None]:
    """Within it, SIGINT and SIGTERM ask for a stop; a second one, or `grace` seconds, cancels the current task."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    called_off: list[asyncio.TimerHandle] = []

    def call_off() -> None:
        if task is not None:
            task.cancel()

    def interrupted() -> None:
        if called_off:
            call_off()
            return
        stop.why = "interrupted"
        stop.halt.halt()
        called_off.append(loop.call_later(grace, call_off))
        told()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        for timer in called_off:
            timer.cancel()
