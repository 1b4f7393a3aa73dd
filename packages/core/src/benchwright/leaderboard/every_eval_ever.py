"""The Every Eval Ever schema, by the package of that name: its models read and check, its converters convert.

The boards are written in the same schema. Writing needs no package; `bench leaderboard export` has the
package check what was written where it is installed.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchwright import digests
from benchwright.errors import FileError, UserError
from benchwright.leaderboard import imported
from benchwright.leaderboard.boards import LEVEL, Board, Row
from benchwright.leaderboard.everything import collect
from benchwright.leaderboard.imported import Imported, Sample
from benchwright.records import Usage
from benchwright.registry import Registry

SCHEMA_VERSION = "0.3.0"
_ADD = {
    "helm": "It needs HELM itself: pip install 'every-eval-ever[helm]', on Python 3.12 or newer; "
    "docs/leaderboard.md has a smaller way.",
    "lm_eval": "Add the package that it names.",
}
"""Converter -> what to do where it cannot be imported."""
_UNNAMED = (
    ". It wants the model named as developer/model: say so when the harness runs, as --model_args pretrained=ORG/NAME, "
    "or mend `model_name` and `pretrained` in the results file"
)
_STOPS = {"content_filter": "refused", "max_tokens": "truncated", "model_length": "truncated"}


def _package(name: str) -> Any:
    try:
        return importlib.import_module(f"every_eval_ever.{name}")
    except ModuleNotFoundError as error:
        raise UserError(
            f"The package every-eval-ever is needed here and cannot be imported ({error}): "
            "pip install 'benchwright[every-eval-ever]', on Python 3.12 or newer."
        ) from None


def read(path: Path, metric: str | None = None, place: Path | None = None) -> Imported:
    """An evaluation as a run, from the aggregate `.json` beside its rows or from the rows' `.jsonl`.

    `metric`: whose scores count, a result's name or the part of it before a colon; where None, each result becomes a
    suite of its own. `place`: what errors name, where these rows were made of something else. Raises FileError where
    the package's own model of a row refuses it, a score lies outside [0, 1], or nothing is scored by that metric.
    """
    rows = _rows_path(path)
    place = place or rows
    model_of_a_row = _package("instance_level_types").InstanceLevelEvaluationLog
    results: set[str] = set()
    samples: list[Sample] = []
    seen: dict[tuple[str, str, str], int] = {}
    try:
        raw = rows.read_bytes()
    except OSError as error:
        raise FileError(place, f"cannot be read: {error.strerror or error}") from None
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = model_of_a_row.model_validate_json(line)
        except ValueError as error:
            raise FileError(f"{place}:{number}", f"is no row of Every Eval Ever: {_first_line(error)}") from None
        result = row.evaluation_result_id or ""
        results.add(result)
        if metric is not None and metric not in (result, result.partition(":")[0]):
            continue
        suite = row.evaluation_name + (f" {result}" if result else "")
        key = (suite, row.sample_id, row.model_id)
        seen[key] = seen.get(key, 0) + 1
        samples.append(_sample(row, suite, _epoch(row) or seen[key], f"{place}:{number}"))
    if results and not samples:
        there = ", ".join(sorted(filter(None, results))) or "none with a name"
        raise FileError(place, f"has no score by `{metric}`; there are: {there}")
    return imported.build(
        samples,
        tool="every-eval-ever",
        version=SCHEMA_VERSION,
        created=_created(path),
        source=raw + (metric or "").encode(),
        place=place,
    )


def _rows_path(path: Path) -> Path:
    if path.suffix == ".jsonl":
        return path
    if not path.exists():
        raise FileError(path, "is not there")
    rows = path.with_name(f"{path.stem}_samples.jsonl")
    if not rows.is_file():
        raise FileError(path, f"has no rows beside it ({rows.name}): figures alone cannot be compared task by task")
    log = _package("eval_types").EvaluationLog
    try:
        log.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise FileError(path, f"is no evaluation in the Every Eval Ever schema: {_first_line(error)}") from None
    return rows


def _created(path: Path) -> str:
    """When the evaluation ran, as the aggregate says; the epoch where only rows are given."""
    import datetime

    try:
        stamp = float(json.loads(path.read_bytes()).get("evaluation_timestamp", 0))
    except (OSError, ValueError, AttributeError):
        stamp = 0.0
    return datetime.datetime.fromtimestamp(stamp, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _epoch(row: Any) -> int | None:
    text = str((row.metadata or {}).get("epoch", ""))
    return int(text) if text.isdigit() and int(text) > 0 else None


def _sample(row: Any, suite: str, draw: int, place: str) -> Sample:
    score = float(row.evaluation.score)
    if not 0 <= score <= 1:
        raise FileError(place, f"has the score {score:g}; only scores in [0, 1] can be compared")
    stop = str((row.metadata or {}).get("stop_reason", ""))
    outcome = "solved" if score == 1 else "unsolved"
    reason = ""
    if row.error:
        outcome, reason = "harness_error", str(row.error).splitlines()[0][:200]
    elif stop in _STOPS:
        outcome, reason = _STOPS[stop], f"stop reason {stop}"
    used = row.token_usage
    return Sample(
        suite=suite,
        id=row.sample_id,
        content=digests.canonical_json([row.input.raw, row.input.reference]),
        model=row.model_id,
        settings={},
        draw=draw,
        outcome=outcome,
        score=score,
        usage=None
        if used is None
        else Usage(
            used.input_tokens,
            used.output_tokens,
            used.reasoning_tokens or 0,
            used.input_tokens_cache_read or 0,
            used.input_tokens_cache_write or 0,
        ),
        reason=reason,
    )


def convert(source: str, path: Path, metric: str | None = None) -> Imported:
    """Results of `helm` or `lm_eval`, turned into the schema by the package's converter, then read; `metric` as in `read`.

    Raises FileError where the converter gives no rows, UserError where a package is absent that it needs.
    """
    _package("cli")
    if not path.exists():
        raise FileError(path, "is not there")
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "every_eval_ever", "convert", source, "--log_path", str(path), "--output_dir", folder,
            *(["--include_samples"] if source == "lm_eval" else []),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        found = sorted(Path(folder).rglob("*_samples.jsonl"))
        if done.returncode or not found:
            said = ((done.stderr or done.stdout).strip().splitlines() or ["it said nothing"])[-1]
            if said.startswith(("ImportError", "ModuleNotFoundError")):
                raise UserError(
                    f"The converter of every-eval-ever for {source} cannot be imported ({said}). {_ADD[source]}"
                )
            hint = _UNNAMED if "model_info.developer is required" in said else ""
            raise FileError(path, f"the converter of every-eval-ever gave no rows: {said}{hint}")
        if len(found) > 1:
            raise FileError(path, f"holds {len(found)} evaluations; import them one by one")
        return read(found[0].with_name(found[0].name.replace("_samples.jsonl", ".json")), metric, path)


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def export(root: Path, target: Path, registry: Registry) -> list[Path]:
    """Writes a file a model, snapshot and person, with a result for each of its boards; gives the paths.

    Layout and names are those of the schema's data store: `data/benchwright/<developer>/<model>/<uuid>.json`.
    """
    boards = collect(root, registry).boards
    groups: dict[tuple[str, str, str], list[tuple[Board, Row]]] = {}
    for board in boards:
        for row in board.rows:
            if row.score is not None:
                groups.setdefault((row.model, row.answered, row.by), []).append((board, row))
    written = []
    for (model, answered, by), found in sorted(groups.items()):
        developer, name = _model_id(model)
        record = _record(developer, name, model, answered, by, found, registry)
        content = json.dumps(record, indent=1, sort_keys=True).encode() + b"\n"
        path = target / "data" / "benchwright" / developer / name / f"{_uuid4(model, answered, by)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written.append(path)
    _check(written)
    return written


def _check(paths: Sequence[Path]) -> None:
    """Has the package read what was written, where it is installed."""
    try:
        log = importlib.import_module("every_eval_ever.eval_types").EvaluationLog
    except ModuleNotFoundError:
        return
    for path in paths:
        log.model_validate_json(path.read_bytes())


def _model_id(model: str) -> tuple[str, str]:
    plain = re.sub(r"[^A-Za-z0-9._=,+/-]+", "-", model).strip("-./")
    developer, slash, name = plain.partition("/")
    return (developer, name.replace("/", "-")) if slash else ("benchwright", developer)


def _uuid4(*parts: str) -> uuid.UUID:
    return uuid.UUID(bytes=hashlib.sha256("\n".join(parts).encode()).digest()[:16], version=4)


def _record(
    developer: str,
    name: str,
    model: str,
    answered: str,
    by: str,
    found: Sequence[tuple[Board, Row]],
    registry: Registry,
) -> dict[str, Any]:
    newest = max(row.date for _, row in found)
    stamp = str(_seconds(newest))
    role = found[0][1].role
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"benchwright/{developer}_{name}/{stamp}",
        "evaluation_timestamp": stamp,
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_name": "Benchwright leaderboard",
            "source_type": "evaluation_run",
            "source_organization_name": by,
            "evaluator_relationship": "third_party" if role == "model" else "other",
        },
        "eval_library": {"name": "benchwright", "version": "board schema 1"},
        "model_info": {
            "name": model,
            "id": f"{developer}/{name}",
            "developer": developer,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "answered": answered or "unknown",
                "role": role,
            },
        },
        "evaluation_results": [result for board, row in found for result in _results(board, row)],
    }


def _seconds(date: str) -> float:
    import datetime

    return datetime.datetime.fromisoformat(f"{date}T00:00:00+00:00").timestamp()


def _results(board: Board, row: Row) -> Iterator[dict[str, Any]]:
    key = board.key
    name = ".".join(
        filter(None, (key.suite, key.set, key.tier, key.device, f"round{key.round}" if key.round else "",
                      "structured" if key.structured else "", "network" if key.network else "",
                      "not-self-contained" if not key.self_contained else "",
                      f"edition{key.edition}" if key.edition else ""))
    )  # fmt: skip
    known = {
        "solved": f"{row.k}/{row.n}",
        "draws": row.draws,
        "labels_seen": row.labels_seen,
        "isolation": ", ".join(row.isolation),
        "evidence_rate": row.evidence_rate,
        "score_with_refusals_and_truncations_failed": row.strict_score,
        "cost_per_draw_usd": row.cost_per_draw,
        "status": row.status,
        "runs": ", ".join(row.runs),
    }
    # The schema takes texts only; what is not known is left out.
    details = {key: str(value) for key, value in known.items() if value is not None}
    yield {
        "evaluation_result_id": name,
        "evaluation_name": f"benchwright.{key.suite}",
        "source_data": {"dataset_name": f"{key.suite} ({key.set})", "source_type": "other"},
        "evaluation_timestamp": str(_seconds(row.date)),
        "metric_config": {
            "evaluation_description": board.title,
            "metric_id": "benchwright.score",
            "metric_name": "mean score over tasks",
            "metric_kind": "accuracy" if row.binary else "score",
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {
            "score": row.score,
            "details": details,
            "uncertainty": {
                "confidence_interval": {
                    "lower": row.low,
                    "upper": row.high,
                    "confidence_level": LEVEL,
                    "method": "Jeffreys at the effective sample size, tasks as clusters",
                },
                "num_samples": row.tasks,
            },
        },
        "generation_config": {
            "generation_args": {},
            "additional_details": {name: str(value) for name, value in row.settings.items()},
        },
    }
