"""Namespaces: a user, network, IPC and host-name world of the process's own, and no capabilities in any.

In its own network namespace a process has not even a loopback interface that is up; in its own user
namespace it is nobody. Source: `man 7 user_namespaces`, `man 7 capabilities`.
"""

from __future__ import annotations

import contextlib
import os
import struct

from benchwright.sandbox import syscalls

_NEWUTS, _NEWIPC, _NEWUSER, _NEWNET = 0x4000000, 0x8000000, 0x10000000, 0x40000000
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63
NOBODY = 65534


def enter() -> None:
    """Moves this process, which must have one thread, into namespaces of its own. Raises `OSError`."""
    uid, gid = os.getuid(), os.getgid()
    syscalls.checked(syscalls.libc().unshare(_NEWUSER | _NEWNET | _NEWIPC | _NEWUTS), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{NOBODY} {uid} 1"),
        ("gid_map", f"{NOBODY} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def drop_capabilities() -> None:
    """Gives up every capability, so that root is nobody special. Raises `OSError`."""
    for capability in range(_LAST_CAPABILITY + 1):
        # EINVAL marks the end of what this kernel knows; EPERM, that there is nothing to drop.
        with contextlib.suppress(OSError):
            syscalls.prctl(syscalls.PR_CAPBSET_DROP, capability)
    syscalls.syscall("capset", struct.pack("<Ii", _CAPABILITY_VERSION_3, 0), bytes(24))
