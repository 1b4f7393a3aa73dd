"""CPU of projecting runs into a local MLflow store, per MLflow run, against the bare client calls.

    python benchmarks/mlflow_projection.py [MLFLOW_RUNS]

The import of mlflow and the first initialisation of the store are paid before the clock starts, on both sides.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchwright.journal import encode_line
from benchwright.records import Attempt, ModelRef, ProtocolRecord, TaskRef, Usage
from benchwright.tracking.projection import ensure_experiment, project_run
from benchwright.tracking.store import opened, store_at

TASKS = 48


def attempt(run: str, task: int, draw: int) -> Attempt:
    """A solved attempt with usage, as a provider leaves it."""
    return Attempt(
        run=run, attempt=f"{draw:08x}{task:08x}", draw=draw, outcome="solved", score=1.0, metrics={}, failed_checks=[],
        task=TaskRef(f"weightspace/t{task}", "1", f"bw1:{task:064x}", "warmup", "laptop", "weightspace"),
        model=ModelRef("openai-compatible/x"), violations=[], protocol=ProtocolRecord("single", 1), usage=Usage(900, 400),
        cost_usd=0.001, isolation="not-needed", device=None, data=None, environment="sha256:0",
        started="2026-11-29T20:00:00Z", seconds=1.0, files={}, benchmark="weightspace 0.1.0",
    )  # fmt: skip


def write(folder: Path, draws: int) -> Path:
    """A finished run folder of one model, 48 tasks and so many draws."""
    folder.mkdir(parents=True)
    lines = (encode_line(attempt(folder.name, task, draw)) for draw in range(1, draws + 1) for task in range(TASKS))
    (folder / "attempts.jsonl").write_bytes(b"".join(lines))
    return folder


def bare(client: object, experiment: str, runs: int) -> None:
    """What MLflow itself costs for a run of the same size: created, one batch, ended."""
    from mlflow.entities import Metric, Param, RunTag

    for number in range(runs):
        run = client.create_run(experiment, run_name=str(number))
        client.log_batch(
            run.info.run_id,
            metrics=[Metric(f"m{i}", 1.0, 0, 0) for i in range(9)],
            params=[Param(f"p{i}", "x") for i in range(7)],
            tags=[RunTag(f"t{i}", "x") for i in range(10)],
        )
        client.set_terminated(run.info.run_id)


def main() -> None:
    """Prints both figures and their ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as temporary:
        folder = write(Path(temporary) / "20261129-200000-abcd", runs)
        store = store_at(f"sqlite:///{temporary}/mlflow/mlflow.db")
        with opened(store) as client:
            other = ensure_experiment(client, "bare", store.artifacts, {})
            bare(client, other.experiment_id, 5)
            began = time.process_time()
            bare(client, other.experiment_id, runs)
            baseline = (time.process_time() - began) / runs * 1000
            began = time.process_time()
            written, _ = project_run(client, folder, None, store.artifacts)
            ours = (time.process_time() - began) / written * 1000
    print(f"{written} MLflow runs of {TASKS} attempts each: {ours:.1f} ms CPU a run; bare client calls {baseline:.1f} ms; "
          f"ratio {ours / baseline:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
