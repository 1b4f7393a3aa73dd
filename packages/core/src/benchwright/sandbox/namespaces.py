"""Namespaces: a user, network, IPC and host-name world of the process's own, and no capabilities in any.

In its own network namespace a process has not even a loopback interface that is up; in its own user
namespace it is nobody. Source: `man 7 user_namespaces`, `man 7 capabilities`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct

from benchwright.sandbox import syscalls

_NEWUTS, _NEWIPC, _NEWUSER, _NEWNET = 0x4000000, 0x8000000, 0x10000000, 0x40000000
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63
_CAPS_FILES = (1, 2)
"""CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH."""
_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP = 28, 4
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 47, 2
NOBODY = 65534
_FIRST_STRANGER, _STRANGERS = 2_000_000_000, 100_000_000
"""User ids that no system gives to anybody: one for each command, so that limits of users do not mix."""


def enter(*, user: bool = True) -> None:
    """Moves this process, which must have one thread, into namespaces of its own. Raises `OSError`.

    `user`: a user namespace among them; only root can do without.
    """
    if not user:
        syscalls.checked(syscalls.libc().unshare(_NEWNET | _NEWIPC | _NEWUTS), "unshare")
        return
    uid, gid = os.getuid(), os.getgid()
    syscalls.checked(syscalls.libc().unshare(_NEWUSER | _NEWNET | _NEWIPC | _NEWUTS), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{NOBODY} {uid} 1"),
        ("gid_map", f"{NOBODY} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def drop_capabilities(kept: int = 0) -> None:
    """Gives up every capability but those in the mask `kept`, so that root is nobody special. Raises `OSError`."""
    for capability in range(_LAST_CAPABILITY + 1):
        # EINVAL marks the end of what this kernel knows; EPERM, that there is nothing to drop.
        if not kept >> capability & 1:
            with contextlib.suppress(OSError):
                syscalls.prctl(syscalls.PR_CAPBSET_DROP, capability)
    low = struct.pack("<III", kept, kept, kept)
    syscalls.syscall("capset", struct.pack("<Ii", _CAPABILITY_VERSION_3, 0), low + bytes(12))


def leave_root() -> None:
    """Turns root into a user that nobody is, who can open the files that root can.

    The kernel enforces no limit of processes on root. Which files are left is for the other walls to say.
    """
    uid = _FIRST_STRANGER + os.getpid() % _STRANGERS
    # Without this bit `access` would not look at capabilities, and compilers ask it where they may write.
    syscalls.prctl(_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    drop_capabilities(sum(1 << capability for capability in _CAPS_FILES))
    for capability in _CAPS_FILES:
        # So that they outlive the exec.
        arguments = (_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability, 0, 0)
        syscalls.checked(syscalls.libc().prctl(*[ctypes.c_ulong(a) for a in arguments]), "prctl")
