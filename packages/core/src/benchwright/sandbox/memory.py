"""Resident memory of another process, where the system cannot bound it: macOS refuses RLIMIT_AS.

Not run here: written from `sys/resource.h` and `libproc.h` of macOS.
"""

from __future__ import annotations

import ctypes

_RUSAGE_INFO_V0 = 0


class _Usage(ctypes.Structure):
    """`struct rusage_info_v0`."""

    _fields_ = (
        ("uuid", ctypes.c_uint8 * 16),
        ("user_time", ctypes.c_uint64),
        ("system_time", ctypes.c_uint64),
        ("package_wakeups", ctypes.c_uint64),
        ("interrupt_wakeups", ctypes.c_uint64),
        ("page_ins", ctypes.c_uint64),
        ("wired", ctypes.c_uint64),
        ("resident", ctypes.c_uint64),
        ("footprint", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("exit", ctypes.c_uint64),
    )


def resident(pid: int) -> int:
    """Bytes of memory that `pid` has in use on macOS; 0 where it is gone."""
    usage = _Usage()
    library = ctypes.CDLL("/usr/lib/libproc.dylib")
    if library.proc_pid_rusage(pid, _RUSAGE_INFO_V0, ctypes.byref(usage)) != 0:
        return 0
    return int(usage.footprint)
