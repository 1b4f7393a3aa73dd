"""A run folder as MLflow runs: one flat run per model, suite and draw.

Each carries the tag `bench.run_uid`; a second projection of the same content changes nothing, and one
of a run that went on since then completes the same MLflow run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchwright import digests, stats
from benchwright.journal import encode_line, read_attempts
from benchwright.outcomes import is_evidence
from benchwright.records import Attempt, Usage
from benchwright.tracking import views

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment, Run

WRITER = "bench.writer"
UID = "bench.run_uid"
CONTENT = "bench.content"


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
    def content(self) -> str:
        """sha256 of the results, to see whether a projection is up to date."""
        return hashlib.sha256(self.results).hexdigest()

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


def metrics(card: Card) -> dict[str, float]:
    """At most ten metrics. What is not known is absent: null is never zero."""
    summary = stats.suite_summary(card.attempts)
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
        "model": short,
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
        experiment = ensure_experiment(client, f"bench/{suite}", artifact_root, views.tags())
        close_abandoned(client, experiment)
        known = _known(client, experiment, group[0].run)
        for card in group:
            found = known.get(card.uid)
            if found is not None and found.data.tags.get(CONTENT) == card.content and found.info.status == "FINISHED":
                current += 1
                continue
            _write(client, experiment, card, found, folder, report, names.short_name(card.model))
            written += 1
    return written, current


def ensure_experiment(client: MlflowClient, name: str, artifact_root: str | None, tags: dict[str, str]) -> Experiment:
    """The experiment of a name, created where absent; safe when another process creates it at the same moment."""
    from mlflow.exceptions import MlflowException

    experiment = client.get_experiment_by_name(name)
    if experiment is None:
        location = None if artifact_root is None else f"{artifact_root}/{name.replace('/', '-')}"
        try:
            client.create_experiment(name, artifact_location=location, tags=tags)
        except MlflowException:
            if client.get_experiment_by_name(name) is None:
                raise
        experiment = client.get_experiment_by_name(name)
        assert experiment is not None
    if experiment.lifecycle_stage == "deleted":
        client.restore_experiment(experiment.experiment_id)
    for key, value in tags.items():
        if experiment.tags.get(key) != value:
            client.set_experiment_tag(experiment.experiment_id, key, value)
    return experiment


def close_abandoned(client: MlflowClient, experiment: Experiment) -> int:
    """Ends, as KILLED, the runs that a killed projection of this machine left open; gives how many."""
    host, closed = socket.gethostname(), 0
    for run in client.search_runs([experiment.experiment_id], filter_string="attributes.status = 'RUNNING'"):
        name, _, process = run.data.tags.get(WRITER, "").rpartition(":")
        if name == host and process.isdigit() and not _alive(int(process)):
            client.set_terminated(run.info.run_id, status="KILLED")
            closed += 1
    return closed


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _known(client: MlflowClient, experiment: Experiment, run: str) -> dict[str, Run]:
    found: dict[str, Run] = {}
    token = None
    while True:
        page = client.search_runs(
            [experiment.experiment_id], filter_string=f"tags.`bench.run` = '{run}'", max_results=1000, page_token=token
        )
        found.update((entry.data.tags[UID], entry) for entry in page if UID in entry.data.tags)
        token = page.token
        if not token:
            return found


def _write(
    client: MlflowClient,
    experiment: Experiment,
    card: Card,
    found: Run | None,
    folder: Path,
    report: Path | None,
    short: str,
) -> None:
    from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, RunTag

    starts = [_milliseconds(attempt.started) for attempt in card.attempts]
    ends = [start + int(attempt.seconds * 1000) for start, attempt in zip(starts, card.attempts, strict=True)]
    tags = {
        UID: card.uid,
        CONTENT: card.content,
        "bench.run": card.run,
        "bench.suite": card.suite,
        "bench.model": card.model[:8000],
        "bench.draw": str(card.draw),
        "bench.sealed_digest": card.sealed_digest,
        "bench.folder": str(folder.absolute()),
        WRITER: f"{socket.gethostname()}:{os.getpid()}",
        "mlflow.source.name": "bench",
        "mlflow.note.content": _note(card),
    }
    name = f"{short} · d{card.draw}"
    run = found or client.create_run(experiment.experiment_id, start_time=min(starts), tags=tags, run_name=name)
    identity = run.info.run_id
    client.log_batch(
        identity,
        metrics=[Metric(key, value, max(ends), 0) for key, value in metrics(card).items()],
        params=[] if found else [Param(key, value) for key, value in params(card, short).items()],
        tags=[RunTag(key, value) for key, value in tags.items()] if found else [],
    )
    if found is None or found.inputs is None or not found.inputs.dataset_inputs:
        dataset = Dataset(
            name=f"{card.suite}@{card.sets}"[:500],
            digest=card.sealed_digest[:32],
            source_type="code",
            source=msgspec.json.encode({"suite": card.suite, "sealed_digest": card.sealed_digest}).decode(),
            profile=msgspec.json.encode({"tasks": len(card.attempts)}).decode(),
        )
        client.log_inputs(identity, datasets=[DatasetInput(dataset, [InputTag("mlflow.data.context", "sealed-test")])])
    _artifacts(client, run, card, report)
    client.set_terminated(identity, status="FINISHED", end_time=max(ends))


def _artifacts(client: MlflowClient, run: Run, card: Card, report: Path | None) -> None:
    """Results and report; straight into the folder of a local store, as its client would after looking it up again."""
    import shutil
    import tempfile

    with contextlib.ExitStack() as stack:
        uri = run.info.artifact_uri or ""
        local = uri.startswith("file:///")
        place = _local_path(uri) if local else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        place.mkdir(parents=True, exist_ok=True)
        (place / "results.jsonl").write_bytes(card.results)
        if report is not None and report.is_file():
            shutil.copyfile(report, place / report.name)
        if not local:
            client.log_artifacts(run.info.run_id, str(place))


def _local_path(uri: str) -> Path:
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    return Path(url2pathname(urlsplit(uri).path))


def _note(card: Card) -> str:
    """What the run page shows first, as Markdown."""
    summary = stats.suite_summary(card.attempts)
    if summary.score is None:
        line = "No attempt with evidence."
    else:
        line = f"Score **{summary.score:.3f}** over {len(card.attempts)} attempts, draw {card.draw}."
    failed = sorted({attempt.outcome for attempt in card.attempts if not is_evidence(attempt.outcome)})
    return line + (f" Without evidence: {', '.join(failed)}." if failed else "") + f"\n\nRun folder of `{card.run}`."


def _milliseconds(stamp: str) -> int:
    return int(datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp() * 1000)


def run_links(address: str, experiments: Sequence[Experiment]) -> list[str]:
    """A link a suite, opening with the saved view."""
    return [f"{address}/#/experiments/{one.experiment_id}/runs?{views.QUERY}" for one in experiments]


def experiments_of(client: MlflowClient, folders: Sequence[Path]) -> list[Experiment]:
    """The experiments that the suites of these run folders went to, in the order of names."""
    suites = sorted({attempt.task.suite for folder in folders for attempt in read_attempts(folder)})
    found = (client.get_experiment_by_name(f"bench/{suite}") for suite in suites)
    return [experiment for experiment in found if experiment is not None]
