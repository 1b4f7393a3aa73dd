"""The files of a log: every regular file below a folder, links and oversized things told, nothing followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from benchwright.errors import FileError, UserError

LARGEST_FILE = 256 * 2**20
"""Bytes of one file that are read at most."""
LONGEST_LINE = 32 * 2**20
"""Bytes of one line in a file of lines."""


class Tree:
    """The files below `root`: names with `/` between folders, relative to it. Links are listed, and never opened."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise FileError(root, "is not a folder.")
        self.root = root
        self.files: set[str] = set()
        self.links: list[str] = []
        self.others: list[str] = []
        """Pipes, sockets and devices: nothing that a log holds."""
        self._base = f"{root}/"
        self._walk("")

    def _walk(self, below: str) -> None:
        waiting = [below]
        while waiting:
            folder = waiting.pop()
            try:
                entries = list(os.scandir(self._base + folder))
            except OSError as error:
                raise FileError(self._base + folder, f"cannot be read: {error.strerror or error}") from None
            for entry in entries:
                name = folder + entry.name
                if entry.is_symlink():
                    self.links.append(name)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(name + "/")
                elif entry.is_file(follow_symlinks=False):
                    self.files.add(name)
                else:
                    self.others.append(name)

    @property
    def problems(self) -> list[str]:
        """A sentence for each thing that is no file."""
        return [f"{name} is a link, and a log holds none" for name in sorted(self.links)] + [
            f"{name} is neither a file nor a folder" for name in sorted(self.others)
        ]

    def read(self, name: str, most: int = LARGEST_FILE) -> bytes:
        """The content of a file. Raises FileError for one that is absent, a link, or larger than `most` bytes."""
        path = self._base + name
        if name not in self.files:
            why = "is a link, and a log holds none" if name in self.links else "is not there"
            raise FileError(path, why)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            raise FileError(path, f"cannot be read: {error.strerror or error}") from None
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise FileError(path, "is no regular file")
            if found.st_size > most:
                raise FileError(path, f"is larger than {most / 2**20:g} MiB")
            parts = []
            while piece := os.read(handle, max(found.st_size, 1 << 16)):
                parts.append(piece)
                if len(piece) >= found.st_size:
                    break
            return parts[0] if len(parts) == 1 else b"".join(parts)
        except OSError as error:
            raise FileError(path, f"cannot be read: {error.strerror or error}") from None
        finally:
            os.close(handle)


def lines(content: bytes, place: object) -> list[bytes]:
    """The lines of a file of lines. Raises FileError for a last line without its end, and for one that is too long."""
    found = content.split(b"\n")
    if found.pop():
        raise FileError(
            f"{place}:{len(found) + 1}",
            "the last line has no end: it was cut, or something was written behind the last whole line",
        )
    for number, line in enumerate(found, 1):
        if len(line) > LONGEST_LINE:
            raise FileError(
                f"{place}:{number}", f"the line is {len(line):,} bytes long, and {LONGEST_LINE:,} are read at most"
            )
    return found


def new_folder(path: Path, *sources: Path) -> None:
    """Makes `path`, which must be absent or empty and outside the sources. Raises UserError."""
    target = Path(os.path.realpath(path))
    for source in sources:
        base = Path(os.path.realpath(source))
        if target == base or base in target.parents or target in base.parents:
            raise UserError(f"{path} lies in {source}, or around it; name a folder beside it with --out.")
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise UserError(f"{path} is not empty; name a new folder with --out.")
    except OSError as error:
        raise UserError(f"{path} cannot be made: {error.strerror or error}.") from None


def write(root: Path, name: str, content: bytes) -> None:
    """Writes a file below `root`; the name was checked before, and no link is followed."""
    path = f"{root}/{name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
