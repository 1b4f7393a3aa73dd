"""Breaking a network by overwriting one parameter of one functional unit.

The broken network is wrong on at least three inputs, never within the margin of zero, and never worse
than the better constant output, so that no answer which makes the output constant gains anything.
Which parameters repair it is not unique: the score looks at behaviour, and finding the very parameter
is a metric beside it.
"""

from __future__ import annotations

from typing import NamedTuple

from weightspace.functions import Function
from weightspace.network import MARGIN, Network, logits, outputs, preactivations
from weightspace.rewrites import ATTEMPTS, CORRUPTION_STREAM, ROWS, Rows, between, hide, width
from weightspace.streams import below, draw, field, stream_key

WRONG_ROWS = 3
"""Inputs of 32 that a broken network gets wrong, at least; in proportion where there are more."""
TRIES = 64
"""Overwrites tried on one network before the next network is drawn."""
SHIFT = (400, 2500)
"""How far the new value lies from the old one, in thousandths."""


class Place(NamedTuple):
    """A parameter: `param` is W1, b1, v or c; `row` the unit; `col` the input, for W1 only."""

    param: str
    row: int | None = None
    col: int | None = None

    def read(self, network: Network) -> int:
        """Its value, in thousandths."""
        values = getattr(network, self.param)
        if self.row is not None:
            values = values[self.row]
        if self.col is not None:
            values = values[self.col]
        return int(values)

    def write(self, network: Network, value: int) -> Network:
        """The network with this one parameter at `value`."""
        if self.param == "c":
            return network._replace(c=value)
        assert self.row is not None
        if self.param == "W1":
            assert self.col is not None
            row = network.W1[self.row]
            row = (*row[: self.col], value, *row[self.col + 1 :])
            return network._replace(W1=(*network.W1[: self.row], row, *network.W1[self.row + 1 :]))
        values = network.b1 if self.param == "b1" else network.v
        values = (*values[: self.row], value, *values[self.row + 1 :])
        return network._replace(b1=values) if self.param == "b1" else network._replace(v=values)


class Broken(NamedTuple):
    """A corrupted network: `original` was at `place`; `intact` is the network before."""

    network: Network
    place: Place
    original: int
    wrong: int
    """Inputs on which it is wrong."""
    intact: Network
    functional: tuple[int, ...]
    attempts: int
    """Networks drawn, this one included."""


def best_constant(truth: tuple[int, ...]) -> int:
    """Inputs that the better of the two constant outputs gets right."""
    ones = sum(truth)
    return max(ones, len(truth) - ones)


def overwrite(network: Network, functional: tuple[int, ...], z: int) -> tuple[Place, int]:
    """The parameter that a draw picks and its new value: a weight five times in seven, else b1 or v, of a unit in
    `functional`."""
    unit = functional[field(z, 0, len(functional))]
    kind = field(z, 1, network.inputs + 2)
    if kind < network.inputs:
        place = Place("W1", unit, kind)
    else:
        place = Place("b1" if kind == network.inputs else "v", unit)
    shift = between(below(z, width(SHIFT)), SHIFT)
    return place, place.read(network) + (-shift if (z >> 30) & 1 else shift)


def corrupt(
    network: Network, functional: tuple[int, ...], truth: tuple[int, ...], key: int
) -> tuple[Place, int, int] | None:
    """(place, new value, wrong inputs) of the first overwrite that breaks the network as it should, or None."""
    whole = logits(network)
    least, most = WRONG_ROWS * len(truth) // 32, len(truth) - best_constant(truth)
    for attempt in range(TRIES):
        place, value = overwrite(network, functional, draw(key, attempt))
        changed = place.write(network, value)
        unit = place.row
        assert unit is not None
        before = preactivations(network.W1[unit], network.b1[unit])
        after = preactivations(changed.W1[unit], changed.b1[unit])
        values = [
            y - network.v[unit] * max(old, 0) + changed.v[unit] * max(new, 0)
            for y, old, new in zip(whole, before, after, strict=True)
        ]
        if any(-MARGIN <= value <= MARGIN for value in values):
            continue
        wrong = sum(given != right for given, right in zip(outputs(values), truth, strict=True))
        if least <= wrong <= most:
            return place, value, wrong
    return None


def break_network(function: Function, hidden: int, seed: int, pool: Rows = ROWS) -> Broken:
    """The first network of `seed` that can be broken, broken."""
    truth = function.truth()
    attempt = 0
    while attempt < ATTEMPTS:
        found = hide(function, hidden, seed, attempt, pool)
        attempt = found.attempts
        key = stream_key(seed, attempt - 1, CORRUPTION_STREAM)
        result = corrupt(found.network, found.functional, truth, key)
        if result is not None:
            place, value, wrong = result
            return Broken(
                network=place.write(found.network, value),
                place=place,
                original=place.read(found.network),
                wrong=wrong,
                intact=found.network,
                functional=found.functional,
                attempts=attempt,
            )
    raise ArithmeticError(f"no network of {hidden} units for {function.name} and seed {seed} could be broken")
