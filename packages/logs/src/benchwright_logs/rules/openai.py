"""Events of the Responses API, streamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright_logs.rules.verdict import Notes, Told, count_at, shown, text_at

LIFE = frozenset({"response.created", "response.queued", "response.in_progress"})
ENDS = frozenset({"response.completed", "response.incomplete"})
EVENTS = (
    LIFE
    | ENDS
    | frozenset(
        f"response.{name}"
        for name in (
            "output_item.added", "output_item.done", "content_part.added", "content_part.done", "output_text.delta",
            "output_text.done", "refusal.delta", "refusal.done", "reasoning_summary_part.added",
            "reasoning_summary_part.done", "reasoning_summary_text.delta", "reasoning_summary_text.done",
            "reasoning_text.delta", "reasoning_text.done",
        )
    )
)  # fmt: skip
ITEMS = frozenset({"message", "reasoning"})
PARTS = frozenset({"output_text", "refusal", "summary_text", "reasoning_text"})
_CARRIED = ("previous_response_id", "conversation", "prompt")
"""Fields by which a request takes in what is not in the log."""


def judge(events: Sequence[Any]) -> Told:
    """The verdict on the events of one turn."""
    notes = Notes()
    last: Mapping[str, Any] = {}
    ends = begins = 0
    for number, event in enumerate(events, 1):
        kind = event.get("type") if isinstance(event, Mapping) else None
        if not isinstance(kind, str):
            notes.unknown(number, "is no event: it has no type")
            continue
        _sequence(number, event, notes)
        if kind not in EVENTS:
            called = "_call" in kind or "tool" in kind or "mcp" in kind
            (notes.tools if called else notes.unknown)(number, f"the event type `{shown(kind)}` is not on the list")
            continue
        if ends:
            notes.unknown(number, f"`{kind}` comes behind the end of the response")
        begins += kind == "response.created"
        if kind in ENDS:
            ends += 1
            last = event["response"] if isinstance(event.get("response"), Mapping) else {}
        if kind in LIFE | ENDS:
            _offered(number, event.get("response"), notes)
        if "item" in event or kind.startswith("response.output_item."):
            _item(number, event.get("item"), notes)
        if "part" in event:
            _part(number, event.get("part"), notes)
    text = _whole(len(events), last, notes)
    given, used = count_at(last, "usage", "input_tokens"), count_at(last, "usage", "output_tokens")
    for fine, why in (
        (bool(events), "there are no events"),
        (begins == 1, f"the response begins {begins} times"),
        (ends == 1, f"the response ends {ends} times"),
        (given is not None and used is not None, "the usage is not there"),
        (bool(text_at(last, "model")), "the model that answered is not named"),
    ):
        if not fine:
            notes.unknown(0, why)
    return Told(tuple(notes.found), text, text_at(last, "model") or None, given, used)


def _sequence(number: int, event: Mapping[str, Any], notes: Notes) -> None:
    if event.get("sequence_number") != number - 1:
        notes.unknown(number, f"the event before it is not there: its number is {shown(event.get('sequence_number'))}")


def _offered(number: int, response: Any, notes: Notes) -> None:
    """What the request offered, as the response repeats it."""
    if not isinstance(response, Mapping):
        notes.unknown(number, "the event holds no response")
        return
    if response.get("tools"):
        notes.tools(number, "tools were offered to the model")
    for name in _CARRIED:
        if response.get(name):
            notes.unknown(number, f"the request takes in a `{name}`, which is not in this log")


def _item(number: int, item: Any, notes: Notes) -> None:
    kind = text_at(item, "type")
    if kind in ITEMS:
        for name in ("content", "summary"):
            parts = item.get(name)
            for part in parts if isinstance(parts, list) else []:
                _part(number, part, notes)
    elif "call" in kind or "tool" in kind or "mcp" in kind:
        notes.tools(number, f"an output item `{shown(kind)}`")
    else:
        notes.unknown(number, f"the output item `{shown(kind)}` is not on the list")


def _part(number: int, part: Any, notes: Notes) -> None:
    kind = text_at(part, "type")
    if kind not in PARTS:
        notes.unknown(number, f"the content part `{shown(kind)}` is not on the list")
    elif isinstance(part, Mapping) and part.get("annotations"):
        notes.tools(number, "the text cites what a search or a file gave")


def _whole(number: int, response: Mapping[str, Any], notes: Notes) -> str:
    """The text of the response that the last event holds."""
    output = response.get("output")
    if not isinstance(output, list):
        return ""
    text = []
    for item in output:
        _item(number, item, notes)
        if text_at(item, "type") == "message" and isinstance(item.get("content"), list):
            text += [text_at(part, "text") for part in item["content"] if text_at(part, "type") == "output_text"]
    return "".join(text)
