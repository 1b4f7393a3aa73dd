"""Text inside text: how a secret hides in an encoding, taken apart and put together again.

Each layer finds pieces of its encoding, decodes them, and encodes what was changed in the same way. What
is decoded goes through all layers again, so encodings within encodings are reached.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
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

_ESCAPE = r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})"
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
        return chr(int(code[1:], 16)) if code[0] in "ux" and len(code) > 1 else _SINGLE.get(code, code)

    return re.sub(_ESCAPE, one, piece)


def _escape(text: str | bytes, was: str) -> str:
    return json.dumps(_text(text))[1:-1].replace('\\"', '"')


# Percent signs and entities.

_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]+);")


def _unpercent(piece: str) -> str | None:
    try:
        return unquote_to_bytes(piece).decode()
    except UnicodeDecodeError:
        return None


# Base64 and hex.

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{40,}\r?\n)+[A-Za-z0-9+/]+={0,2}"
    r"|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{8,}={0,2}(?![A-Za-z0-9+/_-])"
    r"|(?<![A-Za-z0-9+/_-])[A-Za-z0-9_-]{8,}={0,2}(?![A-Za-z0-9+/_-])"
)
_BASE32 = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9=])")
_HEX = re.compile(
    r"(?<![0-9a-zA-Z])(?:0x)?(?:[0-9a-f]{2}){6,}(?![0-9a-zA-Z])|(?<![0-9a-zA-Z])(?:0x)?(?:[0-9A-F]{2}){6,}(?![0-9a-zA-Z])"
)


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
    bare = piece.rstrip("=")
    try:
        return _readable(base64.b32decode(bare + "=" * (-len(bare) % 8)))
    except (binascii.Error, ValueError):
        return None


def _base32(data: str | bytes, was: str) -> str:
    made = base64.b32encode(_bytes(data)).decode()
    return made if was.endswith("=") or not len(was) % 8 else made.rstrip("=")


def _unhex(piece: str) -> bytes | None:
    try:
        return _readable(bytes.fromhex(piece.removeprefix("0x")))
    except ValueError:
        return None


def _hex(data: str | bytes, was: str) -> str:
    made = _bytes(data).hex()
    return ("0x" if was.startswith("0x") else "") + (made.upper() if was.upper() == was else made)


MAGIC = (b"PK\3\4", b"\x1f\x8b", b"\x93NUMPY", b"BZh", b"\xfd7zXZ")
"""How archives and arrays begin."""


def _readable(data: bytes) -> bytes | None:
    """`data` where it can be something: an archive, an array, or mostly text. Random bytes are passed over."""
    if data.startswith(MAGIC) or data[257:262] == b"ustar":
        return data
    if not data:
        return None
    plain = sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in data)
    if plain >= 0.85 * len(data):
        return data
    zeros = data.count(0)
    if zeros and plain + zeros >= 0.95 * len(data):
        return data  # UTF-16 and UTF-32
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return data if text.isprintable() else None


# Arrays in JSON: codes of letters, or letters one by one.

_CODES = re.compile(r"\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){5,}\s*\]")
_LETTERS = re.compile(r'\[\s*"(?:[^"\\]|\\.)"(?:\s*,\s*"(?:[^"\\]|\\.)"){5,}\s*\]')


def _uncodes(piece: str) -> str | None:
    codes = [int(code) for code in piece[1:-1].split(",")]
    return "".join(map(chr, codes)) if all(32 <= code < 127 or code in (9, 10, 13) for code in codes) else None


def _codes(text: str | bytes, was: str) -> str:
    return "[" + (", " if ", " in was else ",").join(str(byte) for byte in _bytes(text)) + "]"


def _unletters(piece: str) -> str | None:
    try:
        return "".join(json.loads(piece))
    except (ValueError, TypeError):
        return None


def _letters(text: str | bytes, was: str) -> str:
    return json.dumps(list(_text(text)), separators=(", " if ", " in was else ",", ": "))


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")


LAYERS = (
    Layer("JSON string", LITERAL, _BACKSLASH, unliteral, literal),
    Layer("codes of letters", _CODES, None, _uncodes, _codes),
    Layer("letters one by one", _LETTERS, None, _unletters, _letters),
    Layer(
        "percent signs", _RUN, _PERCENT, _unpercent, lambda text, was: quote(_text(text), safe="/:?#[]@!$&'()*+,;=~")
    ),
    Layer("entities", _RUN, _ENTITY, html.unescape, lambda text, was: html.escape(_text(text))),
    Layer("escapes", _RUN, _ESCAPES, _unescape, _escape),
    Layer("hex", _HEX, None, _unhex, _hex),
    Layer("base32", _BASE32, None, _unbase32, _base32),
    Layer("base64", _BASE64, None, _unbase64, _base64),
)
