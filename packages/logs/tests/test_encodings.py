"""One secret in many encodings: what comes out is decoded by the standard library, and the secret is not in it."""

import base64
import binascii
import bz2
import codecs
import gzip
import html
import io
import json
import lzma
import quopri
import re
import tarfile
import unicodedata
import urllib.parse
import zipfile
import zlib

import pytest
from benchwright_logs.archives import Refused
from benchwright_logs.known import Literal
from benchwright_logs.placeholders import Placeholders
from benchwright_logs.redactor import Redactor
from benchwright_logs.streams import redact_events

THINGS = {
    "a path in the home folder": "/home/zephyrine/lab/run_7.py",
    "a path": "/mnt/nvme3/exp/0.npz",
    "a key": "sk-proj-abcDEF007xyz123456",
    "an address": "ines7@labmail.com",
}


def redactor():
    return Redactor(
        Placeholders(b"a key for these tests"),
        [Literal("home", "/home/zephyrine", "home"), Literal("user", "zephyrine", "user")],
    )


def b64(data):
    return base64.b64encode(data).decode()


def un64(text):
    return base64.b64decode(text + "=" * (-len(text) % 4))


def zipped(data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bin", data)
    return file.getvalue()


def unzipped(data):
    return zipfile.ZipFile(io.BytesIO(data)).read("a.bin")


def tarred(data):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        info = tarfile.TarInfo("a.txt")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def untarred(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return archive.extractfile("a.txt").read()


def deflated(data):
    return zlib.compress(data, wbits=-15)


def numbers(text, base=10):
    return "".join(
        chr(int(code, base)) for code in re.findall(r"[0-9a-f]+" if base == 16 else r"\d+", text.replace("0x", " "))
    )


def dumped(data):
    return "\n".join(
        f"{at:08x}: {data[at : at + 16].hex(' ', 2):<39}  {data[at : at + 16].decode()}"
        for at in range(0, len(data), 16)
    )


def undumped(text):
    lines = re.findall(r"^[0-9a-f]{8}: ((?:[0-9a-f]+ )+)", text, re.MULTILINE)
    return bytes.fromhex("".join(lines).replace(" ", "")).decode()


ENCODINGS = {
    "base32": (lambda t: base64.b32encode(t.encode()).decode(), base64.b32decode),
    "base32 in small letters": (lambda t: base64.b32encode(t.encode()).decode().lower(), lambda t: base64.b32decode(t.upper())),
    "base32hex": (lambda t: base64.b32hexencode(t.encode()).decode(), base64.b32hexdecode),
    "hex": (lambda t: t.encode().hex(), bytes.fromhex),
    "hex in capitals": (lambda t: t.encode().hex().upper(), bytes.fromhex),
    "hex in both": (lambda t: "".join(c.upper() if n % 3 else c for n, c in enumerate(t.encode().hex())), bytes.fromhex),
    "hex with spaces": (lambda t: t.encode().hex(" "), bytes.fromhex),
    "hex with colons": (lambda t: t.encode().hex(":"), lambda t: bytes.fromhex(t.replace(":", ""))),
    "hex with dashes": (lambda t: t.encode().hex("-"), lambda t: bytes.fromhex(t.replace("-", ""))),
    "hex in words": (lambda t: t.encode().hex(" ", -2), bytes.fromhex),
    "a hex dump": (lambda t: dumped(t.encode()), undumped),
    "a list in C": (lambda t: "{" + ", ".join(f"0x{c:02x}" for c in t.encode()) + "}", lambda t: numbers(t, 16)),
    "escapes in hex": (lambda t: "".join(f"\\x{c:02x}" for c in t.encode()), codecs.getdecoder("unicode_escape")),
    "escapes in octal": (lambda t: "".join(f"\\{c:03o}" for c in t.encode()), codecs.getdecoder("unicode_escape")),
    "escapes of four": (lambda t: "".join(f"\\u{c:04x}" for c in t.encode()), codecs.getdecoder("unicode_escape")),
    "escapes of eight": (lambda t: "".join(f"\\U{c:08x}" for c in t.encode()), codecs.getdecoder("unicode_escape")),
    "escapes in braces": (lambda t: "".join(f"\\u{{{c:x}}}" for c in t.encode()), lambda t: re.sub(r"\\u\{([0-9a-f]+)\}", lambda m: chr(int(m[1], 16)), t)),
    "escapes of style sheets": (lambda t: "".join(f"\\{c:x} " for c in t.encode()), lambda t: re.sub(r"\\([0-9a-f]{2,6}) ", lambda m: chr(int(m[1], 16)), t)),
    "percent signs": (lambda t: "".join(f"%{c:02x}" for c in t.encode()), urllib.parse.unquote),
    "percent signs twice": (lambda t: urllib.parse.quote(urllib.parse.quote(t, safe=""), safe=""), lambda t: urllib.parse.unquote(urllib.parse.unquote(t))),
    "percent signs with u": (lambda t: "".join(f"%u{c:04x}" for c in t.encode()), lambda t: re.sub("%u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), t)),
    "entities": (lambda t: "".join(f"&#{ord(c)};" for c in t), html.unescape),
    "entities in hex": (lambda t: "".join(f"&#x{ord(c):x};" for c in t), html.unescape),
    "entities without an end": (lambda t: "".join(f"&#{ord(c)}" for c in t) + " ", html.unescape),
    "entities with names": (lambda t: t.replace("/", "&sol;").replace("_", "&lowbar;").replace("@", "&commat;").replace("-", "&#45;"), html.unescape),
    "entities twice": (lambda t: html.escape("".join(f"&#{ord(c)};" for c in t)), lambda t: html.unescape(html.unescape(t))),
    "JSON in JSON in JSON": (lambda t: json.dumps(json.dumps(json.dumps({"p": t}))), lambda t: json.loads(json.loads(json.loads(t)))["p"]),
    "JSON with escaped slashes": (lambda t: json.dumps(json.dumps({"p": t}).replace("/", "\\/")), lambda t: json.loads(json.loads(t))["p"]),
    "UTF-16 in base64": (lambda t: b64(t.encode("utf-16")), lambda t: un64(t).decode("utf-16")),
    "UTF-16, the other way round, in base64": (lambda t: b64(t.encode("utf-16-be")), lambda t: un64(t).decode("utf-16-be")),
    "UTF-16 in hex": (lambda t: t.encode("utf-16-le").hex(), lambda t: bytes.fromhex(t).decode("utf-16-le")),
    "UTF-7": (lambda t: "+" + b64(t.encode("utf-16-be")).rstrip("=") + "-", lambda t: t.encode().decode("utf-7")),
    "gzip in base64": (lambda t: b64(gzip.compress(t.encode())), lambda t: gzip.decompress(un64(t))),
    "zlib in base64": (lambda t: b64(zlib.compress(t.encode())), lambda t: zlib.decompress(un64(t))),
    "deflate in base64": (lambda t: b64(deflated(t.encode())), lambda t: zlib.decompress(un64(t), wbits=-15)),
    "zlib in hex": (lambda t: zlib.compress(t.encode()).hex(), lambda t: zlib.decompress(bytes.fromhex(t))),
    "lzma in base64": (lambda t: b64(lzma.compress(t.encode(), format=lzma.FORMAT_ALONE)), lambda t: lzma.decompress(un64(t))),
    "bzip2 in base64 for addresses": (lambda t: base64.urlsafe_b64encode(bz2.compress(t.encode())).decode(), lambda t: bz2.decompress(base64.urlsafe_b64decode(t))),
    "base64 three times": (lambda t: b64(b64(b64(t.encode()).encode()).encode()), lambda t: un64(un64(un64(t).decode()).decode())),
    "a zip within a zip in base64": (lambda t: b64(zipped(zipped(t.encode()))), lambda t: unzipped(unzipped(un64(t)))),
    "a packed tar in base64": (lambda t: b64(tarred(t.encode())), lambda t: untarred(un64(t))),
    "base64 within other bytes": (lambda t: b64(bytes(range(128, 256)) * 2 + t.encode() + bytes(range(128, 256)) * 2), un64),
    "base85": (lambda t: base64.b85encode(t.encode()).decode(), base64.b85decode),
    "ascii85": (lambda t: base64.a85encode(t.encode(), adobe=True).decode(), lambda t: base64.a85decode(t, adobe=True)),
    "ascii85 without marks": (lambda t: base64.a85encode(t.encode()).decode(), base64.a85decode),
    "uuencode": (lambda t: "begin 644 x\n" + binascii.b2a_uu(t.encode()).decode() + "`\nend", lambda t: b"".join(map(binascii.a2b_uu, t.split("\n")[1:-1]))),
    "quoted-printable": (lambda t: "".join(f"={c:02X}" for c in t.encode()), quopri.decodestring),
    "quoted-printable with soft breaks": (lambda t: t[:9] + "=\n" + t[9:], quopri.decodestring),
    "a word of a mail's head": (lambda t: "=?utf-8?Q?" + "".join(f"={c:02X}" for c in t.encode()) + "?=", quopri.decodestring),
    "a data address": (lambda t: "data:text/plain;base64," + b64(t.encode()), lambda t: un64(t.rpartition(",")[2])),
    "decimal codes": (lambda t: " ".join(str(ord(c)) for c in t), numbers),
    "a call of bytes": (lambda t: "bytes((" + ",".join(str(ord(c)) for c in t) + "))", numbers),
    "binary codes": (lambda t: " ".join(f"{ord(c):08b}" for c in t), lambda t: numbers(t, 2)),
    "pieces in a list": (lambda t: json.dumps([t[n : n + 2] for n in range(0, len(t), 2)]), lambda t: "".join(json.loads(t))),
    "letters with spaces": (lambda t: " ".join(t), lambda t: t[::2]),
    "letters in lines": (lambda t: "\n".join(t), lambda t: t[::2]),
    "wide letters": (lambda t: "".join(chr(ord(c) + 0xFEE0) for c in t), lambda t: unicodedata.normalize("NFKC", t)),
    "spaces of no width": ("\u200b".join, lambda t: t.replace("\u200b", "")),
    "a soft hyphen": (lambda t: t[:9] + "\u00ad" + t[9:], lambda t: t.replace("\u00ad", "")),
    "colours of a terminal": (lambda t: t[:9] + "\x1b[31m" + t[9:], lambda t: re.sub(r"\x1b\[\d+m", "", t)),
    "a backspace": (lambda t: t[:9] + "x\b" + t[9:], lambda t: re.sub(".\b", "", t)),
    "strings side by side": (lambda t: f'"{t[:9]}" "{t[9:]}"', lambda t: t.replace('" "', "")),
    "strings added": (lambda t: f'"{t[:9]}" + "{t[9:]}"', lambda t: t.replace('" + "', "")),
    "a line that goes on": (lambda t: t[:9] + "\\\n" + t[9:], lambda t: t.replace("\\\n", "")),
}  # fmt: skip


def plain(decode, text):
    """What `decode` makes of `text`, as text; None where it is no longer of that encoding."""
    try:
        found = decode(text)
    except (ValueError, KeyError, TypeError, EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile):
        return None
    found = found[0] if isinstance(found, tuple) else found
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else found


@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
@pytest.mark.parametrize("name", ENCODINGS)
def test_a_secret_leaves_no_trace_in_any_encoding(name, thing):
    encode, decode = ENCODINGS[name]
    hidden = encode(thing)
    assert thing in plain(decode, hidden)
    for document in (f"note:\n{hidden}\nend\n", json.dumps({"note": hidden}) + "\n"):
        shown = redactor().data(document.encode()).decode()
        assert shown != document
        note = json.loads(shown)["note"] if shown.startswith("{") else shown[6:-5]
        for text in (note, plain(decode, note) or ""):
            assert thing not in text
            assert "zephyrine" not in text
        assert redactor().data(shown.encode()).decode() == shown


@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
def test_a_secret_across_the_tokens_of_a_reply_leaves_no_trace(thing):
    tokens = [thing[at : at + 3] for at in range(0, len(thing), 3)]
    events = [
        {"choices": [{"index": 0, "delta": {"content": token}, "logprobs": {"content": [{"token": token, "bytes": list(token.encode()), "top_logprobs": [{"token": token}, {"token": "x"}]}]}}]}
        for token in tokens
    ]  # fmt: skip
    content = "".join(json.dumps(event) + "\n" for event in events).encode()
    shown = [json.loads(line) for line in redact_events(content, redactor()).splitlines()]
    assert len(shown) == len(events)
    found = [event["choices"][0] for event in shown]
    assert thing not in "".join(one["delta"]["content"] for one in found)
    assert thing not in "".join(one["logprobs"]["content"][0]["token"] for one in found)
    assert not any(one["logprobs"]["content"][0]["top_logprobs"] for one in found)
    assert thing not in "".join(chr(code) for one in found for code in one["logprobs"]["content"][0]["bytes"])


@pytest.mark.parametrize(
    "mark",
    [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01", b"\x04\x22\x4d\x18", b"\x1f\x9d\x90"],
    ids=["7-Zip", "RAR", "LZ4", "compress"],
)
def test_what_cannot_be_opened_is_withheld(mark):
    with pytest.raises(Refused, match="is not looked into"):
        redactor().data(mark + b"\0" * 40)


def test_a_packed_file_of_zstandard_is_looked_into():
    zstd = pytest.importorskip("backports.zstd")
    shown = redactor().data(zstd.compress(b"in /home/zephyrine/lab/x.txt"))
    assert zstd.decompress(shown) == b"in <home>/lab/x.txt"


@pytest.mark.parametrize(
    "text",
    [
        "y[..., 0::2], y[..., 1::2] = a, b", "sizes: 10 20 30 40 50 60 70 80 90 99", "0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70",
        "a = [\"un\", \"deux\", \"trois\", \"quatre\", \"cinq\"]", "deadbeef cafe f00d 1234 5678 9abc", "2026-11-29 22:18:41 12:13:14",
        "x = a[i] if b[i]==10 else c=20", "I  a m  h e r e , a s  y o u  s e e", "sha256:e85f915825d29cd1a7f6e2a0", "attention_causal_mask_with_padding",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_encoding_stays_as_it_is(text):
    assert redactor().data(text.encode()) == text.encode()
