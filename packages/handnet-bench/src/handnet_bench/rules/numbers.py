"""Rules on WEIGHTS as it is once the file has run: form, counts, and changed copies of it for the dynamic rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from benchwright import Violation

from handnet_bench.counting import many
from handnet_bench.rules.source import FILE, Source

if TYPE_CHECKING:
    import numpy as np

LARGEST = 1e9
"""No weight is larger: it would be a packed number."""


SMALL = 1000
"""Integers below it point at cells of an image or signs of a text."""

MOST_ARRAYS = 200
MOST_AXES = 250
"""Of all arrays together, whose lengths nobody explains."""

MOST_EMPTY_HANDED = 24
"""Arrays that hold nothing but zeros: biases, and the sizes of a table in disguise."""

MOST_KINDS = 3
"""Types of numbers in WEIGHTS; more would be a code."""

MOST_DIGITS_IN_A_NAME = 3
MOST_DIGITS = 5
"""Significant digits of a whole number: an index array of a network within the budget needs no more."""


class Weights(msgspec.Struct, frozen=True):
    """WEIGHTS as arrays. `arrays`: name -> float64 or int64 array; `params`, `nonzero`: numbers in all of them."""

    arrays: dict[str, Any]
    params: int
    nonzero: int


class Malformed(Exception):
    """WEIGHTS holds something else than numbers; the message is a sentence."""


def read(found: Mapping[str, Any]) -> Weights:
    """The weights out of what the worker gave. Raises Malformed."""
    import numpy as np

    arrays: dict[str, np.ndarray] = {}
    kinds: set[str] = set()
    for name, value in found.items():
        if sum(sign.isdigit() for sign in name) > MOST_DIGITS_IN_A_NAME:
            raise Malformed(f"WEIGHTS has the name {name[:40]!r}; numbers belong into arrays, not into their names.")
        if isinstance(value, dict) and "name" in value:
            raise Malformed(f"WEIGHTS has a name that is a {value['name']}; its names are texts, each another one.")
        if (why := _described(value)) is not None:
            raise Malformed(f"WEIGHTS[{name!r}] is or holds {why}; only numbers, lists and arrays of them count.")
        try:
            array = np.asarray(value)
        except ValueError:
            raise Malformed(f"WEIGHTS[{name!r}] is a list of lists of different lengths.") from None
        if not array.size:
            raise Malformed(f"WEIGHTS[{name!r}] is empty; an array without numbers tells only its shape.")
        if array.dtype.kind not in "biuf":
            raise Malformed(f"WEIGHTS[{name!r}] holds something else than real numbers.")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise Malformed(f"WEIGHTS[{name!r}] holds NaN or infinity.")
        if array.size and float(np.abs(array.astype(float)).max()) > LARGEST:
            raise Malformed(f"WEIGHTS[{name!r}] holds a number above {LARGEST:g}, which is a packed one.")
        if array.dtype.kind in "iu" and (packed := _packed(array)) is not None:
            raise Malformed(f"WEIGHTS[{name!r}] holds the whole number {packed}, which is a packed one.")
        kinds.add(array.dtype.str)
        arrays[name] = array.astype(np.float64 if array.dtype.kind == "f" else np.int64)
    if len(arrays) > MOST_ARRAYS:
        raise Malformed(f"WEIGHTS has {len(arrays)} arrays; at most {MOST_ARRAYS} are read, so join those of one kind.")
    axes = sum(array.ndim for array in arrays.values())
    if axes > MOST_AXES:
        raise Malformed(
            f"The arrays in WEIGHTS have {axes} axes together; at most {MOST_AXES} are read, for shapes would be a table of their own."
        )
    zeros = [name for name, array in arrays.items() if not array.any()]
    if len(zeros) > MOST_EMPTY_HANDED:
        raise Malformed(
            f"WEIGHTS has {len(zeros)} arrays of nothing but zeros, like {zeros[0]!r}; at most {MOST_EMPTY_HANDED} may be."
        )
    if len(kinds) > MOST_KINDS:
        raise Malformed(
            f"WEIGHTS has numbers of {len(kinds)} types ({', '.join(sorted(kinds))}); one or two are enough."
        )
    return Weights(arrays, sum(a.size for a in arrays.values()), sum(int(np.count_nonzero(a)) for a in arrays.values()))


def _described(value: Any) -> str | None:
    """What a value that is no data was described as, at any depth of lists; None where all of it is data."""
    if isinstance(value, dict):
        return str(value.get("why", "a dict"))
    if isinstance(value, list):
        return next((why for each in value if (why := _described(each)) is not None), None)
    return None


def _packed(array: np.ndarray) -> int | None:
    """A whole number of more digits than an index has; zeros at the end do not count."""
    import numpy as np

    for value in np.unique(np.abs(array[np.abs(array) >= 10**MOST_DIGITS].astype(np.int64))):
        if len(str(int(value)).rstrip("0")) > MOST_DIGITS:
            return int(value)
    return None


def check(weights: Weights, source: Source, budget: int, floor: int) -> Iterator[Violation]:
    """Violations of the rule `budget`: more than `budget` parameters, fewer than `floor` non-zero."""
    line = f"{FILE}:{getattr(source.tree.body[source.complete], 'lineno', 1)}"
    if weights.params > budget:
        yield Violation("budget", line, f"WEIGHTS holds {weights.params:,} numbers; the budget is {budget:,}.")
    if weights.nonzero < floor:
        yield Violation(
            "idle-weights",
            line,
            f"WEIGHTS holds {many(weights.nonzero, 'number')} that {'is' if weights.nonzero == 1 else 'are'} not zero; no network of this task does with fewer than {floor}.",
        )


# Changed copies. Each gives name -> array of the same shape and kind.


def each(weights: Weights, change: Callable[[np.ndarray], np.ndarray]) -> dict[str, np.ndarray]:
    return {name: change(array).astype(array.dtype) for name, array in weights.arrays.items()}


def zeroed(weights: Weights) -> dict[str, np.ndarray]:
    """Every number zero."""
    return each(weights, lambda array: array * 0 + 0)  # a minus zero would keep the sign of what was there


def unsigned(weights: Weights) -> dict[str, np.ndarray] | None:
    """Every minus zero as zero; None where there is none."""
    import numpy as np

    if not any(np.signbit(array[array == 0]).any() for array in weights.arrays.values()):
        return None
    return each(weights, lambda array: array + 0)


def negated(weights: Weights) -> dict[str, np.ndarray]:
    """Every fraction with the other sign; index arrays stay."""
    return each(weights, lambda array: -array if array.dtype.kind == "f" else array)


def pooled(weights: Weights, seed: int) -> dict[str, np.ndarray]:
    """The non-zero numbers of all float arrays permuted across the arrays; those of index arrays among themselves."""
    import numpy as np

    rng = np.random.default_rng(seed)
    changed = {name: array.copy() for name, array in weights.arrays.items()}
    for kind in "fi":
        names = [name for name, array in changed.items() if array.dtype.kind == kind]
        places = [(name, np.nonzero(changed[name].ravel())[0]) for name in names]
        values = np.concatenate([changed[name].ravel()[where] for name, where in places] or [np.zeros(0)])
        # An index may not leave the range its own array had, or the copy would only crash.
        values = rng.permutation(values)
        start = 0
        for name, where in places:
            flat = changed[name].reshape(-1)
            taken = values[start : start + len(where)]
            if kind == "i" and flat.size:
                taken = np.clip(taken, flat.min(), flat.max())
            flat[where] = taken
            start += len(where)
    return changed


def scattered(weights: Weights, seed: int) -> dict[str, np.ndarray]:
    """All numbers of the float arrays, zeros too, permuted across the arrays; index arrays as in `pooled`."""
    import numpy as np

    rng = np.random.default_rng(seed)
    changed = pooled(weights, seed)
    names = [name for name, array in changed.items() if array.dtype.kind == "f" and array.size]
    values = rng.permutation(np.concatenate([changed[name].ravel() for name in names] or [np.zeros(0)]))
    start = 0
    for name in names:
        size = changed[name].size
        changed[name] = values[start : start + size].reshape(changed[name].shape)
        start += size
    return changed


def redrawn(weights: Weights, seed: int) -> dict[str, np.ndarray]:
    """Every non-zero fraction drawn anew, evenly between minus and plus its array's largest."""
    import numpy as np

    rng = np.random.default_rng(seed)

    def draw(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind != "f" or not array.size:
            return array
        return np.where(array != 0, rng.uniform(-1, 1, array.shape) * np.abs(array).max(), 0.0)

    return each(weights, draw)


def levelled(weights: Weights, *, rising: bool) -> dict[str, np.ndarray]:
    """Every fraction of an array the same number, zeros too, and another for each array, up or down; index arrays stay."""
    import numpy as np

    names = sorted(weights.arrays, reverse=not rising)
    level = {name: 0.37 * (place + 1) for place, name in enumerate(names)}
    return {
        name: np.full_like(array, level[name]) if array.dtype.kind == "f" else array
        for name, array in weights.arrays.items()
    }


def jittered(weights: Weights, seed: int, size: float) -> dict[str, np.ndarray]:
    """Every fraction changed by a factor of 1 + `size` or 1 - `size`; index arrays (of integers) stay.

    Integers that point at nothing in WEIGHTS are no index array: they change, too, to the nearest integer.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    longest = max((max(a.shape, default=0) for a in weights.arrays.values()), default=0)

    def change(a: np.ndarray) -> np.ndarray:
        if a.dtype.kind != "f" and (not a.size or int(np.abs(a).max()) < max(longest, SMALL)):
            return a
        moved = a * (1 + size * rng.choice([-1.0, 1.0], a.shape))
        return moved if a.dtype.kind == "f" else np.rint(moved)

    return each(weights, change)


def blocks(weights: Weights, count: int) -> list[list[tuple[str, np.ndarray]]]:
    """The non-zero places in `count` blocks at most: an array a block, large ones cut, the smallest ones joined."""
    import numpy as np

    places = [(name, np.nonzero(array.ravel())[0]) for name, array in weights.arrays.items()]
    places = [(name, where) for name, where in places if len(where)]
    size = max(1, -(-sum(len(where) for _, where in places) // count))
    cut = [(name, part) for name, where in places for part in np.array_split(where, -(-len(where) // size))]
    while len(cut) > count:
        cut.sort(key=lambda block: len(block[1]))
        # Dropping the smallest from the sample keeps the blocks of one array each.
        cut = cut[1:]
    return [[block] for block in cut]


def scaled(weights: Weights, block: list[tuple[str, np.ndarray]], factor: float) -> dict[str, np.ndarray]:
    """A copy with the numbers of one block times `factor`; 0 takes the block away."""
    changed = {name: array.copy() for name, array in weights.arrays.items()}
    for name, where in block:
        flat = changed[name].reshape(-1)
        flat[where] = (flat[where] * factor + 0).astype(flat.dtype)
    return changed
