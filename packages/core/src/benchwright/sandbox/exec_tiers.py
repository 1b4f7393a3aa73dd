"""Tiers whose walls are put up by another program, which then execs each worker: bubblewrap and seatbelt."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from benchwright.sandbox import reading, walls

BOOT = str(Path(__file__).with_name("boot.py"))


def boot_command() -> list[str]:
    """How a process with nothing but the standard library is started."""
    return [sys.executable, "-I", "-S", BOOT]


@cache
def own_modules() -> dict[str, tuple[str, list[str]]]:
    """The modules of ours that such a process imports before the walls stand."""
    found = {}
    for name in ("benchwright", "msgspec"):
        place = reading.importable(name)
        assert place is not None
        found[name] = (place.origin, list(place.folders))
    return found


def wrap(tier: str, command: list[str], folder: str, paths: Iterable[str]) -> list[str]:
    """`command`, started within the walls of a tier that has a program for them."""
    if tier == walls.BUBBLEWRAP:
        from benchwright.sandbox import bubblewrap

        return bubblewrap.wrap(command, folder, paths)
    if tier == walls.SEATBELT:
        from benchwright.sandbox import seatbelt

        return seatbelt.wrap(command, folder, paths)
    return command


def own_files() -> list[str]:
    """Files of ours that such a process reads inside the walls: code, and nothing that a task keeps hidden."""
    here = Path(__file__).parent
    files = [os.path.join(folder, "") for _, folders in own_modules().values() for folder in folders if "msgspec" in folder]
    return [*files, str(here), *[str(p) for p in here.parent.glob("*.py")]]
