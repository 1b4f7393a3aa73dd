"""Trained models at matched numbers of labels: beside the calibration, never a row.

`baselines/<benchmark>.json` is the record that the benchmark itself ships. A script made it, so its figures follow
from no attempt; the board shows them, and a check finds where the board and the record differ.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import msgspec

from benchwright import digests
from benchwright.errors import FileError

_Accuracy = Annotated[float, msgspec.Meta(ge=0, le=1)]


class BaselinePoint(msgspec.Struct, frozen=True):
    """Accuracy in [0, 1] with `labels` training labels: the mean over `seeds`, and the least and greatest of them."""

    labels: int
    accuracy: float
    low: float
    high: float
    seeds: int


class Baseline(msgspec.Struct, frozen=True):
    """One learner at one task."""

    task: str
    learner: str
    evaluated_on: str
    """The data set that the accuracies were measured on."""
    points: list[BaselinePoint]
    file: str
    sha256: str
    """Of the record with LF newlines."""


class _Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    labels: Annotated[int, msgspec.Meta(ge=1)]
    accuracies: Annotated[list[_Accuracy], msgspec.Meta(min_length=1)]


class _Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    learner: str
    evaluated_on: str
    points: list[_Point]


class _Record(msgspec.Struct, frozen=True):
    tasks: dict[str, list[_Curve]]


def read(folder: Path) -> list[Baseline]:
    """Every curve in `folder`, by benchmark, task and learner; none where there is no folder.

    Raises FileError for a record that is none.
    """
    found: list[Baseline] = []
    for path in sorted(folder.glob("*.json")):
        try:
            raw = path.read_bytes()
            record = msgspec.json.decode(raw, type=_Record)
        except OSError as error:
            raise FileError(path, f"cannot be read: {error.strerror or error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FileError(path, f"is no record of baselines: {error}") from None
        found.extend(
            Baseline(
                task=f"{path.stem}/{slug}",
                learner=curve.learner,
                evaluated_on=curve.evaluated_on,
                points=[_point(point) for point in curve.points],
                file=f"{folder.name}/{path.name}",
                sha256=digests.sha256(digests.unix_newlines(raw)),
            )
            for slug, curves in sorted(record.tasks.items())
            for curve in curves
        )
    return found


def _point(point: _Point) -> BaselinePoint:
    values = point.accuracies
    mean = math.fsum(values) / len(values)
    return BaselinePoint(point.labels, round(mean, 6), round(min(values), 6), round(max(values), 6), len(values))
