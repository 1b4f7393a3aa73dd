"""Where what a model wrote is run, and how it is graded without being believed.

`open_sandbox()` gives a `Sandbox`; a benchmark meets it as `ctx.sandbox`. `docs/sandbox.md` tells how
hidden tests are written, `docs/security.md` what is promised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchwright.sandbox.interface import NoWalls, SandboxError, SubmissionError

if TYPE_CHECKING:
    from benchwright.sandbox.probe import DoctorRow
    from benchwright.sandbox.sandbox import Sandbox

__all__ = ["NoWalls", "Sandbox", "SandboxError", "SubmissionError", "doctor", "open_sandbox"]


def open_sandbox(*, unsafe: bool = False, tier: str | None = None) -> Sandbox:
    """A sandbox. Nothing is probed or started until it is used. Inside a hidden test, the one that grades it.

    `unsafe`: no walls; attempts are then not comparable. `tier`: these walls and no others; the
    environment variable `BENCHWRIGHT_TIER` does the same.
    """
    from benchwright.sandbox import borrowed
    from benchwright.sandbox.sandbox import Sandbox

    if not unsafe and tier is None and (mine := borrowed.lent()) is not None:
        return mine  # type: ignore[return-value]
    return Sandbox(unsafe=unsafe, tier=tier)


def doctor() -> list[DoctorRow]:
    """What `bench doctor` tells of isolation: a row for each tier and probe, and the tier in force last."""
    from benchwright.sandbox import probe

    return probe.doctor()


def __getattr__(name: str) -> Any:
    if name == "Sandbox":
        from benchwright.sandbox.sandbox import Sandbox

        return Sandbox
    raise AttributeError(f"module 'benchwright.sandbox' has no attribute {name!r}")
