"""What can be compared: the models of runs, of other tools' logs, and of the board, each as one side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchwright import names
from benchwright.errors import FileError, UserError
from benchwright.journal import read_attempts, read_manifest
from benchwright.leaderboard import entries
from benchwright.leaderboard.drawn import answered_most
from benchwright.leaderboard.everything import ATTEMPTS
from benchwright.records import Attempt
from benchwright.stats import Cell, cells

LOGS = (".eval", ".json")


class Side(msgspec.Struct, frozen=True):
    """One model at one suite, from one place."""

    label: str
    model: str
    suite: str
    source: str
    attempts: tuple[Attempt, ...]

    def editions(self) -> dict[str, str]:
        """Task id -> what the attempts at it were made at: version, digest, prompt, data, device, walls, labels seen."""
        labels: dict[str, int] = {}
        for one in self.attempts:
            labels[one.task.id] = max(labels.get(one.task.id, 0), one.protocol.labels_seen)
        found: dict[str, set[str]] = {}
        for one in self.attempts:
            data = one.data.sha256 if one.data else ""
            walls = "unsafe" if one.isolation == "unsafe" else ""
            seen = str(labels[one.task.id])
            parts = (one.task.version, one.task.digest, one.task.prompt_digest, data, one.device or "", walls, seen)
            found.setdefault(one.task.id, set()).add("\n".join(parts))
        return {task: max(kinds) for task, kinds in found.items()}

    def cells(self, tasks: Iterable[str]) -> list[Cell]:
        """The draws at these tasks, by task id."""
        wanted = set(tasks)
        found = {cell.task: cell for cell in cells(one for one in self.attempts if one.task.id in wanted)}
        return [found[task] for task in sorted(found)]


def find(texts: Sequence[str], runs: Path, board: Path, number: int | None = None) -> list[Side]:
    """The sides that the arguments name: run folders and run ids, logs of Inspect AI, models of the board.

    `number`: the round of revision whose scores count, 0 being the first reply; the last where None.
    """
    found: list[Side] = []
    for text in texts:
        found.extend(_of(text, runs, board))
    if number is not None:
        found = [_side_at_round(side, number) for side in found]
    labels: dict[tuple[str, str], int] = {}
    for side in found:
        labels[side.suite, side.label] = labels.get((side.suite, side.label), 0) + 1
    named = [
        msgspec.structs.replace(side, label=f"{side.label} ({side.source})")
        if labels[side.suite, side.label] > 1
        else side
        for side in found
    ]
    if len({(side.suite, side.label) for side in named}) < len(named):
        raise UserError("The same run is named twice; a comparison needs two different ones.")
    return named


def _of(text: str, runs: Path, board: Path) -> list[Side]:
    path = Path(text)
    if path.is_file() and path.suffix in LOGS:
        from benchwright.leaderboard.inspect_log import read

        return _split(read(path).attempts, path.name)
    for folder in (path, runs / text):
        if (folder / "manifest.json").is_file():
            return _split(read_attempts(folder), read_manifest(folder).run)
    if path.suffix in LOGS or ("/" in text and path.exists()):
        raise FileError(path, "is neither a run folder nor a log")
    return _of_board(text, runs, board)


def _side_at_round(side: Side, number: int) -> Side:
    attempts = tuple(_at_round(side.attempts, number))
    if not attempts:
        last = max((len(one.rounds) - 1 for one in side.attempts if one.protocol.kind == "revise"), default=0)
        raise UserError(
            f"{side.label} ({side.source}) has no round {max(number, 0)} at {side.suite}: its last is round {max(last, 0)}."
        )
    return msgspec.structs.replace(side, attempts=attempts)


def _at_round(attempts: Iterable[Attempt], number: int) -> Iterator[Attempt]:
    """Attempts with the score, outcome and labels of one round; those that did not come so far are left out."""
    for one in attempts:
        if one.protocol.kind != "revise" or not one.rounds:
            if number == 0:
                yield one
        elif number < len(one.rounds):
            played = one.rounds[number]
            protocol = msgspec.structs.replace(one.protocol, labels_seen=played.labels_seen)
            yield msgspec.structs.replace(one, score=played.score, outcome=played.outcome, protocol=protocol)


def _split(attempts: Iterable[Attempt], source: str) -> list[Side]:
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for one in attempts:
        groups.setdefault((one.task.suite, one.model.name), []).append(one)
    return [Side(model, model, suite, source, tuple(drawn)) for (suite, model), drawn in sorted(groups.items())]


def _of_board(model: str, runs: Path, board: Path) -> list[Side]:
    """The rows of a model: each snapshot that answered, and each person who handed it in, is a side of its own."""
    groups: dict[tuple[str, str, str], list[Attempt]] = {}
    known: set[str] = set()
    if (board / ATTEMPTS).is_dir():
        for found in entries.read_all(board / ATTEMPTS):
            known.update(ref.name for ref in found.header.models)
            answered = answered_most(found)
            if found.header.purpose != "board" or model not in answered:
                continue
            for entry in found.entries:
                one = found.attempt(entry)
                if one.model.name == model:
                    key = (one.task.suite, one.model.answered or answered[model], found.header.by)
                    groups.setdefault(key, []).append(one)
    if not groups:
        known.update(path.parent.name for path in runs.glob("*/manifest.json"))
        raise UserError(
            f"`{model}` is no run below {runs}/, no log file and no model of the board in {board}/."
            f"{names.suggest(model, known)}"
        )
    rows = {(answered, by) for _, answered, by in groups}
    return [
        Side(
            label=model if len(rows) == 1 else f"{model} ({', '.join(filter(None, (answered, by)))})",
            model=model,
            suite=suite,
            source="board",
            attempts=tuple(drawn),
        )
        for (suite, answered, by), drawn in sorted(groups.items())
    ]
