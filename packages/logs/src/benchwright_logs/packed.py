"""A release as one zip archive: packed the same way every time, unpacked within bounds and nowhere else."""

from __future__ import annotations

import os
import stat
import unicodedata
import zipfile
import zlib
from pathlib import Path

from benchwright.errors import FileError, UserError
from benchwright.journal.turns import safe_name

from benchwright_logs.archives import MOST_MEMBERS
from benchwright_logs.tree import LARGEST_FILE, Tree, write

MOST_MEMBERS_OF_A_RELEASE = 20 * MOST_MEMBERS
MOST_BYTES = 8 * 2**30
MOST_RATIO = 400
"""Unpacked bytes a packed one; text with little in it reaches a hundred, bombs a thousand."""
_FREE = 1 << 20
"""Bytes that may be packed as well as they can."""


def pack(folder: Path, archive: Path) -> None:
    """Writes the files of a release into a zip archive. Raises UserError where it exists already."""
    tree = Tree(folder)
    try:
        with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as made:
            for name in sorted(tree.files):
                info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                info.external_attr = 0o644 << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                made.writestr(info, tree.read(name))
    except FileExistsError:
        raise UserError(f"{archive} exists already; name another with --zip.") from None
    except OSError as error:
        raise FileError(archive, f"cannot be written: {error.strerror or error}") from None


def unpack_release(archive: Path, folder: Path) -> None:
    """Unpacks a release into `folder`, an empty one. Raises FileError for what is no release, a bomb, or leads out."""
    try:
        with zipfile.ZipFile(archive) as packed:
            infos = packed.infolist()
            _refuse(archive, infos)
            for info in infos:
                if info.is_dir():
                    continue
                with packed.open(info) as member:
                    content = member.read(info.file_size + 1)
                if len(content) != info.file_size:
                    raise FileError(archive, f"`{info.filename[:80]}` is of another size than the archive lists")
                try:
                    write(folder, info.filename, content)
                except OSError as error:
                    raise FileError(archive, f"`{info.filename[:80]}` cannot be unpacked: {error.strerror}") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, ValueError):
        raise FileError(archive, "is no whole zip archive.") from None
    except OSError as error:
        raise FileError(archive, f"cannot be read: {error.strerror or error}") from None


def _refuse(archive: Path, infos: list[zipfile.ZipInfo]) -> None:
    seen: set[str] = set()
    if len(infos) > MOST_MEMBERS_OF_A_RELEASE:
        raise FileError(archive, f"holds {len(infos):,} members; {MOST_MEMBERS_OF_A_RELEASE:,} are unpacked at most")
    total = sum(info.file_size for info in infos)
    if total > min(MOST_BYTES, max(_FREE, MOST_RATIO * os.path.getsize(archive))):
        raise FileError(archive, f"unpacks to {total:,} bytes from {os.path.getsize(archive):,}; that is no release")
    for info in infos:
        name = info.filename
        shown = repr(name[:80])
        same = unicodedata.normalize("NFC", name.rstrip("/")).casefold()
        if not safe_name(name.rstrip("/")) or not name.isprintable() or same in seen:
            raise FileError(
                archive,
                f"holds the name {shown}, which leads out of it, cannot be printed, or stands there twice "
                "where capitals and accents are not told apart",
            )
        seen.add(same)
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or (info.is_dir() and info.file_size):
            raise FileError(archive, f"holds {shown}, a link, a device or another thing that no release holds")
        if info.flag_bits & 1:
            raise FileError(archive, f"holds {shown} encrypted; a release holds nothing secret")
        if info.file_size > LARGEST_FILE:
            raise FileError(archive, f"holds {shown} of {info.file_size:,} bytes; {LARGEST_FILE:,} are read at most")
