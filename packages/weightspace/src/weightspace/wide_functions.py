"""Sixteen functions of ten bits for the suite `weightspace-tools`, with constructions of at most ten units.

Built as those of `functions.py` are: curves over a projection, at rest at -0.7 or +0.7. The low half is
x0 to x4, the high half x5 to x9, each read as a number or counted.
"""

from __future__ import annotations

from weightspace.functions import HIGH, LOW, Function, Unit, curve, number, opposite

INPUTS = 10
HIDDEN = 48

COUNT = (1,) * INPUTS
THIRDS = (1, -1) * 5
"""Powers of two modulo 3: the sum lies in [-5, 5], so -3, 0 and 3 are the multiples of three."""
FIFTHS = (1, 2, -1, -2, 1, 2, -1, -2, 1, 2)
"""Powers of two modulo 5: the sum lies in [-6, 9], so -5, 0 and 5 are the multiples of five."""
HALVES = (-1, -2, -4, -8, -16, 1, 2, 4, 8, 16)
"""The number in the high half less that in the low half."""
MIRROR = (1, 2, 4, 8, 16, -16, -8, -4, -2, -1)
"""0 only where x0 = x9, x1 = x8, …, x4 = x5."""
BALANCE = (1, 1, 1, 1, 1, -1, -1, -1, -1, -1)


def row(*ones: int) -> tuple[int, ...]:
    """A row with 1 at each of these inputs, else 0."""
    return tuple(int(i in ones) for i in range(INPUTS))


def runs(length: int) -> tuple[Unit, ...]:
    """For each run of neighbouring inputs a unit that fires, by 1, where all of them are 1."""
    starts = range(INPUTS - length + 1)
    return tuple(unit for i in starts for unit in curve(row(*range(i, i + length)), (length - 1, 1)))


def has_run(x: tuple[int, ...], length: int) -> bool:
    return any(all(x[i : i + length]) for i in range(len(x) - length + 1))


def selected(k: int) -> Unit:
    """A unit that fires, by 1, where x_k is 1 and x8 + 2 x9 is k."""
    weights = [int(i == k) for i in range(INPUTS)]
    weights[8], weights[9] = (1 if k & 1 else -1), (1 if k & 2 else -1)
    return curve(tuple(weights), (k.bit_count(), 1))[0]


FUNCTIONS: tuple[Function, ...] = (
    Function("majority", "1 if at least six of the ten bits are 1.", lambda x: sum(x) >= 6, curve(COUNT, (5, 1)), LOW),
    Function(
        "exactly_five", "1 if exactly five bits are 1.", lambda x: sum(x) == 5, curve(COUNT, (4, 1), (5, -2)), LOW
    ),
    Function(
        "parity_odd",
        "1 if an odd number of bits are 1.",
        lambda x: sum(x) % 2 == 1,
        curve(COUNT, (0, 1), *((k, 2 if k % 2 == 0 else -2) for k in range(1, 10))),
        LOW,
    ),
    Function(
        "popcount_prime",
        "1 if the number of bits that are 1 is a prime number: 2, 3, 5 or 7.",
        lambda x: sum(x) in (2, 3, 5, 7),
        curve(COUNT, (1, 1), (3, -3), (4, 3), (5, -2), (6, 2), (7, -2)),
        LOW,
    ),
    Function(
        "popcount_mult3",
        "1 if the number of bits that are 1 is a multiple of three: 0, 3, 6 or 9.",
        lambda x: sum(x) % 3 == 0,
        curve(COUNT, (0, -1), (2, 3), (3, -3), (5, 3), (6, -3), (8, 3), (9, -3)),
        HIGH,
    ),
    Function(
        "power_of_two",
        "1 if N is a power of two: 1, 2, 4, …, 512.",
        lambda x: sum(x) == 1,
        curve(COUNT, (0, 1), (1, -2)),
        LOW,
    ),
    Function(
        "x0_xor_x9",
        "1 if x0 and x9 differ.",
        lambda x: x[0] != x[9],
        curve((1, *(0,) * 8, -1), (0, 1)) + curve((-1, *(0,) * 8, 1), (0, 1)),
        LOW,
    ),
    Function(
        "palindrome",
        "1 if x0 … x9 reads the same backwards: x0 = x9, x1 = x8, x2 = x7, x3 = x6 and x4 = x5.",
        lambda x: x == x[::-1],
        curve(MIRROR, (0, -1)) + curve(opposite(MIRROR), (0, -1)),
        HIGH,
    ),
    Function(
        "high_eq_low",
        "1 if the high half x5 + 2 x6 + 4 x7 + 8 x8 + 16 x9 equals the low half x0 + 2 x1 + 4 x2 + 8 x3 + 16 x4.",
        lambda x: x[5:] == x[:5],
        curve(HALVES, (0, -1)) + curve(opposite(HALVES), (0, -1)),
        HIGH,
    ),
    Function(
        "high_gt_low",
        "1 if the high half x5 + 2 x6 + 4 x7 + 8 x8 + 16 x9 is greater than the low half x0 + 2 x1 + 4 x2 + 8 x3 + 16 x4.",
        lambda x: number(x[5:]) > number(x[:5]),
        curve(HALVES, (0, 1)),
        LOW,
    ),
    Function(
        "halves_balanced",
        "1 if x0 … x4 hold as many ones as x5 … x9.",
        lambda x: sum(x[:5]) == sum(x[5:]),
        curve(BALANCE, (0, -1)) + curve(opposite(BALANCE), (0, -1)),
        HIGH,
    ),
    Function(
        "mux_x8_x9",
        "x0, x1, x2 or x3, as x8 + 2 x9 is 0, 1, 2 or 3.",
        lambda x: bool(x[x[8] + 2 * x[9]]),
        tuple(selected(k) for k in range(4)),
        LOW,
    ),
    Function(
        "adjacent_ones",
        "1 if two neighbouring bits are both 1: x0 and x1, or x1 and x2, …, or x8 and x9.",
        lambda x: has_run(x, 2),
        runs(2),
        LOW,
    ),
    Function(
        "three_in_a_row",
        "1 if three neighbouring bits are all 1: x0, x1 and x2, or x1, x2 and x3, …, or x7, x8 and x9.",
        lambda x: has_run(x, 3),
        runs(3),
        LOW,
    ),
    Function(
        "div_by_3",
        "1 if N is a multiple of three; 0 counts as one.",
        lambda x: number(x) % 3 == 0,
        curve(THIRDS, (-4, 1), (-3, -2), (-1, 3), (0, -3), (2, 3), (3, -3)),
        LOW,
    ),
    Function(
        "div_by_5",
        "1 if N is a multiple of five; 0 counts as one.",
        lambda x: number(x) % 5 == 0,
        curve(FIFTHS, (-6, 1), (-5, -2), (-4, 1), (-1, 1), (0, -2), (1, 1), (4, 1), (5, -2)),
        LOW,
    ),
)

BY_NAME = {function.name: function for function in FUNCTIONS}
