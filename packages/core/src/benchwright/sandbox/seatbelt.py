"""seatbelt: the sandbox of macOS, through `sandbox-exec` and a profile that denies by default.

Not run where this was written: there was no Mac. Sources: `man sandbox-exec`, the profiles that ship in
`/System/Library/Sandbox/Profiles`, and those that public programs carry. `sandbox-exec` is marked as
deprecated by Apple and is what browsers and build tools use all the same. macOS refuses RLIMIT_AS, so the
keeper watches resident memory; and it has no signal for the death of a parent, so a worker whose keeper
is killed ends when its channel closes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from benchwright.sandbox.syscalls import NoSuchWall

PROGRAM = "/usr/bin/sandbox-exec"

_HEAD = """(version 1)
(deny default)
(allow process-exec* (literal {program}))
(deny process-fork)
(allow process-info* (target self))
(allow signal (target self))
(allow sysctl-read)
(allow file-read-metadata)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* file-write* (literal "/dev/null") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/zero"))
(allow file-read* (subpath "/usr/lib") (subpath "/System/Library") (subpath "/System/Volumes/Preboot/Cryptexes")
  (subpath "/private/var/db/dyld") (subpath "/usr/share/zoneinfo") (literal "/"))
"""


def wrap(
    command: list[str],
    folders: Iterable[str],
    paths: Iterable[str],
    *,
    network: bool = False,
    processes: bool = False,
) -> list[str]:
    """`command` within sandbox-exec. Raises `NoSuchWall`."""
    if not os.path.exists(PROGRAM):
        raise NoSuchWall("sandbox-exec is not on this system")
    return [PROGRAM, "-p", profile(command[0], folders, paths, network=network, processes=processes), *command]


def profile(
    program: str, folders: Iterable[str], paths: Iterable[str], *, network: bool = False, processes: bool = False
) -> str:
    """The profile: `program` may be run, `paths` read, `folders` written, and nothing else."""
    lines = [_HEAD.format(program=_quoted(os.path.realpath(program)))]
    if processes:
        lines = [lines[0].replace("(deny process-fork)", "(allow process-fork)\n(allow process-exec*)")]
    for path in paths:
        kind = "subpath" if os.path.isdir(path) else "literal"
        lines.append(f"(allow file-read* file-map-executable ({kind} {_quoted(os.path.realpath(path))}))")
    for folder in folders:
        lines.append(f"(allow file-read* file-write* (subpath {_quoted(os.path.realpath(folder))}))")
    if network:
        lines.append("(allow network*)")
    return "\n".join(lines) + "\n"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
