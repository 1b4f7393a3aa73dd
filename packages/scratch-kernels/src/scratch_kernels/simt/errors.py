"""What a person gets told: a kernel that is not one, or a launch that cannot be made."""

from __future__ import annotations

from benchwright.errors import UserError


class SimtError(UserError):
    """A launch that cannot be made: no such kernel, wrong buffers, a group too large."""


class CompileError(SimtError):
    """The source is refused; `line` counts from 1, 0 where no line is to blame."""

    def __init__(self, why: str, line: int = 0, file: str = "kernel") -> None:
        super().__init__(f"{file}:{line}: {why}" if line else f"{file}: {why}")
        self.why = why
        self.line = line


class ToolchainError(SimtError):
    """No usable compiler on this machine."""


class UnsupportedError(SimtError):
    """The source asks for something the emulator does not model."""
