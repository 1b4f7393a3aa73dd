"""`anthropic/MODEL[knob=value,…]`: the Messages API, streamed, through the official SDK."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from benchwright.errors import UserError
from benchwright.models import hosted
from benchwright.models.interface import Ask
from benchwright.models.knobs import OUTPUT_CAP, PROVIDER_DEFAULT, Knob, Options, put, read_knobs, read_options
from benchwright.models.throttle import Fault, Try, shared
from benchwright.names import model_identity
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


class Messages:
    """One model behind the Messages API."""

    paid = True

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options) -> None:
        self._name = name
        self._options = options
        self._values = read_knobs(PROVIDER, KNOBS, knobs, options.output_cap or DEFAULT_CAP)
        self._thinking = _thinking(self._values.get("thinking"))
        self.identity = model_identity(f"{PROVIDER}/{name}", self._values)
        self.settings: dict[str, Any] = {"effort": PROVIDER_DEFAULT, **self._values}
        address = options.base_url or os.environ.get("ANTHROPIC_BASE_URL", "").rstrip("/") or ADDRESS
        self._address = hosted.checked_address(address)
        if address != ADDRESS:
            self.settings["base_url"] = hosted.public_address(address)
        self._client: Any = None
        self._key = ""
        if not options.dry_run:
            self._key = hosted.key_from_environment(VARIABLE, PROVIDER)
            module = hosted.sdk("anthropic", PROVIDER)
            self._client = module.AsyncAnthropic(
                api_key=self._key,
                base_url=address,
                max_retries=0,
                timeout=module.Timeout(options.call_seconds, connect=10.0),
            )

    def request(self, ask: Ask) -> dict[str, Any]:
        """What is sent, but for the model's name: nothing that was not asked for but the output cap."""
        made: dict[str, Any] = {
            "max_tokens": self._values[OUTPUT_CAP],
            "messages": [{"role": message.role, "content": hosted.text_of(message)} for message in ask.messages],
        }
        if ask.system:
            made["system"] = ask.system
        put(made, KNOBS, self._values)
        if self._thinking is not None:
            made["thinking"] = self._thinking
        return made

    async def reply(self, ask: Ask) -> Reply:
        """One reply, complete: stop reason, usage and model id were seen."""
        request = self.request(ask)
        throttle = shared(f"{PROVIDER} {self._address}", self._options.most_calls)
        return await throttle.ask(self.identity, self._options, lambda seen: self._once(request, seen))

    async def _once(self, request: dict[str, Any], seen: Try) -> Reply:
        try:
            stream = await self._client.messages.create(model=self._name, stream=True, **request)
            async with stream:
                async for event in stream:
                    seen.events.append(hosted.plain(event))
                    _note(seen)
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001  SDK and HTTP layer raise more than they document; told, never dropped
            raise hosted.fault_of(error, provider=PROVIDER, variable=VARIABLE, key=self._key) from None
        return hosted.made_of(seen, _reply)

    async def close(self) -> None:
        """Gives back the connections."""
        if self._client is not None:
            await self._client.close()


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
        seen.answered = message.get("model")
        if hosted.has_counts(message.get("usage"), "input_tokens"):
            seen.billed = _usage(message["usage"])
    elif event.get("type") == "message_delta" and hosted.has_counts(event.get("usage"), "output_tokens"):
        first: dict[str, Any] = next((e["message"]["usage"] for e in seen.events if _has_usage(e)), {})
        last = {name: value for name, value in event["usage"].items() if value is not None}
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
    if seen.answered is None:
        raise Fault("the reply names no model", label="no model", again=False)
    if not counted or seen.billed is None:
        raise Fault("the reply has no usage", label="no usage", again=False)
    return Reply("".join(text), seen.answered, STOPS.get(stop, stop), seen.billed, tuple(seen.events))
