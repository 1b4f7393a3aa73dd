"""JSON for a run folder's files, whatever a model or a submission said."""

from __future__ import annotations

from typing import Any

import msgspec

_encoder = msgspec.json.Encoder()


def encode(value: Any) -> bytes:
    """`value` as one line of JSON, without the newline.

    Halves of surrogate pairs, which JSON on the wire can carry and no file of text can, become U+FFFD.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(_whole(msgspec.to_builtins(value)))


def whole(text: str) -> str:
    """`text` with U+FFFD where half of a surrogate pair stands; two halves that meet become their letter."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {_whole(key): _whole(below) for key, below in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(below) for below in value]
    return value
