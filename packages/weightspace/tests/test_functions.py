"""The sixteen functions and their hand-built networks."""

from __future__ import annotations

import itertools
import math

import pytest
from weightspace.functions import BY_NAME, FUNCTIONS, Function, bits
from weightspace.network import MARGIN, Network, inspect

each_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)

# What each function means, said a second time and another way: as the set of N with output 1.
MEANING = {
    "majority": {n for n in range(32) if bin(n).count("1") > 5 / 2},
    "exactly_two": {2**i + 2**j for i in range(5) for j in range(i)},
    "parity_odd": {n for n in range(32) if bin(n).count("1") & 1},
    "popcount_prime": {
        n for n in range(32) if bin(n).count("1") in {p for p in range(2, 6) if all(p % d for d in range(2, p))}
    },
    "popcount_mult3": {0} | {2**i + 2**j + 2**k for i in range(5) for j in range(i) for k in range(j)},
    "power_of_two": {n for n in range(1, 32) if n & (n - 1) == 0},
    "x0_xor_x4": {n for n in range(32) if (n ^ n >> 4) & 1},
    "palindrome": {n for n in range(32) if (text := f"{n:05b}") == "".join(reversed(text))},
    "high_eq_low": {n for n in range(32) if n >> 3 == n & 3},
    "high_gt_low": {n for n in range(32) if n >> 3 > n & 3},
    "mux_x2": {n for n in range(32) if (n >> 4 & 1 if n >> 2 & 1 else n & 1)},
    "adjacent_ones": {n for n in range(32) if n & n >> 1},
    "n_in_10_20": set(range(10, 21)),
    "div_by_3": set(range(0, 32, 3)),
    "div_by_5": set(range(0, 32, 5)),
    "perfect_square": {n for n in range(32) if math.isqrt(n) ** 2 == n},
}


def construction(function: Function) -> Network:
    return Network(
        tuple(unit.weights for unit in function.units),
        tuple(unit.bias for unit in function.units),
        tuple(unit.out for unit in function.units),
        function.rest,
    )


def test_there_are_sixteen_functions_with_the_ten_named_ones_among_them() -> None:
    named = "majority exactly_two parity_odd popcount_prime x0_xor_x4 palindrome high_eq_low n_in_10_20 div_by_3 perfect_square"
    assert len(FUNCTIONS) == len(BY_NAME) == 16
    assert set(named.split()) <= set(BY_NAME)


def test_x0_is_the_least_significant_bit() -> None:
    assert bits(1) == (1, 0, 0, 0, 0)
    assert bits(16) == (0, 0, 0, 0, 1)


@each_function
def test_the_rule_agrees_with_its_meaning(function: Function) -> None:
    assert {n for n, value in enumerate(function.truth()) if value} == MEANING[function.name]


@each_function
def test_the_construction_computes_the_function_and_needs_each_of_its_units(function: Function) -> None:
    found = inspect(construction(function), MARGIN)
    assert found == (function.truth(), frozenset(range(len(function.units))))
    assert 1 <= len(function.units) <= 6


@each_function
def test_losing_the_smaller_part_of_a_split_unit_changes_an_output(function: Function) -> None:
    network = construction(function)
    for unit, out in enumerate(network.v):
        weakened = network._replace(v=(*network.v[:unit], out - out * 380 // 1000, *network.v[unit + 1 :]))
        found = inspect(weakened, 0)
        assert found is not None
        assert found[0] != function.truth()


def test_no_two_functions_of_the_menu_are_close() -> None:
    distances = {
        (a.name, b.name): sum(x != y for x, y in zip(a.truth(), b.truth(), strict=True))
        for a, b in itertools.combinations(FUNCTIONS, 2)
    }
    assert min(distances.values()) == 5, min(distances, key=distances.__getitem__)
