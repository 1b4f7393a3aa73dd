"""`command:PROGRAM`: any program. The prompt comes on standard input; the reply is what it prints, or a file it leaves.

It runs inside the sandbox's walls, in an empty folder of its own, with none of our environment. The
walls are an allow-list: the system's folders, the program's own, and nothing else, so installed
benchmarks, their data and the run folders are out of its sight.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from benchwright import folders
from benchwright.errors import ModelError, UserError
from benchwright.journal import runs_folder
from benchwright.models import hosted
from benchwright.models.guard import Stopped, guard
from benchwright.models.interface import Ask
from benchwright.models.knobs import Options, read_options
from benchwright.models.walled import NO_WALL
from benchwright.names import model_identity
from benchwright.records import Limits, Reply, Submission, TaskSpec

PROVIDER = "command"
ANSWER_FILE = "answer.json"
SUBMISSION_FOLDER = "submission"
MOST_OUTPUT = 8_000_000
MOST_COMPLAINT = 64_000

SYSTEM = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/fonts",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/pki",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/filesystems",
    "/sys/devices/system/cpu",
]
"""What a program may read of the system."""


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Command:
    """A model that is a program. Raises UserError where there is no such program."""
    return Command(argument, read_options(options))


class Command:
    """A program, started anew for every turn."""

    def __init__(self, argument: str, options: Options) -> None:
        self._options = options
        self._command = find_command(argument)
        self.identity = model_identity(f"{PROVIDER}:{argument}", {"network": True} if options.network else {})
        self.settings: dict[str, Any] = {
            "network": options.network,
            "seconds": options.call_seconds,
            "files": files_of(self._command),
        }
        self.paid = options.network
        """Without the network a program can spend nothing."""
        self._tier = ""
        self._turns: asyncio.Semaphore | None = None

    async def reply(self, ask: Ask) -> Reply:
        """What the program answers. Raises ModelError where it fails, prints too much, or runs past its time."""
        if self._turns is None:
            # A program needs a processor to itself; the engine's own limit is meant for remote calls.
            self._turns = asyncio.Semaphore(os.cpu_count() or 1)
        watch = guard()
        if self._turns.locked():
            watch.note(0, None, in_flight=False)
        async with self._turns:
            if watch.halt.halted:
                raise Stopped("the run stopped before the program was started", reply=Reply("", calls=0))
            watch.note(0, None, in_flight=True)
            folder = tempfile.mkdtemp(prefix="benchwright-command-")
            try:
                return await self._run(ask, os.path.realpath(folder))
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    async def _run(self, ask: Ask, folder: str) -> Reply:
        if not self._tier:
            self._tier = find_tier(unsafe=self._options.unsafe)
        process = await asyncio.create_subprocess_exec(
            *self._walled(folder, ask),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env=environment(folder, self._reads(ask)),
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self._options.call_seconds):
                printed, complaint, _ = await asyncio.gather(
                    _read(process.stdout, MOST_OUTPUT),
                    _read(process.stderr, MOST_COMPLAINT),
                    _feed(process, prompt(ask)),
                )
                status = await process.wait()
        except TimeoutError:
            raise ModelError(
                f"the program gave no reply within {self._options.call_seconds:g} s", reply=Reply("")
            ) from None
        finally:
            _end(process)
            await process.wait()
        said = complaint.decode(errors="replace")
        event = {
            "type": "command",
            "status": status,
            "stderr": said,
            "walls": self._tier,
            "network": self._options.network,
        }
        if status != 0:
            last = _last_words(said)
            if status == NO_WALL and self._tier != "unsafe":
                raise UserError(f"{PROVIDER}:{self._command[0]}: {last}")
            raise ModelError(f"the program ended with status {status}: {last}", reply=Reply("", events=(event,)))
        if len(printed) > MOST_OUTPUT:
            raise ModelError(f"the program printed more than {MOST_OUTPUT:,} bytes", reply=Reply("", events=(event,)))
        text = printed.decode(errors="replace")
        left = left_files(Path(folder), ask.spec)
        return (
            Reply(text, events=(event,), submission=left)
            if left is not None
            else Reply(_answer(folder, ask) or text, events=(event,))
        )

    def _reads(self, ask: Ask) -> list[str] | None:
        """What the walls let it read; None without walls."""
        return None if self._tier == "unsafe" else readable(self._command, hidden(ask.folder))

    def _walled(self, folder: str, ask: Ask) -> list[str]:
        if self._tier == "unsafe":
            return self._command
        limits = Limits(seconds=300, memory_mb=1 << 20, file_mb=1024, open_files=4096)
        orders = {
            "tier": self._tier,
            # A program may take as many processors as it likes for as long as its wall clock runs.
            "limits": {**msgspec.to_builtins(limits), "cpu_seconds": self._options.call_seconds * 64},
            "read": self._reads(ask),
            "write": [folder, "/dev/null"],
            "network": self._options.network,
        }
        return [sys.executable, "-I", "-m", "benchwright.models.walled", json.dumps(orders), *self._command]

    async def close(self) -> None:
        """Nothing is left to close: a program ends with its turn."""


def find_command(argument: str) -> list[str]:
    """The program and its arguments, each file among them by its full path. Raises UserError."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise UserError(f"{PROVIDER}:{argument}: {error}.") from None
    if not words:
        raise UserError(f"{PROVIDER}: names no program; for example command:./agent.sh.")
    program = shutil.which(words[0])
    if program is None and os.path.isfile(words[0]):
        raise UserError(
            f"{PROVIDER}:{argument}: the file `{words[0]}` may not be run as a program: chmod +x {shlex.quote(words[0])}"
        )
    if program is None:
        raise UserError(f"{PROVIDER}:{argument}: there is no program `{words[0]}` that can be run.")
    return [os.path.abspath(program), *(os.path.abspath(word) if os.path.exists(word) else word for word in words[1:])]


