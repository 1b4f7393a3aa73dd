"""Reading idx files (the format of MNIST), whose content is verified before it is used."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.errors import FileError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray


def content(path: Path, sha256: str) -> bytes:
    """The unpacked content of `path` (gzip or plain). Raises FileError where its sha256 is another one."""
    try:
        data = path.read_bytes()
        raw = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, gzip.BadGzipFile) as error:
        raise FileError(path, f"cannot be read: {error}.") from error
    found = hashlib.sha256(raw).hexdigest()
    if found != sha256:
        raise FileError(path, f"is not the published file: sha256 of the content is {found}, expected {sha256}.")
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
