"""`replay:RUN`: gives the replies of an earlier run again, turn by turn, without a call.

Where the run holds several models, `replay:RUN::MODEL` names one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchwright.errors import ModelError, UserError
from benchwright.journal import read_attempts, read_manifest, runs_folder, submissions, turns
from benchwright.models.interface import Ask
from benchwright.names import suggest
from benchwright.records import Reply


class Replay:
    """Reads replies from a run folder. Tokens were billed then and are not counted again."""

    paid = False

    def __init__(self, run: Path, run_id: str, model: str) -> None:
        self.identity = f"replay:{run_id}::{model}"
        self.settings: Mapping[str, Any] = {"run": run_id, "model": model}
        self._run = run
        self._model = model

    async def reply(self, ask: Ask) -> Reply:
        """The reply that stands in the run folder for this task, draw and turn. Raises ModelError where none does."""
        folder = turns.attempt_folder(self._run, ask.spec.id, self._model, ask.draw)
        record = turns.read_record(folder, ask.turn)
        if record is None:
            raise ModelError(f"the run has no turn {ask.turn} of draw {ask.draw} at this task", "harness_error")
        if record.failure:
            raise ModelError(record.failure, "provider_error")
        if record.gave_files:
            submission = submissions.read_submission(folder / "submission", ask.spec.submission)
            if submission is None:
                raise ModelError("the run has no submission of this attempt", "harness_error")
            return Reply("", submission=submission, calls=0)
        found = turns.read_turn(folder, ask.turn)
        if found is None:
            raise ModelError(f"turn {ask.turn} in {folder} does not have the digest on record", "harness_error")
        # The snapshot that answered then is on record there; here nothing answered but the folder.
        return msgspec.structs.replace(found[1], usage=None, wasted=None, calls=0, model_answered=None)

    async def close(self) -> None:
        """Nothing is held."""


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Replay:
    """Factory of `replay:RUN` and `replay:RUN::MODEL`; RUN is a run id in the runs folder, or a path."""
    name, _, model = argument.partition("::")
    if not name:
        raise UserError("`replay` takes a run: --model replay:RUN.")
    run = next((path for path in (runs_folder() / name, Path(name).expanduser()) if path.is_dir()), None)
    if run is None:
        raise UserError(f"No run `{name}`: neither {runs_folder() / name} nor {name} is a folder.")
    manifest = read_manifest(run)
    read_attempts(run)  # refuses a run that was damaged since it was finished
    known = [entry.name for entry in manifest.plan.models]
    if not model and len(known) > 1:
        raise UserError(
            f"{run} holds {len(known)} models; name one: " + ", ".join(f"replay:{name}::{n}" for n in known)
        )
    model = model or known[0]
    if model not in known:
        raise UserError(f"{run} holds no model `{model}`.{suggest(model, known)} It has: {', '.join(known)}.")
    return Replay(run, manifest.run, model)