def files_of(command: list[str]) -> dict[str, str]:
    """The sha256 of the program and of each argument that is a file: when one changes, so does what answers."""
    found = {}
    for word in command:
        if os.path.isfile(word):
            try:
                with open(word, "rb") as file:
                    found[os.path.basename(word)] = f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
            except OSError as error:
                raise UserError(f"{PROVIDER}: {word} cannot be read: {error.strerror or error}.") from None
    return found


def find_tier(*, unsafe: bool) -> str:
    """The walls for a program. Raises UserError where this machine has none that fit."""
    from benchwright.sandbox import probe, walls

    tier = str(probe.choose(walls.UNSAFE if unsafe else None))
    if tier not in (walls.NAMESPACES, walls.LANDLOCK, walls.UNSAFE):
        raise UserError(
            f"A command: model needs Linux with Landlock, and this machine has {tier}; --unsafe runs it without walls."
        )
    return tier


def environment(folder: str, reads: Iterable[str] | None = None) -> dict[str, str]:
    """What the program sees of the environment: no variable of ours but where programs are found.

    `reads`: what the walls let it read. A Python environment that lies elsewhere is left out of PATH: its `python3` leads
    to an interpreter that would start, and then not find its own library.
    """
    places = tuple(reads or ())

    def starts(part: str) -> bool:
        config = os.path.realpath(os.path.join(part, "..", "pyvenv.cfg"))
        return reads is None or not os.path.exists(config) or any(_covers(place, config) for place in places)

    parts = [part for part in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(part)]
    path = os.pathsep.join(part for part in parts if starts(part))
    return {"PATH": path, "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def _covers(place: str, path: str) -> bool:
    return path == place or path.startswith(place.rstrip("/") + "/")


def _last_words(said: str) -> str:
    """The line on standard error that tells most: what Python says before it gives up, else the last."""
    lines = said.strip().splitlines() or ["it said nothing"]
    fatal = [line for line in lines if line.startswith("Fatal Python error")]
    return (fatal or lines)[-1].strip()[:300]


def prompt(ask: Ask) -> bytes:
    """What comes on standard input: the system line, then the one message, or the conversation with its turns marked."""
    parts = [ask.system] if ask.system else []
    if len(ask.messages) == 1:
        parts.append(hosted.text_of(ask.messages[0]))
    else:
        parts += [f"[{message.role}]\n{hosted.text_of(message)}" for message in ask.messages]
    return ("\n\n".join(parts) + "\n").encode(errors="replace")


def left_files(folder: Path, spec: TaskSpec) -> Submission | None:
    """The submission that the program left as files: the task's one file, or what lies in `submission/`."""
    if spec.submission == "json":
        return None
    place = folder / SUBMISSION_FOLDER
    if spec.file:
        for path in (folder / spec.file, place / spec.file):
            if path.is_file() and not path.is_symlink():
                return Submission(spec.submission, files={spec.file: path.read_bytes()})
        return None
    files = {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts
    }
    return Submission(spec.submission, files=files) if files else None


def _answer(folder: str, ask: Ask) -> str:
    path = Path(folder) / ANSWER_FILE
    if ask.spec.submission == "json" and path.is_file() and not path.is_symlink():
        return path.read_text(errors="replace")
    return ""


@cache
def hidden(attempt: Path) -> tuple[str, ...]:
    """What no program may see: installed benchmarks, their data, and the run that it is part of."""
    from benchwright.sandbox import reading

    found: set[str] = {os.path.realpath(folders.data()), os.path.realpath(folders.cache())}
    run = next(
        (parent for parent in attempt.absolute().parents if (parent / "manifest.json").exists()), attempt.absolute()
    )
    # A run may be written beside the program, so its neighbours are out of sight, and what is no run is not.
    runs = [run, runs_folder(), *(file.parent for file in run.parent.glob("*/manifest.json"))]
    found.update(os.path.realpath(path) for path in runs)
    for name in {"benchwright", *_benchmarks()}:
        place = reading.importable(name)
        if place is not None:
            found.update(os.path.realpath(path) for path in (*place.folders, place.origin) if path)
    return tuple(sorted(found))


def _benchmarks() -> Iterable[str]:
    from importlib import metadata

    from benchwright.hookspecs import GROUP

    return {entry.value.partition(":")[0].partition(".")[0] for entry in metadata.entry_points(group=GROUP)}


def readable(command: list[str], out_of_sight: tuple[str, ...]) -> list[str]:
    """What the program may read and run: the system, and the folders of the program and of the files it is given."""
    places = [path for path in SYSTEM if os.path.exists(path)]
    for word in command:
        if os.path.isabs(word) and os.path.exists(word):
            for path in (word, os.path.realpath(word)):
                parent = os.path.dirname(path) if not os.path.isdir(path) else path
                # `…/bin/agent` has its libraries beside `bin`.
                places.append(os.path.dirname(parent) if os.path.basename(parent) == "bin" else parent)
    kept: list[str] = []
    for place in dict.fromkeys(os.path.realpath(place) for place in places):
        if place != "/":
            kept += without(place, out_of_sight)
    return list(dict.fromkeys(kept))


def without(folder: str, left_out: Iterable[str]) -> list[str]:
    """Paths that cover `folder` and nothing at or below `left_out`: the walls can allow, but not take back."""
    inside = [path for path in left_out if path == folder or path.startswith(folder.rstrip("/") + "/")]
    if not inside:
        return [folder]
    if folder in inside:
        return []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []
    return [path for entry in entries if not entry.is_symlink() for path in without(entry.path, inside)]


async def _read(stream: asyncio.StreamReader | None, most: int) -> bytes:
    """Up to `most` + 1 bytes; the rest is read and dropped, so that the program is not held up."""
    assert stream is not None
    kept = bytearray()
    while piece := await stream.read(1 << 16):
        kept += piece[: max(0, most + 1 - len(kept))]
    return bytes(kept)


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(data)
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        pass  # a program need not read its prompt
    finally:
        process.stdin.close()


def _end(process: asyncio.subprocess.Process) -> None:
    """Ends the program and whatever it started; inside the walls nothing can leave its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
