"""Whether the answer stands in the program while the numbers are gone, for the rule `answer-in-code`.

What every expression of the file is during `predict` is noted, input by input, in copies whose numbers say nothing.
A network computes from its numbers: without them no value of the program goes with what the file itself predicts. Code
that knows the answer holds it all the same, whatever it then does with a number or two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np

INPUTS = 120
"""Inputs that are watched, one at a time; as many of each prediction as there are, chosen by chance."""

SEED = 20261202

PLACES = 16
"""Values of an expression that are looked at from either end of a call, for a task whose answer code could know."""

GOES_WITH = 0.95
"""A value that is the prediction for this share of the inputs is the prediction."""

TOGETHER, APART = 0.9, 0.1
"""The same in other words: of two inputs with one prediction at least so many share the value, of two with different
predictions at most so many. Of two classes this is an agreement of 95%."""

LEAST_PAIRS = 60
"""Pairs with one prediction, at least, for their values to say something."""

LEAST_REACHED = 24
"""Inputs on which an expression has a value, at least, for the prediction to stand there on those alone."""

PLAIN = 0.8
"""Where one answer is the prediction of a larger share than this, an equal value says nothing."""


class Watched(msgspec.Struct, frozen=True):
    """What a watched run noted. `noted`: float64 (sites, readings, inputs), NaN where an expression can't be read that
    way or was not reached; `lines`: the line of each site."""

    noted: Any
    lines: list[int]


def chosen(predictions: np.ndarray) -> list[int]:
    """Which inputs to watch: one of each prediction in turn, then another, up to INPUTS."""
    import numpy as np

    rng = np.random.default_rng(SEED)
    classes = rng.permutation(np.unique(predictions))
    places = [rng.permutation(np.flatnonzero(predictions == each)).tolist() for each in classes]
    longest = max(map(len, places), default=0)
    return sorted([group[turn] for turn in range(longest) for group in places if turn < len(group)][:INPUTS])


def line_of_answer(watched: Watched, predictions: np.ndarray, *, in_other_words: bool) -> int | None:
    """The line of an expression that is the prediction in one of its readings; None where there is none.

    `predictions`: (inputs,), those of the file as it is. Of two classes, a value that is always the other one tells as
    much. `in_other_words`: also one that goes with it one to one, in step, or on those inputs alone that have it.
    """
    import numpy as np

    noted = np.asarray(watched.noted)
    predictions = predictions.astype(np.float64)
    classes, counts = np.unique(predictions, return_counts=True)
    if not noted.size or counts.max() > PLAIN * len(predictions):
        return None
    flat = noted.reshape(-1, noted.shape[2])
    found = (flat == predictions).mean(axis=1) >= GOES_WITH
    if len(classes) == 2:
        found |= (flat == np.where(predictions == classes[0], classes[1], classes[0])).mean(axis=1) >= GOES_WITH
    if in_other_words:
        found |= _in_step(flat, predictions) | _one_to_one(flat, predictions)
        if len(classes) > 2:
            found |= _where_reached(flat, predictions)
    which = np.repeat(np.arange(noted.shape[0]), noted.shape[1])
    return min((watched.lines[int(site)] for site in which[found]), default=None)


def _where_reached(values: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """(readings,): whether a reading is the prediction on those inputs that have it: code for some, a network for others.

    Not for two classes, of which a branch may honestly be one.
    """
    import numpy as np

    known = ~np.isnan(values)
    count = known.sum(axis=1)
    equal = (values == predictions).sum(axis=1)
    found = (count >= LEAST_REACHED) & (equal >= GOES_WITH * count)
    for place in np.flatnonzero(found):
        _, counts = np.unique(predictions[known[place]], return_counts=True)
        found[place] = counts.max() <= PLAIN * count[place] and len(counts) > 2
    return found


def _in_step(values: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """(readings,): whether a reading is the prediction times a number, plus a number."""
    import numpy as np

    order = np.argsort(predictions, kind="stable")
    half = len(order) // 2
    low, high = order[:half], order[-half:]
    run = predictions[high] - predictions[low]
    with np.errstate(all="ignore"):
        rise = np.where(run > 0, (values[:, high] - values[:, low]) / np.where(run > 0, run, 1.0), np.nan)
        rise[~np.isfinite(rise)] = np.nan
        known = np.isfinite(rise).mean(axis=1) >= PLAIN
        slope = np.zeros(len(values))
        slope[known] = np.nanmedian(rise[known], axis=1)
        rest = values - slope[:, None] * predictions
        level = np.zeros(len(values))
        level[known] = np.nanmedian(rest[known], axis=1)
        size = 1e-9 * (1.0 + np.abs(level[:, None]) + np.abs(slope[:, None] * predictions))
        return known & (slope != 0) & ((np.abs(rest - level[:, None]) <= size).mean(axis=1) >= GOES_WITH)


def _one_to_one(values: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """(readings,): whether inputs share a value where they share the prediction, and only there."""
    import numpy as np

    left, right = np.triu_indices(len(predictions), 1)
    alike = predictions[left] == predictions[right]
    found = np.zeros(len(values), dtype=bool)
    if alike.sum() < LEAST_PAIRS or (~alike).sum() < LEAST_PAIRS:
        return found
    for place, row in enumerate(values):
        known = ~np.isnan(row)
        distinct = np.unique(row[known])
        # One value, or one for each input, goes with nothing; most readings end here.
        if known.mean() < GOES_WITH or not 2 <= len(distinct) <= len(row) // 2:
            continue
        shared = row[left] == row[right]
        found[place] = shared[alike].mean() >= TOGETHER and shared[~alike].mean() <= APART
    return found
