# outcome: unsolved
"""Leaves shared memory for a later worker."""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0x1234, 4096, 0o1666) >= 0:
    print("FOUND shmget")
if libc.msgget(0x1234, 0o1666) >= 0:
    print("FOUND msgget")
try:
    from multiprocessing import shared_memory

    shared_memory.SharedMemory("left_behind", create=True, size=4096)
    print("FOUND shared memory")
except (ImportError, OSError):
    pass
