# outcome: unsolved
"""Leaves finalisers, exit handlers and hooks that run when its process ends."""
import atexit
import os
import sys
import threading
import weakref


class Last:
    def __del__(self):
        os._exit(0)


def write(*_):
    for path in ("@HOME@/ran", "@TASK@/hidden_tests/conftest.py", "/tmp/ran", "../ran"):
        try:
            open(path, "w").write("ran")
            print("FOUND", path)
        except OSError:
            pass


atexit.register(write)
threading._register_atexit(write)
weakref.finalize(Last, write)
sys.excepthook = sys.unraisablehook = threading.excepthook = write
kept = [Last()]
write()
