"""Generated test sets: addition pairs, bracket strings, sequences with one repeated token.

Everything derives from `random.Random(seed).random()`, the one method whose stream Python promises to
keep, so a seed gives the same set everywhere. Tests pin a digest of each.
"""

from __future__ import annotations

import random

Pair = tuple[int, int]

MAX_DIGITS = 10
MAX_BRACKETS = 64
VOCABULARY = 32
MAX_TOKENS = 48


class _Draws:
    """Integers and choices from one seeded stream."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def between(self, low: int, high: int) -> int:
        """Both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, p: float) -> bool:
        return self._random() < p


def addition(seed: int, n: int) -> tuple[list[Pair], list[int]]:
    """`n` pairs of numbers of 1 to 10 digits, and their sums.

    One pair in five is adversarial: b completes a to a power of ten, or misses it by one, so that a
    carry runs through many digits or just fails to.
    """
    draws = _Draws(seed)
    pairs: list[Pair] = []
    for _ in range(n):
        a = _number(draws, draws.between(1, MAX_DIGITS))
        if draws.chance(0.2):
            b = max(0, 10 ** len(str(a)) - a - draws.below(2))
            b = min(b, 10**MAX_DIGITS - 1)
        else:
            b = _number(draws, draws.between(1, MAX_DIGITS))
        pairs.append((b, a) if draws.chance(0.5) else (a, b))
    return pairs, [a + b for a, b in pairs]


def _number(draws: _Draws, digits: int) -> int:
    low = 0 if digits == 1 else 10 ** (digits - 1)
    return draws.between(low, 10**digits - 1)


def dyck1(seed: int, n: int) -> tuple[list[str], list[int]]:
    """`n` strings of 1 to 64 brackets, and 1 for each that is balanced, else 0.

    Half are balanced. The others are near misses, one third each: a bracket flipped; two brackets
    exchanged so that the counts agree and the depth goes below zero; uniformly random brackets.
    """
    draws = _Draws(seed)
    strings: list[str] = []
    for _ in range(n):
        text = _balanced(draws, 2 * draws.between(1, MAX_BRACKETS // 2))
        if draws.chance(0.5):
            strings.append(text)
            continue
        kind = draws.below(3)
        if kind == 0:
            at = draws.below(len(text))
            text = text[:at] + (")" if text[at] == "(" else "(") + text[at + 1 :]
        elif kind == 1:
            text = text[::-1] if draws.chance(0.5) else ")" + text[1:-1] + "("
        else:
            text = "".join("()"[draws.below(2)] for _ in range(draws.between(1, MAX_BRACKETS)))
        strings.append(text)
    return strings, [int(is_balanced(text)) for text in strings]


def _balanced(draws: _Draws, length: int) -> str:
    text, depth = "", 0
    for left in range(length, 0, -1):
        opens = depth == 0 or (depth < left and draws.chance(0.5))
        text += "(" if opens else ")"
        depth += 1 if opens else -1
    return text


def is_balanced(text: str) -> bool:
    """Whether every bracket of `text` has its partner: the depth never falls below 0 and ends at 0."""
    depth = 0
    for sign in text:
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def induction(seed: int, n: int) -> tuple[list[list[int]], list[int]]:
    """`n` sequences of 3 to 48 tokens 0..31, and the token that is to come next.

    The last token has occurred exactly once before; the answer is the token that followed it there.
    """
    draws = _Draws(seed)
    sequences: list[list[int]] = []
    answers: list[int] = []
    for _ in range(n):
        length = draws.between(3, MAX_TOKENS)
        trigger = draws.below(VOCABULARY)
        tokens = [(trigger + 1 + draws.below(VOCABULARY - 1)) % VOCABULARY for _ in range(length)]
        at = draws.below(length - 2)
        tokens[at] = tokens[-1] = trigger
        sequences.append(tokens)
        answers.append(tokens[at + 1])
    return sequences, answers
