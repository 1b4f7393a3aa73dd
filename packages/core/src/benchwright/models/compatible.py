"""`openai-compatible/MODEL[knob=value,…]` with `--base-url`: chat completions of vLLM, llama.cpp, Ollama, gateways."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from benchwright.errors import UserError
from benchwright.models import hosted
from benchwright.models.interface import Ask
from benchwright.models.knobs import OUTPUT_CAP, Knob, Options, put, read_knobs, read_options
from benchwright.models.throttle import Fault, Try, shared
from benchwright.names import model_identity
from benchwright.records import Reply, Usage

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


class ChatCompletions:
    """One model behind a server that speaks OpenAI's chat completions.

    Not streamed: with streams, usage is an extension that not every server knows.
    """

    paid = True

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options) -> None:
        if not options.base_url:
            raise UserError(f"{PROVIDER}/{name} needs --base-url, for example --base-url http://127.0.0.1:8000/v1.")
        self._name = name
        self._options = options
        self._values = read_knobs(PROVIDER, KNOBS, knobs, options.output_cap or DEFAULT_CAP)
        self.identity = model_identity(f"{PROVIDER}/{name}", self._values)
        self._address = hosted.checked_address(options.base_url)
        self.settings: dict[str, Any] = {**self._values, "base_url": hosted.public_address(options.base_url)}
        self._client: Any = None
        self._key = os.environ.get(VARIABLE, "").strip()
        if not options.dry_run:
            module = hosted.sdk("openai", "openai")
            self._client = module.AsyncOpenAI(
                # Never OPENAI_API_KEY: that one is for OpenAI, not for whoever listens at this address.
                api_key=self._key or "none",
                organization="",
                project="",
                base_url=options.base_url,
                max_retries=0,
                timeout=module.Timeout(options.call_seconds, connect=10.0),
            )

    def request(self, ask: Ask) -> dict[str, Any]:
        """What is sent: nothing that was not asked for but the output cap."""
        system = [{"role": "system", "content": ask.system}] if ask.system else []
        said = [{"role": message.role, "content": hosted.text_of(message)} for message in ask.messages]
        request = {"model": self._name, "max_tokens": self._values[OUTPUT_CAP], "messages": system + said}
        return put(request, KNOBS, self._values)

    async def reply(self, ask: Ask) -> Reply:
        """One reply, complete: finish reason, usage and model id were seen."""
        request = self.request(ask)
        throttle = shared(f"{PROVIDER} {self._address}", self._options.most_calls)
        return await throttle.ask(self.identity, self._options, lambda seen: self._once(request, seen))

    async def _once(self, request: dict[str, Any], seen: Try) -> Reply:
        try:
            # The SDK's own door for requests it has no types for: servers add fields, and what came is kept as it came.
            completion = await self._client.post("/chat/completions", body=request, cast_to=object)
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001  SDK and HTTP layer raise more than they document; told, never dropped
            raise hosted.fault_of(error, provider=self._address, variable=VARIABLE, key=self._key) from None
        if not isinstance(completion, dict):
            raise Fault("the provider sent something that is no completion", label="no reply")
        seen.events.append(completion)
        return hosted.made_of(seen, _reply)

    async def close(self) -> None:
        """Gives back the connections."""
        if self._client is not None:
            await self._client.close()


def _usage(block: Mapping[str, Any]) -> Usage:
    """The API's `prompt_tokens` counts what was read from and written to the cache; ours does not."""
    read = hosted.count(block, "prompt_tokens_details", "cached_tokens")
    written = hosted.count(block, "prompt_tokens_details", "cache_write_tokens")
    return Usage(
        input=max(0, hosted.count(block, "prompt_tokens") - read - written),
        output=hosted.count(block, "completion_tokens"),
        reasoning=hosted.count(block, "completion_tokens_details", "reasoning_tokens"),
        cache_read=read,
        cache_write=written,
    )


def _reply(seen: Try) -> Reply:
    """The reply that a completion makes. Raises Fault where it makes none."""
    completion = seen.events[-1]
    usage: dict[str, Any] = completion.get("usage") or {}
    counted = hosted.has_counts(usage, "prompt_tokens", "completion_tokens")
    if counted:
        seen.billed = _usage(usage)
    seen.answered = completion.get("model") or None
    error = completion.get("error")
    if isinstance(error, dict):  # gateways that answer 200 for a failure behind them
        raise hosted.event_fault(
            str(error.get("code") or ""), str(error.get("type") or ""), str(error.get("message") or "")
        )
    choices = completion.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Fault("the provider sent something that is no completion", label="no reply")
    message, finish = choices[0].get("message") or {}, choices[0].get("finish_reason")
    if finish is None:
        raise Fault("the reply ended without its end", label="cut off")
    if seen.answered is None:
        raise Fault("the reply names no model", label="no model", again=False)
    if not counted:
        raise Fault("the reply has no usage", label="no usage", again=False)
    stop = "refusal" if message.get("refusal") else STOPS.get(str(finish), str(finish))
    return Reply(message.get("content") or "", seen.answered, stop, seen.billed, tuple(seen.events))
