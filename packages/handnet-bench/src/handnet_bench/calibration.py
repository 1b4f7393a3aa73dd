"""What a task measures now, and how many labels each entry is worth."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from benchwright import Attempt, Calibration
from benchwright.leaderboard.calibration import from_counts
from benchwright.outcomes import is_evidence

from handnet_bench import baselines, tasks


def calibrate(task: tasks.HandnetTask, attempts: Sequence[Attempt]) -> Calibration:
    """The calibration from counts, with `equivalents`: per model the labels that its best attempt is worth."""
    counted = from_counts(f"handnet/{task.slug}", attempts)
    equivalents = dict(counted.equivalents)
    curve = baselines.best(task.slug)
    for model, attempt in sorted(_best(attempts).items()):
        if attempt.data is None or attempt.score is None:
            continue
        equal = baselines.equivalent(task.slug, round(attempt.score * attempt.data.n), attempt.data.n)
        if equal is not None and curve is not None:
            equivalents[model] = {
                "labels": equal.labels,
                "low": equal.low,
                "high": equal.high,
                "accuracy": attempt.score,
                "labels_seen": attempt.protocol.labels_seen,
                "learner": equal.learner,
                "curve_on": curve.evaluated_on,
                "curve_ends_at": equal.most_labels,
            }
    return msgspec.structs.replace(counted, equivalents=equivalents)


def _best(attempts: Sequence[Attempt]) -> dict[str, Attempt]:
    """Each model's best attempt with evidence."""
    found: dict[str, Attempt] = {}
    for attempt in attempts:
        if is_evidence(attempt.outcome) and attempt.score is not None:
            kept = found.get(attempt.model.name)
            if kept is None or (kept.score or 0.0) < attempt.score:
                found[attempt.model.name] = attempt
    return found
