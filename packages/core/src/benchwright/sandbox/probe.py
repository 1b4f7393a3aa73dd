"""Finds out which walls hold on this machine, by having a process walled in try to get out.

Versions and settings are not asked: a probe runs as a submission would, and each attack either works
or is stopped. Each tier is tried in a process of its own, because walls cannot be taken down again.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchwright.records import DoctorRow, Limits
from benchwright.sandbox import environment, interface, reading, walls

SECONDS = 20.0
_PTRACE_SEIZE = 0x4206


class Row(msgspec.Struct, frozen=True):
    """One probe: which wall, what was tried, whether it was stopped, and how that showed."""

    wall: str
    probe: str
    stopped: bool
    detail: str


class Report(msgspec.Struct, frozen=True):
    """A tier's probes. `error`: why its walls could not be put up at all."""

    tier: str
    rows: tuple[Row, ...] = ()
    error: str = ""

    @property
    def holds(self) -> bool:
        """Whether the walls stand and every probe was stopped."""
        return not self.error and bool(self.rows) and all(row.stopped for row in self.rows)


def attacks(target: Mapping[str, Any]) -> list[tuple[str, str, Callable[[], Any]]]:
    """`(wall, probe, attack)`: an attack that was stopped raises `OSError` or `MemoryError`."""
    libc = ctypes.CDLL(None, use_errno=True)

    def kernel(result: int) -> int:
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    def fork() -> None:
        if os.fork() == 0:
            os._exit(0)

    def big_file() -> None:
        with open(os.path.join(target["folder"], "big"), "wb") as file:
            file.write(bytes(target["file_bytes"] + 1))

    def connect() -> None:
        socket.create_connection(("127.0.0.1", target["port"]), 1).close()

    def datagram() -> None:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", target["port"]))

    def local() -> None:
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(target["socket"])

    def read(path: str) -> Callable[[], Any]:
        return lambda: Path(path).read_bytes()

    found = [
        ("reading", "a file of the user's", read(target["secret"])),
        ("reading", "the list of that folder", lambda: os.listdir(os.path.dirname(target["secret"]))),
        ("writing", "a file outside its folder", lambda: Path(target["outside"]).write_text("x")),
        ("writing", "the mode of a file outside", lambda: os.chmod(target["secret"], 0o600)),
        ("network", "a TCP connection", connect),
        ("network", "a UDP datagram", datagram),
        ("network", "a local socket", local),
        ("processes", "a new process", fork),
        ("processes", "another program", lambda: os.execv(sys.executable, [sys.executable, "-c", "print('ran')"])),
        ("processes", "a signal to another process", lambda: os.kill(target["pid"], 0)),
        ("memory", "more memory than its limit", lambda: bytearray(target["memory_bytes"])),
        ("files", "a larger file than its limit", big_file),
    ]
    if sys.platform == "linux":
        found += [
            ("processes", "the environment of another process", read(f"/proc/{target['pid']}/environ")),
            ("processes", "tracing another process", lambda: kernel(libc.ptrace(_PTRACE_SEIZE, target["pid"], 0, 0))),
            ("processes", "namespaces of its own", lambda: kernel(libc.unshare(0x10000000))),
        ]
    # Replacing the program ends the probe where it works, so it comes last.
    return sorted(found, key=lambda attack: attack[1] == "another program")


def main(orders: Mapping[str, Any], _: Any) -> None:
    """Runs in the process that is walled in: tries each attack and prints a JSON line for each."""
    target = dict(orders["target"])
    try:
        walls.enter(
            orders["tier"],
            orders["limits"],
            read=orders["reading"],
            write=[target["folder"], "/dev/null"],
        )
    except OSError as error:
        _say({"error": str(error)})
        return
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for wall, name, attack in attacks(target):
        try:
            attack()
            stopped, detail = False, "worked"
        except (OSError, MemoryError) as error:
            stopped, detail = True, str(error) or type(error).__name__
        _say([wall, name, stopped, detail])


def _say(told: Any) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def run(tier: str) -> Report:
    """Probes one tier. Takes about a tenth of a second."""
    refusal = unavailable(tier)
    if refusal:
        return Report(tier, error=refusal)
    outside = tempfile.mkdtemp(prefix="benchwright-probe-")
    try:
        return _run(tier, os.path.realpath(outside))
    finally:
        shutil.rmtree(outside)


def unavailable(tier: str) -> str:
    """Why a tier cannot be tried on this system at all, or an empty string."""
    needs = {walls.NAMESPACES: "linux", walls.LANDLOCK: "linux", walls.BUBBLEWRAP: "linux", walls.SEATBELT: "darwin"}
    if tier in needs and sys.platform != needs[tier]:
        return f"needs {'Linux' if needs[tier] == 'linux' else 'macOS'}, this is {platform.system()}"
    program = {walls.BUBBLEWRAP: "bwrap", walls.SEATBELT: "sandbox-exec"}.get(tier)
    if program is not None and shutil.which(program) is None:
        return f"the program {program} is not installed"
    return ""


