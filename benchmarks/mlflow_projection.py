"""CPU of projecting runs into a local MLflow store, per MLflow run, against the client calls that it cannot do without.

    python benchmarks/mlflow_projection.py [MLFLOW_RUNS]

The import of mlflow, the first initialisation of the store and the first run of each kind are paid before the clock
starts, on every side.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchwright.journal import encode_line
from benchwright.records import Attempt, ModelRef, ProtocolRecord, TaskRef, Usage
from benchwright.tracking.projection import project_run
from benchwright.tracking.store import opened, store_at
from benchwright.tracking.writing import ensure_experiment

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


def bare(client: object, experiment: str, runs: int, dataset: bool) -> None:
    """What MLflow itself costs for a run of the same size: created with its tags, one batch, the dataset input where
    asked for, ended."""
    from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param

    for number in range(runs):
        run = client.create_run(experiment, run_name=str(number), tags={f"t{i}": "x" for i in range(11)})
        client.log_batch(
            run.info.run_id,
            metrics=[Metric(f"m{i}", 1.0, 0, 0) for i in range(9)],
            params=[Param(f"p{i}", "x") for i in range(7)],
        )
        if dataset:
            used = DatasetInput(Dataset("d", "0" * 32, "code", "{}"), [InputTag("mlflow.data.context", "test")])
            client.log_inputs(run.info.run_id, datasets=[used])
        client.set_terminated(run.info.run_id)


def main() -> None:
    """Prints the three figures and the ratio. Sides take turns, so that a loaded machine slows all of them."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    turns = 5
    share = max(1, runs // turns)
    plain = floor = ours = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        store = store_at(f"sqlite:///{temporary}/mlflow/mlflow.db")
        with opened(store) as client:
            other = ensure_experiment(client, "bare", store.artifacts, {}).experiment_id
            folders = [
                write(Path(temporary) / f"20261129-20000{turn}-abcd", share if turn else 5) for turn in range(turns + 1)
            ]
            bare(client, other, 5, True)
            project_run(client, folders[0], None, store.artifacts)
            for folder in folders[1:]:
                began = time.process_time()
                bare(client, other, share, False)
                plain += time.process_time() - began
                began = time.process_time()
                bare(client, other, share, True)
                floor += time.process_time() - began
                began = time.process_time()
                project_run(client, folder, None, store.artifacts)
                ours += time.process_time() - began
    plain, floor, ours = (seconds / (turns * share) * 1000 for seconds in (plain, floor, ours))
    print(f"{turns * share} MLflow runs of {TASKS} attempts each: {ours:.1f} ms CPU a run; MLflow's own calls {floor:.1f} ms, "
          f"{plain:.1f} ms without the dataset input; ratio {ours / floor:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
