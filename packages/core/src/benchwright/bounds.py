"""How long a benchmark's hooks may take. Each has an end, so that one that hangs is named and holds nobody up."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable
from typing import TypeVar

from benchwright.errors import UserError

Answer = TypeVar("Answer")

VARIABLE = "BENCHWRIGHT_HOOK_SECONDS"
"""The environment variable that replaces both bounds below."""
LISTING = 60.0
"""Seconds for a hook that lists or registers, which every command waits for."""
WORKING = 600.0
"""Seconds for a hook that may have something to do: load a task, look at the machine, calibrate, report."""

_SECONDS = {
    "list_params": LISTING,
    "list_tasks": LISTING,
    "register_models": LISTING,
    "register_commands": LISTING,
    "check_machine": WORKING,
    "load_task": WORKING,
    "calibrate": WORKING,
    "report": WORKING,
}


class Overdue(Exception):
    """The work did not end in the time it had. Its thread is left behind; nothing waits for it any more."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it did not end within {seconds:g} s")
        self.seconds = seconds


def of(hook: str) -> float | None:
    """Seconds that a hook may take; None where whoever calls it knows how long a task's grading may take.

    Raises UserError where `BENCHWRIGHT_HOOK_SECONDS` is no time.
    """
    usual = _SECONDS.get(hook)
    given = os.environ.get(VARIABLE)
    if usual is None or not given:
        return usual
    try:
        seconds = float(given)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= threading.TIMEOUT_MAX:
        raise UserError(f"{VARIABLE}={given}: expected seconds above 0, for example {VARIABLE}={WORKING:g}.")
    return seconds


def within(seconds: float, work: Callable[[], Answer]) -> Answer:
    """What `work` gives, or raises. Raises Overdue after `seconds`; its thread is then left behind as a daemon."""
    given: list[Answer] = []
    failed: list[BaseException] = []

    def body() -> None:
        try:
            given.append(work())
        except BaseException as error:  # noqa: BLE001  handed to the one who waits
            failed.append(error)

    thread = threading.Thread(target=body, name="hook", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not given:
        raise Overdue(seconds)
    return given[0]
