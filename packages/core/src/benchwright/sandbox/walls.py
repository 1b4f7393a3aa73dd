"""The tiers, best first, and how a process that is about to run somebody's code walls itself in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from benchwright.sandbox import landlock, limits, namespaces, seccomp

NAMESPACES = "namespaces+landlock+seccomp"
LANDLOCK = "landlock+seccomp"
BUBBLEWRAP = "bubblewrap"
SEATBELT = "seatbelt"
UNSAFE = "unsafe"

TIERS = (NAMESPACES, LANDLOCK, BUBBLEWRAP, SEATBELT)
"""In the order in which they are tried. `unsafe` is none of them: it is asked for, never found."""

FORKING = (NAMESPACES, LANDLOCK, UNSAFE)
"""Tiers whose workers are forked from a keeper that has imported the packages. The others exec each worker."""


def enter(
    tier: str,
    budget: Mapping[str, Any],
    *,
    read: Iterable[str] = (),
    write: Iterable[str] = (),
    processes: bool = False,
    network: bool = False,
    extra_memory: int = 0,
    about_to_exec: bool = False,
) -> None:
    """Walls this process in, for good, and lowers its limits to `budget` (fields of `Limits`).

    `read`: folders and files it may read and run. `write`: folders that are its own. `processes`: it may
    start others. Raises `OSError` where a wall does not hold; the process must then end.
    """
    command_of_root = processes and tier in (NAMESPACES, LANDLOCK) and os.geteuid() == 0
    if tier == NAMESPACES and not network:
        namespaces.enter(user=not command_of_root)
    if command_of_root:
        namespaces.leave_root()
    # Before Landlock, because how much is mapped already is read from /proc.
    limits.lower(budget, extra_memory=extra_memory, started=not about_to_exec)
    if tier in (NAMESPACES, LANDLOCK):
        landlock.restrict(run=read, write=write, network=network)
    if tier in (NAMESPACES, LANDLOCK, BUBBLEWRAP):
        if not command_of_root:
            namespaces.drop_capabilities()
        kept_in = tier == BUBBLEWRAP or landlock.keeps_signals_in()
        seccomp.install(seccomp.program(processes=processes, network=network, modes=processes, signals_kept_in=kept_in))
