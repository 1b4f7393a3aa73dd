"""The process that starts, watches and ends workers: clean, single-threaded, and not `bench`.

A keeper has imported what its workers need (the standard library; numpy; numpy and torch) and nothing
else, so a worker is one fork away and finds no test, no expected value and no earlier submission in the
memory it inherits. It takes orders as datagrams over a socket that `bench` and its graders share:

`{"token", "deadline", "limits", "folder", …}` with descriptors of the worker's own socket, of a pipe for
its fate and of a file for its output. The fate is two frames on the pipe: the process id at the start,
and how it ended. Whoever holds the pipe's other end owns the worker: when it is closed, the worker goes.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import select
import signal
import socket
import struct
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from benchwright.sandbox import landlock, memory, syscalls, walls

REQUEST_LIMIT = 1 << 16
"""Bytes of one order."""
GRACE = 2.0
"""Seconds past the time in an order after which a keeper ends a worker by itself."""
WATCH_EVERY = 0.05
"""Seconds between two looks at a worker's disk and memory."""
WATCH_CLOSELY = 0.005
DEPTH = 2000
"""Letters of a path in a worker's folder; a tree that cannot be looked into has no bound otherwise."""
FILES = 4096
"""Files a worker may leave in its folder."""
LIMITS = frozenset({"wall", "cpu", "disk", "files", "memory", "processes"})
"""Reasons of an end that say which limit was passed; any other says only that its owner wants it no more."""


class Child:
    """A worker and what is known of it. Its end is reported once."""

    def __init__(self, pid: int, order: Mapping[str, Any], fate: int) -> None:
        self.pid = pid
        self.fate = fate
        self.token: int = order["token"]
        self.folder: str | None = order.get("folder")
        self.limits: dict[str, Any] = order["limits"]
        self.until: float = time.monotonic() + order["seconds"] + GRACE
        self.why: str | None = None
        self.others: list[int] = []
        self.inner: list[int] = []
        self.inner_cpu = 0.0

    def kill(self, why: str | None) -> None:
        """Kills it and all that it started; the first reason given is the one on record."""
        self.why = self.why or why
        # What bubblewrap starts is in a session of its own, and dies a moment after it.
        self.others = _below(self.pid)
        for other in self.others:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(other, signal.SIGKILL)
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)


