"""Starting keepers, and through them workers; knowing how each ended."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import msgspec

from benchwright.sandbox import environment, exec_tiers
from benchwright.sandbox.channel import BrokenChannel, Channel, DeadlinePassed, make_arena
from benchwright.sandbox.interface import Fate, SandboxError

START = 60.0
"""Seconds that a keeper may take to import its packages, and a worker to say that its walls stand."""
END = 5.0
"""Seconds that a keeper may take to end a worker."""

_TRUSTED_BOOT = (
    "import sys,json\n"
    "orders=json.loads(sys.stdin.buffer.readline())\n"
    "sys.path[:]=orders['path']\n"
    "from benchwright.sandbox import grader\n"
    "grader.main(orders['orders'])\n"
)


class KeeperGone(SandboxError):
    """A keeper ended while it was needed, or does not answer."""


class KeeperProcess:
    """A running keeper. `control` is the socket that orders go to; other processes may hold it too."""

    def __init__(self, orders: Mapping[str, Any], *, modules: Mapping[str, Any] | None, run: str = "") -> None:
        """`modules`: what it can import, for a keeper of workers; None for the keeper of graders, which is trusted."""
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.control.settimeout(END)
        read_end, self.life = os.pipe()
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        given = {**orders, "control": theirs.fileno(), "life": read_end}
        if modules is None:
            command = [sys.executable, *exec_tiers.FLAGS, "-c", _TRUSTED_BOOT]
            said: dict[str, Any] = {"path": [p for p in sys.path if p], "orders": given}
        else:
            command = exec_tiers.boot_command()
            said = {"modules": modules, "run": run, "orders": given}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self.complaints,
            pass_fds=(theirs.fileno(), read_end),
            env=environment.trusted() if modules is None else environment.clean(),
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        os.close(read_end)
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self.process.stdin as stdin:
            stdin.write(json.dumps(said).encode() + b"\n")

    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def complaint(self) -> str:
        """The end of what it wrote to standard error."""
        self.complaints.seek(0)
        return self.complaints.read()[-2000:].decode(errors="replace").strip()

    def close(self) -> None:
        """Ends it and every worker of it."""
        with contextlib.suppress(OSError):
            os.close(self.life)
        self.control.close()
        try:
            self.process.wait(END)
        except subprocess.TimeoutExpired:
            # Its workers die with it: the kernel sees to that.
            self.process.kill()
            self.process.wait()
        self.complaints.close()


class Started:
    """A process that a keeper started for this one: its channel, its output and its fate."""

    def __init__(
        self,
        control: socket.socket,
        order: Mapping[str, Any],
        *,
        deadline: float,
        extra: Sequence[int] = (),
        arena: bool = True,
    ) -> None:
        """`deadline` is kept by the channel; the keeper ends the process by itself only long after it.

        Raises `KeeperGone`.
        """
        self.control = control
        self.token = secrets.randbits(62)
        self.fate = Fate()
        self.over = False
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.fate_end, told = os.pipe()
        self.output: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        shared = make_arena() if arena else None
        descriptors = [theirs.fileno(), told, self.output.fileno(), *([shared] if shared is not None else []), *extra]
        message = {**order, "token": self.token, "seconds": max(0.0, deadline - time.monotonic()) + START}
        self.channel = Channel(mine, shared, deadline, keep=True)
        try:
            socket.send_fds(control, [msgspec.msgpack.encode(message)], descriptors)
        except OSError as error:
            self.close()
            raise KeeperGone(f"a keeper of workers is gone ({error.strerror})") from None
        finally:
            theirs.close()
            os.close(told)
            if shared is not None:
                os.close(shared)

    def wait_ready(self) -> None:
        """Returns when the worker's walls stand. Raises `SandboxError` where they do not."""
        deadline, self.channel.deadline = self.channel.deadline, time.monotonic() + START
        try:
            tree, _ = self.channel.receive()
        except (BrokenChannel, DeadlinePassed) as error:
            fate = self.end("it did not start")
            self.close()
            if fate.keeper_gone or not fate.known:
                raise KeeperGone("a keeper of workers ended or does not answer") from None
            raise SandboxError(f"a worker did not start: it {fate.told()} {fate.error} ({error})") from None
        finally:
            self.channel.deadline = deadline
        if tree[:2] != [0, "ready"]:
            self.end("it did not start")
            self.close()
            raise SandboxError(f"a worker's walls do not hold: {tree[2] if len(tree) > 2 else tree}")

    def end(self, why: str) -> Fate:
        """Ends the process if it still runs, and tells how it ended."""
        if self.over:
            return self.fate
        # It may have ended by itself, and then that is what is told.
        if not self._read_fate(0.02 if why == "it let go of the channel" else 0.0):
            with contextlib.suppress(OSError):
                self.control.send(msgspec.msgpack.encode({"kill": self.token, "why": why}))
            self._read_fate(END)
        self.over = True
        return self.fate

    def wait(self, seconds: float) -> Fate | None:
        """How it ended, or None where it still runs after `seconds`."""
        if self.over or self._read_fate(seconds):
            self.over = True
            return self.fate
        return None

    def _read_fate(self, seconds: float) -> bool:
        """Reads what the keeper tells until the end is told; False where that did not come in time."""
        until = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.fate_end, select.POLLIN)
        while True:
            left = until - time.monotonic()
            if not poll.poll(max(0.0, left) * 1000):
                return False
            head = _read(self.fate_end, 4)
            if len(head) < 4:
                self.fate.keeper_gone = True
                return True
            report = msgspec.msgpack.decode(_read(self.fate_end, struct.unpack("<I", head)[0]))
            for name, value in report.items():
                setattr(self.fate, name, value)
            if "code" in report or "error" in report:
                self.fate.known = True
                return True

    def printed(self, limit: int) -> tuple[bytes, bool]:
        """The first `limit` bytes of its output, and whether there was more."""
        size = os.fstat(self.output.fileno()).st_size
        return os.pread(self.output.fileno(), limit, 0), size > limit

    def close(self) -> None:
        """Ends it, waits until it is gone, and gives back every descriptor."""
        if self.fate_end < 0:
            return
        self.channel.close()
        self.end("its owner let go")
        os.close(self.fate_end)
        self.fate_end = -1
        self.output.close()


def _read(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            break
        data += more
    return data
