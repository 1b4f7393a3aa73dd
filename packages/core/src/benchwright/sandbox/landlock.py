"""Landlock: which folders and files a process may read and write, and no TCP.

A ruleset names what is allowed; everything else of the kinds the kernel handles is denied, for this
process and all that it starts, for good. Rules are by inode, so a symbolic link opens nothing.
Source: `Documentation/userspace-api/landlock.rst` of the kernel.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from benchwright.sandbox import syscalls

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REMOVE_DIR, REMOVE_FILE = 16, 32
MAKE_DIR, MAKE_REG, MAKE_SYM = 128, 256, 4096
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FIRST = (1 << 13) - 1

READ = READ_FILE | READ_DIR
RUN = READ | EXECUTE
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

_SCOPE_ABSTRACT_SOCKET, _SCOPE_SIGNAL = 1, 2
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1


def abi() -> int:
    """The version of Landlock this kernel has; 0 where there is none."""
    try:
        return syscalls.syscall("landlock_create_ruleset", None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def keeps_signals_in() -> bool:
    """Whether this version stops signals to processes outside."""
    return abi() >= 6


def handled(version: int) -> int:
    """Every kind of file access that this version can deny."""
    rights = _FIRST
    if version >= 2:
        rights |= REFER
    if version >= 3:
        rights |= TRUNCATE
    if version >= 5:
        rights |= IOCTL_DEV
    return rights


def restrict(
    read: Iterable[str] = (), run: Iterable[str] = (), write: Iterable[str] = (), *, network: bool = False
) -> None:
    """Denies this process every file that is under none of these paths; a path that is not there is left out.

    `network`: leaves TCP and abstract sockets as they are. Sets `no_new_privs`. Raises `OSError`.
    """
    version = abi()
    if version < 1:
        raise syscalls.NoSuchWall("this kernel has no Landlock")
    files = handled(version)
    tcp = 3 if version >= 4 and not network else 0
    scope = 0 if version < 6 else _SCOPE_SIGNAL if network else _SCOPE_SIGNAL | _SCOPE_ABSTRACT_SOCKET
    attribute = struct.pack("<QQQ", files, tcp, scope)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = syscalls.syscall("landlock_create_ruleset", attribute, size, 0)
    try:
        for paths, rights in ((read, READ), (run, RUN), (write, WRITE)):
            for path in paths:
                _allow(ruleset, path, rights & files)
        syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
        syscalls.syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_A_FILE
        rule = ctypes.create_string_buffer(struct.pack("<Qi", rights, place), 12)
        syscalls.syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(place)