def _run(tier: str, outside: str) -> Report:
    limits = msgspec.structs.replace(Limits(), memory_mb=64, file_mb=1)
    folder = os.path.join(outside, "work")
    os.mkdir(folder)
    private = os.path.join(outside, "private")
    os.mkdir(private)
    secret = os.path.join(private, "secret")
    Path(secret).write_text("a secret")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        # Abstract where the system has that: a path to a socket may not be longer than a hundred letters.
        address = f"\0{outside}" if sys.platform == "linux" else os.path.join(private, "socket")
        local.bind(address[:100])
        local.listen()
        target = {
            "folder": folder,
            "secret": secret,
            "outside": os.path.join(private, "written"),
            "port": server.getsockname()[1],
            "socket": address[:100],
            "pid": os.getpid(),
            "memory_bytes": 256 << 20,
            "file_bytes": limits.file_mb << 20,
        }
        allowed = reading.reading(())
        orders = {
            "tier": tier,
            "limits": msgspec.to_builtins(limits),
            "target": target,
            "reading": allowed.paths,
        }
        return _ask(tier, orders, folder)


def _ask(tier: str, orders: Mapping[str, Any], folder: str) -> Report:
    from benchwright.sandbox import exec_tiers

    command = exec_tiers.wrap(tier, exec_tiers.boot_command(), folder, orders["reading"])
    said = {"modules": exec_tiers.own_modules(), "run": "benchwright.sandbox.probe", "orders": orders}
    try:
        done = subprocess.run(
            command,
            input=json.dumps(said).encode() + b"\n",
            capture_output=True,
            timeout=SECONDS,
            env=environment.clean(),
            cwd="/",
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Report(tier, error=f"the probe could not be run: {error}")
    rows: list[Row] = []
    for line in done.stdout.decode(errors="replace").splitlines():
        if line == "ran":
            rows.append(Row("processes", "another program", False, "worked"))
            continue
        told = json.loads(line)
        if isinstance(told, dict):
            return Report(tier, error=told["error"])
        rows.append(Row(*told))
    if len(rows) < _expected():
        said_last = done.stderr.decode(errors="replace").strip().splitlines()
        return Report(tier, tuple(rows), f"the probe ended early ({said_last[-1] if said_last else done.returncode})")
    return Report(tier, tuple(rows))


def _expected() -> int:
    names = {"folder", "secret", "outside", "port", "socket", "pid", "memory_bytes", "file_bytes"}
    return len(attacks(dict.fromkeys(names, "") | {"pid": 0, "file_bytes": 0}))


def choose(asked: str | None = None) -> str:
    """The tier to use: the one asked for, or the best that holds. Raises `NoWalls` with the reasons."""
    if asked == walls.UNSAFE:
        return asked
    asked = asked or os.environ.get("BENCHWRIGHT_TIER") or None
    if asked is not None and asked not in walls.TIERS:
        raise interface.NoWalls(f"no isolation tier {asked!r}; there are {', '.join(walls.TIERS)}")
    reasons = []
    for tier in (asked,) if asked else walls.TIERS:
        report = run(tier)
        if report.holds:
            return tier
        reasons.append(f"{tier}: {_reason(report)}")
    raise interface.NoWalls(
        "No walls hold on this machine, so nothing that a model wrote is run (" + "; ".join(reasons) + "). "
        "Install bubblewrap, use a newer kernel, or run with --unsafe, which marks attempts as not comparable."
    )


def _reason(report: Report) -> str:
    return report.error or "not stopped: " + ", ".join(row.probe for row in report.rows if not row.stopped)


def doctor() -> list[DoctorRow]:
    """Every tier, each wall of the best one with its probes, and the tier that is used."""
    rows: list[DoctorRow] = []
    reports = [run(tier) for tier in walls.TIERS if not unavailable(tier).startswith("needs")]
    best = next((report for report in reports if report.holds), None)
    for report in reports:
        stopped = sum(row.stopped for row in report.rows)
        state = report.error or f"{stopped} of {len(report.rows)} probes stopped"
        rows.append(DoctorRow(f"walls {report.tier}", state))
    if best is None:
        remedy = "install bubblewrap or use a newer kernel; --unsafe runs without walls, not comparable"
        return [*rows, DoctorRow("isolation", "no walls hold", remedy, False)]
    for wall in dict.fromkeys(row.wall for row in best.rows):
        probes = [row for row in best.rows if row.wall == wall]
        told = ", ".join(row.probe if row.stopped else f"{row.probe} (NOT STOPPED)" for row in probes)
        rows.append(DoctorRow(f"walls: {wall}", f"stopped: {told}", "", all(row.stopped for row in probes)))
    return [*rows, DoctorRow("isolation", best.tier, "", True)]


__all__ = ["DoctorRow", "Report", "Row", "attacks", "choose", "doctor", "run", "unavailable"]
