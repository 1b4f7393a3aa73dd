"""How often the suite interval holds the truth: a simulation, every cell of its grid printed.

    python benchmarks/coverage.py [--replications 4000] [--seed 1]

A benchmark is a sample of T tasks with rates from a Beta distribution of the given mean and
concentration (a small one means tasks that are either always or never solved), each drawn R times. The
truth is the mean of that distribution. `F` tasks of one family share their rate. Beside the project's
interval stands the one that pools all draws as if they were independent (Wilson), to show why it is
not used. A cell is inside the promise where the mean lies in [0.2, 0.8] and the concentration is 4 or
more: there at least 94% is asked of the nominal 95%. The others are printed and marked.

Below it, paired differences of two models with the same task difficulties: how often the interval holds the
true difference, and how often two equal models are called different at p < 0.05 (nominal 5%; asked
is at most that and three standard errors of this simulation).

Exit code 1 where a cell inside the promise falls short.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator

import numpy
from benchwright.stats import Cell, paired_difference, suite_interval

PROMISED = 0.94
Z = 1.959963984540054

TASKS = (8, 12, 30, 100)
DRAWS = (1, 3, 5)
MEANS = (0.05, 0.2, 0.5, 0.8, 0.95)
CONCENTRATIONS = (1.0, 4.0, 20.0, math.inf)


def grid() -> Iterator[tuple[int, int, int, float, float]]:
    """(tasks, tasks a family, draws, mean, concentration)."""
    for tasks in TASKS:
        for draws in DRAWS:
            for mean in MEANS:
                for concentration in CONCENTRATIONS:
                    yield tasks, 1, draws, mean, concentration
    for mean in MEANS:
        for concentration in CONCENTRATIONS:
            yield 48, 3, 5, mean, concentration


def wilson(k: int, n: int) -> tuple[float, float]:
    """Wilson's interval of k in n."""
    rate = k / n
    centre = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    return centre - half, centre + half


def cell(
    tasks: int,
    family: int,
    draws: int,
    mean: float,
    concentration: float,
    replications: int,
    rng: numpy.random.Generator,
) -> tuple[float, float, float]:
    """(coverage, coverage of pooled Wilson, mean width)."""
    groups = tasks // family
    if math.isinf(concentration):
        rates = numpy.full((replications, groups), mean)
    else:
        rates = rng.beta(mean * concentration, (1 - mean) * concentration, (replications, groups))
    solved = rng.binomial(draws, numpy.repeat(rates, family, axis=1))
    clusters = [str(task // family) for task in range(tasks)]
    held = pooled = 0
    width = 0.0
    for row in solved:
        found = suite_interval([int(k) / draws for k in row], clusters, tasks * draws)
        assert found is not None
        held += found.low <= mean <= found.high
        width += found.high - found.low
        low, high = wilson(int(row.sum()), tasks * draws)
        pooled += low <= mean <= high
    return held / replications, pooled / replications, width / replications


PAIR_TASKS = (8, 12, 30, 100)
PAIR_GAPS = (0.0, 0.2)


def pair(tasks: int, draws: int, gap: float, replications: int, rng: numpy.random.Generator) -> tuple[float, float]:
    """(coverage of the paired interval, how often p < 0.05). `gap` is the mean difference of the two models' rates."""
    base = rng.beta(2.0, 2.0, (replications, tasks)) * (1 - gap)
    other = base + gap * rng.uniform(0, 2, (replications, tasks)) * (1 - base) / (1 - base).mean()
    solved = rng.binomial(draws, base), rng.binomial(draws, numpy.clip(other, 0, 1))
    truth = float((numpy.clip(other, 0, 1) - base).mean())
    held = found = 0
    for a, b in zip(*solved, strict=True):
        got = paired_difference(_cells(b, draws), _cells(a, draws))
        assert got.low is not None
        assert got.high is not None
        assert got.p is not None
        held += got.low <= truth <= got.high
        found += got.p < 0.05
    return held / replications, found / replications


def _cells(row: numpy.ndarray, draws: int) -> list[Cell]:
    return [
        Cell(f"t{task}", f"t{task}", (1.0,) * int(k) + (0.0,) * (draws - int(k)), int(k)) for task, k in enumerate(row)
    ]


def pairs(replications: int, rng: numpy.random.Generator) -> int:
    """Prints the paired grid; gives how many cells of equal models are called different too often."""
    print(f"\n{'tasks':>5} {'draws':>5} {'gap':>5} {'held':>7} {'p<0.05':>7}")
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / replications)
    wrong = 0
    for tasks in PAIR_TASKS:
        for draws in (1, 5):
            for gap in PAIR_GAPS:
                held, found = pair(tasks, draws, gap, replications, rng)
                bad = gap == 0 and found > most
                wrong += bad
                mark = " TOO OFTEN" if bad else ""
                print(f"{tasks:>5} {draws:>5} {gap:>5} {held:>7.4f} {found:>7.4f}{mark}", flush=True)
    return wrong


def main() -> int:
    """Prints both grids, then one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replications", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = numpy.random.default_rng(options.seed)
    print(f"{'tasks':>5} {'family':>6} {'draws':>5} {'mean':>5} {'conc.':>5} {'held':>7} {'pooled':>7} {'width':>6}")
    promised: list[float] = []
    for tasks, family, draws, mean, concentration in grid():
        held, pooled, width = cell(tasks, family, draws, mean, concentration, options.replications, rng)
        inside = 0.2 <= mean <= 0.8 and concentration >= 4
        if inside:
            promised.append(held)
        mark = "" if held >= PROMISED else " SHORT" if inside else " short, outside the promise"
        print(
            f"{tasks:>5} {family:>6} {draws:>5} {mean:>5} {concentration:>5} {held:>7.4f} {pooled:>7.4f} {width:>6.3f}{mark}",
            flush=True,
        )
    short = sum(held < PROMISED for held in promised)
    wrong = pairs(max(200, options.replications // 4), rng)
    print(
        json.dumps(
            {
                "replications": options.replications,
                "cells_promised": len(promised),
                "lowest_promised": min(promised),
                "short_of_94": short,
                "equal_models_called_different_too_often": wrong,
            }
        )
    )
    return 1 if short or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
