"""System calls that Python has no function for, by number, for x86_64 and aarch64.

Numbers below 424 differ between the two; from 424 on every architecture shares one table.
Source: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.
"""

from __future__ import annotations

import ctypes
import os
import platform
from functools import cache
from typing import Any

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_SHARED = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_open": 434,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "memfd_secret": 447,
    "process_mrelease": 448,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "open_tree_attr": 467,
    "file_setattr": 469,
}

_X86_64 = {
    "rt_sigqueueinfo": 129,
    "ioctl": 16,
    "shmget": 29,
    "socket": 41,
    "connect": 42,
    "accept": 43,
    "sendto": 44,
    "bind": 49,
    "listen": 50,
    "socketpair": 53,
    "clone": 56,
    "fork": 57,
    "vfork": 58,
    "execve": 59,
    "kill": 62,
    "semget": 64,
    "msgget": 68,
    "fcntl": 72,
    "truncate": 76,
    "chmod": 90,
    "fchmod": 91,
    "chown": 92,
    "fchown": 93,
    "lchown": 94,
    "ptrace": 101,
    "setpgid": 109,
    "setsid": 112,
    "capset": 126,
    "utime": 132,
    "mknod": 133,
    "uselib": 134,
    "personality": 135,
    "setpriority": 141,
    "sched_setparam": 142,
    "sched_setscheduler": 144,
    "vhangup": 153,
    "modify_ldt": 154,
    "pivot_root": 155,
    "prctl": 157,
    "adjtimex": 159,
    "setrlimit": 160,
    "chroot": 161,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "sethostname": 170,
    "setdomainname": 171,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "setxattr": 188,
    "lsetxattr": 189,
    "fsetxattr": 190,
    "removexattr": 197,
    "lremovexattr": 198,
    "fremovexattr": 199,
    "tkill": 200,
    "sched_setaffinity": 203,
    "lookup_dcookie": 212,
    "clock_settime": 227,
    "tgkill": 234,
    "utimes": 235,
    "mq_open": 240,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "ioprio_set": 251,
    "inotify_init": 253,
    "inotify_add_watch": 254,
    "migrate_pages": 256,
    "mknodat": 259,
    "fchownat": 260,
    "futimesat": 261,
    "fchmodat": 268,
    "unshare": 272,
    "move_pages": 279,
    "utimensat": 280,
    "accept4": 288,
    "inotify_init1": 294,
    "rt_tgsigqueueinfo": 297,
    "perf_event_open": 298,
    "fanotify_init": 300,
    "fanotify_mark": 301,
    "prlimit64": 302,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "sched_setattr": 314,
    "seccomp": 317,
    "kexec_file_load": 320,
    "bpf": 321,
    "execveat": 322,
    "userfaultfd": 323,
}

_AARCH64 = {
    "setxattr": 5,
    "lsetxattr": 6,
    "fsetxattr": 7,
    "removexattr": 14,
    "lremovexattr": 15,
    "fremovexattr": 16,
    "lookup_dcookie": 18,
    "fcntl": 25,
    "inotify_init1": 26,
    "inotify_add_watch": 27,
    "ioctl": 29,
    "ioprio_set": 30,
    "mknodat": 33,
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "truncate": 45,
    "chroot": 51,
    "fchmod": 52,
    "fchmodat": 53,
    "fchownat": 54,
    "fchown": 55,
    "vhangup": 58,
    "quotactl": 60,
    "utimensat": 88,
    "acct": 89,
    "capset": 91,
    "personality": 92,
    "unshare": 97,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "clock_settime": 112,
    "ptrace": 117,
    "sched_setparam": 118,
    "sched_setscheduler": 119,
    "sched_setaffinity": 122,
    "kill": 129,
    "tkill": 130,
    "tgkill": 131,
    "rt_sigqueueinfo": 138,
    "setpriority": 140,
    "reboot": 142,
    "setpgid": 154,
    "setsid": 157,
    "sethostname": 161,
    "setdomainname": 162,
    "setrlimit": 164,
    "prctl": 167,
    "settimeofday": 170,
    "adjtimex": 171,
    "mq_open": 180,
    "msgget": 186,
    "semget": 190,
    "shmget": 194,
    "socket": 198,
    "socketpair": 199,
    "bind": 200,
    "listen": 201,
    "accept": 202,
    "connect": 203,
    "sendto": 206,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "clone": 220,
    "execve": 221,
    "swapon": 224,
    "swapoff": 225,
    "migrate_pages": 238,
    "move_pages": 239,
    "rt_tgsigqueueinfo": 240,
    "perf_event_open": 241,
    "accept4": 242,
    "prlimit64": 261,
    "fanotify_init": 262,
    "fanotify_mark": 263,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "clock_adjtime": 266,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "finit_module": 273,
    "sched_setattr": 274,
    "seccomp": 277,
    "bpf": 280,
    "execveat": 281,
    "userfaultfd": 282,
    "kexec_file_load": 294,
}

TABLES: dict[str, dict[str, int]] = {"x86_64": _X86_64 | _SHARED, "aarch64": _AARCH64 | _SHARED}


class NoSuchWall(OSError):
    """This kernel or machine does not offer the wall that was asked for."""


@cache
def machine() -> str:
    """`x86_64` or `aarch64`. Raises `NoSuchWall` elsewhere."""
    name = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if name not in TABLES:
        raise NoSuchWall(f"no system call table for {name}")
    return name


@cache
def libc() -> ctypes.CDLL:
    """The C library of this process, keeping errno."""
    return ctypes.CDLL(None, use_errno=True)


def number(name: str) -> int:
    """The number of a system call on this machine."""
    return TABLES[machine()][name]


def checked(result: int, what: str) -> int:
    """`result` where it is no error; `OSError` naming `what` where it is."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(name: str, *arguments: Any) -> int:
    """Calls the kernel. Integers are passed as machine words. Raises `OSError`."""
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return checked(libc().syscall(ctypes.c_long(number(name)), *words), name)


PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def prctl(option: int, value: int = 0) -> None:
    """`prctl(option, value, 0, 0, 0)`. Raises `OSError`."""
    rest = [ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)]
    checked(libc().prctl(ctypes.c_int(option), *rest), f"prctl({option})")