class Keeper:
    """The loop. `child_main(order, descriptors)` runs in the forked child and never returns to here."""

    def __init__(self, orders: Mapping[str, Any], child_main: Callable[[dict[str, Any], list[int]], None]) -> None:
        self.control = socket.socket(fileno=orders["control"])
        self.life: int = orders["life"]
        self.child_main = child_main
        # There a process of ours starts, watches and outlasts the worker, which is in a session of its own.
        self.wrapped: bool = orders.get("tier") == walls.BUBBLEWRAP
        self.children: dict[int, Child] = {}
        self.by_fate: dict[int, Child] = {}
        self.poll = select.poll()
        self.wake, wake = os.pipe()
        for end in (self.wake, wake):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if sys.platform == "linux":
            syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)

    def run(self) -> None:
        """Serves until `bench` and every grader have gone; then ends all workers."""
        for descriptor in (self.control.fileno(), self.life, self.wake):
            self.poll.register(descriptor, select.POLLIN)
        try:
            while self._turn():
                pass
        finally:
            for child in self.children.values():
                child.kill("the keeper ended")

    def _turn(self) -> bool:
        timeout = self._pace() * 1000 if self.children else None
        for descriptor, _ in self.poll.poll(timeout):
            if descriptor == self.control.fileno():
                self._order()
            elif descriptor == self.life:
                return False
            elif descriptor == self.wake:
                with contextlib.suppress(BlockingIOError):
                    os.read(self.wake, 4096)
            elif (child := self.by_fate.get(descriptor)) is not None:
                child.kill("its owner let go")
                self.poll.unregister(descriptor)
        self._reap()
        self._watch()
        return True

    def _pace(self) -> float:
        """Seconds until the next look; short where only this process bounds the number of processes."""
        busy = os.geteuid() == 0 and any(child.limits["processes"] for child in self.children.values())
        return WATCH_CLOSELY if busy else WATCH_EVERY

    def _order(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self.control, REQUEST_LIMIT, 8)
        order = msgspec.msgpack.decode(data)
        if "kill" in order:
            for child in self.children.values():
                if child.token == order["kill"]:
                    child.kill(order["why"])
            return
        fate = descriptors[1]
        keeper = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            _tell(fate, {"error": f"no process could be started: {error.strerror}"})
            for descriptor in descriptors:
                os.close(descriptor)
            return
        if pid == 0:
            code = 70
            try:
                self._become_child(keeper, order, descriptors)
                code = 0
            except BaseException:  # noqa: BLE001 - a child never returns into the loop
                traceback.print_exc()
                sys.stderr.flush()
            finally:
                os._exit(code)
        for descriptor in descriptors:
            if descriptor != fate:
                os.close(descriptor)
        child = Child(pid, order, fate)
        self.children[pid] = self.by_fate[fate] = child
        self.poll.register(fate, 0)
        _tell(fate, {"pid": pid})

    def _become_child(self, keeper: int, order: dict[str, Any], descriptors: list[int]) -> None:
        os.setsid()
        if sys.platform == "linux":
            syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != keeper:
                return
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # A submission that interrupts itself interrupts itself, and a signal that was left to be ignored is not.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _only(descriptors)
        self.child_main(order, descriptors)

    def _reap(self) -> None:
        while True:
            pid = self._ended()
            if pid is None:
                return
            child = self.children.get(pid)
            if child is None:
                self._take(pid)
                continue
            # While the leader is a zombie its group's number is taken, so this hits nobody else.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            _, status, usage = os.wait4(child.pid, 0)
            cpu = usage.ru_utime + usage.ru_stime + self._empty_group(child.pid)
            for other in {*child.others, *child.inner} - set(self.children):
                self._wait_for(other)
            self._finish(child, status, cpu + child.inner_cpu, usage.ru_maxrss)

    def _take(self, pid: int, options: int = 0) -> None:
        """Reaps a process that came to this one; its CPU goes to the worker that it was seen in."""
        reaped, _, usage = os.wait4(pid, options)
        for child in self.children.values():
            if reaped and reaped in child.inner:
                child.inner_cpu += usage.ru_utime + usage.ru_stime

    def _wait_for(self, pid: int) -> None:
        """Waits, for a moment, until a process that dies is gone; it may come to this one to be reaped."""
        until = time.monotonic() + GRACE
        while time.monotonic() < until:
            with contextlib.suppress(ChildProcessError):
                self._take(pid, os.WNOHANG)
            try:
                os.kill(pid, 0)
            except (ProcessLookupError, PermissionError):
                return
            time.sleep(0.001)

    def _ended(self) -> int | None:
        """A child that has ended and is still a zombie, or None."""
        try:
            seen = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return None
        return None if seen is None else seen.si_pid

    def _empty_group(self, group: int) -> float:
        """Waits until nobody of the group is left; they were killed, and come to this process to be reaped.

        Gives the seconds of CPU of those it reaped: a program that walls in another may end before it has reaped it.
        """
        cpu = 0.0
        until = time.monotonic() + GRACE
        while time.monotonic() < until:
            try:
                reaped, _, usage = os.wait4(-group, os.WNOHANG)
                if reaped:
                    cpu += usage.ru_utime + usage.ru_stime
                os.killpg(group, signal.SIGKILL)
            except (ChildProcessError, ProcessLookupError, PermissionError):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, 0)
                    time.sleep(0.001)
                    continue
                return cpu
            time.sleep(0.001)
        return cpu

    def _finish(self, child: Child, status: int, cpu: float, peak: int) -> None:
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) > 128:
            # A program that walls in another, or a shell, tells the signal so.
            number = os.WEXITSTATUS(status) - 128
        why = child.why
        spent = number == signal.SIGXCPU or (number == signal.SIGKILL and cpu >= child.limits["cpu_seconds"])
        if spent and why not in LIMITS:
            # Its owner may have seen it go, and said so, before this process had its turn.
            why = "cpu"
        _tell(
            child.fate,
            {
                "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
                "signal": number,
                "cpu": cpu,
                "peak_kb": peak,
                "why": why,
            },
        )
        with contextlib.suppress(KeyError):
            self.poll.unregister(child.fate)
        os.close(child.fate)
        del self.children[child.pid], self.by_fate[child.fate]

    def _watch(self) -> None:
        now = time.monotonic()
        for child in self.children.values():
            if self.wrapped:
                child.inner = _children(child.pid) or child.inner
            if child.why is not None:
                continue
            if now > child.until:
                child.kill("wall")
            elif child.folder is not None and (over := _too_much(child.folder, child.limits)):
                child.kill(over)
            elif child.limits["processes"] and _family(child.pid) > child.limits["processes"] + 1:
                child.kill("processes")
            elif sys.platform == "darwin" and memory.resident(child.pid) > child.limits["memory_mb"] << 20:
                child.kill("memory")


