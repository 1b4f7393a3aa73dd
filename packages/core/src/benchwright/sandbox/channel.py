"""Messages between two processes: a msgpack tree and raw buffers, over a stream socket.

A frame is the length of a header, the header `[tree, [[place, length], …]]`, and the buffers that lie
inline, in order. A buffer above a size lies in a block of shared memory instead, when there is one; it
is copied out before anybody looks at it, so that nothing checked can change afterwards. Neither side
trusts the other's numbers: sizes are bounded, and whatever does not fit is a `BrokenChannel`.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from benchwright.sandbox.wire import BUFFERS_LIMIT

HEADER_LIMIT = 16 << 20
"""Bytes of tree in one message."""
BUFFERS = 1 << 16
"""Buffers in one message."""
ARENA = 32 << 20
"""Bytes of shared memory between two processes."""
ARENA_FROM = 128 << 10
"""Buffers from this size on go through shared memory."""

SLICE = 0.1
"""Seconds by which a deadline may be overrun."""

_INLINE = -1
_LENGTH = struct.Struct("<I")
_F_ADD_SEALS, _SEAL_SHRINK, _SEAL_GROW, _SEAL_SEAL = 1033, 2, 4, 1


class BrokenChannel(Exception):
    """The other side ended or sent what no honest worker sends."""


class ChannelClosed(BrokenChannel):
    """The other side ended."""


class DeadlinePassed(Exception):
    """Nothing came in time."""


def make_arena() -> int | None:
    """A descriptor of shared memory whose size nobody can change; None where the system has none.

    Without the seals the worker could cut it off under the grader, which would die of it.
    """
    if not hasattr(os, "memfd_create"):
        return None
    descriptor = os.memfd_create("benchwright", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, ARENA)
    fcntl.fcntl(descriptor, _F_ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW | _SEAL_SEAL)
    return descriptor


class Channel:
    """One end of a conversation. Not for use from two threads at once."""

    def __init__(
        self, end: socket.socket, arena: int | None = None, deadline: float | None = None, *, keep: bool = False
    ) -> None:
        """`arena`: a descriptor of `make_arena`, the caller's to close, of which `keep` keeps a copy: to write through
        it costs half of what it does through the mapping, whose pages come one fault at a time."""
        self.end = end
        self.arena = mmap.mmap(arena, ARENA) if arena is not None else None
        self.file = os.dup(arena) if keep and arena is not None else None
        self.deadline = deadline
        self.pending = bytearray()
        end.settimeout(None)
        if deadline is not None:
            # The kernel wakes a wait every so often to look at the deadline: one call a message, not three.
            slice_ = struct.pack("ll", 0, int(SLICE * 1e6))
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, slice_)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, slice_)

    def close(self) -> None:
        """Closes the socket and the shared memory."""
        self.end.close()
        if self.arena is not None:
            self.arena.close()
        if self.file is not None:
            os.close(self.file)
            self.file = None

    def send(self, tree: Any, buffers: Sequence[Any] = ()) -> None:
        """Sends a tree and buffers (contiguous byte views). Raises `ChannelClosed`, `DeadlinePassed`, `ValueError`."""
        # Here too, because an endless row of quick answers never waits.
        self._check()
        places: list[list[int]] = []
        inline: list[Any] = []
        used = total = 0
        for buffer in buffers:
            size = len(buffer)
            total += size
            if self.arena is not None and size >= ARENA_FROM and used + size <= ARENA:
                self._share(buffer, size, used)
                places.append([used, size])
                used += (size + 63) & ~63
            else:
                places.append([_INLINE, size])
                inline.append(buffer)
        header = msgspec.msgpack.encode([tree, places])
        if len(header) > HEADER_LIMIT or total > BUFFERS_LIMIT or len(buffers) > BUFFERS:
            raise ValueError(f"the values are too large to cross: {len(header) + total} bytes")
        if total < 1 << 16 or not inline:
            self._put(b"".join((_LENGTH.pack(len(header)), header, *inline)))
        else:
            self._put(_LENGTH.pack(len(header)) + header)
            for buffer in inline:
                self._put(buffer)

    def _share(self, buffer: Any, size: int, where: int) -> None:
        """Puts a buffer into the shared memory."""
        assert self.arena is not None
        if self.file is None:
            self.arena[where : where + size] = buffer
            return
        view, written = memoryview(buffer), 0
        while written < size:
            written += os.pwrite(self.file, view[written:], where + written)

    def _put(self, data: Any) -> None:
        view, sent = memoryview(data), 0
        while sent < len(view):
            try:
                sent += self.end.send(view[sent:] if sent else view)
            except BlockingIOError:
                self._check()
            except OSError as error:
                raise ChannelClosed(f"the other side is gone ({error.strerror})") from None

    def receive(self) -> tuple[Any, list[bytearray]]:
        """The next tree and its buffers, which belong to the caller. Raises as `send`, and `BrokenChannel`."""
        size = _LENGTH.unpack(self._take(4))[0]
        if size > HEADER_LIMIT:
            raise BrokenChannel(f"a header of {size} bytes")
        try:
            header = msgspec.msgpack.decode(self._take(size))
        except (msgspec.DecodeError, ValueError, RecursionError, MemoryError) as error:
            raise BrokenChannel(f"no readable message ({type(error).__name__})") from None
        if type(header) is not list or len(header) != 2 or type(header[1]) is not list:
            raise BrokenChannel("no message")
        tree, places = header
        if len(places) > BUFFERS:
            raise BrokenChannel(f"{len(places)} buffers")
        total = 0
        for place in places:
            if type(place) is not list or len(place) != 2 or type(place[0]) is not int or type(place[1]) is not int:
                raise BrokenChannel("no place of a buffer")
            total += place[1]
            if place[1] < 0 or total > BUFFERS_LIMIT:
                raise BrokenChannel(f"buffers of {total} bytes")
        return tree, [self._buffer(where, length) for where, length in places]

    def _buffer(self, where: int, length: int) -> bytearray:
        if where == _INLINE:
            return self._take(length)
        if self.arena is None or where < 0 or where + length > ARENA:
            raise BrokenChannel("a buffer outside the shared memory")
        # Through views, for a slice of the memory itself would be one copy more.
        with memoryview(self.arena) as arena, arena[where : where + length] as part:
            return bytearray(part)

    def _take(self, size: int) -> bytearray:
        pending = self.pending
        if len(pending) >= size:
            taken = pending[:size]
            del pending[:size]
            return taken
        taken = bytearray(size)
        got = len(pending)
        taken[:got] = pending
        pending.clear()
        view = memoryview(taken)
        while got < size:
            try:
                if size - got >= 1 << 15:
                    n = self.end.recv_into(view[got:])
                    got += n
                else:
                    # One system call for what is asked and, most often, all the rest of the message.
                    more = self.end.recv(1 << 16)
                    n = len(more)
                    wanted = min(n, size - got)
                    view[got : got + wanted] = more[:wanted]
                    pending += more[wanted:]
                    got += wanted
            except BlockingIOError:
                self._check()
                continue
            except OSError as error:
                raise ChannelClosed(f"the other side is gone ({error.strerror})") from None
            if not n:
                raise ChannelClosed("the other side ended")
            if self.deadline is not None and n < size:
                # What drips in never times out by itself.
                self._check()
        return taken

    def _check(self) -> None:
        """Raises `DeadlinePassed` where it has."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlinePassed
