"""Workers that are exec'd rather than forked: behind bubblewrap and seatbelt, and for compilers.

The keeper forks, the child execs a fresh interpreter (within the tier's program, where it has one), and
that puts up the walls that are its own to put up before it does what it was started for.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from benchwright.sandbox import keeper, walls

FLAGS = ("-s", "-S", "-P")
"""No packages of the user's, no `.pth` files, no folder on the path by itself; the environment is ours."""

BOOT = str(Path(__file__).with_name("boot.py"))


def boot_command() -> list[str]:
    """How a process with nothing but the standard library is started."""
    return [os.path.realpath(sys.executable), *FLAGS, BOOT]


@cache
def own_modules() -> dict[str, tuple[str, list[str]]]:
    """The modules of ours that such a process imports before the walls stand."""
    from benchwright.sandbox import reading

    found = {}
    for name in ("benchwright", "msgspec"):
        place = reading.importable(name)
        assert place is not None
        found[name] = (place.origin, list(place.folders))
    return found


def own_files() -> list[str]:
    """Code of ours that such a process reads within the walls; nothing that a task keeps hidden."""
    here = Path(__file__).parent
    msgspec = [os.path.realpath(folder) for folder in own_modules()["msgspec"][1]]
    return [*msgspec, str(here.resolve()), *[str(p.resolve()) for p in here.parent.glob("*.py")]]


def wrap(
    tier: str,
    command: list[str],
    folder: str,
    paths: Iterable[str],
    *,
    network: bool = False,
    processes: bool = False,
    writing: Iterable[str] = (),
) -> list[str]:
    """`command`, started within the walls of a tier that has a program for them."""
    if tier == walls.BUBBLEWRAP:
        from benchwright.sandbox import bubblewrap

        return bubblewrap.wrap(command, [folder, *writing], [*paths, *own_files()], network=network)
    if tier == walls.SEATBELT:
        from benchwright.sandbox import seatbelt

        paths = [*paths, *own_files()]
        return seatbelt.wrap(command, [folder, *writing], paths, network=network, processes=processes)
    return command


def become(
    orders: Mapping[str, Any],
    order: Mapping[str, Any],
    descriptors: list[int],
    paths: Iterable[str],
    run: str,
    *,
    processes: bool = False,
) -> None:
    """Execs a worker in this process, which a keeper forked; it gets the same descriptors."""
    said = {
        "modules": orders["modules"],
        "run": run,
        "orders": {**orders, "order": {**order, "reading": list(order["reading"])}, "descriptors": descriptors},
    }
    with tempfile.TemporaryFile() as file:
        file.write(json.dumps(said, default=bytes.decode).encode() + b"\n")
        file.seek(0)
        os.dup2(file.fileno(), 0)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, True)
    # Within bubblewrap it can no longer be said.
    keeper.die_first()
    command = wrap(
        orders["tier"],
        boot_command(),
        order["folder"],
        paths,
        network=bool(order.get("network")),
        processes=processes,
        writing=order.get("writing", ()),
    )
    os.execve(command[0], command, dict(os.environ))
