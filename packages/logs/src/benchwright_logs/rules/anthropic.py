"""Events of the Messages API, streamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright_logs.rules.verdict import Notes, Told, count_at, shown, text_at

EVENTS = frozenset(
    [
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
)
BLOCKS = {
    "text": frozenset({"text_delta"}),
    "thinking": frozenset({"thinking_delta", "signature_delta"}),
    "redacted_thinking": frozenset[str](),
}
"""Content block to the deltas that may fill it. Citations are no such delta: they come of documents and searches."""
STOPS = frozenset({"end_turn", "stop_sequence", "max_tokens", "model_context_window_exceeded", "refusal"})
MESSAGE = frozenset(
    [
        "id",
        "type",
        "role",
        "content",
        "model",
        "stop_reason",
        "stop_sequence",
        "stop_details",
        "usage",
        "diagnostics",
        "context_management",
    ]
)


def judge(events: Sequence[Any]) -> Told:
    """The verdict on the events of one turn."""
    notes = Notes()
    stream = _Stream(notes)
    for number, event in enumerate(events, 1):
        if not isinstance(event, Mapping) or not isinstance(event.get("type"), str):
            notes.unknown(number, "is no event: it has no type")
            continue
        stream.take(number, event)
    stream.end(len(events))
    return Told(tuple(notes.found), "".join(stream.text), stream.answered or None, stream.input, stream.output)


class _Stream:
    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.text: list[str] = []
        self.answered = ""
        self.input: int | None = None
        self.output: int | None = None
        self._open: dict[Any, str] = {}
        self._next = 0
        self._started = self._stopped = self._reasons = 0

    def take(self, number: int, event: Mapping[str, Any]) -> None:
        kind = event["type"]
        if kind not in EVENTS:
            self.notes.unknown(number, f"the event type `{shown(kind)}` is not on the list")
            return
        if self._stopped:
            self.notes.unknown(number, f"`{kind}` comes behind the end of the message")
        if kind == "message_start":
            self._start(number, event)
        elif not self._started and kind != "ping":
            self.notes.unknown(number, f"`{kind}` comes before the message began")
        if kind == "content_block_start":
            self._begin_block(number, event)
        elif kind == "content_block_delta":
            self._delta(number, event)
        elif kind == "content_block_stop" and self._open.pop(event.get("index"), None) is None:
            self.notes.unknown(number, "a content block ends that was not open")
        elif kind == "message_delta":
            self._message_delta(number, event)
        elif kind == "message_stop":
            self._stopped += 1

    def _start(self, number: int, event: Mapping[str, Any]) -> None:
        self._started += 1
        message = event.get("message")
        if self._started > 1 or not isinstance(message, Mapping):
            self.notes.unknown(number, "the message begins twice, or holds nothing")
            return
        self.answered = text_at(message, "model")
        self.input = count_at(message, "usage", "input_tokens")
        if message.get("content"):
            self.notes.unknown(number, "the message begins with content")
        if message.get("container"):
            self.notes.tools(number, "the message ran in a container")
        self.notes.strange_keys(number, message, MESSAGE | {"container"}, "the message")
        self._server_tools(number, message.get("usage"))

    def _begin_block(self, number: int, event: Mapping[str, Any]) -> None:
        block = event.get("content_block")
        kind = text_at(block, "type")
        if event.get("index") != self._next:
            self.notes.unknown(number, f"content block {self._next} is not there, or comes out of turn")
        self._next = self._next + 1
        self._open[event.get("index")] = kind
        if "tool" in kind or kind.startswith(("mcp_", "web_", "code_", "bash_", "container_")):
            name = text_at(block, "name")
            self.notes.tools(number, f"a content block `{shown(kind)}`{f' for {shown(name)}' if name else ''}")
        elif kind not in BLOCKS:
            self.notes.unknown(number, f"the content block `{shown(kind)}` is not on the list")
        elif kind == "text":
            self.text.append(text_at(block, "text"))
            if isinstance(block, Mapping) and block.get("citations"):
                self.notes.tools(number, "the text cites documents")

    def _delta(self, number: int, event: Mapping[str, Any]) -> None:
        kind = text_at(event, "delta", "type")
        block = self._open.get(event.get("index"))
        if block is None:
            self.notes.unknown(number, "a delta belongs to no open content block")
        elif kind not in BLOCKS.get(block, frozenset()) and block in BLOCKS:
            self.notes.unknown(number, f"the delta `{shown(kind)}` does not belong into a `{block}` block")
        if kind == "text_delta":
            self.text.append(text_at(event, "delta", "text"))

    def _message_delta(self, number: int, event: Mapping[str, Any]) -> None:
        reason = text_at(event, "delta", "stop_reason")
        if reason:
            self._reasons += 1
            if reason in ("tool_use", "pause_turn"):
                self.notes.tools(number, f"the message stopped for `{reason}`")
            elif reason not in STOPS:
                self.notes.unknown(number, f"the stop reason `{shown(reason)}` is not on the list")
        if isinstance(event.get("delta"), Mapping) and event["delta"].get("container"):
            self.notes.tools(number, "the message ran in a container")
        output = count_at(event, "usage", "output_tokens")
        self.output = self.output if output is None else output
        later = count_at(event, "usage", "input_tokens")
        self.input = self.input if later is None else later
        self._server_tools(number, event.get("usage"))

    def _server_tools(self, number: int, usage: Any) -> None:
        used = usage.get("server_tool_use") if isinstance(usage, Mapping) else None
        if isinstance(used, Mapping):
            for name, count in used.items():
                if count not in (0, None):
                    self.notes.tools(number, f"the usage counts {shown(name)}")
        elif used is not None:
            self.notes.unknown(number, "the usage counts tools in a form that is not known")

    def end(self, count: int) -> None:
        for fine, why in (
            (count > 0, "there are no events"),
            (self._started == 1, f"the message begins {self._started} times"),
            (self._stopped == 1, f"the message ends {self._stopped} times"),
            (self._reasons == 1, f"there are {self._reasons} stop reasons"),
            (not self._open, "a content block never ends"),
            (self.input is not None and self.output is not None, "the usage is not there"),
            (bool(self.answered), "the model that answered is not named"),
        ):
            if not fine:
                self.notes.unknown(0, why)
