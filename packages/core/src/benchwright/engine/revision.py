"""Revising by hand: the file of a person takes its place behind the rounds that went before, and the engine counts the labels.

The earlier submissions are played again as a model that may revise would have handed them in, so that rounds, scores
and labels seen come out as they do for a model, and nobody states them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchwright.counting import plural
from benchwright.engine.plan import Place
from benchwright.errors import UserError
from benchwright.journal import read_attempts, read_manifest, runs_folder, submissions, turns
from benchwright.models.file import FileModel
from benchwright.models.interface import Ask
from benchwright.records import Attempt, Reply, Submission


class RevisedFiles(FileModel):
    """Hands in what was handed in before, round by round, and the new files last."""

    fixed = False

    def __init__(self, identity: str, files: Mapping[str, bytes], earlier: Sequence[Submission], revises: str) -> None:
        super().__init__(identity, files)
        self.settings = {**self.settings, "revises": revises}
        self._earlier = list(earlier)

    async def reply(self, ask: Ask) -> Reply:
        """The submission of this round."""
        if ask.turn <= len(self._earlier):
            return Reply("", submission=self._earlier[ask.turn - 1], calls=0)
        return await super().reply(ask)


def earlier_submissions(named: str, place: Place) -> tuple[Attempt, list[Submission]]:
    """The attempt that `named` (a run, its folder, or an attempt) stands for, and what was handed in there, round by round.

    Raises UserError where there is not exactly one such attempt at this task as it is now, or it was revised as often as it may be.
    """
    spec = place.spec
    if spec.protocol.kind != "revise" or not spec.protocol.rounds:
        raise UserError(f"`{spec.id}` knows no revisions, so --revision-of has no place there.")
    folder, attempt = _attempt(named, spec.id)
    if attempt.task.digest != place.ref.digest:
        raise UserError(
            f"{named} was graded at another version of `{spec.id}`; score its file again and revise that run."
        )
    most = spec.protocol.rounds
    if len(attempt.rounds) > most:
        raise UserError(
            f"{named} holds {plural(len(attempt.rounds) - 1, 'revision')} already; `{spec.id}` allows {most}."
        )
    where = turns.attempt_folder(folder, spec.id, attempt.model.name, attempt.draw)
    found = []
    for number in range(1, len(attempt.rounds) + 1):
        below = where if number == len(attempt.rounds) else where / f"round-{number:02d}"
        submission = submissions.read_submission(below / "submission", spec.submission)
        if submission is None:
            raise UserError(f"{named} holds no submission to revise ({below}).")
        found.append(submission)
    return attempt, found


def _attempt(named: str, task: str) -> tuple[Path, Attempt]:
    if len(named) == 16 and all(sign in "0123456789abcdef" for sign in named):
        folders = [path.parent for path in sorted(runs_folder().glob("*/attempts.jsonl")) if named in path.read_text()]
    else:
        folders = [path for path in (Path(named), runs_folder() / named) if (path / "attempts.jsonl").is_file()][:1]
    if not folders:
        raise UserError(
            f"`{named}` is no run and no attempt here; --revision-of takes a run's id, its folder, or an attempt's id."
        )
    for folder in folders:
        read_manifest(folder)
    found = [(folder, one) for folder in folders for one in read_attempts(folder) if one.task.id == task]
    exact = [(folder, one) for folder, one in found if one.attempt == named]
    found = exact or found
    if len(found) != 1:
        many = "no attempt" if not found else f"{len(found)} attempts"
        how = "" if not found else "; name one of them by its attempt id"
        raise UserError(f"`{named}` holds {many} at `{task}`{how}.")
    return found[0]
