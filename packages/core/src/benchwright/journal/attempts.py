"""`attempts.jsonl`: one line a finished attempt; an attempt is finished when its line is on disk."""

from __future__ import annotations

from pathlib import Path

import msgspec

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
    elsewhere, a newer schema, or an attempt that stands there twice.
    """
    return recover(path / NAME if path.is_dir() else path).attempts


def recover(path: Path) -> Recovery:
    """As `read_attempts`, with what has to be cut off before the next line may be appended."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Recovery((), 0, b"")
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
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
