"""Errors that end in one sentence: what was wrong, where, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchwright.records import Reply


class BenchError(Exception):
    """Base of every error this project raises on purpose; `exit_code` is what `bench` ends with."""

    exit_code = 1


class UserError(BenchError):
    """Something the person at the keyboard can mend: a name, a file, a setting (exit code 2)."""

    exit_code = 2


class FileError(UserError):
    """A file that cannot be read as what it should be; `place` is `path`, `path:line` or `path:key`."""

    def __init__(self, place: object, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = str(place)
        self.why = why


class PluginError(UserError):
    """An installed plugin that breaks the contract; the message names the distribution."""


class PluginHung(PluginError):
    """A hook that did not end in the time it had; the message names the distribution and the hook."""


class BudgetReached(BenchError):
    """The run stopped because the next call could have exceeded a budget (exit code 3)."""

    exit_code = 3


class ModelError(BenchError):
    """A model gave no usable reply. `outcome` is the name in `outcomes.py` that the attempt gets.

    `reply` is what came all the same: tokens billed, calls made, events, the snapshot that answered.
    """

    def __init__(self, why: str, outcome: str = "provider_error", reply: Reply | None = None) -> None:
        super().__init__(why)
        self.outcome = outcome
        self.reply = reply