def _tell(fate: int, report: dict[str, Any]) -> None:
    packed = msgspec.msgpack.encode(report)
    # The owner may have gone, and then nobody wants to know.
    with contextlib.suppress(BrokenPipeError):
        os.write(fate, struct.pack("<I", len(packed)) + packed)


def _too_much(folder: str, limits: Mapping[str, Any]) -> str | None:
    """Why what lies in `folder` is too much, or None."""
    size = files = 0
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    if entry.is_dir(follow_symlinks=False):
                        if len(entry.path) > DEPTH:
                            return "files"
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            continue
        if files > FILES:
            return "files"
    return "disk" if size > 4 * limits["file_mb"] << 20 else None


def _below(pid: int) -> list[int]:
    """Every process below one, nearest first."""
    found = _children(pid)
    for child in found:
        found += _children(child)
    return found


def _family(leader: int) -> int:
    """Processes in a leader's group, itself included, found from it and from those left to this keeper.

    The kernel enforces no limit of processes on root, so it is watched for all.
    """
    found = 0
    waiting = [leader, *(p for p in _children(os.getpid()) if p != leader and _in_group(p, leader))]
    while waiting:
        found += 1
        waiting += _children(waiting.pop())
        if found > 1 << 14:
            break
    return found


def _in_group(pid: int, group: int) -> bool:
    try:
        return os.getpgid(pid) == group
    except ProcessLookupError:
        return False


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _only(descriptors: list[int]) -> None:
    """Closes every descriptor but the standard three and these."""
    kept = {0, 1, 2, *descriptors}
    for name in os.listdir("/dev/fd"):
        if (descriptor := int(name)) not in kept:
            # The one that listed the folder is closed by now.
            with contextlib.suppress(OSError):
                os.close(descriptor)


def own_output(output: int) -> None:
    """Points standard output and error at `output`, and standard input at nothing."""
    sys.stdout.flush()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(output, 1)
    os.dup2(output, 2)


def die_first() -> None:
    """Where memory runs out on the whole machine, the kernel takes the worker, not its keeper or `bench`."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS):
            raise


def wall_in_keeper(orders: Mapping[str, Any]) -> None:
    """Bounds the keeper itself to what its workers may read and to the folder of all attempts."""
    landlock.restrict(run=orders["reading"], write=[orders["root"], "/proc", "/dev/null"])


def settle() -> None:
    """Puts all that is alive out of the collector's sight, so that a child shares its pages for longer."""
    gc.collect()
    gc.freeze()
