"""The board as MLflow runs: one for each row, in the experiment `leaderboard`, with its interval in columns.

The experiment is the board that was sent last: a row that is gone from it is deleted from MLflow, and can be
restored there.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchwright import figures
from benchwright.leaderboard.boards import Board, Row
from benchwright.leaderboard.drawn import BoardKey
from benchwright.leaderboard.everything import collect
from benchwright.registry import Registry
from benchwright.tracking import views, writing
from benchwright.tracking.writing import Entry

if TYPE_CHECKING:
    from mlflow import MlflowClient

EXPERIMENT = "leaderboard"

NOTE = (
    "One run per row of the board, sent by `bench sync --board`. `low` and `high` bound the 95% interval; "
    "ranks are intervals too, and absent where the board gives none. Rows of different suites are not compared."
)
"""What the experiment's page says of itself."""


class Sent(msgspec.Struct, frozen=True):
    """What a projection of the board did: runs written, up to date, and deleted with their rows."""

    written: int
    current: int
    deleted: int


def project_board(client: MlflowClient, root: Path, registry: Registry, artifact_root: str | None) -> Sent:
    """Projects the board in `root`, derived anew from its attempts. Raises FileError where there is none."""
    boards = collect(root, registry).boards
    shown = [views.BOARD, *(views.board(label(board.key)) for board in boards if board.key.edition == 0)]
    tags = views.tags(shown, NOTE)
    experiment = writing.ensure_experiment(client, EXPERIMENT, artifact_root, tags)
    for key in experiment.tags:
        if key.startswith(views.TAG + views.BOARD_KEY) and key not in tags:
            client.delete_experiment_tag(experiment.experiment_id, key)
    writing.close_abandoned(client, experiment)
    known = writing.written(client, experiment)
    count = current = 0
    for number, board in enumerate(boards, 1):
        for place, row in enumerate(board.rows, 1):
            entry = row_entry(board, row, f"{number:03d}-{place:03d}")
            found = known.pop(entry.uid, None)
            if writing.is_current(found, entry.content):
                current += 1
                continue
            writing.write(client, experiment, entry, found)
            count += 1
    for left in known.values():
        client.delete_run(left.info.run_id)
    return Sent(count, current, len(known))


def label(key: BoardKey) -> str:
    """What a board is called in columns and links, in letters that MLflow takes in a tag and in a search."""
    parts = [key.suite, key.set, key.tier]
    parts += [key.device] if key.device else []
    parts += [f"round-{key.round}"] if key.round else []
    parts += [name for name, holds in (("structured", key.structured), ("network", key.network)) if holds]
    parts += [f"edition-{key.edition}"] if key.edition else []
    return re.sub(r"[^\w./-]", "-", "/".join(parts), flags=re.ASCII)


def row_entry(board: Board, row: Row, place: str) -> Entry:
    """A row as an MLflow run. `place` sorts rows as the board does."""
    key = board.key
    uid = "/".join((EXPERIMENT, *map(str, msgspec.structs.astuple(key)), row.model, row.answered, row.by))
    tags = {
        "place": place,
        "status": row.status,
        "rank": figures.rank(row.rank, row.rank_note),
        "interval": figures.interval(row.low, row.high),
        "price": row.cost_note or "priced",
        "isolation": "+".join(row.isolation),
        "date": row.date,
        "bench.runs": " ".join(row.runs)[:8000],
        "mlflow.note.content": _note(board, row),
    }
    params = {
        "board": label(key),
        "suite": key.suite,
        "set": key.set,
        "tier": key.tier,
        "device": key.device or "none",
        "model": row.short[:6000],
        "model_identity": row.model[:6000],
        "answered": row.answered or "not told",
        "by": row.by,
        "role": row.role,
        "round": str(key.round),
        "structured": str(key.structured).lower(),
        "network": str(key.network).lower(),
        "edition": str(key.edition),
    }
    found = metrics(row)
    record = msgspec.json.encode({"board": board.key, "title": board.title, "row": row}, order="deterministic")
    page = _page(board, row)
    said = msgspec.json.encode([tags, params, found, record, page], order="deterministic")
    moment = _moment(row.date)
    return Entry(
        uid=uid,
        content=hashlib.sha256(said).hexdigest(),
        name=f"{row.short} · {label(key)}",
        started=moment,
        ended=moment,
        metrics=found,
        params=params,
        tags=tags,
        artifacts={"row.json": msgspec.json.format(record, indent=1) + b"\n", "row.html": page},
    )


def metrics(row: Row) -> dict[str, float]:
    """The figures of a row. What is not known is absent: null is never zero."""
    values: dict[str, float | None] = {
        "score": row.score,
        "low": row.low,
        "high": row.high,
        "k": row.k if row.n else None,
        "n": row.n,
        "tasks": row.tasks,
        "tasks_of": row.tasks_of,
        "draws": row.draws,
        "rank_best": None if row.rank is None else row.rank[0],
        "rank_worst": None if row.rank is None else row.rank[1],
        "strict_score": row.strict_score,
        "strict_low": row.strict_low,
        "strict_high": row.strict_high,
        "evidence_rate": row.evidence_rate,
        "parse_failure_rate": row.parse_failure_rate,
        "cost_per_draw": row.cost_per_draw,
        "cost_per_solved": row.cost_per_solved,
    }
    return {name: float(value) for name, value in values.items() if value is not None}


def _note(board: Board, row: Row) -> str:
    """What the run page shows first, as Markdown; nothing that a person or a model named can become markup."""
    score = "Not run." if row.score is None else f"Score **{figures.score(row.score)}**"
    if row.score is not None:
        score += f", 95% interval {figures.interval(row.low, row.high)}; {row.k} of {row.n} solved."
    return (
        f"{score} Rank: {plain(figures.rank(row.rank, row.rank_note))}.\n\n{plain(board.title)}. {plain(row.status)}."
    )


def plain(text: str) -> str:
    """Text that Markdown shows as it is: every mark of it, or of HTML, behind a backslash."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def _page(board: Board, row: Row) -> bytes:
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = importlib.resources.files(__package__).joinpath("row.html.j2").read_text(encoding="utf-8")
    return environment.from_string(template).render(board=board, row=row, figures=figures).encode("utf-8", "replace")


def _moment(date: str) -> int:
    """Milliseconds since 1970 of a day, 0 o'clock UTC."""
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp() * 1000)
