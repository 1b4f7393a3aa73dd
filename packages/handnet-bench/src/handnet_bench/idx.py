"""Reading idx files (the format of MNIST), whose content is verified before it is used."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from benchwright.errors import FileError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray


LARGEST = 64_000_000
"""Bytes that a file may have, packed or not; the largest one of MNIST has 47 million."""


def content(path: Path, sha256: str) -> bytes:
    """The unpacked content of `path` (gzip or plain). Raises FileError where its sha256 is another one."""
    try:
        with path.open("rb") as opened:
            return _checked(opened, path, sha256)
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}.") from error


def unpacked(data: bytes, place: object, sha256: str) -> bytes:
    """As `content`, of bytes that were read already; `place` names them in errors."""
    return _checked(io.BytesIO(data), place, sha256)


def _checked(opened: BinaryIO, place: object, sha256: str) -> bytes:
    packed = opened.read(2) == b"\x1f\x8b"
    opened.seek(0)
    try:
        raw = (gzip.GzipFile(fileobj=opened) if packed else opened).read(LARGEST + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileError(place, f"cannot be unpacked: {error}.") from error
    if len(raw) > LARGEST:
        raise FileError(place, f"is not the published file: it holds more than {LARGEST:,} bytes.")
    found = hashlib.sha256(raw).hexdigest()
    if found != sha256:
        raise FileError(place, f"is not the published file: sha256 of the content is {found}, expected {sha256}.")
    return raw


def images(raw: bytes) -> Array:
    """(N, 28, 28) uint8 from the bytes of an idx3 file."""
    import numpy as np

    magic, count, rows, columns = np.frombuffer(raw, ">i4", 4)
    if magic != 2051 or (rows, columns) != (28, 28) or len(raw) != 16 + count * 784:
        raise ValueError("not an idx3 file of 28 x 28 images")
    return np.frombuffer(raw, np.uint8, offset=16).reshape(count, 28, 28)


def labels(raw: bytes) -> Array:
    """(N,) int64 from the bytes of an idx1 file."""
    import numpy as np

    magic, count = np.frombuffer(raw, ">i4", 2)
    if magic != 2049 or len(raw) != 8 + count:
        raise ValueError("not an idx1 file of labels")
    return np.frombuffer(raw, np.uint8, offset=8).astype(np.int64)
