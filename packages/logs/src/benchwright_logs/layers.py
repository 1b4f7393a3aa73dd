"""Text inside text: how a secret hides in an encoding, taken apart and put together again.

Each layer finds pieces of its encoding, decodes them, and encodes what was changed in the same way. What
is decoded goes through all layers again, so encodings within encodings are reached.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import quopri
import re
import sys
import unicodedata
import zlib
from collections.abc import Callable
from urllib.parse import quote, unquote_to_bytes

import msgspec


class Layer(msgspec.Struct, frozen=True):
    """`decode` gives bytes or text, or None where the piece is none of this encoding after all; `encode` is its inverse."""

    name: str
    pieces: re.Pattern[str]
    mark: re.Pattern[str] | None
    """What a piece of this encoding holds; None where every piece is tried."""
    decode: Callable[[str], str | bytes | None]
    encode: Callable[[str | bytes, str], str]
    """What was changed, and the piece as it stood, whose manner is kept."""


# JSON strings within text. A whole JSON file is gone through string by string as well, see `documents`.

_ESCAPE = r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-3][0-7]{2})"
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BACKSLASH = re.compile(r"\\")
_ESCAPES = re.compile(_ESCAPE)
_RUN = re.compile(r"[^\s\"'`<>]+")


def unliteral(piece: str) -> str | None:
    """The text of a JSON string with its quotes; None where it is none."""
    try:
        text = json.loads(piece, strict=False)
    except ValueError:
        return None
    return text if isinstance(text, str) else None


def literal(text: str | bytes, was: str) -> str:
    """A JSON string with its quotes; letters stay letters where they were letters."""
    return json.dumps(_text(text), ensure_ascii=was.isascii() and "\\u" in was)


_SINGLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def _unescape(piece: str) -> str | None:
    def one(found: re.Match[str]) -> str:
        code = found[0][1:]
        if code[0] in "0123":
            return chr(int(code, 8))
        if code[0] in "uUx" and len(code) > 1:
            number = int(code[1:].strip("{}"), 16)
            return chr(number) if number <= sys.maxunicode else found[0]
        return _SINGLE.get(code, code)

    return re.sub(_ESCAPE, one, piece)


def _escape(text: str | bytes, was: str) -> str:
    return json.dumps(_text(text))[1:-1].replace('\\"', '"')


_STYLE = re.compile(r"(?:\\[0-9a-fA-F]{2,6} ){4,}")


def _unstyle(piece: str) -> str | None:
    codes = [int(code, 16) for code in re.findall(r"[0-9a-fA-F]+", piece)]
    return "".join(map(chr, codes)) if all(32 <= code <= sys.maxunicode for code in codes) else None


# Percent signs and entities.

_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})")
_PERCENT_U = re.compile(r"%u([0-9A-Fa-f]{4})")
_ENTITY = re.compile(r"&(?:#\d+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z]+;)")


def _unpercent(piece: str) -> str | None:
    try:
        return unquote_to_bytes(
            _PERCENT_U.sub(lambda found: quote(chr(int(found[1], 16)), errors="replace"), piece)
        ).decode()
    except UnicodeDecodeError:
        return None


# Base64 and hex.

_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{40,}\r?\n)+[A-Za-z0-9+/]+={0,2}")
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{8,}={0,2}(?![A-Za-z0-9+/_-])"
    r"|(?<![A-Za-z0-9+/_-])[A-Za-z0-9_-]{8,}={0,2}(?![A-Za-z0-9+/_-])"
)
_BASE32 = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z2-7]{16,}|[a-z2-7]{16,}|[A-V0-9]{16,}|[a-v0-9]{16,})={0,6}(?![A-Za-z0-9=])"
)
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:0x)?(?:[0-9a-fA-F]{2}){6,}(?![0-9a-zA-Z])")


def _unwrapped(piece: str) -> bytes | None:
    """Base64 in lines of one length; a line of it above a line of words is none."""
    first, *rest = piece.splitlines()
    if any(len(line) != len(first) for line in rest[:-1]) or len(rest[-1]) > len(first):
        return None
    return None if sum(map(len, rest), len(first)) % 4 else _unbase64(piece)


def _unbase64(piece: str) -> bytes | None:
    bare = re.sub(r"\s", "", piece).rstrip("=")
    if len(bare) % 4 == 1:
        return None
    bare = bare.replace("-", "+").replace("_", "/")
    try:
        return _readable(base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True))
    except (binascii.Error, ValueError):
        return None


def _base64(data: str | bytes, was: str) -> str:
    made = base64.b64encode(_bytes(data)).decode()
    if ("-" in was or "_" in was) and not ("+" in was or "/" in was):
        made = made.replace("+", "-").replace("/", "_")
    if not was.endswith("=") and len(was.rstrip()) % 4:
        made = made.rstrip("=")
    width = was.find("\n")
    if width > 0:
        made = "\n".join(made[at : at + width] for at in range(0, len(made), width))
    return made


def _unbase32(piece: str) -> bytes | None:
    bare = piece.rstrip("=").upper()
    padded = bare + "=" * (-len(bare) % 8)
    for decode in (base64.b32decode, base64.b32hexdecode):
        try:
            found = _readable(decode(padded))
        except (binascii.Error, ValueError):
            continue
        if found is not None:
            return found
    return None


def _base32(data: str | bytes, was: str) -> str:
    encode = base64.b32hexencode if set(was) & set("0189") else base64.b32encode
    made = encode(_bytes(data)).decode()
    if was.islower():
        made = made.lower()
    return made if was.endswith("=") or not len(was) % 8 else made.rstrip("=")


def _unhex(piece: str) -> bytes | None:
    try:
        return _readable(bytes.fromhex(piece.removeprefix("0x")))
    except ValueError:
        return None


def _hex(data: str | bytes, was: str) -> str:
    made = _bytes(data).hex()
    return ("0x" if was.startswith("0x") else "") + (made.upper() if was.upper() == was else made)


MAGIC = (b"PK\3\4", b"\x1f\x8b", b"\x93NUMPY", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x5d\0\0")
"""How archives and arrays begin."""
_WORDS = re.compile(rb"[\x20-\x7e]{8}|(?:[\x20-\x7e]\0){8}|(?:\0[\x20-\x7e]){8}")


def _readable(data: bytes) -> bytes | None:
    """`data` where it can be something: packed, an array, or with text in it. Random bytes are passed over."""
    if data.startswith(MAGIC) or data[257:262] == b"ustar":
        return data
    if not data:
        return None
    if _WORDS.search(data):
        return data
    plain = sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in data)
    if plain >= 0.85 * len(data):
        return data
    zeros = data.count(0)
    if zeros and plain + zeros >= 0.95 * len(data):
        return data  # UTF-16 and UTF-32
    if len(data) >= 12 and inflated(data) is not None:
        return data
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return data if text.isprintable() else None


def inflated(data: bytes) -> tuple[bytes, int] | None:
    """(content, window bits) of a zlib stream, or of a bare deflate stream that holds text; None for anything else.

    These have no mark that could be trusted, so the whole has to unpack, and within 64 MiB.
    """
    for bits in (15, -15):
        if bits > 0 and (data[0] & 15 != 8 or int.from_bytes(data[:2]) % 31):
            continue
        stream = zlib.decompressobj(bits)
        try:
            content = stream.decompress(data, 1 << 26)
        except zlib.error:
            continue
        if stream.eof and not stream.unused_data and content and (bits > 0 or _WORDS.search(content)):
            return content, bits
    return None


# Arrays in JSON: codes of letters, or letters and pieces of text one by one.

_CODES = re.compile(r"\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){5,}\s*\]")
_PIECE = r'"(?:[^"\\]|\\.){0,16}"'
_LETTERS = re.compile(rf"\[\s*{_PIECE}(?:\s*,\s*{_PIECE}){{3,}}\s*\]")


def _printable(codes: list[int]) -> str | None:
    return "".join(map(chr, codes)) if all(32 <= code < 127 or code in (9, 10, 13) for code in codes) else None


def _uncodes(piece: str) -> str | None:
    return _printable([int(code) for code in piece[1:-1].split(",")])


def _codes(text: str | bytes, was: str) -> str:
    return "[" + (", " if ", " in was else ",").join(str(byte) for byte in _bytes(text)) + "]"


def _unletters(piece: str) -> str | None:
    try:
        return "".join(json.loads(piece))
    except (ValueError, TypeError):
        return None


def _letters(text: str | bytes, was: str) -> str:
    old = json.loads(was)
    single = all(len(piece) == 1 for piece in old)
    new = list(_text(text)) if single else [_text(text), *[""] * (len(old) - 1)]
    return json.dumps(new, separators=(", " if ", " in was else ",", ": "))


# Numbers of letters outside of arrays: decimal, binary, or hex with something between the bytes.

_DECIMAL = re.compile(r"(?<![\w.,-])\d{2,3}(?:(?:, ?| )\d{2,3}){7,}(?![\w.])")
_BINARY = re.compile(r"(?<![\w.])[01]{8}(?:[ ,]{0,2}[01]{8}){5,}(?![\w.])")
_SPACED_HEX = re.compile(
    r"(?<![\w.])(?:0x)?[0-9a-fA-F]{2}(?:(?:, ?|[ :-])(?:0x)?[0-9a-fA-F]{2}){5,}(?![\w.])"
    r"|(?<![\w.])[0-9a-fA-F]{4}(?: [0-9a-fA-F]{4}){2,}(?: [0-9a-fA-F]{2})?(?![\w.])"
)
_DUMP = re.compile(
    r"(?:^[0-9a-fA-F]{6,8}:?[ \t]+(?:[0-9a-fA-F]{2}){1,2}(?: {1,2}(?:[0-9a-fA-F]{2}){1,2})*(?:[ \t]+\|?[^\n]{1,17})?(?:\n|$))+",
    re.MULTILINE,
)
_DUMPED = re.compile(
    r"^[0-9a-fA-F]{6,8}:?[ \t]+((?:[0-9a-fA-F]{2}){1,2}(?: {1,2}(?:[0-9a-fA-F]{2}){1,2})*)", re.MULTILINE
)


def _undecimal(piece: str) -> str | None:
    return _printable([int(code) for code in re.findall(r"\d+", piece)])


def _decimal(text: str | bytes, was: str) -> str:
    return _between(was, r"\d").join(str(byte) for byte in _bytes(text))


def _unbinary(piece: str) -> bytes | None:
    return _readable(bytes(int(code, 2) for code in re.findall(r"[01]{8}", piece)))


def _binary(text: str | bytes, was: str) -> str:
    return _between(was, "[01]").join(f"{byte:08b}" for byte in _bytes(text))


def _unspaced(piece: str) -> bytes | None:
    return _readable(bytes.fromhex(re.sub(r"0x|[ ,:-]", "", piece)))


def _spaced(text: str | bytes, was: str) -> str:
    mark = "0x" if was.startswith("0x") else ""
    return _between(was, "[0-9a-fA-Fx]").join(f"{mark}{byte:02x}" for byte in _bytes(text))


def _between(was: str, letters: str) -> str:
    found = re.search(rf"(?<={letters})[^0-9a-zA-Z]+(?={letters})", was)
    return found[0] if found else ""


def _undump(piece: str) -> bytes | None:
    return _readable(bytes.fromhex("".join(_DUMPED.findall(piece)).replace(" ", "")))


def _dump(text: str | bytes, was: str) -> str:
    data = _bytes(text)
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{at:08x}: {row.hex(' ', -2):<39}  {letters}\n")
    return "".join(lines)


# Mail: quoted-printable, UTF-7, uuencode. Ascii85 and base85.

_QUOTED = re.compile(r"(?:=\r?\n|[^\s\"'`<>])+")
_QUOTED_MARK = re.compile(r"=(?:[0-9A-F]{2}|\r?\n)")
_UTF7 = re.compile(r"(?<![A-Za-z0-9+/])\+[A-Za-z0-9+/]{8,}-?")
_UU = re.compile(r"^begin \d{3} [^\n]*\n(?:[\x20-\x60]+\n)+end", re.MULTILINE)
_ASCII85 = re.compile(r"(?:<~)?[!-uz]{15,}(?:~>)?")
_BASE85 = re.compile(r"[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{15,}")


def _unquoted(piece: str) -> str | None:
    try:
        return quopri.decodestring(piece.encode()).decode()
    except (UnicodeDecodeError, UnicodeEncodeError):
        return None


def _unutf7(piece: str) -> str | None:
    try:
        return piece.encode("ascii").decode("utf-7")
    except (UnicodeDecodeError, UnicodeEncodeError):
        return None


def _utf7(text: str | bytes, was: str) -> str:
    return _bytes(text).decode("utf-8", "replace").encode("utf-7").decode()


def _unuu(piece: str) -> bytes | None:
    try:
        return _readable(b"".join(binascii.a2b_uu(line) for line in piece.split("\n")[1:-1]))
    except binascii.Error:
        return None


def _uu(text: str | bytes, was: str) -> str:
    data = _bytes(text)
    lines = [binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45)]
    return was.partition("\n")[0] + "\n" + "".join(lines) + "`\nend"


def _only_text(data: bytes) -> bytes | None:
    """Any run of letters is base85 of something; only what gives plain text throughout was meant so."""
    return data if data and all(32 <= byte < 127 or byte in (9, 10, 13) for byte in data) else None


def _unascii85(piece: str) -> bytes | None:
    try:
        return _only_text(base64.a85decode(piece.removeprefix("<~").removesuffix("~>")))
    except ValueError:
        return None


def _ascii85(text: str | bytes, was: str) -> str:
    return base64.a85encode(_bytes(text), adobe=was.startswith("<~")).decode()


def _unbase85(piece: str) -> bytes | None:
    try:
        return _only_text(base64.b85decode(piece))
    except ValueError:
        return None


# What a reader does not see, or sees as plain letters.

_SEEN = r"[^\s\"'`<>]"
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]|\x1b\\[[0-9;]*[A-Za-z]|[^\x08]\x08|\\\\\r?\n"
)
_UNSEEN = re.compile(rf"(?:\\\r?\n|{_SEEN})+")
_WIDE = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff\u2460-\u24ff\ufb00-\ufb06]")
_SPREAD = re.compile(r"(?<!\S)(?:\S([ \n]))(?:\S\1){6,}\S(?!\S)")
_JOINED = re.compile(
    r'"(?:[^"\\\n]|\\.)*"(?:\s*\+?\s*"(?!"")(?:[^"\\\n]|\\.)*")+'
    r"|'(?:[^'\\\n]|\\.)*'(?:\s*\+?\s*'(?!'')(?:[^'\\\n]|\\.)*')+"
)
_JOINT = re.compile(r"\"\s*\+?\s*\"|'\s*\+?\s*'")


def _plainly(text: str | bytes, was: str) -> str:
    return _text(text)


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")


LAYERS = (
    Layer("JSON string", LITERAL, _BACKSLASH, unliteral, literal),
    Layer("codes of letters", _CODES, None, _uncodes, _codes),
    Layer("letters one by one", _LETTERS, None, _unletters, _letters),
    Layer("unseen letters", _UNSEEN, _INVISIBLE, lambda piece: _INVISIBLE.sub("", piece), _plainly),
    Layer("wide letters", _RUN, _WIDE, lambda piece: unicodedata.normalize("NFKC", piece), _plainly),
    Layer("spread letters", _SPREAD, None, lambda piece: piece[::2], lambda text, was: was[1].join(_text(text))),
    Layer("joined strings", _JOINED, None, lambda piece: _JOINT.sub("", piece), _plainly),
    Layer(
        "percent signs", _RUN, _PERCENT, _unpercent, lambda text, was: quote(_text(text), safe="/:?#[]@!$&'()*+,;=~")
    ),
    Layer("entities", _RUN, _ENTITY, html.unescape, lambda text, was: html.escape(_text(text))),
    Layer("escapes", _RUN, _ESCAPES, _unescape, _escape),
    Layer("CSS escapes", _STYLE, None, _unstyle, _plainly),
    Layer("quoted-printable", _QUOTED, _QUOTED_MARK, _unquoted, _plainly),
    Layer("dump", _DUMP, None, _undump, _dump),
    Layer("hex", _HEX, None, _unhex, _hex),
    Layer("hex, spaced", _SPACED_HEX, None, _unspaced, _spaced),
    Layer("decimal", _DECIMAL, None, _undecimal, _decimal),
    Layer("binary", _BINARY, None, _unbinary, _binary),
    Layer("uuencode", _UU, None, _unuu, _uu),
    Layer("UTF-7", _UTF7, None, _unutf7, _utf7),
    Layer("base32", _BASE32, None, _unbase32, _base32),
    Layer("base64 in lines", _WRAPPED, None, _unwrapped, _base64),
    Layer("base64", _BASE64, None, _unbase64, _base64),
    Layer("base85", _BASE85, None, _unbase85, lambda text, was: base64.b85encode(_bytes(text)).decode()),
    Layer("ascii85", _ASCII85, None, _unascii85, _ascii85),
)
