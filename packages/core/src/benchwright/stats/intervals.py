"""What one model's attempts say: per task, per suite, across suites."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt
from benchwright.stats.quantiles import beta_quantile, t_quantile


class Interval(msgspec.Struct, frozen=True):
    """Two bounds, `low` <= `high`."""

    low: float
    high: float


class Cell(msgspec.Struct, frozen=True):
    """One model at one task: the scores of the draws that are evidence, and what the others were."""

    task: str
    cluster: str
    scores: tuple[float, ...]
    """Scores in [0, 1], one a draw with evidence."""
    solved: int
    missing: dict[str, int] = {}
    """Outcome -> draws without evidence."""
    parse_failures: int = 0

    @property
    def n(self) -> int:
        """Draws with evidence."""
        return len(self.scores)

    @property
    def mean(self) -> float | None:
        """Mean score over the draws with evidence; None without any."""
        return math.fsum(self.scores) / len(self.scores) if self.scores else None

    def strict(self) -> Cell:
        """This cell with `refused` and `truncated` draws counted as failures."""
        failed = self.missing.get("refused", 0) + self.missing.get("truncated", 0)
        left = {name: count for name, count in self.missing.items() if name not in ("refused", "truncated")}
        return msgspec.structs.replace(self, scores=self.scores + (0.0,) * failed, missing=left)


class Summary(msgspec.Struct, frozen=True):
    """One model on one suite. `score`, `low`, `high` are None where no draw was evidence."""

    score: float | None
    """Mean over tasks of each task's mean score."""
    low: float | None
    high: float | None
    k: int
    """Solved draws."""
    n: int
    """Draws with evidence."""
    tasks: int
    """Tasks with evidence."""
    clusters: int
    """Families among them; a task without a family is its own."""
    draws: int
    """The most draws any task has, evidence or not."""
    attempts: int
    """All draws, evidence or not."""
    missing: dict[str, int]
    """Outcome -> draws without evidence."""
    tasks_missing: int
    """Tasks of which no draw is evidence."""
    parse_failures: int
    """Draws whose reply held no readable submission."""
    strict_score: float | None
    """As `score`, with `refused` and `truncated` draws counted as failures."""
    strict_low: float | None
    strict_high: float | None
    se: float | None = None
    """Standard error of `score` over clusters; see `overall`."""
    df: float = 0.0
    """Degrees of freedom of `se`."""

    @property
    def evidence_rate(self) -> float | None:
        """Draws with evidence over all draws."""
        return self.n / self.attempts if self.attempts else None

    @property
    def parse_failure_rate(self) -> float | None:
        """Unreadable replies over draws with evidence."""
        return self.parse_failures / self.n if self.n else None


class Overall(msgspec.Struct, frozen=True):
    """A weighted score across suites; every field is None where a suite is missing."""

    score: float | None
    low: float | None
    high: float | None
    missing: tuple[str, ...]
    """Suites without a score, by name: the model is incomplete."""


def task_interval(k: int, n: int, level: float = 0.95) -> Interval | None:
    """Jeffreys interval of a rate from k successes in n draws; None for n = 0.

    Quantiles of Beta(k + 1/2, n - k + 1/2), the bound at 0 or 1 where k is 0 or n (Brown, Cai and
    DasGupta 2001, "Interval Estimation for a Binomial Proportion", section 4.1).
    """
    if not 0 <= k <= n:
        raise ValueError(f"k lies between 0 and n, got k={k}, n={n}")
    if n == 0:
        return None
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else beta_quantile(tail, k + 0.5, n - k + 0.5)
    high = 1.0 if k == n else beta_quantile(1 - tail, k + 0.5, n - k + 0.5)
    return Interval(low, high)


class Moments(msgspec.Struct, frozen=True):
    """Mean of values that come in clusters, and how sure it is."""

    mean: float
    se: float
    """Cluster-robust standard error; the plain one where every value is its own cluster."""
    clusters: float
    """Effective number of clusters, N^2 / sum(size^2) (Kish 1965): their number where they are equally large."""


