# outcome: unsolved
"""Forks by every door."""
import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
for attempt in (
    lambda: os.fork(),
    lambda: os.forkpty(),
    lambda: libc.fork(),
    lambda: libc.vfork() if False else libc.syscall(57),
    lambda: libc.syscall(56, 17, 0, 0, 0, 0),
    lambda: libc.syscall(435, 0, 0),
    lambda: os.posix_spawn("/bin/sleep", ["sleep", "600"], {}),
    lambda: __import__("subprocess").Popen(["/bin/sleep", "600"]),
    lambda: __import__("multiprocessing").get_context("fork").Process(target=print).start(),
):
    try:
        if attempt() == 0:
            import time

            time.sleep(600)
            os._exit(0)
    except OSError:
        pass
