"""Rules on data smuggled in: strings, bytes, comments, huge integers, packed digits."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.source import Source, bodies, forward, statements, violation

LONGEST_WORD = 40
"""Characters without a space; the longest word a tokenizer needs is shorter."""

LARGEST_INTEGER = 2**31
MOST_DIGITS = 8
"""Significant digits of a number written by hand; more is a packed one."""

CONSTANTS = (
    math.pi,
    math.tau,
    math.e,
    math.sqrt(2),
    math.sqrt(3),
    math.log(2),
    math.log(10),
    math.sqrt(0.5),
    math.sqrt(math.tau),
)
"""Numbers that have as many digits as one likes to write."""


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `payload`."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Constant):
            continue
        value = node.value
        if isinstance(value, bytes):
            yield violation("payload", node, "holds a bytes literal; numbers are written as numbers.")
        elif isinstance(value, str):
            yield from _text(value, node.lineno, "a string")
    for line, written in source.numbers:
        yield from _number(line, written)
    for line, comment in source.comments.items():
        yield from _text(comment, line, "a comment")
    yield from _joined_comments(source)
    yield from _scattered(source)
    yield from _decoded(source)


MOST_GREY_SIGNS = 100
"""Signs in strings that are neither words nor drawings of at most three different signs."""

MOST_DIGITS_IN_STRINGS = 200
"""Over all strings of the file; a vocabulary has a few words with a digit."""


def _scattered(source: Source) -> Iterator[Violation]:
    """Digits spread over many short strings."""
    strings = [n for n in ast.walk(source.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    digits = [(sum(sign.isdigit() for sign in n.value), n) for n in strings if not _drawing("".join(n.value.split()))]
    total = sum(count for count, _ in digits)
    if total > MOST_DIGITS_IN_STRINGS:
        most = max(digits, key=lambda pair: pair[0])[1]
        yield violation("payload", most, f"the strings of the file hold {total} digits.")
    grey = [
        n for n in strings if len(n.value) >= 5 and not n.value.isspace() and not _drawing("".join(n.value.split()))
    ]
    grey = [n for n in grey if sum(sign.isalpha() or sign.isspace() for sign in n.value) < len(n.value) / 2]
    signs = sum(len(n.value) for n in grey)
    if signs > MOST_GREY_SIGNS:
        yield violation(
            "payload", grey[0], f"{signs} signs of drawings in more than three different signs are packed numbers."
        )


def _decoded(source: Source) -> Iterator[Violation]:
    """Weights taken out of letters: `ord` outside the forward pass, where there is no input to read."""
    inside = bodies(forward(source).values())
    for _, node in statements(source.tree):
        skipped = {id(n) for one in ast.walk(node) if id(one) in inside for n in ast.walk(one)}
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and n.id == "ord" and id(n) not in skipped:
                yield violation("payload", n, "`ord` outside the forward pass turns letters into weights.")


def _text(text: str, line: int, what: str) -> Iterator[Violation]:
    why = reason(text)
    if why:
        yield violation("payload", line, f"{what} of {len(text):,} characters {why}.")


def reason(text: str) -> str:
    """Why `text` looks like packed data, or an empty string. Drawings of at most three different signs do not."""
    ink = [sign for sign in text if not sign.isspace()]
    # Letters without width and blanks of several kinds first: two of them are enough to write anything.
    odd = sum(not sign.isprintable() for sign in ink)
    if odd > 4:
        return f"has {odd} unprintable signs"
    blanks = [sign for sign in text if sign.isspace() and sign not in " \n"]
    if len(blanks) > 24 and len(blanks) > len(ink):
        return f"has {len(blanks)} blanks of other kinds than the usual one"
    if len(ink) < 24 or len(set(ink)) <= 3:
        return ""
    longest = max((len(word) for word in re.split(r"\s+", text) if not _drawing(word)), default=0)
    ascii_word = max((len(w) for w in re.findall(r"[!-~]+", text) if not _drawing(w)), default=0)
    if ascii_word > LONGEST_WORD:
        return f"has {ascii_word} signs without a space, which no word has"
    digits = sum(sign.isdigit() for sign in ink)
    if digits > max(24, 0.3 * len(ink)):
        return f"is {digits} digits; numbers belong into WEIGHTS"
    # Alphabets used as digits, every sign another one.
    foreign = [sign for sign in ink if ord(sign) > 0x24F]
    if longest > LONGEST_WORD and len(foreign) > 60 and len(set(foreign)) > 0.5 * len(foreign):
        return "has more different signs than a text of its length"
    return ""


def _drawing(word: str) -> bool:
    return len(set(word)) <= 3


def _number(line: int, written: str) -> Iterator[Violation]:
    plain = written.lower().replace("_", "")
    if plain.startswith(("0x", "0b", "0o")) or plain.isdigit():
        # By its length first: a number of a million digits is not worth reading.
        if (
            len(plain) > 40
            or int(plain, 0 if plain[:1] == "0" and len(plain) > 1 and plain[1].isalpha() else 10) >= LARGEST_INTEGER
        ):
            yield violation("payload", line, f"an integer written with {len(plain)} signs is packed data.")
        return
    digits = re.sub(r"\D", "", re.split("e", plain)[0]).strip("0")
    if len(digits) > MOST_DIGITS:
        yield violation(
            "payload", line, f"`{written[:30]}` has {len(digits)} digits; a weight set by reasoning needs few."
        )


def _joined_comments(source: Source) -> Iterator[Violation]:
    """Payloads cut into one short comment a line."""
    run: list[str] = []
    last = -1
    for line in [*sorted(source.comments), -1]:
        if line != last + 1 or line == -1:
            dense = [text for text in run if re.fullmatch(r"[A-Za-z0-9+/=]{16,}", text)]
            if len(dense) > 3:
                yield violation("payload", max(1, last), f"{len(dense)} comment lines in a row hold no words.")
            run = []
        if line != -1:
            run.append(source.comments[line])
        last = line
