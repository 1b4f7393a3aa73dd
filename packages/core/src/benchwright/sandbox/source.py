"""A submission's source as Python decodes it, so that what is shown and looked at is what runs.

A file may name its encoding in its first two lines (PEP 263). Whoever decodes it as UTF-8, or parses the
text of it, may see another program than the worker compiles from its bytes.
"""

from __future__ import annotations

import io
import tokenize


def decoded(data: bytes) -> str:
    """The text that Python compiles from these bytes, with LF newlines. Raises `SyntaxError`."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    try:
        return io.TextIOWrapper(io.BytesIO(data), encoding, newline=None).read()
    except (UnicodeDecodeError, LookupError) as error:
        raise SyntaxError(f"the source cannot be decoded as {encoding}: {error}") from None


def encoding(data: bytes) -> str:
    """The name of the encoding that these bytes ask for: `utf-8` unless they say otherwise."""
    return tokenize.detect_encoding(io.BytesIO(data).readline)[0].removesuffix("-sig")
