"""Makes real results of the lm-evaluation-harness, offline. Runs in an environment of its own.

    python make_results.py FOLDER

A task of our own over questions that are written beside it: twice a number, one of four choices. The model is the
harness's own `dummy`, which guesses; two seeds make two of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

QUESTIONS = 24
SEEDS = (1, 2)
_TASK = """
task: doubling
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{number}}}} + {{{{number}}}} ="
doc_to_choice: choices
doc_to_target: place
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""


def named(seed: int) -> list[str]:
    """The converter wants a model with its developer's name."""
    return ["--model_args", f"pretrained=local/guess-{seed}"]


def main(folder: Path) -> None:
    """Results with their samples, below `FOLDER/SEED/`."""
    tasks = folder / "tasks"
    tasks.mkdir(parents=True)
    data = tasks / "questions.jsonl"
    data.write_text(
        "".join(
            json.dumps(
                {"number": n, "choices": [str(2 * n + n % 4 - at) for at in (0, 1, 2, 3)][::-1], "place": 3 - n % 4}
            )
            + "\n"
            for n in range(QUESTIONS)
        )
    )
    (tasks / "doubling.yaml").write_text(_TASK.format(data=data))
    for seed in SEEDS:
        subprocess.run(
            [
                sys.executable, "-m", "lm_eval", "--model", "dummy", *named(seed), "--tasks", "doubling", "--include_path", str(tasks),
                "--output_path", str(folder / str(seed)), "--log_samples", "--seed", str(seed),
            ],
            cwd=folder,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(folder / "cache")},
            check=True,
        )  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]))
