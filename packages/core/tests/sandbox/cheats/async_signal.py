# outcome: unsolved
"""Has its own socket kill the parent when data arrives."""
import fcntl
import os
import signal

for fd in range(3, 64):
    for command, value in ((8, os.getppid()), (10, signal.SIGKILL)):
        try:
            fcntl.fcntl(fd, command, value)
        except OSError:
            pass
    try:
        fcntl.ioctl(fd, 0x8901, os.getppid().to_bytes(4, "little"))
    except OSError:
        pass
    try:
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_ASYNC)
    except OSError:
        pass
