"""What the engine tells whoever watches. The engine prints nothing; the command line draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchwright.records import Attempt

if TYPE_CHECKING:
    from benchwright.engine.plan import Plan
    from benchwright.journal import RunFolder


class Watcher:
    """Told of a run as it happens, on the event loop's thread; each method may be left as it is."""

    def began(self, plan: Plan, folder: RunFolder, kept: list[Attempt]) -> None:
        """The run folder is open; `kept` are the attempts that an earlier session finished."""

    def finished(self, attempt: Attempt) -> None:
        """An attempt's line is on disk."""

    def note(self, text: str) -> None:
        """One sentence worth telling."""

    def waiting(self, model: str, why: str, seconds: float) -> None:
        """A call to `model` waits for the provider: `429`, for example, for so many seconds."""

    def tick(self) -> None:
        """Some seconds have passed."""

    def stopping(self) -> None:
        """The run was asked to stop and finishes what is in flight."""
