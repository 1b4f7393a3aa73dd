"""Files that a person names: read whole, or refused in a sentence."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from benchwright.errors import FileError


def read(path: Path, largest: int) -> bytes:
    """The content of the regular file at `path`.

    Raises FileError where it is absent, unreadable, of more than `largest` bytes, or a pipe or device, whose
    reading might never end.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            os.close(handle)
            raise FileError(path, "cannot be read: it is a folder.")
        with open(handle, "rb") as file:
            if not stat.S_ISREG(found.st_mode):
                raise FileError(path, "is no regular file but a pipe or a device; write its content to a file first.")
            if found.st_size > largest:
                why = f"is {found.st_size:,} bytes long, and this command reads files of at most {largest:,}."
                raise FileError(path, why)
            return file.read()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}.") from None
