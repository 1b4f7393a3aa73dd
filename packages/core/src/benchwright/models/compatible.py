"""`openai-compatible/MODEL[knob=value,…]` with `--base-url`: chat completions of vLLM, llama.cpp, Ollama, gateways."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from benchwright.errors import UserError
from benchwright.models import hosted
from benchwright.models.hosted_model import HostedModel, complete, usage_of
from benchwright.models.interface import Ask
from benchwright.models.knobs import OUTPUT_CAP, Knob, Options, put, read_options
from benchwright.models.throttle import Fault, Try
from benchwright.records import Reply

PROVIDER = "openai-compatible"
VARIABLE = "OPENAI_COMPATIBLE_API_KEY"
DEFAULT_CAP = 4_096

KNOBS = {
    "effort": Knob(str, ("reasoning_effort",)),
    "frequency_penalty": Knob(float, ("frequency_penalty",)),
    "min_p": Knob(float, ("min_p",)),
    "presence_penalty": Knob(float, ("presence_penalty",)),
    "repeat_penalty": Knob(float, ("repeat_penalty",)),
    "seed": Knob(int, ("seed",)),
    "temperature": Knob(float, ("temperature",)),
    "top_k": Knob(int, ("top_k",)),
    "top_p": Knob(float, ("top_p",)),
}

STOPS = {
    "stop": "end",
    "length": "length",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
}


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> ChatCompletions:
    """A model behind `options["base_url"]`. Raises UserError without an address or the SDK, or for an unknown knob.

    The key, where the server wants one, comes from OPENAI_COMPATIBLE_API_KEY.
    """
    return ChatCompletions(argument, knobs, read_options(options))


class ChatCompletions(HostedModel):
    """One model behind a server that speaks OpenAI's chat completions.

    Not streamed: with streams, usage is an extension that not every server knows.
    """

    provider, variable, knobs = PROVIDER, VARIABLE, KNOBS

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options) -> None:
        if not options.base_url:
            raise UserError(f"{PROVIDER}/{name} needs --base-url, for example --base-url http://127.0.0.1:8000/v1.")
        super().__init__(name, knobs, options, options.base_url, DEFAULT_CAP)
        self.settings = {**self.values, "base_url": hosted.public_address(options.base_url)}

    def _find_key(self) -> str:
        return os.environ.get(VARIABLE, "").strip()

    def _connect(self) -> Any:
        module = hosted.sdk("openai", "openai")
        return module.AsyncOpenAI(
            # Never OPENAI_API_KEY: that one is for OpenAI, not for whoever listens at this address.
            api_key=self.key or "none",
            organization="",
            project="",
            base_url=self.address,
            **hosted.bounds(module, self.options, self.values[OUTPUT_CAP]),
        )

    def request(self, ask: Ask) -> dict[str, Any]:
        """See `HostedModel.request`."""
        system = [{"role": "system", "content": ask.system}] if ask.system else []
        made = {"max_tokens": self.values[OUTPUT_CAP], "messages": system + hosted.conversation(ask)}
        return put(made, KNOBS, self.values)

    async def _receive(self, request: dict[str, Any], seen: Try) -> None:
        # The SDK's own door for requests it has no types for: servers add fields, and what came is kept as it came.
        body = {"model": self.name, **request}
        completion = await self._client.post("/chat/completions", body=body, cast_to=object)
        if not isinstance(completion, dict):
            raise Fault(f"the provider sent no completion but {self._came(completion)}", label="no reply")
        seen.events.append(completion)

    def _read(self, seen: Try) -> Reply:
        return _reply(seen)

    def _told(self) -> str:
        return hosted.public_address(self.address)

    def _came(self, value: Any) -> str:
        """What came in place of a completion, in words."""
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        if not isinstance(text, str):
            return f"JSON of another form ({'null' if text is None else type(text).__name__})"
        if re.search(r"^data:", text, re.MULTILINE):
            return "a stream of events, which was not asked for"
        shown = hosted.scrub(" ".join(text.split()), self.key)[:80]
        return f"a text that begins with {shown!r}" if shown else "an empty text"


def _reply(seen: Try) -> Reply:
    """The reply that a completion makes. Raises Fault where it makes none."""
    completion = seen.events[-1]
    usage: dict[str, Any] = completion.get("usage") or {}
    counted = hosted.has_counts(usage, "prompt_tokens", "completion_tokens")
    if counted:
        seen.billed = usage_of(usage, "prompt_tokens", "completion_tokens")
    seen.answered = hosted.named(completion.get("model"))
    error = completion.get("error")
    if isinstance(error, dict):  # gateways that answer 200 for a failure behind them
        raise hosted.event_fault(
            str(error.get("code") or ""), str(error.get("type") or ""), str(error.get("message") or "")
        )
    choices = completion.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        fields = ", ".join(sorted(completion)[:8])[:200] or "none"
        raise Fault(
            f"the provider sent no completion but JSON without `choices` (its fields: {fields})", label="no reply"
        )
    message, finish = choices[0].get("message") or {}, choices[0].get("finish_reason")
    if finish is None:
        raise Fault("the reply ended without its end", label="cut off")
    stop = "refusal" if message.get("refusal") else STOPS.get(str(finish), str(finish))
    return complete(seen, _text(message.get("content")), stop, counted=counted)


def _text(content: Any) -> Any:
    """The text of a message; some servers send it in parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") in ("text", "output_text"))
    return content or ""
