"""Pairs of inputs that have the same right answer and little else in common, for the rule `answer-in-code`.

Code that knows the answer and a small network that only reads it out: such a file treats twins alike whatever the
numbers of the network are, for nothing but the answer reaches them. A network that works the answer out treats them
alike only while its numbers are right.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import msgspec

from handnet_bench import sequences

PAIRS = 400
"""Pairs of twins; a share of 400 has a standard error of 2.5 points at most."""

SEED = 20261201

LEAST_SUM = 1000
"""Smaller sums leave too few ways to split them."""

APART = 8
"""Places between the answers of the two sequences, at least."""


class Twins(msgspec.Struct, frozen=True):
    """`left[i]` and `right[i]` have the same right answer, `answers[i]`."""

    left: list[Any]
    right: list[Any]
    answers: list[int]


@functools.cache
def make(slug: str, pairs: int = PAIRS, seed: int = SEED) -> Twins | None:
    """The twins of a task; None where code does not know the answer (images, sentences) or where it is one bit.

    Of two balanced strings a network with wrong numbers says the same most of the time: counting on a mean, as
    attention does, stays blind to their length and order. So `dyck1` has no twins, and reading has to do.
    """
    if slug == "addition":
        return _sums(pairs, seed)
    if slug == "induction":
        return _sequences(pairs, seed)
    return None


def _sums(pairs: int, seed: int) -> Twins:
    """One sum, split twice: every digit of the second pair is its own."""
    most = 10**sequences.MAX_DIGITS - 1
    draw = random.Random(seed).random
    left, right, answers = [], [], []
    for (a, b), total in zip(*sequences.addition(seed, 3 * pairs), strict=True):
        if total < LEAST_SUM:
            continue
        low, high = max(0, total - most), min(total, most)
        c = low + int(draw() * (high - low + 1))
        if c in (a, b):
            continue
        left.append((a, b))
        right.append((c, total - c))
        answers.append(total)
    return Twins(left[:pairs], right[:pairs], answers[:pairs])


def _sequences(pairs: int, seed: int) -> Twins:
    """Two sequences that go on alike: the last token is another one, and the answer stands elsewhere."""
    waiting: dict[int, list[list[int]]] = {}
    left, right, answers = [], [], []
    for tokens, answer in zip(*sequences.induction(seed, 4 * pairs), strict=True):
        others = waiting.setdefault(answer, [])
        place = tokens.index(tokens[-1])
        found = next(
            (other for other in others if other[-1] != tokens[-1] and abs(other.index(other[-1]) - place) >= APART),
            None,
        )
        if found is None:
            others.append(tokens)
            continue
        others.remove(found)
        left.append(found)
        right.append(tokens)
        answers.append(answer)
    return Twins(left[:pairs], right[:pairs], answers[:pairs])
