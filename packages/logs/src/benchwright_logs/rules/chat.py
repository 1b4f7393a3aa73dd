"""Chat completions, in one piece: one event, the completion itself.

Servers add fields. One that is not listed here and holds something makes the verdict `unknown`, since
nobody can say that it is no search result or tool output; the list grows with the servers that are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright_logs.rules.verdict import Notes, Told, count_at, shown, text_at

TOP = frozenset(
    [
        "id",
        "object",
        "created",
        "model",
        "choices",
        "usage",
        "system_fingerprint",
        "service_tier",
        "provider",
        "timings",
        "stats",
        "runtime",
        "model_info",
        "prompt_logprobs",
        "prompt_token_ids",
        "prompt_text",
        "kv_transfer_params",
    ]
)
CHOICE = frozenset(
    [
        "index",
        "message",
        "finish_reason",
        "native_finish_reason",
        "logprobs",
        "stop_reason",
        "matched_stop",
        "token_ids",
        "routed_experts",
    ]
)
MESSAGE = frozenset(
    ["role", "content", "refusal", "reasoning_content", "reasoning", "reasoning_details", "thinking", "name"]
)
TOOLS = frozenset({"tool_calls", "function_call", "annotations", "citations", "search_results", "executed_tools"})
STOPS = frozenset({"stop", "length", "content_filter"})


def judge(events: Sequence[Any]) -> Told:
    """The verdict on the event of one turn."""
    notes = Notes()
    if len(events) != 1 or not isinstance(events[0], Mapping):
        notes.unknown(0, f"there are {len(events)} events where one completion is expected")
        return Told(tuple(notes.found))
    completion = events[0]
    _fields(completion, TOP, notes, "the completion")
    choices = completion.get("choices")
    text = ""
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], Mapping):
        notes.unknown(1, "the completion does not hold exactly one choice")
    else:
        text = _choice(choices[0], notes)
    usage = completion.get("usage")
    used = usage.get("server_tool_use") if isinstance(usage, Mapping) else None
    if isinstance(used, Mapping) and any(used.values()):
        notes.tools(1, "the usage counts calls of tools")
    elif used:
        notes.unknown(1, "the usage counts tools in a form that is not known")
    given, spent = count_at(usage, "prompt_tokens"), count_at(usage, "completion_tokens")
    if given is None or spent is None:
        notes.unknown(0, "the usage is not there")
    if not text_at(completion, "model"):
        notes.unknown(0, "the model that answered is not named")
    return Told(tuple(notes.found), text, text_at(completion, "model") or None, given, spent)


def _choice(choice: Mapping[str, Any], notes: Notes) -> str:
    _fields(choice, CHOICE, notes, "the choice")
    reason = choice.get("finish_reason")
    if reason in ("tool_calls", "function_call"):
        notes.tools(1, f"the completion stopped for `{reason}`")
    elif reason not in STOPS:
        notes.unknown(1, f"the finish reason `{shown(reason)}` is not on the list")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        notes.unknown(1, "the choice holds no message")
        return ""
    _fields(message, MESSAGE, notes, "the message")
    if message.get("role") not in ("assistant", None):
        notes.unknown(1, f"the message is by `{shown(message.get('role'))}`")
    content = message.get("content")
    if content is not None and not isinstance(content, str):
        notes.unknown(1, "the content is no text")
        return ""
    return content or ""


def _fields(record: Mapping[str, Any], known: frozenset[str], notes: Notes, what: str) -> None:
    for key in sorted(TOOLS & set(record)):
        if record[key]:
            notes.tools(1, f"{what} holds `{key}`")
    notes.strange_keys(1, record, known | TOOLS, what)
