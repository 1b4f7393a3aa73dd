"""A run folder as MLflow runs: one flat run per model, suite and draw.

Each carries the tag `bench.run_uid`; a second projection of the same content changes nothing, and one
of a run that went on since then completes the same MLflow run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchwright import digests, figures, stats
from benchwright.counting import plural
from benchwright.journal import encode_line, read_attempts
from benchwright.outcomes import is_evidence
from benchwright.records import Attempt, Usage
from benchwright.tracking import views, writing
from benchwright.tracking.writing import DatasetUsed, Entry

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment

NOTE = (
    "One run per model and draw, projected from a run folder by `bench sync`. A group's figure is the mean of its "
    "runs and no estimate: intervals stand in each run's report among its artifacts, and on the leaderboard."
)
"""What an experiment's page says of itself."""


class Card(msgspec.Struct, frozen=True):
    """What one MLflow run says: the attempts of one model, suite and draw."""

    run: str
    suite: str
    model: str
    draw: int
    attempts: tuple[Attempt, ...]

    @property
    def uid(self) -> str:
        """The idempotence key."""
        return f"{self.run}/{self.suite}/{self.model}/{self.draw}"

    @property
    def results(self) -> bytes:
        """The attempts' lines, in the order of task ids."""
        return b"".join(encode_line(attempt) for attempt in self.attempts)

    @property
    def sealed_digest(self) -> str:
        """sha256 over the pinned tasks: what exactly was measured."""
        return hashlib.sha256(
            digests.canonical_json([[a.task.id, a.task.version, a.task.digest] for a in self.attempts])
        ).hexdigest()

    @property
    def sets(self) -> str:
        """The sets of the tasks, joined."""
        return "+".join(sorted({attempt.task.set for attempt in self.attempts}))


