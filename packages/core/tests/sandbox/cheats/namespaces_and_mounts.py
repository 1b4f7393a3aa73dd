# outcome: unsolved
"""Makes a world of its own in which it is root."""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x08000000, 0x04000000, 0x02000000):
    if libc.unshare(flag) == 0:
        print("FOUND unshare", hex(flag))
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    print("FOUND mount")
if libc.chroot(b"/tmp") == 0:
    print("FOUND chroot")
