"""`anthropic/MODEL[knob=value,…]`: the Messages API, streamed, through the official SDK."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from benchwright.errors import UserError
from benchwright.models import hosted
from benchwright.models.hosted_model import HostedModel, complete
from benchwright.models.interface import Ask
from benchwright.models.knobs import OUTPUT_CAP, Knob, Options, put, read_options
from benchwright.models.throttle import Fault, Try
from benchwright.records import Reply, Usage

PROVIDER = "anthropic"
VARIABLE = "ANTHROPIC_API_KEY"
ADDRESS = "https://api.anthropic.com"
DEFAULT_CAP = 32_000

KNOBS = {
    "effort": Knob(str, ("output_config", "effort")),
    "service_tier": Knob(str, ("service_tier",), ("auto", "standard_only")),
    "temperature": Knob(float, ("extra_body", "temperature")),
    "thinking": Knob(str, ("thinking",)),
    "top_k": Knob(int, ("extra_body", "top_k")),
    "top_p": Knob(float, ("extra_body", "top_p")),
}
"""`thinking` is `adaptive`, `disabled`, or the number of tokens it may use."""

STOPS = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""stop_reason -> Reply.stop; others (`tool_use`, `pause_turn`) keep their name."""


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Messages:
    """A model of the Messages API. Raises UserError without a key, without the SDK, or for an unknown knob."""
    return Messages(argument, knobs, read_options(options))


class Messages(HostedModel):
    """One model behind the Messages API."""

    provider, variable, knobs = PROVIDER, VARIABLE, KNOBS

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options) -> None:
        address = options.base_url or os.environ.get("ANTHROPIC_BASE_URL", "").rstrip("/") or ADDRESS
        super().__init__(name, knobs, options, address, DEFAULT_CAP)
        self._thinking = _thinking(self.values.get("thinking"))
        self.settings = hosted.on_record(self.values, address, ADDRESS)

    def _connect(self) -> Any:
        module = hosted.sdk("anthropic", PROVIDER)
        return module.AsyncAnthropic(
            api_key=self.key, base_url=self.address, **hosted.bounds(module, self.options, self.values[OUTPUT_CAP])
        )

    def request(self, ask: Ask) -> dict[str, Any]:
        """See `HostedModel.request`."""
        made: dict[str, Any] = {"max_tokens": self.values[OUTPUT_CAP], "messages": hosted.conversation(ask)}
        if ask.system:
            made["system"] = ask.system
        put(made, KNOBS, self.values)
        if self._thinking is not None:
            made["thinking"] = self._thinking
        return made

    async def _receive(self, request: dict[str, Any], seen: Try) -> None:
        stream = await self._client.messages.create(model=self.name, stream=True, **request)
        async with stream:
            async for event in stream:
                seen.events.append(hosted.plain(event))
                _note(seen)

    def _read(self, seen: Try) -> Reply:
        return _reply(seen)


def _thinking(value: str | None) -> dict[str, Any] | None:
    if value is None:
        return None
    if value.isdecimal():
        return {"type": "enabled", "budget_tokens": int(value)}
    if value not in ("adaptive", "disabled"):
        raise UserError(f"[thinking={value}]: {PROVIDER} knows adaptive, disabled, or a number of tokens.")
    return {"type": value}


def _note(seen: Try) -> None:
    """Keeps count of what is billed as the stream goes: a stream that is cut was billed as well."""
    event = seen.events[-1]
    if event.get("type") == "message_start":
        message = event.get("message") or {}
        seen.answered = hosted.named(message.get("model"))
        if hosted.has_counts(message.get("usage"), "input_tokens"):
            seen.billed = _usage(message["usage"])
    elif event.get("type") == "message_delta" and hosted.has_counts(event.get("usage"), "output_tokens"):
        first: dict[str, Any] = next((e["message"]["usage"] for e in seen.events if _has_usage(e)), {})
        last = {name: value for name, value in event["usage"].items() if value is not None}
        if hosted.has_counts({**first, **last}, "input_tokens", "output_tokens"):
            seen.billed = _usage({**first, **last})


def _has_usage(event: Mapping[str, Any]) -> bool:
    return event.get("type") == "message_start" and isinstance((event.get("message") or {}).get("usage"), dict)


def _usage(block: Mapping[str, Any]) -> Usage:
    return Usage(
        input=hosted.count(block, "input_tokens"),
        output=hosted.count(block, "output_tokens"),
        reasoning=hosted.count(block, "output_tokens_details", "thinking_tokens"),
        cache_read=hosted.count(block, "cache_read_input_tokens"),
        cache_write=hosted.count(block, "cache_creation_input_tokens"),
    )


def _reply(seen: Try) -> Reply:
    """The reply that the events make. Raises Fault where they make none."""
    stop: str | None = None
    counted = False
    text: list[str] = []
    for event in seen.events:
        kind = event.get("type")
        if kind == "content_block_start":
            text.append((event.get("content_block") or {}).get("text") or "")
        elif kind == "content_block_delta":
            delta = event.get("delta") or {}
            if delta.get("type") == "text_delta":
                text.append(delta.get("text") or "")
        elif kind == "message_delta":
            delta = event.get("delta") or {}
            stop = delta.get("stop_reason") or stop
            counted = counted or hosted.has_counts(event.get("usage"), "output_tokens")
    if not seen.events:
        raise Fault("the provider sent an empty stream", label="no reply")
    if stop is None:
        raise Fault("the stream ended without its end", label="cut off")
    return complete(seen, "".join(text), STOPS.get(stop, stop), counted=counted)
