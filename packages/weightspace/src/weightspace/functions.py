"""The sixteen target functions of five bits, each with a hand-built network of at most five units.

Every construction follows from reasoning about a line: a projection of the bits to a small integer,
and a piecewise-linear curve over it that is positive exactly where the function is 1. A unit is a knot
of that curve. Curves rest at -0.7 and are lifted to +0.3 or above, or rest at +0.7 and are pressed down
to -0.3 or below. Losing a part of at least 0.38 of a unit then changes an output, so a unit that is
split in two leaves two units that matter, never one or none.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

INPUTS = 5

LOW, HIGH = -700, 700
"""Resting levels in thousandths: below zero by 0.7 and lifted by 1, or above zero by 0.7 and pressed down by 1."""


class Unit(NamedTuple):
    """One hidden unit of a construction, in thousandths: max(0, weights . x + bias), times `out`."""

    weights: tuple[int, ...]
    bias: int
    out: int


class Function(NamedTuple):
    """A target function: its name, its definition in words, its rule, and a network that computes it."""

    name: str
    definition: str
    rule: Callable[[tuple[int, ...]], bool]
    units: tuple[Unit, ...]
    rest: int
    """The output bias of the construction, in thousandths."""

    @property
    def inputs(self) -> int:
        """Bits that it takes."""
        return len(self.units[0].weights)

    def truth(self) -> tuple[int, ...]:
        """The output on every input, 0 or 1, in the order of N = x0 + 2 x1 + 4 x2 + …"""
        return tuple(int(self.rule(bits(n, self.inputs))) for n in range(2**self.inputs))


def bits(n: int, inputs: int = INPUTS) -> tuple[int, ...]:
    """x0, x1, … of the input numbered `n`; x0 is the least significant bit."""
    return tuple((n >> i) & 1 for i in range(inputs))


def number(x: tuple[int, ...]) -> int:
    """N = x0 + 2 x1 + 4 x2 + 8 x3 + 16 x4."""
    return sum(bit << i for i, bit in enumerate(x))


def curve(row: tuple[int, ...], *knots: tuple[int, int]) -> tuple[Unit, ...]:
    """Units for the knots of a curve over the projection row . x: (position, change of slope) each."""
    weights = tuple(1000 * w for w in row)
    return tuple(Unit(weights, -1000 * position, 1000 * slope) for position, slope in knots)


COUNT = (1, 1, 1, 1, 1)
NUMBER = (1, 2, 4, 8, 16)
THIRDS = (1, -1, 1, -1, 1)
"""Powers of two modulo 3, taken from {1, -1}: N is a multiple of 3 where this sum, in [-2, 3], is 0 or 3."""
FIFTHS = (1, 2, -1, -2, 1)
"""Powers of two modulo 5, taken from {1, 2, -1, -2}: the sum lies in [-3, 4], so only 0 is a multiple of 5."""
HALVES = (-1, -2, 0, 1, 2)
"""The high pair x3 + 2 x4 less the low pair x0 + 2 x1."""
MIRROR = (1, 2, 0, -2, -1)
"""(x0 - x4) + 2 (x1 - x3): 0 only where both pairs agree."""


def opposite(row: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-w for w in row)


FUNCTIONS: tuple[Function, ...] = (
    # Counting: curves over x0 + x1 + x2 + x3 + x4.
    Function(
        "majority", "1 if at least three of the five bits are 1.", lambda x: sum(x) >= 3, curve(COUNT, (2, 1)), LOW
    ),
    Function("exactly_two", "1 if exactly two bits are 1.", lambda x: sum(x) == 2, curve(COUNT, (1, 1), (2, -2)), LOW),
    Function(
        "parity_odd",
        "1 if an odd number of bits are 1.",
        lambda x: sum(x) % 2 == 1,
        curve(COUNT, (0, 1), (1, -2), (2, 2), (3, -2), (4, 2)),
        LOW,
    ),
    Function(
        "popcount_prime",
        "1 if the number of bits that are 1 is a prime number: 2, 3 or 5.",
        lambda x: sum(x) in (2, 3, 5),
        curve(COUNT, (1, 1), (3, -3), (4, 3)),
        LOW,
    ),
    Function(
        "popcount_mult3",
        "1 if the number of bits that are 1 is a multiple of three: 0 or 3.",
        lambda x: sum(x) % 3 == 0,
        curve(COUNT, (0, -1), (2, 3), (3, -3)),
        HIGH,
    ),
    Function(
        "power_of_two",
        "1 if N is a power of two: 1, 2, 4, 8 or 16.",
        lambda x: sum(x) == 1,
        curve(COUNT, (0, 1), (1, -2)),
        LOW,
    ),
    # Bit logic.
    Function(
        "x0_xor_x4",
        "1 if x0 and x4 differ.",
        lambda x: x[0] != x[4],
        curve((1, 0, 0, 0, -1), (0, 1)) + curve((-1, 0, 0, 0, 1), (0, 1)),
        LOW,
    ),
    Function(
        "palindrome",
        "1 if x0 x1 x2 x3 x4 reads the same backwards: x0 = x4 and x1 = x3.",
        lambda x: x == x[::-1],
        curve(MIRROR, (0, -1)) + curve(opposite(MIRROR), (0, -1)),
        HIGH,
    ),
    Function(
        "high_eq_low",
        "1 if the high pair x3 + 2 x4 equals the low pair x0 + 2 x1; x2 does not matter.",
        lambda x: x[3:] == x[:2],
        curve(HALVES, (0, -1)) + curve(opposite(HALVES), (0, -1)),
        HIGH,
    ),
    Function(
        "high_gt_low",
        "1 if the high pair x3 + 2 x4 is greater than the low pair x0 + 2 x1; x2 does not matter.",
        lambda x: x[3] + 2 * x[4] > x[0] + 2 * x[1],
        curve(HALVES, (0, 1)),
        LOW,
    ),
    Function(
        "mux_x2",
        "x0 if x2 is 0, and x4 if x2 is 1.",
        lambda x: bool(x[4] if x[2] else x[0]),
        curve((1, 0, -1, 0, 0), (0, 1)) + curve((0, 0, 1, 0, 1), (1, 1)),
        LOW,
    ),
    Function(
        "adjacent_ones",
        "1 if two neighbouring bits are both 1: x0 and x1, x1 and x2, x2 and x3, or x3 and x4.",
        lambda x: any(a and b for a, b in pairwise(x)),
        curve((1, 1, 0, 0, 0), (1, 1))
        + curve((0, 1, 1, 0, 0), (1, 1))
        + curve((0, 0, 1, 1, 0), (1, 1))
        + curve((0, 0, 0, 1, 1), (1, 1)),
        LOW,
    ),
    # Arithmetic on N.
    Function(
        "n_in_10_20",
        "1 if N is at least 10 and at most 20.",
        lambda x: 10 <= number(x) <= 20,
        # A tent: up from 9, down from 15 at the same slope, through zero again between 20 and 21.
        curve(NUMBER, (9, 1), (15, -2)),
        LOW,
    ),
    Function(
        "div_by_3",
        "1 if N is a multiple of three; 0 counts as one.",
        lambda x: number(x) % 3 == 0,
        curve(THIRDS, (-1, 1), (0, -2), (2, 3)),
        LOW,
    ),
    Function(
        "div_by_5",
        "1 if N is a multiple of five; 0 counts as one.",
        lambda x: number(x) % 5 == 0,
        curve(FIFTHS, (0, -1)) + curve(opposite(FIFTHS), (0, -1)),
        HIGH,
    ),
    Function(
        "perfect_square",
        "1 if N is a perfect square: 0, 1, 4, 9, 16 or 25.",
        lambda x: number(x) in (0, 1, 4, 9, 16, 25),
        # 0, 1, 4 and 16 have at most one of x0, x2, x4 and neither x1 nor x3: the first unit is silent there and
        # presses everything else down by 1 or more. 9 and 25, pressed by 2 and 3, have x0 = x3 = 1 and x1 = x2 = 0:
        # the second unit lifts just these by 3.
        curve((1, 2, 1, 2, 1), (1, -1)) + curve((1, -1, -1, 1, 0), (1, 3)),
        HIGH,
    ),
)

BY_NAME = {function.name: function for function in FUNCTIONS}
NAMES = tuple(function.name for function in FUNCTIONS)
