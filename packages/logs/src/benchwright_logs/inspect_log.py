"""A run as logs of Inspect AI (JSON, version 2): messages, model and tool events, reasoning, scores. Inspect is not needed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
from benchwright.errors import FileError
from benchwright.journal import read_attempts, read_manifest, turns
from benchwright.leaderboard.imported import Origin
from benchwright.leaderboard.inspect_log import OWN as SCORER
from benchwright.leaderboard.inspect_log import RUN
from benchwright.names import folder_name
from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt, Usage

from benchwright_logs.audit import attempt_place, decode_events, read_record
from benchwright_logs.passes import CALLS, ToolCall, read_calls
from benchwright_logs.reasoning import reasoning
from benchwright_logs.tree import Tree, new_folder, write

VERSION = 2
_STOPS = {"end": "stop", "length": "max_tokens", "refusal": "content_filter", "tool_use": "tool_calls"}
_LIMITS = {"timeout": "time", "over_budget": "cost"}


def export(run: Path, out: Path) -> list[Path]:
    """One `.json` for each model and suite; gives their paths. Raises FileError where the run is not whole."""
    manifest, tree = read_manifest(run), Tree(run)
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in read_attempts(run):
        groups.setdefault((attempt.task.suite, attempt.model.name), []).append(attempt)
    if not groups:
        raise FileError(run, "holds no finished attempt.")
    new_folder(out, run)
    written = []
    for (suite, model), attempts in groups.items():
        name = f"{suite}_{folder_name(model)}.json"
        log = _log(tree, manifest.run, manifest.created, manifest.versions, suite, model, attempts)
        write(out, name, msgspec.json.encode(log))
        written.append(out / name)
    return written


def _id(*parts: object) -> str:
    """An id that depends on its parts alone: an export is the same every time."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:22]


def _log(
    tree: Tree, run: str, created: str, versions: dict[str, str], suite: str, model: str, attempts: list[Attempt]
) -> dict[str, Any]:
    tasks = list(dict.fromkeys(attempt.task.id for attempt in attempts))
    total: Usage | None = None
    for attempt in attempts:
        if attempt.usage is not None:
            total = attempt.usage if total is None else total + attempt.usage
    seen = [attempt.score for attempt in attempts if attempt.score is not None]
    metrics = {} if not seen else {"mean": {"name": "mean", "value": sum(seen) / len(seen), "params": {}}}
    return {
        "version": VERSION,
        "status": "success",
        "eval": {
            "eval_id": _id(run, suite, model),
            "run_id": _id(run),
            "created": created,
            "task": suite,
            "task_id": _id(suite),
            "task_version": 1,
            "dataset": {"name": suite, "samples": len(tasks), "sample_ids": tasks},
            "model": model,
            "model_generate_config": {},
            "model_args": attempts[0].model.settings,
            "config": {"epochs": max(attempt.draw for attempt in attempts), "epochs_reducer": ["mean"]},
            "packages": versions,
            "metadata": {RUN: run},
            "tags": [],
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": len(attempts),
            "completed_samples": len(attempts),
            "scores": [{"name": SCORER, "scorer": SCORER, "params": {}, "metrics": metrics, "scored_samples": len(seen),
                        "unscored_samples": len(attempts) - len(seen)}],
        },
        "stats": {
            "started_at": min(attempt.started for attempt in attempts),
            "completed_at": max(attempt.started for attempt in attempts),
            "model_usage": {} if total is None else {model: _usage(total)},
        },
        "samples": [_sample(tree, attempt) for attempt in attempts],
    }  # fmt: skip


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "total_tokens": usage.input + usage.output + usage.cache_read + usage.cache_write,
        "reasoning_tokens": usage.reasoning,
        "input_tokens_cache_read": usage.cache_read,
        "input_tokens_cache_write": usage.cache_write,
    }


