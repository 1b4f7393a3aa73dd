"""What repeated draws add: success within k draws, and whether more draws or more tasks would sharpen a score."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from benchwright.stats.intervals import Cell, moments


def pass_at_k(n: int, c: int, k: int) -> float:
    """Probability that at least one of k draws succeeds, unbiased, from c successes in n >= k draws.

    1 - C(n - c, k) / C(n, k) (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1).
    """
    _check(n, c, k)
    return 1 - math.comb(n - c, k) / math.comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Probability that all of k draws succeed, unbiased: C(c, k) / C(n, k) (Yao et al. 2024, tau-bench)."""
    _check(n, c, k)
    return math.comb(c, k) / math.comb(n, k)


def _check(n: int, c: int, k: int) -> None:
    if not (1 <= k <= n and 0 <= c <= n):
        raise ValueError(f"needs 1 <= k <= n and 0 <= c <= n, got n={n}, c={c}, k={k}")


class Spread(msgspec.Struct, frozen=True):
    """Where the uncertainty of a suite's score comes from."""

    draw_share: float | None
    """Share of the squared standard error that chance between draws makes up, in [0, 1]; None where no task has two draws, or tasks do not differ."""
    more_tasks: float | None
    """Standard error with twice the tasks."""
    more_draws: float | None
    """Standard error with twice the draws a task."""
    advice: str


def spread(drawn: Sequence[Cell]) -> Spread:
    """Splits the variance of a suite's score into tasks and draws (Miller 2024, "Adding Error Bars to Evals").

    With p_i the mean of task i's R draws, var(p_i) holds both: the part of the draws is
    mean_i(var(draws of i) / R), which for yes-or-no draws is mean_i(p_i (1 - p_i) / (R - 1)).
    """
    seen = [cell for cell in drawn if cell.scores]
    repeated = [cell for cell in seen if cell.n > 1]
    if len(seen) < 2 or not repeated:
        return Spread(
            None, None, None, "Two draws a task, or more, would tell whether draws or tasks limit this score."
        )
    within = math.fsum(draw_variance(cell.scores) for cell in repeated) / len(repeated)
    got = moments([math.fsum(cell.scores) / cell.n for cell in seen], [cell.cluster for cell in seen])
    return split(got.se**2, within / len(seen))


def draw_variance(scores: Sequence[float]) -> float:
    """Variance of the mean of these draws: their sample variance over their number; 0 for one draw."""
    if len(scores) < 2:
        return 0.0
    mean = math.fsum(scores) / len(scores)
    return math.fsum((score - mean) ** 2 for score in scores) / (len(scores) - 1) / len(scores)


def split(square: float, within: float) -> Spread:
    """`square`: a squared standard error over tasks; `within`: the part of it that comes from draws."""
    if square <= 0:
        return Spread(None, None, None, "Every task gave the same, so there is no spread to split.")
    share = min(1.0, within / square)
    if share >= 0.5:
        advice = "More draws would sharpen it as well as more tasks."
    elif share >= 0.2:
        advice = "More tasks would sharpen it most, more draws a little."
    else:
        advice = "More tasks would sharpen it, more draws hardly."
    return Spread(share, math.sqrt(square / 2), math.sqrt(square * (1 - share / 2)), advice)
