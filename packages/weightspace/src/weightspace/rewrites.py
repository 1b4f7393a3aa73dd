"""Hiding a construction in a larger network that computes the same function.

Five rewrites, each of which keeps the function: units are split in two, every unit is rescaled by a
positive factor (max(0, r z) = r max(0, z)), the network is filled up with distractors (dead units,
units with a negligible output weight, pairs that cancel), units are permuted, and parameters are
jittered by up to 0.01 and rounded to thousandths. What the jitter and the rounding leave is checked on
every input (`network.inspect`); a candidate that fails is dropped and the next attempt is drawn.

`batch.py` does the same with numpy, draw for draw. A change here is a change there, and of the golden file.
"""

from __future__ import annotations

from typing import NamedTuple

from weightspace.functions import FUNCTIONS, Function, Unit
from weightspace.network import MARGIN, Network, inspect
from weightspace.streams import below, draw, field, stream_key

NETWORK_STREAM, CORRUPTION_STREAM = 1, 2
ATTEMPTS = 4096
"""Attempts at one task before giving up; the rarest function needs about a dozen on average."""

SHARE = (380, 620)
"""The first part of a split unit, in thousandths of it."""
SCALE = (500, 2000)
"""Rescaling factors, in thousandths."""
JITTER = 10
"""Thousandths, either way, on W1 and b1."""
PAIRS = 3
"""Cancelling pairs, at most; at least one where two places are free."""
PAIR_PART = (80, 150)
"""What a member of a cancelling pair adds to the output at most, in thousandths: small enough that removing one member
cannot change an output, so a pair is never functional."""
PAIR_PEAK = (200, 500)
"""Largest hidden value of a narrow pair, which fires on few inputs and has an ordinary output weight."""
NEGLIGIBLE_PART = (5, 30)
"""What a negligible unit adds to the output at most, in thousandths."""
DEAD_GAP = (300, 1000)
"""How far below zero a dead unit stays, in thousandths."""
DEAD_OUT = (300, 2500)
"""Size of a dead unit's output weight, in thousandths."""

Rows = tuple[tuple[int, ...], ...]


def rows_of(menu: tuple[Function, ...]) -> Rows:
    """The rows of all constructions of a menu: half of the distractors borrow one, so that a row gives no unit away."""
    return tuple(sorted({unit.weights for function in menu for unit in function.units}))


ROWS = rows_of(FUNCTIONS)


class Hidden(NamedTuple):
    """A network that hides a construction. `functional`: the units that removing one by one reveals."""

    network: Network
    functional: tuple[int, ...]
    attempts: int
    """Candidates drawn, this one included."""


def between(z_below: int, bounds: tuple[int, int]) -> int:
    return bounds[0] + z_below


def width(bounds: tuple[int, int]) -> int:
    return bounds[1] - bounds[0] + 1