def _sample(tree: Tree, attempt: Attempt) -> dict[str, Any]:
    place = attempt_place(attempt)
    calls = {}
    if f"{place}/{CALLS}" in tree.files:
        calls = {call.turn: call for call in read_calls(tree.read(f"{place}/{CALLS}"), tree.root / place / CALLS)}
    messages: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    output: dict[str, Any] = {"model": attempt.model.answered or attempt.model.name, "choices": []}
    for turn in range(1, attempt.protocol.turns + 1):
        output = _turn(tree, attempt, place, turn, calls.get(turn), messages, events)
    outcome = OUTCOMES[attempt.outcome]
    sample: dict[str, Any] = {
        "id": attempt.task.id,
        "epoch": attempt.draw,
        "input": messages[0]["content"] if messages else "",
        "target": "",
        "messages": messages,
        "output": output,
        "metadata": {
            "attempt": attempt.attempt,
            "outcome": attempt.outcome,
            "reason": attempt.reason,
            "cost_usd": attempt.cost_usd,
            **msgspec.to_builtins(_origin(attempt)),
        },
        "events": events,
        "model_usage": {} if attempt.usage is None else {attempt.model.name: _usage(attempt.usage)},
        "started_at": attempt.started,
        "total_time": attempt.seconds,
        "uuid": _id(attempt.attempt),
    }
    if outcome.evidence != "none":
        sample["scores"] = {
            SCORER: {
                "value": attempt.score,
                "answer": _submitted(tree, place),
                "explanation": attempt.reason,
                "metadata": {
                    "outcome": attempt.outcome,
                    "metrics": attempt.metrics,
                    "failed_checks": attempt.failed_checks,
                },
            }
        }
    elif outcome.ours:
        sample["error"] = {"message": attempt.reason or outcome.meaning, "traceback": "", "traceback_ansi": ""}
    if attempt.outcome in _LIMITS:
        sample["limit"] = {"type": _LIMITS[attempt.outcome], "limit": 0}
    return sample


def _origin(attempt: Attempt) -> Origin:
    """What an import needs to know the attempt again; files stay with the run."""
    return Origin(
        task=attempt.task,
        protocol=attempt.protocol,
        isolation=attempt.isolation,
        device=attempt.device,
        data=attempt.data,
        rounds=[msgspec.structs.replace(played, files={}) for played in attempt.rounds],
    )


def _submitted(tree: Tree, place: str) -> str | None:
    for name in sorted(tree.files):
        if name.startswith(f"{place}/submission/"):
            try:
                return tree.read(name, 1 << 20).decode()
            except (UnicodeDecodeError, FileError):
                return None
    return None


def _turn(
    tree: Tree,
    attempt: Attempt,
    place: str,
    turn: int,
    call: ToolCall | None,
    messages: list[dict[str, Any]],
    events: list[dict[str, Any]],
) -> dict[str, Any]:
    """Adds a turn's messages and events; gives the model's output."""
    folder = f"{place}/turn-{turn:02d}"
    record = read_record(tree, folder)
    sent = tree.read(f"{folder}/{turns.MESSAGE}").decode("utf-8", "replace")
    messages.append({"id": _id(attempt.attempt, turn, "sent"), "role": "user", "content": sent, "source": "input"})
    answer = f"{folder}/{turns.ANSWER}"
    text = tree.read(answer).decode("utf-8", "replace") if answer in tree.files else ""
    name = f"{folder}/{turns.EVENTS}"
    raw = decode_events(tree.read(name), tree.root / name) if name in tree.files else []
    thought = list(reasoning(raw))
    content: Any = text
    if thought:
        content = [*({"type": "reasoning", "reasoning": one} for one in thought), {"type": "text", "text": text}]
    said = {
        "id": _id(attempt.attempt, turn, "said"),
        "role": "assistant",
        "content": content,
        "source": "generate",
        "model": record.answered or record.model,
    }
    output: dict[str, Any] = {
        "model": record.answered or record.model,
        "choices": [{"message": said, "stop_reason": _STOPS.get(record.stop, "unknown")}],
        "time": record.seconds,
    }
    if record.usage is not None:
        output["usage"] = _usage(record.usage)
    if record.failure:
        output["error"] = record.failure
    events.append(
        {
            "event": "model",
            "uuid": _id(attempt.attempt, turn, "model"),
            "timestamp": record.started,
            "working_start": 0.0,
            "model": record.model,
            "input": list(messages),
            "tools": [],
            "tool_choice": "none",
            "config": {},
            "output": output,
            "completed": record.started,
            "call": {"request": {}, "response": {"events": raw}} if raw else None,
        }
    )
    messages.append(said)
    if call is not None:
        events.append(_tool(attempt, record.started, call))
    return output


def _tool(attempt: Attempt, stamp: str, call: ToolCall) -> dict[str, Any]:
    event: dict[str, Any] = {
        "event": "tool",
        "uuid": _id(attempt.attempt, call.turn, "tool"),
        "timestamp": stamp,
        "working_start": 0.0,
        "type": "function",
        "id": _id(attempt.attempt, call.turn, "call"),
        "function": "python",
        "arguments": {"code": call.code},
        "result": call.output.text,
        "truncated": None,
        "events": [],
        "working_time": call.output.seconds,
    }
    if call.output.status == "timeout":
        event["error"] = {"type": "timeout", "message": "the block ran past its time limit"}
    elif call.output.status != "ok":
        event["error"] = {"type": "unknown", "message": call.output.status}
    return event
