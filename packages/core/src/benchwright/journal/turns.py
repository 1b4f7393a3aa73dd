"""The folder of an attempt: each turn's files, and the record by which a reply that was paid is found again."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests
from benchwright.journal.encoding import encode
from benchwright.journal.folder import replace, writing
from benchwright.names import folder_name, split_task_id
from benchwright.records import SCHEMA, Reply, Usage

MESSAGE, ANSWER, EVENTS, RECORD = "message.txt", "answer.md", "events.jsonl", "run.json"
STATE = "state.json"
CALLING = "calling.json"
"""There while a call that can cost money is in flight, and after a kill in the middle of one."""


class TurnRecord(msgspec.Struct, frozen=True):
    """`run.json` of a turn, written last: a turn is complete when it is there and the digests hold."""

    turn: int
    model: str
    answered: str | None
    settings: dict[str, Any]
    stop: str
    usage: Usage | None
    wasted: Usage | None
    calls: int
    seconds: float
    started: str
    message_sha256: str
    answer_sha256: str | None = None
    events_sha256: str | None = None
    gave_files: bool = False
    """The model answered with files, not with text; they lie in `submission/`."""
    failure: str = ""
    """Why the model gave no reply; usage, wasted and calls are on record all the same."""
    interrupted: int = 0
    """Calls that were in flight when `bench` was killed; what they cost nobody was told."""
    schema: int = SCHEMA


def attempt_place(task_id: str, model: str, draw: int) -> str:
    """`<benchmark>/<task>/<model>/draw-NN`: the folder of an attempt, relative to its run folder."""
    benchmark, slug = split_task_id(task_id)
    return f"{benchmark}/{slug}/{folder_name(model)}/draw-{draw:02d}"


def attempt_folder(run: Path, task_id: str, model: str, draw: int) -> Path:
    """`<run>/<benchmark>/<task>/<model>/draw-NN`."""
    return run / attempt_place(task_id, model, draw)


def turn_folder(folder: Path, turn: int) -> Path:
    """`turn-NN` in the folder of an attempt."""
    return folder / f"turn-{turn:02d}"


class Files:
    """Writes files below an attempt's folder and remembers their digests. Folders are made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.digests: dict[str, str] = {}
        self._made: set[str] = set()

    def write(self, name: str, content: bytes, *, durable: bool = False) -> str:
        """Writes `name` (with `/` between folders) and gives its sha256. A name that leaves the folder is refused."""
        if not safe_name(name):
            raise ValueError(f"`{name}` is no name for a file in this folder")
        path = f"{self.folder}/{name}"
        parent = path.rpartition("/")[0]
        with writing(Path(path)):
            if parent not in self._made:
                os.makedirs(parent, exist_ok=True)
                self._made.add(parent)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
            try:
                view = memoryview(content)
                while view:
                    view = view[os.write(handle, view) :]
                if durable:
                    os.fsync(handle)
            finally:
                os.close(handle)
        digest = self.digests[name] = digests.sha256(content)
        return digest

    def forget_folders(self) -> None:
        """Folders may have been taken away: they are made again when needed."""
        self._made.clear()

    def known(self, name: str, content: bytes) -> None:
        """Remembers a file that is there already."""
        self.digests[name] = digests.sha256(content)


def safe_name(name: str) -> bool:
    """Whether `name` is a relative path that stays in its folder, on every system."""
    parts = name.split("/")
    return (
        0 < len(name) <= 200
        and all(part and part not in (".", "..") and len(part) <= 100 for part in parts)
        and not any(letter in '\\:*?"<>|' or ord(letter) < 32 for letter in name)
    )


