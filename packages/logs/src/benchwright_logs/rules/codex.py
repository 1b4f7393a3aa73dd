"""JSON lines of `codex exec --json`: one call of the Codex CLI, which is one turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright_logs.rules.verdict import Notes, Told, count_at, shown, text_at

EVENTS = frozenset(
    {"thread.started", "turn.started", "turn.completed", "item.started", "item.updated", "item.completed"}
)
ITEMS = frozenset({"agent_message", "reasoning"})
TOOL_ITEMS = frozenset(
    {
        "command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search", "todo_list", "plan",
        "image_view", "image_generation",
    }
)  # fmt: skip
NOTICES = frozenset(
    {
        "Code Mode is unavailable because code-mode host is disabled. Code mode will fail closed; enable "
        "`features.code_mode_host` and install `codex-code-mode-host`."
    }
)
"""What Codex says where every tool is switched off, word for word. Another wording is another version: it has to be
looked at and added here before its turns count."""


def judge(events: Sequence[Any]) -> Told:
    """The verdict on the events of one turn."""
    notes = Notes()
    text = thread = ""
    seen: dict[str, int] = {}
    usage: Any = None
    for number, event in enumerate(events, 1):
        kind = event.get("type") if isinstance(event, Mapping) else None
        if not isinstance(kind, str):
            notes.unknown(number, "is no event: it has no type")
            continue
        if kind not in EVENTS:
            notes.unknown(number, f"the event type `{shown(kind)}` is not on the list")
            continue
        if seen.get("turn.completed"):
            notes.unknown(number, f"`{kind}` comes behind the end of the turn")
        seen[kind] = seen.get(kind, 0) + 1
        if kind == "thread.started":
            thread = text_at(event, "thread_id")
        elif kind == "turn.completed":
            usage = event.get("usage")
        elif kind.startswith("item."):
            _item(number, event.get("item"), notes, begun=bool(seen.get("turn.started")))
            if kind == "item.completed" and text_at(event, "item", "type") == "agent_message":
                text = text_at(event, "item", "text")
    given, used = count_at(usage, "input_tokens"), count_at(usage, "output_tokens")
    for fine, why in (
        (bool(events), "there are no events"),
        (seen.get("thread.started") == 1 and bool(thread), "the thread does not begin exactly once"),
        (seen.get("turn.started") == 1, "the turn does not begin exactly once"),
        (seen.get("turn.completed") == 1, "the turn does not end exactly once"),
        (given is not None and used is not None, "the usage is not there"),
        (bool(text), "there is no message of the model"),
    ):
        if not fine:
            notes.unknown(0, why)
    return Told(tuple(notes.found), text, None, given, used, thread or None)


def _item(number: int, item: Any, notes: Notes, *, begun: bool) -> None:
    kind = text_at(item, "type")
    if kind in ITEMS:
        return
    if kind == "error":
        if text_at(item, "message") not in NOTICES:
            notes.unknown(
                number, f"an error other than the notice that tools are off: {shown(text_at(item, 'message'))}"
            )
        elif begun:
            notes.unknown(number, "the notice that tools are off comes within the turn")
    elif kind in TOOL_ITEMS:
        notes.tools(number, f"the item `{kind}`")
    else:
        notes.unknown(number, f"the item `{shown(kind)}` is not on the list")
