"""Whether code brings two places of an input together while the numbers are gone, for the rule `answer-in-code`.

Whatever a network knows of two places at once it knows through its numbers: with all of them zero, what a step of the
program holds may depend on one place, and on another, but each has an effect of its own. Code that carries, compares
or looks for something holds a value on which two places act together, however it spells, spreads or hides the answer
that it makes of it. So two things of an input are changed, one at a time and both: where the effect of both is not the
sum of the two, they interact (a two-by-two factorial design; the difference of differences is the interaction).
"""

from __future__ import annotations

import functools
import random
from typing import Any

from handnet_bench import sequences

QUADS = 24
"""Inputs that are changed in two ways."""

SEED = 20261203

APART = 8
"""Places between two changes, at least: a window of neighbours may be looked at as one."""

LEAST = 2
"""Quads with an interaction, at least, for an expression to have one."""

EXACT = 1e-9
"""What sums of fractions may differ by, as a share of them."""


@functools.cache
def make(slug: str, quads: int = QUADS, seed: int = SEED) -> list[Any] | None:
    """Inputs, four by four: one as it is, changed in one way, in the other, in both. None for a task without a formula.

    All four are inputs of the task and equally long.
    """
    draw = {"addition": _sum, "dyck1": _string, "induction": _sequence}.get(slug)
    if draw is None:
        return None
    source = random.Random(seed)
    return [each for _ in range(quads) for each in draw(source.random)]


def _below(draw: Any, n: int) -> int:
    return int(draw() * n)


def _sum(draw: Any) -> list[tuple[int, int]]:
    """One number is another, the other is, both are."""

    def number(digits: int) -> int:
        low = 10 ** (digits - 1)
        return low + _below(draw, 9 * low)

    wide = [3 + _below(draw, sequences.MAX_DIGITS - 2) for _ in range(2)]
    (a, c), (b, d) = [(number(digits), number(digits)) for digits in wide]
    return [(a, b), (c, b), (a, d), (c, d)]


def _string(draw: Any) -> list[str]:
    """A bracket is turned round, one far from it is, both are."""
    strings, _ = sequences.dyck1(_below(draw, 2**30), 200)
    text = next(text for text in strings if len(text) >= 3 * APART)
    first = _below(draw, len(text) - APART)
    second = first + APART + _below(draw, len(text) - APART - first)

    def turned(text: str, place: int) -> str:
        return text[:place] + ("(" if text[place] == ")" else ")") + text[place + 1 :]

    return [text, turned(text, first), turned(text, second), turned(turned(text, first), second)]


def _sequence(draw: Any) -> list[list[int]]:
    """The last token is another that stands earlier; the two places where these stand are exchanged; both."""
    length = 4 * APART + _below(draw, sequences.MAX_TOKENS + 1 - 4 * APART)
    one = _below(draw, sequences.VOCABULARY)
    other = (one + 1 + _below(draw, sequences.VOCABULARY - 1)) % sequences.VOCABULARY
    rest = [token for token in range(sequences.VOCABULARY) if token not in (one, other)]
    tokens = [rest[_below(draw, len(rest))] for _ in range(length)]
    first = _below(draw, APART)
    second = first + APART + 1 + _below(draw, APART)
    follows = rest.index(tokens[first + 1])
    tokens[second + 1] = rest[(follows + 1 + _below(draw, len(rest) - 1)) % len(rest)]

    def made(at_first: int, at_second: int, last: int) -> list[int]:
        made = list(tokens)
        made[first], made[second], made[-1] = at_first, at_second, last
        return made

    return [made(one, other, one), made(one, other, other), made(other, one, one), made(other, one, other)]


def line(sums: Any, lines: list[int]) -> int | None:
    """The line of an expression with an interaction; None where there is none.

    `sums`: float64 (sites, 4 * quads), what each expression was over a call, every element times a number of its place.
    """
    import numpy as np

    found = _interacts(sums).sum(axis=1) >= LEAST
    return min((lines[int(site)] for site in np.flatnonzero(found)), default=None)


def alone(sums: Any) -> Any:
    """(sites,): whether an expression has no interaction in any quad."""
    return ~_interacts(sums).any(axis=1)


def _interacts(sums: Any) -> Any:
    """(sites, quads): whether the effect of both changes is another than that of the two together."""
    import numpy as np

    quads = np.asarray(sums).reshape(len(sums), sums.shape[1] // 4, 4)
    effect = np.abs(quads[..., 0] - quads[..., 1] - quads[..., 2] + quads[..., 3])
    return effect > EXACT * (1.0 + np.abs(quads).sum(axis=2))
