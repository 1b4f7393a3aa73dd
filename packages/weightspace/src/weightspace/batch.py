"""Many networks at once with numpy: draw for draw and bit for bit what `rewrites` and `corruption` give.

Needs numpy (`pip install weightspace[fast]`). For studies of the generator and for large samples of
the five-bit functions; a run of the benchmark uses the scalar path. Everything is int64 and uint64, never a float.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from weightspace import rewrites, streams
from weightspace.corruption import SHIFT, TRIES, WRONG_ROWS, Broken, Place, best_constant
from weightspace.functions import Function
from weightspace.network import MARGIN, Network
from weightspace.rewrites import ATTEMPTS, CORRUPTION_STREAM, NETWORK_STREAM, Hidden, width

if TYPE_CHECKING:
    import numpy as np

    Words = np.ndarray[Any, np.dtype[np.uint64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]

CHUNK = 2048
"""Candidates of one step: small enough for the cache of a laptop."""


def mix(z: Words) -> Words:
    """`streams.mix` on an array; unsigned arithmetic wraps as the scalar path masks."""
    import numpy as np

    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def stream_keys(seeds: Ints, attempts: Ints, purpose: int) -> Words:
    """`streams.stream_key(seed, attempt, purpose)` for each pair."""
    import numpy as np

    golden = np.uint64(streams.GOLDEN)
    key = np.zeros(len(seeds), dtype=np.uint64)
    for step in (seeds.astype(np.uint64), attempts.astype(np.uint64), np.full(1, purpose, dtype=np.uint64)):
        key = mix((key ^ mix(step)) + golden)
    return key


def draws(keys: Words, indices: Sequence[int] | Ints) -> Words:
    """[key, index]: `streams.draw` of every key at every index."""
    import numpy as np

    steps = (np.asarray(indices, dtype=np.uint64) + np.uint64(1)) * np.uint64(streams.GOLDEN)
    return mix(keys[:, None] + steps[None, :])


def below(z: Words, n: int | Words) -> Ints:
    import numpy as np

    return (((z >> np.uint64(32)) * np.asarray(n, dtype=np.uint64)) >> np.uint64(32)).astype(np.int64)


def field(z: Words, k: int, n: int | Ints) -> Ints:
    import numpy as np

    part = (z >> np.uint64(10 * k)) & np.uint64(1023)
    return ((part * np.asarray(n, dtype=np.uint64)) >> np.uint64(10)).astype(np.int64)


def bit(z: Words, k: int) -> Any:
    import numpy as np

    return (z >> np.uint64(k)) & np.uint64(1) == 1


def rounded(numerator: Ints, denominator: Ints | int) -> Ints:
    """`rewrites.rounded`, elementwise."""
    import numpy as np

    size = (2 * np.abs(numerator) + denominator) // (2 * denominator)
    return np.where(numerator >= 0, size, -size)


class Candidates:
    """One attempt each at many networks of one function: W1 [n, hidden, inputs], b1 and v [n, hidden], all int64 thousandths;
    `functional` [n, hidden] marks the copies of the construction's units."""

    def __init__(self, function: Function, hidden: int, keys: Words) -> None:
        import numpy as np

        n, count, inputs = len(keys), len(function.units), function.inputs
        places = np.arange(hidden)

        # Which units of the construction are split, and where: `rewrites.splits`.
        z = draws(keys, range(4 * hidden, 4 * hidden + count + 2))
        wanted = bit(z[:, :count], 0)
        forced = below(z[:, count], count)
        none = ~wanted.any(axis=1)
        wanted[none, forced[none]] = True
        split = wanted & (np.cumsum(wanted, axis=1) <= min(count, hidden - count - 1))
        share = rewrites.SHARE[0] + below(z[:, :count], width(rewrites.SHARE))
        copied = count + split.sum(axis=1)

        # For each place: the unit of the construction it copies and its share; place count + q holds the second part of
        # the q-th split unit.
        unit = np.zeros((n, hidden), dtype=np.int64)
        part = np.full((n, hidden), 1000, dtype=np.int64)
        unit[:, :count] = np.arange(count)
        part[:, :count] = np.where(split, share, 1000)
        network, original = np.nonzero(split)
        second = count + (np.cumsum(split, axis=1) - 1)[network, original]
        unit[network, second] = original
        part[network, second] = 1000 - share[network, original]
        is_copy = places < copied[:, None]

        # Distractors: pairs first, then single units. A pair takes its shape from its first member's draw.
        free = hidden - copied
        most = np.minimum(rewrites.PAIRS, free // 2)
        pairs = np.where(free >= 2, 1 + below(z[:, count + 1], most.astype(np.uint64)), 0)
        offset = places - copied[:, None]
        is_pair = ~is_copy & (offset < 2 * pairs[:, None])
        is_second = is_pair & (offset % 2 == 1)
        shape = draws(keys, 4 * places + 1)
        shape = np.where(is_second, np.roll(shape, 1, axis=1), shape)
        is_dead = ~is_copy & ~is_pair & bit(shape, 60)
        narrow = is_pair & ((shape >> np.uint64(60)) & np.uint64(3) != 0)

        pool = np.array(rewrites.ROWS, dtype=np.int64)
        values = np.array((-2000, -1000, 1000, 2000), dtype=np.int64)
        own = np.stack(
            [values[((shape >> np.uint64(10 + 2 * i)) & np.uint64(3)).astype(np.int64)] for i in range(inputs)], -1
        )
        borrowed = pool[field(shape, 1, len(pool))]
        rows = np.where((field(shape, 0, 2) == 1)[..., None], borrowed, own)
        high = np.maximum(rows, 0).sum(axis=-1)
        low = np.minimum(rows, 0).sum(axis=-1)
        live = -(low + 1000 * field(shape, 2, (high - low) // 1000))
        narrow_peak = rewrites.PAIR_PEAK[0] + field(shape, 2, width(rewrites.PAIR_PEAK))
        gap = rewrites.DEAD_GAP[0] + field(shape, 3, width(rewrites.DEAD_GAP))
        bias = np.where(is_dead, -high - gap, np.where(narrow, narrow_peak - high, live))
        peak = np.maximum(high + bias, 1)  # a dead unit has none; 1 keeps the unused quotient defined
        fine = field(shape, 4, 1024)
        most_added = np.where(
            is_pair,
            rewrites.PAIR_PART[0] + field(shape, 4, width(rewrites.PAIR_PART)),
            rewrites.NEGLIGIBLE_PART[0] + field(shape, 4, width(rewrites.NEGLIGIBLE_PART)),
        )
        size = np.maximum(1, rounded(1000 * most_added, peak))
        size = np.where(is_dead, rewrites.DEAD_OUT[0] + (fine * width(rewrites.DEAD_OUT) >> 10), size)
        out = np.where(bit(shape, 63) ^ is_second, -size, size)

        weights_of = np.array([u.weights for u in function.units], dtype=np.int64)
        bias_of = np.array([u.bias for u in function.units], dtype=np.int64)
        out_of = np.array([u.out for u in function.units], dtype=np.int64)
        rows = np.where(is_copy[..., None], weights_of[unit], rows)
        bias = np.where(is_copy, bias_of[unit], bias)
        out = np.where(is_copy, out_of[unit], out)

        # Rescaling, jitter, permutation.
        factor = rewrites.SCALE[0] + below(draws(keys, 4 * places + 2), width(rewrites.SCALE))
        noise = draws(keys, 4 * places)
        steps = 2 * rewrites.JITTER + 1
        jitter = np.stack([field(noise, i, steps) for i in range(inputs + 1)], axis=-1) - rewrites.JITTER
        rows = rounded(rows * factor[..., None], 1000) + jitter[..., :inputs]
        bias = rounded(bias * factor, 1000) + jitter[..., inputs]
        out = rounded(out * part, factor)
        order = np.argsort(draws(keys, 4 * places + 3), axis=1, kind="stable")
        self.W1 = np.take_along_axis(rows, order[..., None], axis=1)
        self.b1 = np.take_along_axis(bias, order, axis=1)
        self.v = np.take_along_axis(out, order, axis=1)
        self.functional = np.take_along_axis(is_copy, order, axis=1)
        self.c = function.rest

    def network(self, i: int) -> Network:
        return Network(
            W1=tuple(map(tuple, self.W1[i].tolist())),
            b1=tuple(self.b1[i].tolist()),
            v=tuple(self.v[i].tolist()),
            c=self.c,
        )

    def functional_units(self, i: int) -> tuple[int, ...]:
        return tuple(self.functional[i].nonzero()[0].tolist())


def hidden_values(rows: Ints, bias: Ints) -> Ints:
    """max(0, rows . x + bias) on every input, in thousandths: the shape of `bias` and a last axis over N."""
    import numpy as np

    inputs = rows.shape[-1]
    values = np.empty((*bias.shape, 2**inputs), dtype=np.int64)
    values[..., 0] = bias
    for i in range(inputs):
        np.add(values[..., : 2**i], rows[..., i, None], out=values[..., 2**i : 2 ** (i + 1)])
    return np.maximum(values, 0, out=values)


def accepted(candidates: Candidates, truth: Ints) -> tuple[Any, Ints]:
    """(accepted [n], outputs y in millionths [n, N]): `network.inspect` against the truth and the wanted units."""
    import numpy as np

    parts = hidden_values(candidates.W1, candidates.b1)
    parts *= candidates.v[..., None]
    whole = parts.sum(axis=1) + 1000 * candidates.c
    good = (np.abs(whole) > MARGIN).all(axis=1) & ((whole > 0) == (truth == 1)).all(axis=1)
    np.subtract(whole[:, None, :], parts, out=parts)
    changed = ((parts > 0) != (whole > 0)[:, None, :]).any(axis=2)
    good &= (changed == candidates.functional).all(axis=1)
    np.abs(parts, out=parts)
    good &= parts.min(axis=(1, 2)) > MARGIN
    return good, whole


def hide_many(function: Function, hidden: int, seeds: Sequence[int]) -> list[Hidden]:
    """`rewrites.hide` for each seed."""
    return [item for item in _search(function, hidden, seeds, breaking=False) if isinstance(item, Hidden)]


def break_many(function: Function, hidden: int, seeds: Sequence[int]) -> list[Broken]:
    """`corruption.break_network` for each seed."""
    return [item for item in _search(function, hidden, seeds, breaking=True) if isinstance(item, Broken)]


def _search(function: Function, hidden: int, seeds: Sequence[int], *, breaking: bool) -> list[Hidden | Broken | None]:
    import numpy as np

    truth = np.array(function.truth(), dtype=np.int64)
    found: list[Hidden | Broken | None] = [None] * len(seeds)
    values = np.array(seeds, dtype=np.uint64).astype(np.int64)
    for start in range(0, len(seeds), CHUNK):
        waiting = np.arange(start, min(start + CHUNK, len(seeds)))
        for attempt in range(ATTEMPTS):
            if not len(waiting):
                break
            tried = np.full(len(waiting), attempt)
            candidates = Candidates(function, hidden, stream_keys(values[waiting], tried, NETWORK_STREAM))
            good, whole = accepted(candidates, truth)
            if breaking:
                keys = stream_keys(values[waiting], tried, CORRUPTION_STREAM)
                broken = _break(candidates, good.nonzero()[0], whole, keys, truth, attempt)
                for i, item in broken.items():
                    found[waiting[i]] = item
                done = np.zeros(len(waiting), dtype=bool)
                done[list(broken)] = True
            else:
                for i in good.nonzero()[0]:
                    found[waiting[i]] = Hidden(candidates.network(i), candidates.functional_units(i), attempt + 1)
                done = good
            waiting = waiting[~done]
        if len(waiting):
            raise ArithmeticError(f"{function.name}: no network in {ATTEMPTS} attempts for seed {seeds[waiting[0]]}")
    return found


def _break(candidates: Candidates, rows: Any, whole: Ints, keys: Words, truth: Ints, attempt: int) -> dict[int, Broken]:
    """`corruption.corrupt` of the accepted candidates at `rows`; those that no overwrite breaks are left out."""
    import numpy as np

    inputs = candidates.W1.shape[-1]
    most = len(truth) - best_constant(tuple(truth.tolist()))
    counts = candidates.functional.sum(axis=1)
    # Positions of the functional units, in order, in the first columns.
    positions = np.argsort(~candidates.functional, axis=1, kind="stable")
    broken: dict[int, Broken] = {}
    for trial in range(TRIES):
        if not len(rows):
            break
        z = draws(keys[rows], [trial])[:, 0]
        unit = positions[rows, field(z, 0, counts[rows])]
        kind = field(z, 1, inputs + 2)
        shift = SHIFT[0] + below(z, width(SHIFT))
        shift = np.where(bit(z, 30), -shift, shift)
        weights, bias, out = candidates.W1[rows, unit], candidates.b1[rows, unit], candidates.v[rows, unit]
        new_weights = weights + np.where(np.arange(inputs) == kind[:, None], shift[:, None], 0)
        new_bias = bias + np.where(kind == inputs, shift, 0)
        new_out = out + np.where(kind == inputs + 1, shift, 0)
        y = (
            whole[rows]
            - out[:, None] * hidden_values(weights, bias)
            + new_out[:, None] * hidden_values(new_weights, new_bias)
        )
        wrong = ((y > 0) != (truth == 1)).sum(axis=1)
        good = (np.abs(y) > MARGIN).all(axis=1) & (wrong >= WRONG_ROWS) & (wrong <= most)
        for k in good.nonzero()[0]:
            i, j, column = int(rows[k]), int(unit[k]), int(kind[k])
            intact = candidates.network(i)
            place = Place("W1", j, column) if column < inputs else Place("b1" if column == inputs else "v", j)
            original = place.read(intact)
            broken[i] = Broken(
                network=place.write(intact, original + int(shift[k])),
                place=place,
                original=original,
                wrong=int(wrong[k]),
                intact=intact,
                functional=candidates.functional_units(i),
                attempts=attempt + 1,
            )
        rows = rows[~good]
    return broken
