"""A run as spans in OTLP/JSON, by the semantic conventions for generative AI at one pinned version.

invoke_agent (an attempt) > chat (a turn) and execute_tool (a block that was run). The conventions are
marked as in development: names change between versions, so the schema's address is written with every span.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from benchwright import names
from benchwright.errors import FileError, UserError
from benchwright.journal import Manifest, read_attempts, read_manifest, turns
from benchwright.names import folder_name
from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt

import benchwright_logs
from benchwright_logs.audit import attempt_place, decode_events, read_record
from benchwright_logs.passes import CALLS, ToolCall, read_calls
from benchwright_logs.reasoning import reasoning
from benchwright_logs.tree import Tree, new_folder, write

SEMCONV = "1.37.0"
SCHEMA_URL = f"https://opentelemetry.io/schemas/{SEMCONV}"
_INTERNAL, _CLIENT = 1, 3
_OK, _ERROR = 1, 2
_PROVIDERS = {"anthropic": "anthropic", "openai": "openai"}
_FINISH = {"end": "stop", "length": "length", "refusal": "content_filter", "tool_use": "tool_call"}


def export(run: Path, out: Path) -> list[Path]:
    """One `.otlp.json` for each model and suite; gives their paths. Raises FileError where the run is not whole."""
    manifest, tree = read_manifest(run), Tree(run)
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in read_attempts(run):
        groups.setdefault((attempt.task.suite, attempt.model.name), []).append(attempt)
    if not groups:
        raise FileError(run, "holds no finished attempt.")
    new_folder(out, run)
    written = []
    for (suite, model), attempts in groups.items():
        name = f"{suite}_{folder_name(model)}.otlp.json"
        spans = [span for attempt in attempts for span in _spans(tree, attempt)]
        write(out, name, msgspec.json.encode(_document(manifest, suite, spans)))
        written.append(out / name)
    return written


def _document(manifest: Manifest, suite: str, spans: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "resourceSpans": [
            {
                "resource": {
                    "attributes": _attributes(
                        {
                            "service.name": "benchwright",
                            "service.version": manifest.versions.get("benchwright", "unknown"),
                            "benchwright.run": manifest.run,
                            "benchwright.suite": suite,
                        }
                    )
                },
                "scopeSpans": [
                    {
                        "scope": {"name": "benchwright_logs", "version": benchwright_logs.__version__},
                        "spans": spans,
                        "schemaUrl": SCHEMA_URL,
                    }
                ],
                "schemaUrl": SCHEMA_URL,
            }
        ]
    }


def _attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": value if isinstance(value, str) else msgspec.json.encode(value).decode()}


def _hex(length: int, *parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:length]


def _nanoseconds(stamp: str) -> int:
    moment = datetime.fromisoformat(stamp)
    return int(moment.timestamp()) * 10**9 + moment.microsecond * 1000


def _spans(tree: Tree, attempt: Attempt) -> list[dict[str, Any]]:
    place = attempt_place(attempt)
    trace, root = _hex(32, "trace", attempt.attempt), _hex(16, "attempt", attempt.attempt)
    provider = _provider(attempt.model.name)
    calls = {}
    if f"{place}/{CALLS}" in tree.files:
        calls = {call.turn: call for call in read_calls(tree.read(f"{place}/{CALLS}"), tree.root / place / CALLS)}
    common = {
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": attempt.model.name,
        "gen_ai.conversation.id": attempt.attempt,
    }
    spans: list[dict[str, Any]] = []
    start = end = _nanoseconds(attempt.started)
    for turn in range(1, attempt.protocol.turns + 1):
        chat = _chat(tree, attempt, f"{place}/turn-{turn:02d}", common)
        begun = int(chat["startTimeUnixNano"])
        start, end = min(start, begun), max(end, int(chat["endTimeUnixNano"]))
        spans.append(
            {"traceId": trace, "spanId": _hex(16, attempt.attempt, turn, "chat"), "parentSpanId": root, **chat}
        )
        call = calls.get(turn)
        if call is not None:
            begun = int(chat["endTimeUnixNano"])
            end = max(end, begun + int(call.output.seconds * 1e9))
            spans.append(
                {"traceId": trace, "spanId": _hex(16, attempt.attempt, turn, "tool"), "parentSpanId": root,
                 **_tool(call, begun)}
            )  # fmt: skip
    outcome = OUTCOMES[attempt.outcome]
    usage = attempt.usage
    evaluation = {
        "timeUnixNano": str(end),
        "name": "gen_ai.evaluation.result",
        "attributes": _attributes(
            {
                "gen_ai.evaluation.name": attempt.task.id,
                "gen_ai.evaluation.score.value": None if attempt.score is None else float(attempt.score),
                "gen_ai.evaluation.score.label": attempt.outcome,
                "gen_ai.evaluation.explanation": attempt.reason or None,
            }
        ),
    }
    agent = {
        "traceId": trace,
        "spanId": root,
        "name": f"invoke_agent {attempt.task.id}",
        "kind": _INTERNAL,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(end),
        "attributes": _attributes(
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": attempt.task.id,
                **common,
                "gen_ai.response.model": attempt.model.answered,
                "gen_ai.usage.input_tokens": None
                if usage is None
                else usage.input + usage.cache_read + usage.cache_write,
                "gen_ai.usage.output_tokens": None if usage is None else usage.output,
                "benchwright.attempt": attempt.attempt,
                "benchwright.draw": attempt.draw,
                "benchwright.outcome": attempt.outcome,
                "benchwright.score": attempt.score,
                "benchwright.task.digest": attempt.task.digest,
                "benchwright.prompt.digest": attempt.task.prompt_digest,
                "benchwright.isolation": attempt.isolation,
                "benchwright.cost_usd": attempt.cost_usd,
                "error.type": attempt.outcome if outcome.ours else None,
            }
        ),
        "events": [evaluation],
        "status": {"code": _ERROR, "message": attempt.reason} if outcome.ours else {"code": _OK},
    }
    return [agent, *spans]


def _provider(model: str) -> str:
    try:
        provider = names.parse_model(model)[0]
    except UserError:
        return "benchwright"
    return _PROVIDERS.get(provider, provider)


def _chat(tree: Tree, attempt: Attempt, place: str, common: dict[str, Any]) -> dict[str, Any]:
    record = read_record(tree, place)
    begun = _nanoseconds(record.started)
    sent = tree.read(f"{place}/{turns.MESSAGE}").decode("utf-8", "replace")
    answer = f"{place}/{turns.ANSWER}"
    text = tree.read(answer).decode("utf-8", "replace") if answer in tree.files else ""
    name = f"{place}/{turns.EVENTS}"
    thought = reasoning(decode_events(tree.read(name), tree.root / name)) if name in tree.files else ()
    parts = [{"type": "reasoning", "content": one} for one in thought]
    parts.append({"type": "text", "content": text})
    finish = _FINISH.get(record.stop, record.stop)
    usage = record.usage
    return {
        "name": f"chat {record.model}",
        "kind": _CLIENT,
        "startTimeUnixNano": str(begun),
        "endTimeUnixNano": str(begun + int(record.seconds * 1e9)),
        "attributes": _attributes(
            {
                "gen_ai.operation.name": "chat",
                **common,
                "gen_ai.response.model": record.answered,
                "gen_ai.response.finish_reasons": [finish],
                "gen_ai.usage.input_tokens": None if usage is None else usage.input + usage.cache_read + usage.cache_write,
                "gen_ai.usage.output_tokens": None if usage is None else usage.output,
                "gen_ai.input.messages": msgspec.json.encode(
                    [{"role": "user", "parts": [{"type": "text", "content": sent}]}]
                ).decode(),
                "gen_ai.output.messages": msgspec.json.encode(
                    [{"role": "assistant", "parts": parts, "finish_reason": finish}]
                ).decode(),
                "benchwright.turn": record.turn,
                "benchwright.prompt.sha256": record.message_sha256,
                "error.type": "provider_error" if record.failure else None,
            }
        ),
        "status": {"code": _ERROR, "message": record.failure} if record.failure else {"code": _OK},
    }  # fmt: skip


def _tool(call: ToolCall, begun: int) -> dict[str, Any]:
    fine = call.output.status == "ok"
    return {
        "name": "execute_tool python",
        "kind": _INTERNAL,
        "startTimeUnixNano": str(begun),
        "endTimeUnixNano": str(begun + int(call.output.seconds * 1e9)),
        "attributes": _attributes(
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "python",
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.arguments": msgspec.json.encode({"code": call.code}).decode(),
                "gen_ai.tool.call.result": call.output.text,
                "error.type": None if fine else call.output.status,
            }
        ),
        "status": {"code": _OK} if fine else {"code": _ERROR, "message": call.output.status},
    }