def rounded(numerator: int, denominator: int) -> int:
    """numerator / denominator to the nearest integer, halves away from zero; the denominator is positive."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size


def splits(function: Function, hidden: int, key: int) -> list[int | None]:
    """For each unit of the construction the share of its first copy, or None where it stays whole.

    At least one unit is split, and at least one place is left for a distractor.
    """
    count = len(function.units)
    room = min(count, hidden - count - 1)
    draws = [draw(key, 4 * hidden + unit) for unit in range(count)]
    wanted = [z & 1 for z in draws]
    if not any(wanted):
        wanted[below(draw(key, 4 * hidden + count), count)] = 1
    shares: list[int | None] = []
    for z, want in zip(draws, wanted, strict=True):
        split = want and sum(share is not None for share in shares) < room
        shares.append(between(below(z, width(SHARE)), SHARE) if split else None)
    return shares


def copies(units: tuple[Unit, ...], shares: list[int | None]) -> list[tuple[Unit, int]]:
    """(unit, share in thousandths): first every unit, whole or its first part, then the second parts."""
    first = [(unit, 1000 if share is None else share) for unit, share in zip(units, shares, strict=True)]
    second = [(unit, 1000 - share) for unit, share in zip(units, shares, strict=True) if share is not None]
    return first + second


def distractor_row(z: int, pool: Rows) -> tuple[int, ...]:
    """A row of the pool, or one of weights from {-2, -1, 1, 2}, in thousandths; for up to ten inputs."""
    if field(z, 0, 2):
        return pool[field(z, 1, len(pool))]
    low, high = z >> 10, z >> 50
    chosen = ((low >> 2 * i if i < 5 else high >> 2 * (i - 5)) & 3 for i in range(len(pool[0])))
    return tuple((-2000, -1000, 1000, 2000)[choice] for choice in chosen)


def live_bias(row: tuple[int, ...], z: int) -> tuple[int, int]:
    """(bias, largest hidden value) of a unit that fires on some inputs, by one whole step at least."""
    low, high = sum(min(w, 0) for w in row), sum(max(w, 0) for w in row)
    threshold = low + 1000 * field(z, 2, (high - low) // 1000)
    return -threshold, high - threshold


def dead(z: int, pool: Rows) -> tuple[Unit, int]:
    """A unit that never fires."""
    row = distractor_row(z, pool)
    bias = -sum(max(w, 0) for w in row) - between(field(z, 3, width(DEAD_GAP)), DEAD_GAP)
    size = between(field(z, 4, 1024) * width(DEAD_OUT) >> 10, DEAD_OUT)
    return Unit(row, bias, -size if z >> 63 else size), 1000


def negligible(z: int, pool: Rows) -> tuple[Unit, int]:
    """A unit that fires and hardly counts."""
    row = distractor_row(z, pool)
    bias, peak = live_bias(row, z)
    size = max(1, rounded(1000 * between(field(z, 4, width(NEGLIGIBLE_PART)), NEGLIGIBLE_PART), peak))
    return Unit(row, bias, -size if z >> 63 else size), 1000


def cancelling(z: int, pool: Rows) -> tuple[Unit, Unit]:
    """Two units that add the same with opposite signs; three pairs of four are narrow."""
    row = distractor_row(z, pool)
    if (z >> 60) & 3:
        peak = between(field(z, 2, width(PAIR_PEAK)), PAIR_PEAK)
        bias = peak - sum(max(w, 0) for w in row)
    else:
        bias, peak = live_bias(row, z)
    size = max(1, rounded(1000 * between(field(z, 4, width(PAIR_PART)), PAIR_PART), peak))
    out = -size if z >> 63 else size
    return Unit(row, bias, out), Unit(row, bias, -out)


def distractors(places: int, first: int, hidden: int, count: int, key: int, pool: Rows) -> list[tuple[Unit, int]]:
    """(unit, share) for the free places, from place `first` on: pairs, then single units."""
    pairs = 0
    if places >= 2:
        pairs = 1 + below(draw(key, 4 * hidden + count + 1), min(PAIRS, places // 2))
    units: list[tuple[Unit, int]] = []
    for pair in range(pairs):
        units += [(unit, 1000) for unit in cancelling(draw(key, 4 * (first + 2 * pair) + 1), pool)]
    for place in range(first + 2 * pairs, first + places):
        z = draw(key, 4 * place + 1)
        units.append(dead(z, pool) if (z >> 60) & 1 else negligible(z, pool))
    return units


def rescaled(unit: Unit, share: int, factor: int) -> Unit:
    """The unit with its row and bias times `factor` and its output weight times share / factor, in thousandths."""
    return Unit(
        tuple(rounded(w * factor, 1000) for w in unit.weights),
        rounded(unit.bias * factor, 1000),
        rounded(unit.out * share, factor),
    )


def jittered(unit: Unit, *zs: int) -> Unit:
    """The unit with each of its weights and its bias moved by up to 0.01; a draw serves six numbers."""
    steps = 2 * JITTER + 1
    moved = [value + field(zs[i // 6], i % 6, steps) - JITTER for i, value in enumerate((*unit.weights, unit.bias))]
    return Unit(tuple(moved[:-1]), moved[-1], unit.out)


def candidate(function: Function, hidden: int, key: int, pool: Rows = ROWS) -> tuple[Network, tuple[int, ...]]:
    """One attempt at a network, unchecked, and the places of the copies of the construction's units."""
    shares = splits(function, hidden, key)
    plan = copies(function.units, shares)
    functional = len(plan)
    plan += distractors(hidden - functional, functional, hidden, len(function.units), key, pool)
    units = []
    for place, (unit, share) in enumerate(plan):
        factor = between(below(draw(key, 4 * place + 2), width(SCALE)), SCALE)
        noise = [draw(key, 4 * place)]
        if function.inputs > 5:
            noise.append(draw(key, 8 * hidden + place))
        units.append(jittered(rescaled(unit, share, factor), *noise))
    order = sorted(range(hidden), key=lambda place: draw(key, 4 * place + 3))
    network = Network(
        W1=tuple(units[place].weights for place in order),
        b1=tuple(units[place].bias for place in order),
        v=tuple(units[place].out for place in order),
        c=function.rest,
    )
    return network, tuple(position for position, place in enumerate(order) if place < functional)


def hide(function: Function, hidden: int, seed: int, first_attempt: int = 0, pool: Rows = ROWS) -> Hidden:
    """The first candidate of `seed` that is right on every input, with the margin, and whose functional units are
    exactly the copies of the construction's units."""
    truth = function.truth()
    for attempt in range(first_attempt, ATTEMPTS):
        network, units = candidate(function, hidden, stream_key(seed, attempt, NETWORK_STREAM), pool)
        found = inspect(network, MARGIN)
        if found is not None and found[0] == truth and found[1] == frozenset(units):
            return Hidden(network, units, attempt + 1)
    raise ArithmeticError(f"no network of {hidden} units hides {function.name} for seed {seed} in {ATTEMPTS} attempts")
