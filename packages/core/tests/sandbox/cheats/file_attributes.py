# outcome: unsolved
"""Changes the attributes of files it may only read, and leases and locks them."""
import fcntl
import os
import struct
import sys

import numpy

for path in (os.__file__, numpy.__file__, sys.executable, os.path.dirname(os.__file__)):
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        continue
    for request, value in ((0x40086602, struct.pack("l", 0x80)), (0x401C5820, bytes(28)), (0x40049409, struct.pack("i", descriptor)), (0x40086604, bytes(8))):
        try:
            fcntl.ioctl(descriptor, request, value)
            print("FOUND ioctl", hex(request), path)
        except OSError:
            pass
    for request, value in ((1024, 1), (1026, 0x8000000F), (1033, 15)):
        try:
            fcntl.fcntl(descriptor, request, value)
            print("FOUND fcntl", request, path)
        except OSError:
            pass