def cards(attempts: Iterable[Attempt]) -> list[Card]:
    """The attempts of a run folder, grouped; sorted by suite, model and draw."""
    groups: dict[tuple[str, str, str, int], list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault((attempt.run, attempt.task.suite, attempt.model.name, attempt.draw), []).append(attempt)
    return [Card(*key, tuple(sorted(group, key=lambda a: a.task.id))) for key, group in sorted(groups.items())]


def metrics(card: Card, summary: stats.Summary) -> dict[str, float]:
    """At most ten metrics. What is not known is absent: null is never zero."""
    usage = sum((attempt.usage for attempt in card.attempts if attempt.usage), Usage())
    costs = [attempt.cost_usd for attempt in card.attempts]
    paid = any(attempt.usage for attempt in card.attempts)
    values: dict[str, float | None] = {
        "score": summary.score,
        "solved": summary.k if summary.n else None,
        "attempts": len(card.attempts),
        "no_evidence": summary.attempts - summary.n,
        "parse_failures": summary.parse_failures,
        "cost_usd": sum(cost or 0.0 for cost in costs) if paid and None not in costs else None,
        "tokens_in": usage.input + usage.cache_read + usage.cache_write if paid else None,
        "tokens_out": usage.output if paid else None,
        "seconds": sum(attempt.seconds for attempt in card.attempts),
    }
    return {name: round(float(value), 6) for name, value in values.items() if value is not None}


def params(card: Card, short: str) -> dict[str, str]:
    """Write-once facts; `model` is short, because MLflow's charts cut long labels."""
    first = card.attempts[0]
    return {
        "model": short[:6000],
        "suite": card.suite,
        "draw": str(card.draw),
        "model_identity": card.model[:6000],
        "sets": card.sets,
        "isolation": "+".join(sorted({attempt.isolation for attempt in card.attempts})),
        "benchmark": first.benchmark,
    }


def project_run(client: MlflowClient, folder: Path, report: Path | None, artifact_root: str | None) -> tuple[int, int]:
    """Projects a run folder; gives how many MLflow runs were written and how many were up to date."""
    from benchwright import registry

    names = registry.load()
    written = current = 0
    by_suite: dict[str, list[Card]] = {}
    for card in cards(read_attempts(folder)):
        by_suite.setdefault(card.suite, []).append(card)
    for suite, group in by_suite.items():
        experiment = writing.ensure_experiment(client, f"bench/{suite}", artifact_root, views.tags(views.SUITE, NOTE))
        writing.close_abandoned(client, experiment)
        known = writing.written(client, experiment, f"tags.`bench.run` = '{group[0].run}'")
        labels = {
            model: _label(client, experiment, model, names.short_name(model))
            for model in sorted({card.model for card in group})
        }
        for card in group:
            results, found = card.results, known.get(card.uid)
            content = hashlib.sha256(results).hexdigest()
            if writing.is_current(found, content):
                current += 1
                continue
            writing.write(client, experiment, _entry(card, labels[card.model], results, content, folder, report), found)
            written += 1
    return written, current


def _label(client: MlflowClient, experiment: Experiment, model: str, short: str) -> str:
    """What a model is called on the page: short, unless another identity is called so here already."""
    if not (_PLAIN.fullmatch(short) and _PLAIN.fullmatch(model)):
        return model
    question = f"params.model = '{short}' and params.model_identity != '{model}'"
    return model if client.search_runs([experiment.experiment_id], question, max_results=1) else short


_PLAIN = re.compile(r"[\w./:=,@+\[\] -]+")
"""Names that stand in a search of MLflow's without being taken for part of it."""


def _entry(card: Card, short: str, results: bytes, content: str, folder: Path, report: Path | None) -> Entry:
    summary = stats.suite_summary(card.attempts)
    starts = [_milliseconds(attempt.started) for attempt in card.attempts]
    sealed = card.sealed_digest
    artifacts: dict[str, bytes | Path] = {"results.jsonl": results}
    if report is not None and report.is_file():
        artifacts[report.name] = report
    return Entry(
        uid=card.uid,
        content=content,
        name=f"{short} · d{card.draw}",
        started=min(starts),
        ended=max(start + int(one.seconds * 1000) for start, one in zip(starts, card.attempts, strict=True)),
        metrics=metrics(card, summary),
        params=params(card, short),
        tags={
            "bench.run": card.run,
            "bench.suite": card.suite,
            "bench.model": card.model[:8000],
            "bench.draw": str(card.draw),
            "bench.sealed_digest": sealed,
            "bench.folder": str(folder.absolute()),
            "mlflow.note.content": _note(card, summary),
        },
        artifacts=artifacts,
        dataset=DatasetUsed(
            name=f"{card.suite}@{card.sets}"[:500],
            digest=sealed[:32],
            source=msgspec.json.encode({"suite": card.suite, "sealed_digest": sealed}),
            profile=msgspec.json.encode({"tasks": len(card.attempts)}),
        ),
    )


def _note(card: Card, summary: stats.Summary) -> str:
    """What the run page shows first, as Markdown."""
    if summary.score is None:
        line = "No attempt with evidence."
    else:
        line = (
            f"Score **{figures.score(summary.score)}** over {plural(len(card.attempts), 'attempt')}, draw {card.draw}."
        )
    failed = sorted({attempt.outcome for attempt in card.attempts if not is_evidence(attempt.outcome)})
    return line + (f" Without evidence: {', '.join(failed)}." if failed else "") + f"\n\nRun folder of `{card.run}`."


def _milliseconds(stamp: str) -> int:
    return int(datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp() * 1000)


def experiments_of(client: MlflowClient, folders: list[Path]) -> list[Experiment]:
    """The experiments that the suites of these run folders went to, in the order of names."""
    suites = sorted({attempt.task.suite for folder in folders for attempt in read_attempts(folder)})
    found = (client.get_experiment_by_name(f"bench/{suite}") for suite in suites)
    return [experiment for experiment in found if experiment is not None]
