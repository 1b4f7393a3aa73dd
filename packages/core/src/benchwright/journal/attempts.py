"""`attempts.jsonl`: one line a finished attempt; an attempt is finished when its line is on disk."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchwright import digests
from benchwright.errors import FileError
from benchwright.journal.encoding import encode
from benchwright.records import SCHEMA, Attempt

NAME = "attempts.jsonl"

_decoder = msgspec.json.Decoder(Attempt)


class Recovery(msgspec.Struct, frozen=True):
    """What was found of an `attempts.jsonl`. `good` bytes hold whole lines; `tail` is what a kill left behind them."""

    attempts: tuple[Attempt, ...]
    good: int
    tail: bytes
    newline_missing: bool = False
    """The last line is whole, and only its newline is not on disk."""


class _Head(msgspec.Struct):
    schema: int = 1


def encode_line(attempt: Attempt) -> bytes:
    """The line of an attempt, newline included; also what `bench score --json` prints."""
    return encode(attempt) + b"\n"


def decode_line(line: bytes, place: object) -> Attempt:
    """The attempt of a line. Raises FileError for a damaged line and for one of a newer schema."""
    try:
        attempt = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        refuse_newer(line, place)
        raise FileError(place, f"is not an attempt: {error}") from None
    if attempt.schema > SCHEMA:
        refuse_newer(line, place)
    return attempt


def refuse_newer(content: bytes, place: object, newest: int = SCHEMA) -> None:
    """Raises FileError where `content` is JSON that names a schema above `newest`."""
    try:
        schema = msgspec.json.decode(content, type=_Head).schema
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    if schema > newest:
        raise FileError(
            place, f"has schema {schema}, and this bench reads up to {newest}; upgrade benchwright to read it."
        )


def read_attempts(path: Path) -> tuple[Attempt, ...]:
    """Every finished attempt of a run folder, or of an `attempts.jsonl`, in the order of finishing.

    A torn last line is no finished attempt and is passed over. Raises FileError for a damaged line
    elsewhere, a newer schema, or an attempt that stands there twice; and, for a run folder whose manifest
    says that the run is finished, where the file is not the one whose sha256 the manifest names.
    """
    if not path.is_dir():
        return recover(path).attempts
    before = _named(path)
    content = _content(path / NAME)
    if before and digests.sha256(content) != before and _named(path) == before:
        for number, line in enumerate(content.splitlines(), 1):
            refuse_newer(line, f"{path / NAME}:{number}")
        raise FileError(path / NAME, _OTHER if (path / NAME).exists() else _GONE)
    return _recovered(path / NAME, content).attempts


_OTHER = (
    "is not the file that manifest.json names: the run was finished, and this file was cut or changed since. "
    "Put a whole copy of it back."
)
_GONE = "is not there, and manifest.json names it: the run was finished. Put a copy of it back."


class _Named(msgspec.Struct):
    status: str = ""
    files: dict[str, str] = {}


def _named(folder: Path) -> str:
    """The sha256 that a finished run's manifest names for its attempts; empty for other runs, and without a manifest."""
    path = folder / "manifest.json"
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Named)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(path, f"is not a manifest: {error}") from None
    return found.files.get(NAME, "") if found.status == "finished" else ""


def recover(path: Path) -> Recovery:
    """As `read_attempts` of a file, with what has to be cut off before the next line may be appended."""
    return _recovered(path, _content(path))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None


def _recovered(path: Path, content: bytes) -> Recovery:
    lines = content.split(b"\n")
    last = lines.pop()
    attempts: list[Attempt] = []
    good = 0
    for number, line in enumerate(lines, 1):
        try:
            attempts.append(decode_line(line, f"{path}:{number}"))
        except FileError:
            if number < len(lines) or last:
                raise
            refuse_newer(line, f"{path}:{number}")
            return Recovery(_unique(attempts, path), good, line + b"\n")
        good += len(line) + 1
    if last:
        place = f"{path}:{len(lines) + 1}"
        refuse_newer(last, place)
        try:
            attempts.append(decode_line(last, place))
        except FileError:
            return Recovery(_unique(attempts, path), good, last)
        return Recovery(_unique(attempts, path), good + len(last), b"", newline_missing=True)
    return Recovery(_unique(attempts, path), good, b"")


def _unique(attempts: list[Attempt], path: Path) -> tuple[Attempt, ...]:
    seen: dict[str, int] = {}
    for number, attempt in enumerate(attempts, 1):
        first = seen.setdefault(attempt.attempt, number)
        if first != number:
            raise FileError(
                f"{path}:{number}", f"the attempt {attempt.attempt} stands here again (first on line {first})"
            )
    return tuple(attempts)
