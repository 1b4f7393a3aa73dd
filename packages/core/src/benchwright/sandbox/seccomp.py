"""seccomp: which system calls a process may make.

Landlock knows files and TCP only. What it leaves open is closed here: other sockets, signals to and
limits of other processes, tracing, new namespaces, mounts, keys, shared memory of the System V kind,
and changes of modes, owners and times, which Landlock does not see at all.
Source of the program's layout: `Documentation/userspace-api/seccomp_filter.rst` of the kernel.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from functools import cache

from benchwright.sandbox import syscalls

_LOAD, _EQUAL, _AT_LEAST, _BITS, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_KILL, _ERROR, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_NR, _ARCH, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_CLONE_THREAD = 0x10000
_SOCK_STREAM = 1
_SET_MODE_FILTER, _TSYNC = 1, 1

ALWAYS_DENIED = [
    "acct",
    "add_key",
    "adjtimex",
    "bpf",
    "capset",
    "chmod",
    "chown",
    "chroot",
    "clock_adjtime",
    "clock_settime",
    "delete_module",
    "fanotify_init",
    "fanotify_mark",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "fchown",
    "fchownat",
    "file_setattr",
    "finit_module",
    "fremovexattr",
    "fsconfig",
    "fsetxattr",
    "fsmount",
    "fsopen",
    "fspick",
    "futimesat",
    "init_module",
    "inotify_add_watch",
    "inotify_init",
    "inotify_init1",
    "io_uring_enter",
    "io_uring_register",
    "io_uring_setup",
    "ioperm",
    "iopl",
    "ioprio_set",
    "kcmp",
    "kexec_file_load",
    "kexec_load",
    "keyctl",
    "lchown",
    "lookup_dcookie",
    "lremovexattr",
    "lsetxattr",
    "memfd_secret",
    "migrate_pages",
    "mknod",
    "mknodat",
    "modify_ldt",
    "mount",
    "mount_setattr",
    "move_mount",
    "move_pages",
    "mq_open",
    "msgget",
    "name_to_handle_at",
    "open_by_handle_at",
    "open_tree",
    "open_tree_attr",
    "perf_event_open",
    "personality",
    "pidfd_getfd",
    "pidfd_open",
    "pidfd_send_signal",
    "pivot_root",
    "process_madvise",
    "process_mrelease",
    "process_vm_readv",
    "process_vm_writev",
    "ptrace",
    "quotactl",
    "quotactl_fd",
    "reboot",
    "removexattr",
    "removexattrat",
    "request_key",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
    "seccomp",
    "semget",
    "setdomainname",
    "sethostname",
    "setns",
    "setpgid",
    "setpriority",
    "setsid",
    "settimeofday",
    "setxattr",
    "setxattrat",
    "shmget",
    "swapoff",
    "swapon",
    "truncate",
    "umount2",
    "unshare",
    "userfaultfd",
    "uselib",
    "utime",
    "utimensat",
    "utimes",
    "vhangup",
]
"""Refused to submissions and to compilers alike."""

_MODES = frozenset("chmod fchmod fchmodat fchmodat2 utime utimes utimensat futimesat".split())  # noqa: SIM905
"""Compilers and linkers set the modes and times of what they write; Landlock bounds where they write."""

NO_PROCESS = ("execve", "execveat", "fork", "vfork")
NO_SOCKET = ("socket", "connect", "bind", "listen", "accept", "accept4")
OWN_PROCESS_ONLY = ("kill", "tgkill", "prlimit64", "sched_setaffinity")

_FCNTL_DENIED = (8, 10, 15, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: with them a descriptor signals another process. F_SETLEASE, F_NOTIFY: they make
others who open a file wait, and watch them."""
_IOCTL_ALLOWED = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. All else is refused: FS_IOC_SETFLAGS and its like change
a file that is only open for reading, and Landlock does not see them."""
_PRCTL_DENIED = (syscalls.PR_SET_PDEATHSIG, syscalls.PR_SET_CHILD_SUBREAPER)
"""A worker dies with the process that started it, and adopts nobody."""

_Instruction = tuple[int, int, int, int]


def _refuse(code: int = errno.EPERM) -> _Instruction:
    return (_RETURN, 0, 0, _ERROR | code)


class _Program:
    """Instructions in order; a block is entered when the call's number is the block's."""

    def __init__(self) -> None:
        self.instructions: list[_Instruction] = []

    def add(self, *instructions: _Instruction) -> None:
        self.instructions += instructions

    def on(self, name: str, *block: _Instruction) -> None:
        """Runs `block`, which must end in a return, for the system call `name`, where this machine has it."""
        nr = syscalls.TABLES[syscalls.machine()].get(name)
        if nr is not None:
            self.add((_EQUAL, 0, len(block), nr), *block)

    def pack(self) -> bytes:
        return b"".join(struct.pack("<HBBI", *i) for i in self.instructions)


def _argument(n: int, *, high: bool = False) -> _Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * n + (4 if high else 0))


_PERMIT: _Instruction = (_RETURN, 0, 0, _ALLOW)


@cache
def _head(processes: bool, network: bool, modes: bool) -> bytes:
    """The part of a filter that is the same for every worker of a kind."""
    program = _Program()
    program.add((_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, syscalls.AUDIT_ARCH[syscalls.machine()]), (_RETURN, 0, 0, _KILL))
    program.add((_LOAD, 0, 0, _NR))
    if syscalls.machine() == "x86_64":
        program.add((_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL))
    denied = [name for name in ALWAYS_DENIED if not (modes and name in _MODES)]
    denied += [] if processes else NO_PROCESS
    denied += [] if network else NO_SOCKET
    for name in denied:
        program.on(name, _refuse())
    # glibc falls back from clone3, whose flags a filter cannot read, to clone.
    program.on("clone3", _refuse(errno.ENOSYS))
    if processes:
        # No new namespace: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
        program.on("clone", _argument(0), (_BITS, 0, 1, 0x7E020000), _refuse(), _PERMIT)
    else:
        program.on("clone", _argument(0), (_BITS, 1, 0, _CLONE_THREAD), _refuse(), _PERMIT)
    owner: list[_Instruction] = [_argument(1)]
    for command in _FCNTL_DENIED:
        owner += [(_EQUAL, 0, 1, command), _refuse()]
    program.on("fcntl", *owner, _PERMIT)
    requests: list[_Instruction] = [_argument(1)]
    for request in _IOCTL_ALLOWED:
        requests += [(_EQUAL, 0, 1, request), _PERMIT]
    # As a file that knows no such request answers.
    program.on("ioctl", *requests, _refuse(errno.ENOTTY))
    options: list[_Instruction] = [_argument(0)]
    for option in _PRCTL_DENIED:
        options += [(_EQUAL, 0, 1, option), _refuse()]
    program.on("prctl", *options, _PERMIT)
    if not network:
        # A stream pair cannot be turned to another address; a datagram pair can.
        program.on("socketpair", _argument(1), (_AND, 0, 0, 0xF), (_EQUAL, 1, 0, _SOCK_STREAM), _refuse(), _PERMIT)
        program.on(
            "sendto",
            _argument(4),
            (_EQUAL, 1, 0, 0),
            _refuse(),
            _argument(4, high=True),
            (_EQUAL, 1, 0, 0),
            _refuse(),
            _PERMIT,
        )
    return program.pack()


def program(
    *,
    processes: bool = False,
    network: bool = False,
    modes: bool = False,
    signals_kept_in: bool = False,
    pid: int | None = None,
) -> bytes:
    """A filter for the process `pid` (this one where None).

    `processes`: it may start others, which die with its process group. `network`: it may open sockets.
    `modes`: it may set modes and times of files. `signals_kept_in`: another wall bounds its signals.
    """
    own = os.getpid() if pid is None else pid
    tail = _Program()
    for name in OWN_PROCESS_ONLY:
        if processes:
            # The processes of one command may signal each other where Landlock keeps signals in.
            if name in ("kill", "tgkill") and signals_kept_in:
                continue
            tail.on(name, _argument(0), (_EQUAL, 1, 0, 0), _refuse(), _PERMIT)
        elif name == "kill":
            tail.on(name, _argument(0), (_EQUAL, 1, 0, own), _refuse(), _PERMIT)
        else:
            zero_too = name in ("prlimit64", "sched_setaffinity")
            tail.on(name, _argument(0), (_EQUAL, 2, 0, own), (_EQUAL, int(zero_too), 0, 0), _refuse(), _PERMIT)
    tail.on("tkill", _refuse())
    tail.add(_PERMIT)
    return _head(processes, network, modes) + tail.pack()


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


def install(packed: bytes) -> None:
    """Puts the filter on every thread of this process, for good. Raises `OSError`."""
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    record = _Filter(len(packed) // 8, packed)
    if syscalls.syscall("seccomp", _SET_MODE_FILTER, _TSYNC, ctypes.byref(record)):
        raise OSError(errno.ESRCH, "seccomp: a thread could not be brought under the filter")
