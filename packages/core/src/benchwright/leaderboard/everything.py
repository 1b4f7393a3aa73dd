"""All that the board says, derived from the registry and the admitted attempts alone."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchwright import digests
from benchwright.errors import FileError, UserError
from benchwright.leaderboard import baselines, calibration, entries, published
from benchwright.leaderboard.baselines import Baseline
from benchwright.leaderboard.boards import Board, make_boards
from benchwright.leaderboard.drawn import sort_attempts
from benchwright.leaderboard.entries import EntriesFile
from benchwright.leaderboard.overall import OverallBoard, make_overall
from benchwright.leaderboard.published import Published
from benchwright.records import Attempt, Calibration
from benchwright.registry import Registry

SCHEMA = 1

ATTEMPTS = "attempts"
BASELINES = "baselines"
PUBLISHED = "published"
JSON = "board.json"


class Source(msgspec.Struct, frozen=True):
    """A file of admitted attempts that the board stands on."""

    file: str
    sha256: str
    run: str
    by: str
    purpose: str
    attempts: int


class Everything(msgspec.Struct, frozen=True):
    """All that the board says; `board.json`."""

    schema: int
    registry: str
    """sha256 of registry.yaml."""
    sources: list[Source]
    overall: OverallBoard | None
    boards: list[Board]
    calibration: list[Calibration]
    baselines: list[Baseline]
    published: list[Published]


def attempts_folder(root: Path) -> Path:
    """Where `root` keeps the admitted attempts. Raises UserError for a folder that is no leaderboard."""
    folder = root / ATTEMPTS
    if not folder.is_dir():
        raise UserError(
            f"{root} is no leaderboard: it has no folder `{ATTEMPTS}`. "
            f"bench leaderboard add RUN --by NAME --board {shlex.quote(str(root))} begins one."
        )
    return folder


def collect(root: Path, registry: Registry, *, files: Sequence[EntriesFile] | None = None) -> Everything:
    """Everything the board says, derived from `root`/attempts, /baselines, /published and the registry.

    `files`: the admitted attempts where they are read already.
    """
    attempts = attempts_folder(root)
    if files is None:
        files = entries.read_all(attempts)
    drawn = sort_attempts(files)
    return Everything(
        schema=SCHEMA,
        registry=digests.sha256(digests.unix_newlines(registry.path.read_bytes())),
        sources=[
            Source(
                f"{ATTEMPTS}/{found.path.name}",
                found.sha256,
                found.header.run,
                found.header.by,
                found.header.purpose,
                found.header.count,
            )
            for found in files
        ],
        overall=make_overall(drawn, registry),
        boards=make_boards(drawn, registry),
        calibration=_calibrations(files),
        baselines=baselines.read(root / BASELINES),
        published=published.read(root / PUBLISHED),
    )


def read(root: Path) -> Everything:
    """What the published board in `root` says, from `board.json` alone: nothing is derived again, nothing is checked.

    Raises FileError where it is not there or was written by another schema.
    """
    path = root / JSON
    try:
        return msgspec.json.decode(path.read_bytes(), type=Everything)
    except FileNotFoundError:
        raise FileError(path, "is not there; bench leaderboard build writes it") from None
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(
            path, f"is not a board that this bench wrote ({error}); bench leaderboard build writes it"
        ) from None


def _calibrations(files: Sequence[EntriesFile]) -> list[Calibration]:
    """One a task, of its newest edition; draws for the board and draws for calibration both count."""
    by_task: dict[str, dict[tuple[str, str], list[tuple[EntriesFile, entries.Entry]]]] = {}
    for found in files:
        tasks = [
            by_task.setdefault(task.id, {}).setdefault((task.version, task.digest), []) for task in found.header.tasks
        ]
        for entry in found.entries:
            tasks[entry.task].append((found, entry))
    made = []
    for task, editions in sorted(by_task.items()):
        newest = max(editions.values(), key=lambda drawn: max(entry.started for _, entry in drawn))
        attempts: list[Attempt] = [found.attempt(entry) for found, entry in newest]
        made.append(calibration.from_counts(task, attempts))
    return made
