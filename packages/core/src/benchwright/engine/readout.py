"""A run read back for a person: the attempts that were asked for, and how a task fails."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchwright import blame, stats
from benchwright.errors import BenchError, UserError
from benchwright.hookspecs import Calibrate
from benchwright.journal import Manifest, read_attempts, read_manifest
from benchwright.names import split_task_id, suggest
from benchwright.outcomes import OUTCOMES, is_evidence
from benchwright.plugins import Plugins
from benchwright.records import Attempt


def read(folder: Path, suites: Sequence[str] = (), globs: Sequence[str] = ()) -> tuple[Manifest, tuple[Attempt, ...]]:
    """The manifest of a run and its attempts, those of `suites` and `globs` where given.

    Raises UserError for a suite or a glob that names nothing the run was to do.
    """
    manifest = read_manifest(folder)
    chosen = [name for text in suites for name in text.split(",") if name != "all"]
    patterns = [pattern for text in globs for pattern in text.split(",")]
    for name in chosen:
        if name not in manifest.plan.suites:
            known = ", ".join(manifest.plan.suites)
            raise UserError(
                f"The run {manifest.run} has no suite `{name}`.{suggest(name, manifest.plan.suites)} It has: {known}."
            )
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(task, pattern) for task in manifest.plan.tasks):
            raise UserError(
                f"No task of the run {manifest.run} matches `{pattern}`.{suggest(pattern, manifest.plan.tasks)}"
            )
    return manifest, tuple(
        attempt
        for attempt in read_attempts(folder)
        if (not chosen or attempt.task.suite in chosen)
        and (not patterns or any(fnmatch.fnmatchcase(attempt.task.id, pattern) for pattern in patterns))
    )


def task_lines(attempts: Iterable[Attempt], plugins: Plugins) -> list[str]:
    """For each task and model: draws solved with their interval, and the shapes that failures have."""
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault((attempt.task.id, attempt.model.name), []).append(attempt)
    lines = []
    for (task, model), group in sorted(groups.items()):
        evidence = [attempt for attempt in group if is_evidence(attempt.outcome)]
        solved = sum(attempt.solved for attempt in evidence)
        head = f"{task} · {model}: "
        interval = stats.task_interval(solved, len(evidence))
        if interval is not None:
            head += f"{solved}/{len(evidence)} solved ({interval.low:.2f} to {interval.high:.2f})"
        else:
            head += "not run"
        lines.append(head)
        known: dict[frozenset[str], str] = {}
        try:
            known = _equals(group, plugins)
        except Exception as error:  # noqa: BLE001  whatever a benchmark does; the counts are known without it
            owner = plugins.owner(task).module.__name__
            told = str(error) if isinstance(error, BenchError) else blame.told(error, owner)
            lines.append(f"  What failures are like is not known here: {told}")
        shapes = Counter(
            _shape(attempt) + known.get(frozenset(attempt.failed_checks), "") for attempt in group if not attempt.solved
        )
        lines += [f"  {count}x  {shape}" for shape, count in shapes.most_common()]
    return lines


def _equals(group: list[Attempt], plugins: Plugins) -> dict[frozenset[str], str]:
    """What the owner of the task knows about sets of failing checks: the mutants that fail just those."""
    benchmark, _ = split_task_id(group[0].task.id)
    if benchmark not in plugins.benchmarks or not plugins.has(benchmark, "calibrate"):
        return {}
    params = {benchmark: {**plugins.params(benchmark), **group[0].task.params}}
    spec = next((spec for spec in plugins.specs(params) if spec.id == group[0].task.id), None)
    if spec is None:
        return {}
    found = plugins.call(benchmark, "calibrate", Calibrate(spec, tuple(group)))
    return {
        frozenset(shape["failed"]): f" (fails as {', '.join(shape['same_as'])})"
        for shape in (found.shapes if found else ())
        if shape.get("failed") and shape.get("same_as")
    }


def _shape(attempt: Attempt) -> str:
    """How an attempt failed, in words that are the same for the same failure."""
    label = OUTCOMES[attempt.outcome].label
    if attempt.violations:
        return "; ".join(f"{label} {entry.rule}, {entry.where}: {entry.why}" for entry in attempt.violations[:3])
    if attempt.failed_checks:
        more = f" and {len(attempt.failed_checks) - 3} more" if len(attempt.failed_checks) > 3 else ""
        return f"{label}: {', '.join(attempt.failed_checks[:3])}{more}"
    return f"{label}: {attempt.reason}" if attempt.reason else label
