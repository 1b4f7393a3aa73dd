"""Asking a run to stop: the first Ctrl-C finishes what is in flight, the second stops now."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

Why = Literal["", "interrupted", "stopped_by_budget"]


class Stop:
    """Whether, and why, no further call is begun."""

    def __init__(self) -> None:
        self.why: Why = ""

    @property
    def asked(self) -> bool:
        """No call and no attempt is begun any more."""
        return bool(self.why)

    def ask(self, why: Why) -> None:
        """The first reason stays."""
        self.why = self.why or why


@contextmanager
def on_interrupt(stop: Stop, told: Callable[[], None]) -> Iterator[None]:
    """Within it, SIGINT and SIGTERM ask for a stop, and a second one cancels the current task."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def interrupted() -> None:
        if stop.why == "interrupted":
            if task is not None:
                task.cancel()
            return
        stop.why = "interrupted"
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
