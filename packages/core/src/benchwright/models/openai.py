"""`openai/MODEL[knob=value,…]`: the Responses API, streamed, through the official SDK."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from benchwright.models import hosted
from benchwright.models.hosted_model import HostedModel, complete, usage_of
from benchwright.models.interface import Ask
from benchwright.models.knobs import OUTPUT_CAP, Knob, Options, put, read_options
from benchwright.models.throttle import Fault, Try
from benchwright.records import Reply

PROVIDER = "openai"
VARIABLE = "OPENAI_API_KEY"
ADDRESS = "https://api.openai.com/v1"
DEFAULT_CAP = 32_000

KNOBS = {
    "effort": Knob(str, ("reasoning", "effort")),
    "service_tier": Knob(str, ("service_tier",)),
    "temperature": Knob(float, ("temperature",)),
    "top_p": Knob(float, ("top_p",)),
    "verbosity": Knob(str, ("text", "verbosity"), ("low", "medium", "high")),
}

_TERMINAL = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_INCOMPLETE = {"max_output_tokens": "length", "content_filter": "refusal"}


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Responses:
    """A model of the Responses API. Raises UserError without a key, without the SDK, or for an unknown knob."""
    return Responses(argument, knobs, read_options(options))


class Responses(HostedModel):
    """One model behind the Responses API."""

    provider, variable, knobs = PROVIDER, VARIABLE, KNOBS

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options) -> None:
        address = options.base_url or os.environ.get("OPENAI_BASE_URL", "").rstrip("/") or ADDRESS
        super().__init__(name, knobs, options, address, DEFAULT_CAP)
        self.settings = hosted.on_record(self.values, address, ADDRESS)

    def _connect(self) -> Any:
        module = hosted.sdk("openai", PROVIDER)
        return module.AsyncOpenAI(
            api_key=self.key, base_url=self.address, **hosted.bounds(module, self.options, self.values[OUTPUT_CAP])
        )

    def request(self, ask: Ask) -> dict[str, Any]:
        """See `HostedModel.request`."""
        made: dict[str, Any] = {"max_output_tokens": self.values[OUTPUT_CAP], "input": hosted.conversation(ask)}
        if ask.system:
            made["instructions"] = ask.system
        return put(made, KNOBS, self.values)

    async def _receive(self, request: dict[str, Any], seen: Try) -> None:
        stream = await self._client.responses.create(model=self.name, stream=True, **request)
        async with stream:
            async for event in stream:
                seen.events.append(hosted.plain(event))

    def _read(self, seen: Try) -> Reply:
        return _reply(seen)


def _reply(seen: Try) -> Reply:
    """The reply that the events make. Raises Fault where they make none."""
    if not seen.events:
        raise Fault("the provider sent an empty stream", label="no reply")
    broken = next((event for event in seen.events if event.get("type") == "error"), None)
    if broken is not None:
        inner: dict[str, Any] = broken["error"] if isinstance(broken.get("error"), dict) else broken
        raise hosted.event_fault(str(inner.get("code") or ""), "", str(inner.get("message") or ""))
    last = next((event for event in reversed(seen.events) if event.get("type") in _TERMINAL), None)
    if last is None:
        raise Fault("the stream ended without its end", label="cut off")
    response = last.get("response") or {}
    usage: dict[str, Any] = response.get("usage") or {}
    counted = hosted.has_counts(usage, "input_tokens", "output_tokens")
    if counted:
        seen.billed = usage_of(usage, "input_tokens", "output_tokens")
    seen.answered = hosted.named(response.get("model"))
    status = response.get("status")
    if status not in ("completed", "incomplete"):
        error = response.get("error") or {}
        raise hosted.event_fault(str(error.get("code") or status), "", str(error.get("message") or "the reply failed"))
    text, refused, called = _content(response.get("output") or [])
    stop = "end"
    if status == "incomplete":
        reason = str((response.get("incomplete_details") or {}).get("reason") or "incomplete")
        stop = _INCOMPLETE.get(reason, reason)
    elif refused:
        stop = "refusal"
    elif called and not text:
        stop = "tool_use"
    return complete(seen, text, stop, counted=counted)


def _content(output: list[Any]) -> tuple[str, bool, bool]:
    """The text of a response, whether a part of it is a refusal, and whether it calls a tool."""
    text: list[str] = []
    refused = called = False
    for entry in output:
        called = called or str(entry.get("type", "")).endswith("_call")
        for part in (entry.get("content") or []) if entry.get("type") == "message" else []:
            if part.get("type") == "output_text":
                text.append(part.get("text") or "")
            refused = refused or part.get("type") == "refusal"
    return "".join(text), refused, called
