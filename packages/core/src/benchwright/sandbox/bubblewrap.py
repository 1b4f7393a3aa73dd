"""bubblewrap: a worker in a file system that holds what it may read and nothing else.

For kernels without Landlock. Reading and network are bubblewrap's walls; limits and seccomp the worker
puts up itself, before any of the submission is read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence

from benchwright.sandbox.syscalls import NoSuchWall


def wrap(command: list[str], folders: list[str], paths: Iterable[str], *, network: bool = False) -> list[str]:
    """`command` within bubblewrap, in the first of `folders`; it writes in those and reads `paths`. Raises `NoSuchWall`."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoSuchWall("bubblewrap (bwrap) is not installed")
    arguments = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if network:
        arguments += ["--share-net"]
    arguments += ["--uid", "65534", "--gid", "65534", "--hostname", "box"]
    # Links such as /lib -> usr/lib are part of how the loader finds its files.
    for top in ("/lib", "/lib64", "/bin", "/sbin"):
        if os.path.islink(top):
            arguments += ["--symlink", os.readlink(top), top]
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for path in outermost(list(paths)):
        if not path.startswith(("/dev/", "/proc/")):
            arguments += ["--ro-bind-try", path, path]
    for folder in folders:
        arguments += ["--bind", folder, folder]
    # What bubblewrap makes lies in memory, which no limit of ours counts; and /proc has marks of the worker's own.
    for made in ("/", "/dev", "/proc"):
        arguments += ["--remount-ro", made]
    return [*arguments, "--chdir", folders[0], "--", *command]


def outermost(paths: Sequence[str]) -> list[str]:
    """`paths`, resolved, without those that lie under another; a link beside what it leads to."""
    every = {os.path.realpath(p) for p in paths}
    every |= {os.path.join(os.path.realpath(os.path.dirname(p)), os.path.basename(p)) for p in paths}
    found: list[str] = []
    for path in sorted(every):
        if not any(path.startswith(kept.rstrip("/") + "/") for kept in found):
            found.append(path)
    return found
