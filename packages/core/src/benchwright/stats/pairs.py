"""What models say against each other: paired differences, adjusted p values, rank intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import msgspec

from benchwright.stats.draws import Spread, draw_variance, split
from benchwright.stats.intervals import Cell, moments
from benchwright.stats.quantiles import beta_quantile, t_cdf, t_quantile

EXACT_UP_TO = 12
"""Clusters up to which every flip of signs is counted: 4,096 of them."""


class Difference(msgspec.Struct, frozen=True):
    """Model A minus model B on the tasks where both have evidence; the numbers are None where none is common."""

    tasks: int
    clusters: float
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    """Two-sided p value of no difference."""
    test: str
    """`sign-flip` (exact) or `t`."""
    detectable: float | None
    """Smallest true difference this design finds in four of five repetitions; see `minimum_detectable`."""
    moved: tuple[tuple[str, float, float], ...]
    """(task, mean of A, mean of B) where the two differ, the largest difference first."""
    spread: Spread | None = None


def paired_difference(a: Sequence[Cell], b: Sequence[Cell], level: float = 0.95) -> Difference:
    """Paired difference D = mean_i(p_iA - p_iB) with D +- t_{T-1} se (Miller 2024, "Adding Error Bars to Evals").

    Tasks of one family are one cluster. The p value is the exact sign-flip test for up to
    `EXACT_UP_TO` clusters, Student's t beyond. Where every difference is the same no spread was seen,
    and the half-width is instead the Jeffreys upper bound for the share of tasks that move, 0 seen of T.
    """
    theirs = {cell.task: cell for cell in b if cell.scores}
    common = [(cell, theirs[cell.task]) for cell in a if cell.scores and cell.task in theirs]
    if not common:
        return Difference(0, 0.0, None, None, None, None, "t", None, ())
    means = [(math.fsum(x.scores) / x.n, math.fsum(y.scores) / y.n) for x, y in common]
    values = [x - y for x, y in means]
    clusters = [x.cluster for x, _ in common]
    got = moments(values, clusters)
    df = got.clusters - 1
    quantile = t_quantile((1 + level) / 2, df)
    if got.se > 0:
        half = quantile * got.se
        se = got.se
    else:
        half = beta_quantile((1 + level) / 2, 0.5, got.clusters + 0.5)
        se = half / quantile
    groups: dict[str, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups[cluster] = groups.get(cluster, 0.0) + value
    if len(groups) <= EXACT_UP_TO or got.se == 0:
        test, p = "sign-flip", sign_flip_p(list(groups.values()))
    else:
        test, p = "t", 2 * t_cdf(-abs(got.mean) / got.se, df)
    moved = sorted(
        ((x.task, left, right) for (x, _), (left, right) in zip(common, means, strict=True) if left != right),
        key=lambda row: (-abs(row[1] - row[2]), row[0]),
    )
    repeated = any(x.n > 1 and y.n > 1 for x, y in common)
    within = math.fsum(draw_variance(x.scores) + draw_variance(y.scores) for x, y in common) / len(common) ** 2
    return Difference(
        tasks=len(common),
        clusters=got.clusters,
        difference=got.mean,
        low=max(-1.0, got.mean - half),
        high=min(1.0, got.mean + half),
        p=p,
        test=test,
        detectable=minimum_detectable(se, df, level),
        moved=tuple(moved),
        spread=split(got.se**2, within) if repeated else None,
    )


def sign_flip_p(values: Sequence[float]) -> float:
    """Exact two-sided p value that `values` lie symmetrically about 0 (Fisher 1935, section 21).

    The share of all 2^T choices of sign whose absolute sum is at least the one observed. Beyond
    `EXACT_UP_TO` values only the case of equal values is open, which has a closed form.
    """
    if len(values) > EXACT_UP_TO:
        if len(set(values)) > 1:
            raise ValueError(f"the exact test takes at most {EXACT_UP_TO} different values, got {len(values)}")
        return 1.0 if values[0] == 0 else math.ldexp(1.0, 1 - len(values))
    observed = abs(math.fsum(values))
    slack = 1e-12 * math.fsum(abs(value) for value in values)
    reached = sum(
        abs(sum(sign * value for sign, value in zip(signs, values, strict=True))) >= observed - slack
        for signs in product((1, -1), repeat=len(values))
    )
    return math.ldexp(reached, -len(values))


def minimum_detectable(se: float, df: float, level: float = 0.95, power: float = 0.8) -> float | None:
    """The difference found with probability `power` at this standard error: (t_{.975} + t_{.8}) se, 1 at most.

    Bloom 1995, "Minimum Detectable Effects". None for one cluster, which can find nothing.
    """
    if df <= 0:
        return None
    return min(1.0, (t_quantile((1 + level) / 2, df) + t_quantile(power, df)) * se)


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for their number by Holm's step-down method (Holm 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for place, index in enumerate(order):
        least = max(least, min(1.0, (len(order) - place) * p_values[index]))
        adjusted[index] = least
    return adjusted


class RankInterval(msgspec.Struct, frozen=True):
    """The places a model may hold: from `best` to `worst`, 1 being the top."""

    best: int
    worst: int


def rank_intervals(
    models: Mapping[str, Sequence[Cell]], level: float = 0.95
) -> tuple[dict[str, RankInterval], dict[tuple[str, str], tuple[Difference, float | None]]]:
    """Rank intervals, and each pair's difference with its Holm-adjusted p value (None where nothing is common).

    [1 + models significantly better, M - models significantly worse], by paired tests on common tasks.
    """
    names = sorted(models)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    found = {(a, b): paired_difference(models[a], models[b], level) for a, b in pairs}
    tested = [pair for pair in pairs if found[pair].p is not None]
    adjusted = dict(zip(tested, holm([found[pair].p or 0.0 for pair in tested]), strict=True))
    better = dict.fromkeys(names, 0)
    worse = dict.fromkeys(names, 0)
    for (a, b), p in adjusted.items():
        gap = found[a, b].difference or 0.0
        if p < 1 - level and gap != 0:
            upper, lower = (a, b) if gap > 0 else (b, a)
            better[lower] += 1
            worse[upper] += 1
    ranks = {name: RankInterval(1 + better[name], len(names) - worse[name]) for name in names}
    return ranks, {pair: (found[pair], adjusted.get(pair)) for pair in pairs}