def moments(values: Sequence[float], clusters: Sequence[str]) -> Moments:
    """Mean and cluster-robust standard error (CR1; Miller 2024, "Adding Error Bars to Evals").

    se^2 = G / (G - 1) * sum over the G clusters of (sum of the cluster's residuals)^2 / N^2, which is
    var / G for clusters of one size. 0 where there is one cluster only.
    """
    size = len(values)
    mean = math.fsum(values) / size
    groups: dict[str, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups.setdefault(cluster, []).append(value - mean)
    count = len(groups)
    effective = size * size / sum(len(group) ** 2 for group in groups.values())
    if count < 2:
        return Moments(mean, 0.0, effective)
    square = math.fsum(math.fsum(group) ** 2 for group in groups.values())
    return Moments(mean, math.sqrt(count / (count - 1) * square) / size, effective)


def suite_interval(
    values: Sequence[float], clusters: Sequence[str], draws: int, level: float = 0.95
) -> Interval | None:
    """Interval of a suite's score, the mean of `values`; None without any.

    `values`: one mean score in [0, 1] a task; `clusters`: the family of each; `draws`: all draws with
    evidence. The tasks are a sample of tasks that could have been asked, so the spread between
    clusters carries the interval and draws are never pooled as if independent. A Jeffreys interval at
    the effective sample size (Dean and Pagano 2015, for the binomial under clustering; Korn and
    Graubard 1998 for the correction by t quantiles): with T clusters,
    n_eff = clip(S (1 - S) / se^2, 0.7 T, draws), or T where S is 0 or 1,
    n* = max(1, n_eff (z / t_{T-1})^2), bounds from Beta(S n* + 1/2, (1 - S) n* + 1/2).
    """
    if not values:
        return None
    got = moments(values, clusters)
    tail = (1 - level) / 2
    shrink = (_normal_quantile(1 - tail) / t_quantile(1 - tail, got.clusters - 1)) ** 2
    size = max(1.0, effective_size(got, draws) * shrink)
    score = min(1.0, max(0.0, got.mean))
    low = 0.0 if score == 0 else beta_quantile(tail, score * size + 0.5, (1 - score) * size + 0.5)
    high = 1.0 if score == 1 else beta_quantile(1 - tail, score * size + 0.5, (1 - score) * size + 0.5)
    return Interval(min(low, score), max(high, score))


def effective_size(got: Moments, draws: int) -> float:
    """n_eff of `suite_interval`: independent yes-or-no draws that would be as sure of the mean."""
    spread = got.mean * (1 - got.mean)
    if spread <= 0:
        return got.clusters
    most = max(float(draws), got.clusters)
    if got.se == 0:
        return most if got.clusters > 1 else 0.7 * got.clusters
    return min(most, max(0.7 * got.clusters, spread / got.se**2))


def cells(attempts: Iterable[Attempt]) -> list[Cell]:
    """The attempts of one model, a cell a task, in the order in which tasks first occur."""
    scores: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    solved: dict[str, int] = {}
    missing: dict[str, dict[str, int]] = {}
    unread: dict[str, int] = {}
    for attempt in attempts:
        task = attempt.task.id
        drawn = scores.setdefault(task, [])
        clusters.setdefault(task, attempt.task.cluster or task)
        if OUTCOMES[attempt.outcome].evidence == "none":
            counts = missing.setdefault(task, {})
            counts[attempt.outcome] = counts.get(attempt.outcome, 0) + 1
            continue
        drawn.append(attempt.score or 0.0)
        solved[task] = solved.get(task, 0) + attempt.solved
        unread[task] = unread.get(task, 0) + attempt.parse_failure
    return [
        Cell(task, clusters[task], tuple(drawn), solved.get(task, 0), missing.get(task, {}), unread.get(task, 0))
        for task, drawn in scores.items()
    ]


def suite_summary(attempts: Iterable[Attempt], level: float = 0.95) -> Summary:
    """One model's attempts at one suite, with `suite_interval`. No-evidence draws are missing, never zero."""
    return summarize(cells(attempts), level)


def summarize(drawn: Sequence[Cell], level: float = 0.95) -> Summary:
    """As `suite_summary`, from cells."""
    score, interval, se, df = _score(drawn, level)
    strict, strict_interval, _, _ = _score([cell.strict() for cell in drawn], level)
    missing: dict[str, int] = {}
    for cell in drawn:
        for outcome, count in cell.missing.items():
            missing[outcome] = missing.get(outcome, 0) + count
    seen = [cell for cell in drawn if cell.scores]
    sizes = [cell.n + sum(cell.missing.values()) for cell in drawn]
    return Summary(
        score=score,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        k=sum(cell.solved for cell in seen),
        n=sum(cell.n for cell in seen),
        tasks=len(seen),
        clusters=len({cell.cluster for cell in seen}),
        draws=max(sizes, default=0),
        attempts=sum(sizes),
        missing=dict(sorted(missing.items())),
        tasks_missing=len(drawn) - len(seen),
        parse_failures=sum(cell.parse_failures for cell in seen),
        strict_score=strict,
        strict_low=strict_interval.low if strict_interval else None,
        strict_high=strict_interval.high if strict_interval else None,
        se=se,
        df=df,
    )


def _score(drawn: Sequence[Cell], level: float) -> tuple[float | None, Interval | None, float | None, float]:
    seen = [(cell.mean, cell.cluster, cell.n) for cell in drawn]
    values = [mean for mean, _, _ in seen if mean is not None]
    clusters = [cluster for mean, cluster, _ in seen if mean is not None]
    draws = sum(count for _, _, count in seen)
    if not values:
        return None, None, None, 0.0
    got = moments(values, clusters)
    # Where every task agrees the observed spread is 0; the spread of a Jeffreys posterior is not.
    size = effective_size(got, draws)
    rate = (got.mean * size + 0.5) / (size + 1)
    se = max(got.se, math.sqrt(rate * (1 - rate) / (size + 2)))
    return got.mean, suite_interval(values, clusters, draws, level), se, got.clusters - 1


def overall(summaries: Mapping[str, Summary | None], weights: Mapping[str, float], level: float = 0.95) -> Overall:
    """The weighted score across suites, only where each suite of `weights` has one.

    se^2 = sum w^2 se_b^2 with Welch's (1947) and Satterthwaite's (1946) degrees of freedom; bounds are
    score +- t se, kept within [0, 1]. Weights are scaled to sum to 1.
    """
    missing = tuple(name for name in sorted(weights) if (got := summaries.get(name)) is None or got.score is None)
    total = math.fsum(weights.values())
    if missing or total <= 0:
        return Overall(None, None, None, missing)
    parts = []
    for name, weight in sorted(weights.items()):
        got = summaries[name]
        if got is None or got.score is None or got.se is None:
            raise ValueError(f"{name} has no score")
        parts.append((weight / total, got.score, got.se, got.df))
    score = math.fsum(weight * value for weight, value, _, _ in parts)
    square = math.fsum((weight * se) ** 2 for weight, _, se, _ in parts)
    if any(df <= 0 for weight, _, _, df in parts if weight > 0):
        return Overall(score, 0.0, 1.0, ())
    df = square**2 / math.fsum((weight * se) ** 4 / df for weight, _, se, df in parts if weight > 0)
    half = t_quantile((1 + level) / 2, df) * math.sqrt(square)
    return Overall(score, max(0.0, score - half), min(1.0, score + half), ())


def _normal_quantile(p: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)
