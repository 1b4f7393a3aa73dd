"""Archives that lie about themselves: what hides in their own fields is seen, and none of them takes for ever."""

import base64
import gzip
import io
import struct
import tarfile
import zipfile
import zlib

import pytest
from benchwright_logs import archives
from benchwright_logs.archives import Budget, Refused
from benchwright_logs.known import Literal
from benchwright_logs.placeholders import Placeholders
from benchwright_logs.redactor import Redactor

SECRET = b"/home/zephyrine/lab/run_7.py"


def redactor():
    return Redactor(Placeholders(b"a key for these tests"), [Literal("user", "zephyrine", "user")])


def number(value):
    """A tar header's number, also below zero."""
    return f"{value:011o}\0".encode() if value >= 0 else b"\xff" + value.to_bytes(11, "big", signed=True)


def header(name, size, kind=b"0"):
    made = bytearray(512)
    made[: len(name)] = name
    made[100:124] = b"0000644\0" + b"0000000\0" * 2
    made[124:136] = number(size)
    made[136:148] = number(0)
    made[156:157] = kind
    made[257:265] = b"ustar\x0000"
    made[148:156] = b"        "
    made[148:156] = f"{sum(made):06o}\0 ".encode()
    return bytes(made)


def extended(record):
    length = len(record) + 3
    length += len(str(length)) - 2 + 1
    body = f"{length} {record}\n".encode()
    assert len(body) == length
    return header(b"extended", length, b"x") + body.ljust(512, b"\0")


END = b"\0" * 1024
TARS = {
    "a file of less than no bytes": header(b"a", -1024) + END,
    "a folder of less than no bytes": header(b"a/", -512, b"5") + END,
    "a long name of less than no bytes": header(b"././@LongLink", -1024, b"L") + header(b"a", 0) + END,
    "less than no bytes in words": extended("size=-1024") + header(b"a", 0) + END,
    "more bytes than there are": extended("size=99999999999999") + header(b"a", 0) + END,
    "a folder with content": header(b"a/", 5, b"5") + SECRET.ljust(512, b"\0") + END,
    "a link": header(b"a", 0, b"2") + END,
    "a hard link": header(b"a", 0, b"1") + END,
    "a device": header(b"a", 0, b"3") + END,
    "a pipe": header(b"a", 0, b"6") + END,
    "something behind its end": header(b"a", 0) + END + zlib.compress(SECRET),
    "a name from the root": header(b"/etc/x", 0) + END,
}


@pytest.mark.parametrize("content", TARS.values(), ids=TARS)
def test_a_tar_that_lies_is_withheld(content):
    budget = Budget()
    with pytest.raises(Refused):
        archives.untar(content, budget)
    assert budget.left <= archives.MOST_UNPACKED


def test_a_tar_of_more_folders_than_anybody_needs_is_withheld_in_time():
    with pytest.raises(Refused, match="more members"):
        archives.untar(header(b"d/", 0, b"5") * (archives.MOST_MEMBERS_OF_A_TAR + 10) + END, Budget())


def test_the_owner_in_a_tar_is_not_published():
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        info = tarfile.TarInfo("a.txt")
        info.uname, info.size = "zephyrine", 5
        archive.addfile(info, io.BytesIO(b"hello"))
    shown = redactor().data(made.getvalue())
    assert b"zephyrine" not in shown
    with tarfile.open(fileobj=io.BytesIO(shown)) as archive:
        assert archive.extractfile("a.txt").read() == b"hello"


def test_the_remark_of_a_zip_is_not_published():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.txt", "hello")
        archive.comment = SECRET
    shown = redactor().data(made.getvalue())
    assert b"zephyrine" not in shown
    assert zipfile.ZipFile(io.BytesIO(shown)).read("a.txt") == b"hello"


def test_a_packed_member_that_the_list_of_a_zip_does_not_name_is_not_published():
    def one(name, text):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, text)
        return made.getvalue()

    hidden = one("hidden.txt", SECRET * 40)
    hidden = hidden[: hidden.index(b"PK\1\2")]
    whole = hidden + one("a.txt", "hello" * 9)
    assert zipfile.ZipFile(io.BytesIO(whole)).namelist() == ["a.txt"]
    shown = redactor().data(whole)
    assert b"hidden.txt" not in shown
    assert zipfile.ZipFile(io.BytesIO(shown)).read("a.txt") == b"hello" * 9


def test_a_folder_of_a_zip_that_has_content_is_withheld():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", "hello")
        archive.writestr("b/", SECRET * 3)
    with pytest.raises(Refused, match="a folder that is something else"):
        redactor().data(made.getvalue())


def test_the_name_in_the_head_of_a_packed_file_is_not_published():
    made = io.BytesIO()
    with gzip.GzipFile("/home/zephyrine/lab/x.txt", "wb", fileobj=made, mtime=0) as file:
        file.write(b"hello there")
    assert b"x.txt" in made.getvalue()
    made = made.getvalue().replace(b"x.txt", b"zephyrine.txt")
    shown = redactor().data(made)
    assert b"zephyrine" not in shown
    assert gzip.decompress(shown) == b"hello there"


def test_an_archive_in_which_nothing_is_secret_keeps_every_byte():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for at in range(40):
            archive.writestr(f"folder/array_{at}.txt", f"weights {at}\n" * at)
    packed = gzip.compress(b"weights of a network " * 99, mtime=0)
    for content in (made.getvalue(), packed, base64.b64encode(packed)):
        assert redactor().data(content) == content


def test_a_thousand_bombs_in_one_text_take_no_longer_than_one():
    bomb = base64.b64encode(gzip.compress(b"A" * 2**20, 9)).decode()
    text = "\n".join([f"say {bomb}"] * 200).encode()
    shown = redactor().data(text).decode()
    assert bomb not in "\n".join(shown.splitlines()[5:])


def test_sizes_of_64_bits_are_believed_by_nobody():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.txt", "hello")
    content = bytearray(made.getvalue())
    at = content.index(b"PK\1\2")
    content[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFFF0)
    with pytest.raises(Refused):
        redactor().data(bytes(content))
