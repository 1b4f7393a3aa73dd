"""A submission's source as Python decodes it, so that what is shown and looked at is what runs.

A file may name its encoding in its first two lines (PEP 263). Whoever decodes it as UTF-8, or parses the
text of it, may see another program than the worker compiles from its bytes.
"""

from __future__ import annotations

import ast
import io
import tokenize

from benchwright.sandbox.interface import SubmissionError


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


def parsed(data: bytes, file: str = "the file") -> ast.Module:
    """The syntax tree that Python compiles from these bytes, for a rule to look at.

    Raises SubmissionError where Python cannot parse them, which ends the attempt in `submission_error` as importing such
    a `file` would.
    """
    try:
        return ast.parse(data, file)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        told = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) and error.lineno else str(error)
        raise SubmissionError(
            f"{file} cannot be parsed: {type(error).__name__}: {told or 'it is nested too deep'}"
        ) from None
