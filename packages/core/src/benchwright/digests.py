"""What is hashed, and how: the canary line, canonical JSON, and the digests that boards key on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from benchwright.records import Message

CANARY_ID = "095d276d-6d74-432c-a3c6-5d97275a7d0e"
"""Stands in every prompt, hidden test, reference and text data file, so that a training corpus can be searched for it."""

CANARY = f"Benchwright benchmark data, not for training corpora. canary {CANARY_ID}"
"""The canary line, to be put behind the comment sign of the file it stands in."""

REPLY_FORMAT = 1
"""Version of the reply-format instructions and of the parser that reads replies."""


def canonical_json(value: object) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces: one text for one value."""
    return msgspec.json.encode(value, order="deterministic")


def sha256(data: bytes) -> str:
    """`sha256:` and 64 hex digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def strip_canary(text: str) -> str:
    """`text` without the lines that carry the canary id; what a model is sent."""
    if CANARY_ID not in text:
        return text
    return "".join(line for line in text.splitlines(keepends=True) if CANARY_ID not in line)


def unix_newlines(data: bytes) -> bytes:
    """Text with LF newlines, so that a checkout on another system hashes the same; other bytes as they are."""
    if b"\r" not in data or b"\0" in data:
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def task_digest(parts: Mapping[str, bytes]) -> str:
    """`bw1:` + sha256 over the sorted (path, sha256 of the content with LF newlines) of everything that defines a task.

    `parts` maps a path to its content: prompt, starter, hidden tests, drivers, reference by file name;
    settings as canonical JSON under `limits`, `parameters`, `seed`; a data set's digest under `data/<id>`.
    Mutants, skips and notes stay outside.
    """
    lines = (
        f"{path}\0{hashlib.sha256(unix_newlines(parts[path])).hexdigest()}\n" for path in sorted(parts, key=str.encode)
    )
    return "bw1:" + hashlib.sha256("".join(lines).encode()).hexdigest()


def prompt_digest(system: str, messages: Iterable[Message], reply_format: int = REPLY_FORMAT) -> str:
    """sha256 of the exact messages sent, system line and reply format included."""
    return sha256(
        canonical_json(
            {
                "reply_format": reply_format,
                "system": system,
                "messages": [
                    {
                        "role": message.role,
                        "text": message.text,
                        "attachments": {name: sha256(data) for name, data in message.attachments.items()},
                    }
                    for message in messages
                ],
            }
        )
    )
