"""Trained models at matched labels, and how many labels a written network is worth.

The curve is `data/baselines.json`, made by `benchmarks/handnet_baselines.py`: for each task the accuracy
of trained models at several numbers of labels, over seeds.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import msgspec

from handnet_bench.counting import many


class Point(msgspec.Struct, frozen=True):
    """Accuracy of one learner at one number of labels, over seeds."""

    labels: int
    accuracies: tuple[float, ...]

    @property
    def mean(self) -> float:
        return math.fsum(self.accuracies) / len(self.accuracies)

    @property
    def se(self) -> float:
        """Standard error of the mean over seeds; 0 with one seed."""
        n = len(self.accuracies)
        if n < 2:
            return 0.0
        return math.sqrt(math.fsum((a - self.mean) ** 2 for a in self.accuracies) / (n - 1) / n)


class Curve(msgspec.Struct, frozen=True):
    """`learner` on a task. `evaluated_on`: the data set behind the accuracies."""

    learner: str
    evaluated_on: str
    points: tuple[Point, ...]


class Equivalent(msgspec.Struct, frozen=True):
    """Labels at which the best trained model is as accurate. None: beyond the end of the curve on that side.

    `labels` 0 means worse than with the fewest labels tried.
    """

    labels: int | None
    low: int | None
    high: int | None
    learner: str
    most_labels: int


@cache
def curves() -> dict[str, tuple[Curve, ...]]:
    """Task slug -> the curves of its learners."""
    text = (resources.files("handnet_bench") / "data" / "baselines.json").read_text()
    raw: dict[str, Any] = json.loads(text)["tasks"]
    return {slug: tuple(msgspec.convert(curve, Curve) for curve in found) for slug, found in raw.items()}


def best(slug: str) -> Curve | None:
    """The learner with the most area under its curve (accuracy over log labels), the one to be compared with."""
    found = [curve for curve in curves().get(slug, ()) if curve.points]
    return max(
        found, key=lambda curve: math.fsum(point.mean for point in curve.points) / len(curve.points), default=None
    )


def equivalent(slug: str, right: int, n: int) -> Equivalent | None:
    """How many labels `right` of `n` is worth, or None where the task has no curve.

    The curve is made monotone and read off by straight lines over log labels. The interval carries the
    binomial error of the accuracy and the curve's standard error over seeds there, in quadrature.
    """
    curve = best(slug)
    if curve is None or n == 0:
        return None
    accuracy = right / n
    spread = next((point.se for point in curve.points if point.mean >= accuracy), curve.points[-1].se)
    half = 1.96 * math.sqrt(accuracy * (1 - accuracy) / n + spread**2)
    most = curve.points[-1].labels
    values = [_labels_at(curve, bound) for bound in (accuracy, accuracy - half, accuracy + half)]
    return Equivalent(values[0], values[1], values[2], curve.learner, most)


def _labels_at(curve: Curve, accuracy: float) -> int | None:
    points: list[tuple[float, float]] = []
    top = -math.inf
    for point in curve.points:
        top = max(top, point.mean)
        points.append((math.log(point.labels), top))
    if accuracy < points[0][1]:
        return 0
    if accuracy >= points[-1][1]:
        return curve.points[-1].labels if accuracy == points[-1][1] else None
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 <= accuracy < y1:
            return round(math.exp(x0 + (x1 - x0) * (accuracy - y0) / (y1 - y0)))
    return None


def words(labels: int | None, most: int) -> str:
    """A label equivalent in words; None is beyond the curve's end at `most` labels."""
    if labels is None:
        return f"more than {most:,}"
    return "fewer than the curve's least" if labels == 0 else f"{labels:,}"


def worth(labels: int | None, most: int) -> str:
    """`words` with the noun: "312 labels", "fewer labels than the curve's least"."""
    if labels:
        return many(labels, "label")
    return f"more than {most:,} labels" if labels is None else "fewer labels than the curve's least"
