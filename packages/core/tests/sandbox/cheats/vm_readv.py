# outcome: unsolved
"""Reads another process with process_vm_readv and ptrace."""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)


class Vec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


for pid in (os.getppid(), os.getppid() - 1, 1):
    mine, theirs = Vec(ctypes.addressof(buffer), 4096), Vec(id(Vec), 4096)
    if libc.process_vm_readv(pid, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0) > 0:
        print("FOUND process_vm_readv", pid)
    if libc.ptrace(0x4206, pid, 0, 0) == 0:
        print("FOUND ptrace", pid)
