"""Makes real HELM runs of two local models with `helm-run`. Runs in an environment of its own.

    python make_runs.py FOLDER

`simple_mcqa` is HELM's own small scenario: is a number even or odd, a letter to be given. The two models are a client
of HELM's own kind, named in its configuration files; one knows more than the other, and neither is a network.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from helm.clients.simple_client import SimpleClient

SKILL = {"strong": 0.9, "weak": 0.5}
QUESTIONS = 20

_DEPLOYMENT = """
  - name: local/{name}
    model_name: local/{name}
    tokenizer_name: simple/tokenizer1
    max_sequence_length: 2048
    client_spec:
      class_name: make_runs.Client
"""
_MODEL = """
  - name: local/{name}
    display_name: {name}
    description: Answers as well as its skill allows.
    creator_organization_name: local
    access: open
    release_date: 2026-01-01
    tags: [TEXT_MODEL_TAG]
"""


class Client(SimpleClient):
    """Gives the letter of the right answer, or of the other one."""

    def invoke_model(self, raw_request: Any) -> dict[str, Any]:
        """The last question of the prompt, answered."""
        question = raw_request["prompt"].rpartition("Is ")[2]
        number = int(re.match(r"\d+", question)[0])
        right = "Odd" if number % 2 else "Even"
        options = dict(re.findall(r"^([A-Z])\. (\w+)$", question, re.MULTILINE))
        luck = int(hashlib.sha256(question.encode()).hexdigest()[:12], 16) / 16**12
        wanted = luck < SKILL[raw_request["engine"]]
        [letter] = [letter for letter, text in options.items() if (text == right) == wanted]
        return {"completions": [letter] * raw_request["num_completions"]}


def main(folder: Path) -> None:
    """A run folder a model, below `FOLDER/benchmark_output/runs/local/`."""
    settings = folder / "prod_env"
    settings.mkdir(parents=True)
    for file, key, form in (
        ("model_deployments.yaml", "model_deployments", _DEPLOYMENT),
        ("model_metadata.yaml", "models", _MODEL),
    ):
        (settings / file).write_text(f"{key}:" + "".join(form.format(name=name) for name in SKILL))
    entries = [f"simple_mcqa:model=local/{name}" for name in SKILL]
    subprocess.run(
        [
            str(Path(sys.executable).with_name("helm-run")),
            "--run-entries", *entries, "--suite", "local", "--max-eval-instances", str(QUESTIONS),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        check=True,
    )  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]))
