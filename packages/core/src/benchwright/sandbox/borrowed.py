"""What `open_sandbox()` gives inside a grading: the sandbox of the `bench` that started it, for commands.

A hidden test that compiles and runs a kernel does so behind the same walls, without probing them again and
without processes of its own.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchwright.records import Limits
from benchwright.sandbox import command
from benchwright.sandbox.command import CommandOutput

_lent: list[Borrowed] = []


class Borrowed:
    """The part of a `Sandbox` that a hidden test can use: `tier` and `run_command`."""

    used = True

    def __init__(self, tier: str, control: socket.socket) -> None:
        self.tier = tier
        self._control = control

    def __enter__(self) -> Borrowed:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run_command(
        self,
        argv: Sequence[str],
        folder: Path,
        *,
        read: Sequence[str | Path] = (),
        write: Sequence[str | Path] = (),
        imports: Sequence[str] = (),
        network: bool = False,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        input: bytes = b"",
    ) -> CommandOutput:
        """See `Sandbox.run_command`."""
        return command.run(
            self._control,
            argv,
            Path(folder),
            read=read,
            write=write,
            imports=imports,
            network=network,
            limits=limits or Limits(),
            env=env or {},
            given=input,
        )

    def close(self) -> None:
        """Nothing: what is borrowed stays with its owner."""


def lend(tier: str, control: socket.socket) -> None:
    """Makes `open_sandbox()` give a borrowed sandbox in this process, which is a grader."""
    _lent.append(Borrowed(tier, control))


def lent() -> Borrowed | None:
    """The borrowed sandbox of this process, if it is a grader."""
    return _lent[-1] if _lent else None
