"""A network in exact integers, and what it computes on every input.

Parameters are thousandths, as printed; hidden values are thousandths, outputs millionths. Nothing here
is a float, so no verdict depends on a platform's rounding.
"""

from __future__ import annotations

from typing import NamedTuple

MARGIN = 50_000
"""Millionths: an output nearer to zero than this, whole or with any one unit removed, is not used."""


class Network(NamedTuple):
    """y = sum_j v[j] * max(0, W1[j] . x + b1[j]) + c, all in thousandths."""

    W1: tuple[tuple[int, ...], ...]
    b1: tuple[int, ...]
    v: tuple[int, ...]
    c: int

    @property
    def inputs(self) -> int:
        return len(self.W1[0])

    @property
    def hidden(self) -> int:
        return len(self.v)


def preactivations(weights: tuple[int, ...], bias: int) -> list[int]:
    """weights . x + bias on every input, in the order of N; works for any integers or fractions.

    Each bit doubles the list, so it costs one addition an input.
    """
    values = [bias]
    for weight in weights:
        values += [value + weight for value in values]
    return values


def contributions(network: Network) -> list[list[int]]:
    """What each unit adds to the output on each input: [unit][N], millionths."""
    return [
        [out * value if value > 0 else 0 for value in preactivations(weights, bias)]
        for weights, bias, out in zip(network.W1, network.b1, network.v, strict=True)
    ]


def logits(network: Network, parts: list[list[int]] | None = None, one: int = 1000) -> list[int]:
    """y on every input, in millionths, in the order of N.

    `one` is what 1 is in the units of the parameters; y is in the square of that unit.
    """
    parts = contributions(network) if parts is None else parts
    base = one * network.c
    if not parts:
        return [base] * 2**network.inputs
    return [base + total for total in map(sum, zip(*parts, strict=True))]


def outputs(values: list[int]) -> tuple[int, ...]:
    """1 where y > 0, else 0: y = 0 gives 0."""
    return tuple(int(value > 0) for value in values)


def right(given: tuple[int, ...], truth: tuple[int, ...]) -> tuple[bool, ...]:
    """For each input whether the output is the wanted one."""
    return tuple(a == b for a, b in zip(given, truth, strict=True))


def inspect(network: Network, margin: int = MARGIN) -> tuple[tuple[int, ...], frozenset[int]] | None:
    """(outputs, functional units), or None where an output comes within `margin` of zero.

    A unit is functional where setting its output weight to zero changes the output on some input.
    The margin holds for the whole network and with any single unit removed.
    """
    parts = contributions(network)
    whole = logits(network, parts)
    if any(-margin <= value <= margin for value in whole):
        return None
    functional = set()
    for unit, part in enumerate(parts):
        for value, own in zip(whole, part, strict=True):
            if own:
                rest = value - own
                if -margin <= rest <= margin:
                    return None
                if (rest > 0) != (value > 0):
                    functional.add(unit)
    return outputs(whole), frozenset(functional)