def stamp(seconds: float) -> str:
    """A moment as `2026-12-01T10:00:00.123Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds % 1 * 1000):03d}Z"


class Calling(msgspec.Struct, frozen=True):
    """`calling.json`: what a kill must not lose of a reply that is being asked for."""

    started: str
    interrupted: int = 0
    """Requests that were under way at earlier kills."""
    calls: int = 0
    """Requests that have ended without a reply."""
    wasted: Usage | None = None
    """What those were billed, as far as it was told."""
    in_flight: bool = True


def begin_call(files: Files, turn: int, now: float) -> Calling:
    """Marks that a paid call is about to be made; gives what a kill left of earlier ones."""
    left = Calling(stamp(now))
    found = _unfinished_call(files.folder, turn)
    if found is not None:
        left = msgspec.structs.replace(found, started=left.started, interrupted=found.interrupted + found.in_flight)
    note_call(files, turn, msgspec.structs.replace(left, in_flight=True))
    return left


def _unfinished_call(folder: Path, turn: int) -> Calling | None:
    """The mark that a kill left, or None. Beside the record of the same call it says nothing that the record does not."""
    try:
        found = msgspec.json.decode((turn_folder(folder, turn) / CALLING).read_bytes(), type=Calling)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    record = read_record(folder, turn)
    return None if record is not None and record.started == found.started else found


def note_call(files: Files, turn: int, calling: Calling) -> None:
    """Replaces the mark of a call that is being made."""
    replace(turn_folder(files.folder, turn) / CALLING, encode(calling))


def end_call(files: Files, turn: int) -> None:
    """Takes the mark away; the turn's record is on disk."""
    with contextlib.suppress(FileNotFoundError):
        (turn_folder(files.folder, turn) / CALLING).unlink()


def drop_answered(files: Files, turn: int, record: TurnRecord) -> None:
    """Takes a mark away that a kill left beside the record of its own call."""
    with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        found = msgspec.json.decode((turn_folder(files.folder, turn) / CALLING).read_bytes(), type=Calling)
        if found.started == record.started:
            end_call(files, turn)


def write_turn(files: Files, record: TurnRecord, reply: Reply, *, durable: bool) -> None:
    """The reply's files, then `run.json`, which makes the turn complete. `durable` waits for the disk."""
    prefix = f"turn-{record.turn:02d}"
    answer = events = None
    if reply.text:
        answer = files.write(f"{prefix}/{ANSWER}", reply.text.encode("utf-8", "surrogatepass"), durable=durable)
    if reply.events:
        content = b"".join(encode(event) + b"\n" for event in reply.events)
        events = files.write(f"{prefix}/{EVENTS}", content, durable=durable)
    record = msgspec.structs.replace(record, answer_sha256=answer, events_sha256=events)
    content = encode(record) + b"\n"
    if durable:
        files.known(f"{prefix}/{RECORD}", content)
        replace(files.folder / prefix / RECORD, content, durable=True)
    else:
        files.write(f"{prefix}/{RECORD}", content)


def read_record(folder: Path, turn: int) -> TurnRecord | None:
    """`run.json` of a turn, or None where it is absent or torn."""
    try:
        return msgspec.json.decode((turn_folder(folder, turn) / RECORD).read_bytes(), type=TurnRecord)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def billed(folder: Path) -> list[Usage]:
    """What the calls of an attempt's folder were billed, whatever came of them."""
    found: list[Usage | None] = []
    for where in sorted(folder.glob("turn-*")):
        number = where.name.removeprefix("turn-")
        if not number.isdecimal():
            continue
        record, calling = read_record(folder, int(number)), _unfinished_call(folder, int(number))
        if record is not None:
            found += [record.usage, record.wasted]
        if calling is not None:
            found.append(calling.wasted)
    return [usage for usage in found if usage is not None]


def read_turn(folder: Path, turn: int) -> tuple[TurnRecord, Reply] | None:
    """A turn that was finished before a kill, or None where it is absent, torn, incomplete or failed."""
    where = turn_folder(folder, turn)
    record = read_record(folder, turn)
    if record is None or record.failure:
        return None
    answer = _checked(where / ANSWER, record.answer_sha256)
    events = _checked(where / EVENTS, record.events_sha256)
    if answer is None or events is None or record.schema > SCHEMA:
        return None
    return record, Reply(
        text=answer.decode("utf-8", "surrogatepass"),
        model_answered=record.answered,
        stop=record.stop,
        usage=record.usage,
        events=tuple(msgspec.json.decode(line) for line in events.splitlines()),
        calls=record.calls,
        wasted=record.wasted,
        seconds=record.seconds,
    )


def _checked(path: Path, digest: str | None) -> bytes | None:
    if digest is None:
        return b""
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        if digests.sha256(content) == digest:
            return content
    return None


class AttemptState(msgspec.Struct, frozen=True):
    """`state.json`: that the attempt is finished, and the sha256 of every file in its folder."""

    attempt: str
    outcome: str
    files: dict[str, str]
    schema: int = SCHEMA


def state(files: Files, attempt: str, outcome: str) -> str:
    """Writes `state.json` and gives its own sha256, which the attempt's line carries."""
    return files.write(STATE, encode(AttemptState(attempt, outcome, dict(files.digests))) + b"\n")
