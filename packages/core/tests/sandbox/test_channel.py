"""Frames on a socket, and what a hostile peer can write."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time

import msgspec
import pytest
from benchwright.sandbox.channel import (
    ARENA,
    ARENA_FROM,
    HEADER_LIMIT,
    BrokenChannel,
    Channel,
    ChannelClosed,
    DeadlinePassed,
    make_arena,
)


def frame(header: object, *rest: bytes) -> bytes:
    """A frame as bytes."""
    packed = msgspec.msgpack.encode(header)
    return struct.pack("<I", len(packed)) + packed + b"".join(rest)


def receive(data: bytes, *, close: bool = True) -> object:
    """What a channel makes of bytes."""
    ours, theirs = socket.socketpair()
    with theirs:
        channel = Channel(ours, deadline=time.monotonic() + 5)
        writer = threading.Thread(
            target=lambda: (theirs.sendall(data), theirs.shutdown(socket.SHUT_WR) if close else None)
        )
        writer.start()
        try:
            return channel.receive()
        finally:
            channel.close()
            writer.join()


def test_small_and_large_buffers_arrive_whole_and_belong_to_the_receiver() -> None:
    one, other = socket.socketpair()
    arena = make_arena()
    assert arena is not None
    left, right = Channel(one, arena), Channel(other, arena)
    os.close(arena)
    sent = [os.urandom(n) for n in (0, 1, 70_000, ARENA_FROM, 3 << 20)]
    left.send(["here", 1], sent)
    tree, got = right.receive()
    assert tree == ["here", 1]
    assert [bytes(b) for b in got] == sent
    assert left.arena is not None
    left.arena[:16] = b"changed afterwards"[:16]
    assert bytes(got[3]) == sent[3]
    left.close()
    right.close()


def test_the_shared_memory_cannot_be_cut_off() -> None:
    arena = make_arena()
    assert arena is not None
    with pytest.raises(PermissionError):
        os.ftruncate(arena, 0)
    with pytest.raises(PermissionError):
        os.ftruncate(arena, ARENA * 2)
    os.close(arena)


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<I", HEADER_LIMIT + 1),
        struct.pack("<I", 0),
        struct.pack("<I", 3) + b"\xff\xff\xff",
        frame(5),
        frame([1]),
        frame([1, 2]),
        frame([1, [[0]]]),
        frame([1, [[0, -1]]]),
        frame([1, [[-1, 1 << 60]]]),
        frame([1, [[0, 10]]]),
        frame([1, [["a", "b"]]]),
        frame([1, [[-1, 0]] * 70_000]),
        struct.pack("<I", 200_000) + b"\x91" * 200_000,
    ],
    ids=range(13),
)
def test_what_is_no_frame_is_a_broken_channel(data: bytes) -> None:
    with pytest.raises(BrokenChannel):
        receive(data)


def test_an_end_in_the_middle_is_told_as_one() -> None:
    with pytest.raises(ChannelClosed):
        receive(frame([1, [[-1, 100]]], b"half"))


def test_a_message_that_drips_ends_at_the_deadline() -> None:
    ours, theirs = socket.socketpair()
    channel = Channel(ours, deadline=time.monotonic() + 0.2)
    theirs.sendall(struct.pack("<I", 100))
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.02):
            theirs.send(b"\x91")

    thread = threading.Thread(target=drip)
    thread.start()
    with pytest.raises(DeadlinePassed):
        channel.receive()
    stop.set()
    thread.join()
    theirs.close()
    channel.close()


def test_a_peer_that_does_not_read_ends_at_the_deadline() -> None:
    ours, theirs = socket.socketpair()
    channel = Channel(ours, deadline=time.monotonic() + 0.2)
    with pytest.raises(DeadlinePassed):
        channel.send(["x"], [bytes(8 << 20)])
    theirs.close()
    channel.close()
