"""`openai/MODEL[knob=value,…]`: the Responses API, streamed, through the official SDK."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from benchwright.models import hosted
from benchwright.models.interface import Ask
from benchwright.models.knobs import OUTPUT_CAP, PROVIDER_DEFAULT, Knob, Options, put, read_knobs, read_options
from benchwright.models.throttle import Fault, Try, shared
from benchwright.names import model_identity
from benchwright.records import Reply, Usage

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


class Responses:
    """One model behind the Responses API."""

    paid = True

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options) -> None:
        self._name = name
        self._options = options
        self._values = read_knobs(PROVIDER, KNOBS, knobs, options.output_cap or DEFAULT_CAP)
        self.identity = model_identity(f"{PROVIDER}/{name}", self._values)
        self.settings: dict[str, Any] = {"effort": PROVIDER_DEFAULT, **self._values}
        address = options.base_url or os.environ.get("OPENAI_BASE_URL", "").rstrip("/") or ADDRESS
        self._address = hosted.checked_address(address)
        if address != ADDRESS:
            self.settings["base_url"] = hosted.public_address(address)
        self._client: Any = None
        self._key = ""
        if not options.dry_run:
            self._key = hosted.key_from_environment(VARIABLE, PROVIDER)
            module = hosted.sdk("openai", PROVIDER)
            self._client = module.AsyncOpenAI(
                api_key=self._key,
                base_url=address,
                max_retries=0,
                timeout=module.Timeout(options.call_seconds, connect=10.0),
            )

    def request(self, ask: Ask) -> dict[str, Any]:
        """What is sent, but for the model's name: nothing that was not asked for but the output cap."""
        made: dict[str, Any] = {
            "max_output_tokens": self._values[OUTPUT_CAP],
            "input": [{"role": message.role, "content": hosted.text_of(message)} for message in ask.messages],
        }
        if ask.system:
            made["instructions"] = ask.system
        return put(made, KNOBS, self._values)

    async def reply(self, ask: Ask) -> Reply:
        """One reply, complete: terminal event, usage and model id were seen."""
        request = self.request(ask)
        throttle = shared(f"{PROVIDER} {self._address}", self._options.most_calls)
        return await throttle.ask(self.identity, self._options, lambda seen: self._once(request, seen))

    async def _once(self, request: dict[str, Any], seen: Try) -> Reply:
        try:
            stream = await self._client.responses.create(model=self._name, stream=True, **request)
            async with stream:
                async for event in stream:
                    seen.events.append(hosted.plain(event))
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001  SDK and HTTP layer raise more than they document; told, never dropped
            raise hosted.fault_of(error, provider=PROVIDER, variable=VARIABLE, key=self._key) from None
        return hosted.made_of(seen, _reply)

    async def close(self) -> None:
        """Gives back the connections."""
        if self._client is not None:
            await self._client.close()


def _usage(block: Mapping[str, Any]) -> Usage:
    """The API's `input_tokens` counts what was read from and written to the cache; ours does not."""
    read = hosted.count(block, "input_tokens_details", "cached_tokens")
    written = hosted.count(block, "input_tokens_details", "cache_write_tokens")
    return Usage(
        input=max(0, hosted.count(block, "input_tokens") - read - written),
        output=hosted.count(block, "output_tokens"),
        reasoning=hosted.count(block, "output_tokens_details", "reasoning_tokens"),
        cache_read=read,
        cache_write=written,
    )


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
        seen.billed = _usage(usage)
    seen.answered = response.get("model")
    status = response.get("status")
    if status not in ("completed", "incomplete"):
        error = response.get("error") or {}
        raise hosted.event_fault(str(error.get("code") or status), "", str(error.get("message") or "the reply failed"))
    if seen.answered is None:
        raise Fault("the reply names no model", label="no model", again=False)
    if not counted:
        raise Fault("the reply has no usage", label="no usage", again=False)
    text, refused, called = _content(response.get("output") or [])
    stop = "end"
    if status == "incomplete":
        reason = str((response.get("incomplete_details") or {}).get("reason") or "incomplete")
        stop = _INCOMPLETE.get(reason, reason)
    elif refused:
        stop = "refusal"
    elif called and not text:
        stop = "tool_use"
    return Reply(text, seen.answered, stop, seen.billed, tuple(seen.events))


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
