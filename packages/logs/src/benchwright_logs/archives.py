"""Archives and packed files, opened within bounds and packed again; nothing is ever unpacked onto a disk."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable

from benchwright.journal.turns import safe_name

from benchwright_logs.layers import inflated

MOST_UNPACKED = 256 * 2**20
"""Bytes that one file may unpack to, archives within archives included."""
MOST_MEMBERS = 100_000
MOST_MEMBERS_OF_A_TAR = 10_000
_STAMP = (1980, 1, 1, 0, 0, 0)


class Refused(Exception):
    """What cannot be looked into, or must not be shown in part; `str()` says why in words that give nothing away."""


class Budget:
    """How many more bytes may be unpacked."""

    def __init__(self, most: int = MOST_UNPACKED) -> None:
        self.left = most

    def take(self, size: int) -> None:
        """Raises Refused where the bound is passed, for good: what is asked for later is refused too."""
        if size < 0:
            raise Refused("holds a member of less than no bytes")
        self.left -= size
        if self.left < 0:
            raise Refused("unpacks to more than may be looked into")


def unzip(data: bytes, budget: Budget) -> list[tuple[zipfile.ZipInfo, bytes]]:
    """The members of a zip archive, in its order. Raises Refused for bombs, bad names, encryption and damage."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if len(infos) > MOST_MEMBERS:
                raise Refused("holds more members than may be looked into")
            found: list[tuple[zipfile.ZipInfo, bytes]] = []
            for info in infos:
                if info.is_dir():
                    if info.file_size or info.compress_size:
                        raise Refused("holds a folder that is something else too")
                    continue
                if not safe_name(info.filename):
                    raise Refused("holds a member whose name leads out of it")
                if info.flag_bits & 1:
                    raise Refused("holds an encrypted member")
                budget.take(info.file_size)
                with archive.open(info) as member:
                    content = member.read(info.file_size + 1)
                if len(content) != info.file_size:
                    raise Refused("holds a member of another size than its list says")
                found.append((info, content))
            return found
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        raise Refused("is no whole zip archive") from None


def loose(data: bytes, members: list[tuple[zipfile.ZipInfo, bytes]]) -> bool:
    """Whether a zip archive holds more bytes than its members and their lists: something in a gap or in a field."""
    need = 22 + 76  # the end of the list, and its twin of 64 bits
    for info, _ in members:
        name, extra = struct.unpack("<HH", data[info.header_offset + 26 : info.header_offset + 30])
        need += 30 + name + extra + info.compress_size + (24 if info.flag_bits & 8 else 0)
        need += 46 + name + len(info.extra)
    return len(data) > need


def zipped(members: list[tuple[zipfile.ZipInfo, bytes]]) -> bytes:
    """A zip archive of these members, packed as they were; the times of a publisher's disk are not kept."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for info, content in members:
            entry = zipfile.ZipInfo(info.filename, _STAMP)
            stored = info.compress_type == zipfile.ZIP_STORED
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()


def untar(data: bytes, budget: Budget) -> list[tuple[str, bytes]]:
    """The files of a tar archive. Raises Refused for links, bad names, bombs and damage."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            found: list[tuple[str, bytes]] = []
            for number, info in enumerate(archive):
                if number > MOST_MEMBERS_OF_A_TAR:
                    raise Refused("holds more members than may be looked into")
                if info.size < 0 or (info.size and not info.isreg()):
                    raise Refused("holds a folder or a link that is something else too")
                if info.isdir():
                    continue
                if not info.isreg() or not safe_name(info.name.removeprefix("./")):
                    raise Refused("holds a link, a device, or a name that leads out of it")
                budget.take(info.size)
                member = archive.extractfile(info)
                found.append((info.name, member.read() if member else b""))
            if data[archive.offset :].strip(b"\0"):
                raise Refused("holds something behind its end")
            return found
    except (tarfile.TarError, EOFError, OSError, ValueError):
        raise Refused("is no whole tar archive") from None


def owners(data: bytes) -> set[str]:
    """The users and groups that a tar archive, which `untar` could read, names."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        return {name for info in archive for name in (info.uname, info.gname) if name}


def tarred(members: list[tuple[str, bytes]]) -> bytes:
    """A tar archive of these files, without the owner, the times and the modes of a publisher's disk."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


_SEALED = {
    b"7z\xbc\xaf\x27\x1c": "7-Zip", b"Rar!\x1a\x07": "RAR", b"\x04\x22\x4d\x18": "LZ4", b"\x1f\x9d": "compress", b"\x1f\xa0": "compress",
    b"LZIP": "lzip", b"MSCF": "cabinet", b"xar!": "xar", b"\xff\x06\0\0sNaPpY": "Snappy", b"\x89LZO": "lzop", b"!<arch>\n": "ar",
}  # fmt: skip
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


def unpack(data: bytes, budget: Budget) -> tuple[bytes, Callable[[bytes], bytes]] | None:
    """The content of a gzip, bzip2, xz, lzma, Zstandard or zlib file and how to pack it again; None for another file.

    Raises Refused for one that is cut, a bomb, or packed by something that cannot be opened here.
    """
    for mark, name in _SEALED.items():
        if data.startswith(mark):
            raise Refused(f"is packed by {name}, which is not looked into")
    if data[:4] == _ZSTANDARD:
        return _unzstandard(data, budget)
    if data[:2] == b"\x1f\x8b":
        stream: zlib._Decompress | bz2.BZ2Decompressor | lzma.LZMADecompressor = zlib.decompressobj(31)
        again: Callable[[bytes], bytes] = lambda content: gzip.compress(content, mtime=0)  # noqa: E731
    elif data[:3] == b"BZh":
        stream, again = bz2.BZ2Decompressor(), bz2.compress
    elif data[:6] == b"\xfd7zXZ\0":
        stream, again = lzma.LZMADecompressor(), lzma.compress
    elif data[:3] == b"\x5d\0\0" and len(data) > 13:
        stream, again = lzma.LZMADecompressor(), lambda content: lzma.compress(content, format=lzma.FORMAT_ALONE)
    elif data and (plain := inflated(data)) is not None:
        budget.take(len(plain[0]))
        return plain[0], lambda content: _deflated(content, plain[1])
    else:
        return None
    try:
        content = stream.decompress(data, max(budget.left, 0) + 1)
    except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
        raise Refused("is no whole packed file") from None
    budget.take(len(content))
    if not stream.eof:
        raise Refused("is no whole packed file")
    if stream.unused_data:
        raise Refused("holds something behind its end")
    return content, again


def _deflated(content: bytes, bits: int) -> bytes:
    stream = zlib.compressobj(wbits=bits)
    return stream.compress(content) + stream.flush()


def _unzstandard(data: bytes, budget: Budget) -> tuple[bytes, Callable[[bytes], bytes]]:
    zstd = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    stream = zstd.ZstdDecompressor()
    try:
        content = stream.decompress(data, max_length=max(budget.left, 0) + 1)
    except (zstd.ZstdError, EOFError):
        raise Refused("is no whole packed file") from None
    budget.take(len(content))
    if not stream.eof or stream.unused_data:
        raise Refused("is no whole packed file, or holds something behind its end")
    return content, zstd.compress
