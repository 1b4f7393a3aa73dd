"""JSON read exactly: nothing rounded, nothing silently dropped, everything bounded.

Numbers with a fraction or an exponent become `decimal.Decimal`, the others `int`. What JSON readers
commonly let pass and what two readers would understand differently is refused in a sentence: NaN and
Infinity, a key given twice, half of a surrogate pair, numbers of absurd length or size.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, NoReturn

from benchwright.errors import BenchError

MAX_CHARS = 4_000_000
"""Longest JSON text that is read."""
MAX_DEPTH = 64
"""Deepest nesting of objects and arrays."""
MAX_DIGITS = 1000
"""Most digits in one number."""
MAX_EXPONENT = 1000
"""Largest power of ten, either way, of a number's leading digit."""


class NotJson(BenchError):
    """Text that is not JSON at all; `place` is the character that does not fit, `read` how far it was read."""

    def __init__(self, text: str, why: str, place: int, read: int | None = None) -> None:
        super().__init__(why)
        self.text = text
        self.why = why
        self.place = place
        self.read = place if read is None else read

    def __str__(self) -> str:
        # Counting lines costs a pass over the text, so only an error that is shown pays for it.
        return f"{self.why} at {line_of(self.text, self.place)}"


class RefusedJson(BenchError):
    """JSON in its form, holding something that cannot be read in one way only or breaks a bound."""


def decode(text: str) -> Any:
    """The one JSON value that `text` holds, blanks around it allowed. Raises NotJson or RefusedJson."""
    start = _skip_blanks(text, 0)
    value, end = decode_at(text, start)
    end = _skip_blanks(text, end)
    if end != len(text):
        raise NotJson(text, "something follows the JSON value", end)
    return value


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins exactly at `start`, and the place behind it. Raises NotJson or RefusedJson."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        read = len(text) if error.msg.startswith("Unterminated") else error.pos
        raise NotJson(text, error.msg[:1].lower() + error.msg[1:], error.pos, read) from None
    except RecursionError:
        raise RefusedJson(f"it nests deeper than {MAX_DEPTH} levels") from None
    if end - start > MAX_CHARS:
        raise RefusedJson(f"it is longer than {MAX_CHARS:,} characters")
    _check(value)
    return value, end


def same(left: Any, right: Any) -> bool:
    """Whether two decoded values say the same: order of keys aside, numbers by value, true apart from 1."""
    return bool(_canonical(left) == _canonical(right))


def line_of(text: str, place: int) -> str:
    """`line 3, column 7` for a place in a text."""
    return f"line {text.count(chr(10), 0, place) + 1}, column {place - text.rfind(chr(10), 0, place)}"


def _skip_blanks(text: str, place: int) -> int:
    match = _BLANKS.match(text, place)
    return match.end() if match else place


_BLANKS = re.compile(r"[ \t\n\r]*")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise RefusedJson(f"a number in it has more than {MAX_DIGITS} digits")
    return int(digits)


def _decimal(digits: str) -> Decimal:
    mantissa, _, exponent = digits.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 12:
        raise RefusedJson(f"a number in it has more than {MAX_DIGITS} digits or an absurd exponent")
    value = Decimal(digits)
    if abs(int(exponent or "0")) > MAX_EXPONENT or (value and abs(value.adjusted()) > MAX_EXPONENT):
        raise RefusedJson(f"the number {digits[:40]} lies beyond 1e{MAX_EXPONENT} or below 1e-{MAX_EXPONENT}")
    return value


def _constant(name: str) -> NoReturn:
    raise RefusedJson(f"it holds {name}, which is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise RefusedJson(f"the key {json.dumps(twice[:60])} stands twice in one object")
    return made


_DECODER = json.JSONDecoder(
    parse_float=_decimal,
    parse_int=_integer,
    parse_constant=_constant,
    object_pairs_hook=_object,
)


def _check(value: Any) -> None:
    """Depth and text, without recursion: level by level."""
    level, depth = [value], 0
    while level:
        below: list[Any] = []
        nested = False
        for item in level:
            if isinstance(item, str):
                _check_text(item)
            elif isinstance(item, dict):
                nested = True
                for key in item:
                    _check_text(key)
                below.extend(item.values())
            elif isinstance(item, list):
                nested = True
                below.extend(item)
        depth += nested
        if depth > MAX_DEPTH:
            raise RefusedJson(f"it nests deeper than {MAX_DEPTH} levels")
        level = below


def _check_text(text: str) -> None:
    if not text.isascii() and _SURROGATE.search(text):
        raise RefusedJson("a text in it holds half of a surrogate pair")


_SURROGATE = re.compile("[\ud800-\udfff]")


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_canonical(below) for below in value]
    return (type(value).__name__ if isinstance(value, bool) else "", value)
