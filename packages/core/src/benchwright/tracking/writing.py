"""One MLflow run, written once: created, completed where it is there already, left alone where nothing changed."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment, Run

WRITER = "bench.writer"
UID = "bench.run_uid"
CONTENT = "bench.content"


class DatasetUsed(msgspec.Struct, frozen=True):
    """The dataset input of a run. `digest`: 36 characters at most; MLflow keeps no longer ones."""

    name: str
    digest: str
    source: bytes
    profile: bytes


class Entry(msgspec.Struct, frozen=True):
    """What one MLflow run says. Times in milliseconds since 1970; artifacts are bytes, or the file to copy."""

    uid: str
    """The idempotence key."""
    content: str
    """A digest of what is said; where MLflow has the same, nothing is written."""
    name: str
    started: int
    ended: int
    metrics: dict[str, float]
    params: dict[str, str]
    tags: dict[str, str]
    artifacts: dict[str, bytes | Path]
    dataset: DatasetUsed | None = None


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


def written(client: MlflowClient, experiment: Experiment, filter_string: str = "") -> dict[str, Run]:
    """The experiment's runs by their idempotence key."""
    found: dict[str, Run] = {}
    token = None
    while True:
        page = client.search_runs(
            [experiment.experiment_id], filter_string=filter_string, max_results=1000, page_token=token
        )
        found.update((entry.data.tags[UID], entry) for entry in page if UID in entry.data.tags)
        token = page.token
        if not token:
            return found


def is_current(found: Run | None, content: str) -> bool:
    """Whether MLflow has a finished run that says just this."""
    return found is not None and found.data.tags.get(CONTENT) == content and found.info.status == "FINISHED"


def write(client: MlflowClient, experiment: Experiment, entry: Entry, found: Run | None) -> None:
    """Writes an entry: into `found` where it can say all of it, else into a new run.

    MLflow neither changes a parameter nor takes a metric back, so a run that would have to is deleted (it can be
    restored) and written anew.
    """
    from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, RunTag

    if found is not None and not _can_say(found, entry):
        client.delete_run(found.info.run_id)
        found = None
    tags = {
        **entry.tags,
        UID: entry.uid,
        CONTENT: entry.content,
        WRITER: f"{socket.gethostname()}:{os.getpid()}",
        "mlflow.source.name": "bench",
    }
    run = found or client.create_run(experiment.experiment_id, start_time=entry.started, tags=tags, run_name=entry.name)
    # Of two values MLflow shows the later one, and of two of the same moment the higher: a corrected value is of now.
    moment = entry.ended if found is None else max(entry.ended + 1, int(time.time() * 1000))
    old: Mapping[str, float] = {} if found is None else found.data.metrics
    said: Mapping[str, str] = {} if found is None else found.data.params
    client.log_batch(
        run.info.run_id,
        metrics=[Metric(key, value, moment, 0) for key, value in entry.metrics.items() if old.get(key) != value],
        params=[Param(key, value) for key, value in entry.params.items() if key not in said],
        tags=[RunTag(key, value) for key, value in {**tags, "mlflow.runName": entry.name}.items()] if found else [],
    )
    used = entry.dataset
    if used is not None and (found is None or found.inputs is None or not found.inputs.dataset_inputs):
        dataset = Dataset(used.name, used.digest, "code", used.source.decode(), profile=used.profile.decode())
        context = [InputTag("mlflow.data.context", "sealed-test")]
        client.log_inputs(run.info.run_id, datasets=[DatasetInput(dataset, context)])
    _artifacts(client, run, entry.artifacts)
    client.set_terminated(run.info.run_id, status="FINISHED", end_time=entry.ended)


def _can_say(found: Run, entry: Entry) -> bool:
    kept = all(entry.params.get(key) == value for key, value in found.data.params.items())
    return kept and set(found.data.metrics) <= set(entry.metrics)


def _artifacts(client: MlflowClient, run: Run, artifacts: Mapping[str, bytes | Path]) -> None:
    """Straight into the folder of a local store, as its client would after looking it up again."""
    with contextlib.ExitStack() as stack:
        uri = run.info.artifact_uri or ""
        local = uri.startswith("file:///")
        place = _local_path(uri) if local else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        place.mkdir(parents=True, exist_ok=True)
        for name, content in artifacts.items():
            if isinstance(content, Path):
                shutil.copyfile(content, place / name)
            else:
                (place / name).write_bytes(content)
        if not local:
            client.log_artifacts(run.info.run_id, str(place))


def _local_path(uri: str) -> Path:
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    return Path(url2pathname(urlsplit(uri).path))
