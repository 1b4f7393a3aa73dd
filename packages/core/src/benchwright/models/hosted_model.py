"""A model behind an SDK: one class for all, which a provider's module completes with its request and its reading of a reply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from benchwright.models import hosted
from benchwright.models.interface import Ask
from benchwright.models.knobs import Knob, Options, read_knobs
from benchwright.models.throttle import Fault, Try, shared
from benchwright.names import model_identity
from benchwright.records import Reply, Usage


class HostedModel(ABC):
    """One model at one address. A request is bounded by the throttle that all models at the address share."""

    paid = True
    provider: ClassVar[str]
    variable: ClassVar[str]
    """The environment variable that holds the key."""
    knobs: ClassVar[Mapping[str, Knob]]

    def __init__(self, name: str, knobs: Mapping[str, str], options: Options, address: str, default_cap: int) -> None:
        self.name = name
        self.options = options
        self.address = hosted.checked_address(address)
        self.values = read_knobs(self.provider, self.knobs, knobs, options.output_cap or default_cap)
        """Knobs that are sent, the output cap among them."""
        self.identity = model_identity(f"{self.provider}/{name}", self.values)
        self.settings: dict[str, Any] = dict(self.values)
        self.key = ""
        self._client: Any = None
        if not options.dry_run:
            self.key = self._find_key()
            self._client = self._connect()

    def _find_key(self) -> str:
        """The key. Raises UserError where there is none and one is needed."""
        return hosted.key_from_environment(self.variable, self.provider)

    @abstractmethod
    def _connect(self) -> Any:
        """The SDK's client, told to retry nothing. Raises UserError where the SDK is not installed."""

    @abstractmethod
    def request(self, ask: Ask) -> dict[str, Any]:
        """What is sent, but for the model's name: nothing that was not asked for but the output cap."""

    @abstractmethod
    async def _receive(self, request: dict[str, Any], seen: Try) -> None:
        """Makes the request and puts what comes into `seen`. Whatever the SDK raises passes."""

    @abstractmethod
    def _read(self, seen: Try) -> Reply:
        """The reply that the events make. Raises Fault where they make none."""

    async def reply(self, ask: Ask) -> Reply:
        """One reply, complete: its terminal marker, usage and model id were seen."""
        request = self.request(ask)
        throttle = shared(f"{self.provider} {self.address}", self.options.most_calls)
        return await throttle.ask(self.identity, self.options, lambda seen: self._once(request, seen))

    async def _once(self, request: dict[str, Any], seen: Try) -> Reply:
        try:
            await self._receive(request, seen)
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001  SDK and HTTP layer raise more than they document; told, never dropped
            raise hosted.fault_of(
                error, provider=self._told(), variable=self.variable, key=self.key, address=self.address
            ) from None
        return hosted.made_of(seen, self._read)

    def _told(self) -> str:
        """What errors call the provider."""
        return self.provider

    async def close(self) -> None:
        """Gives back the connections."""
        if self._client is not None:
            await self._client.close()


def complete(seen: Try, text: Any, stop: str, *, counted: bool) -> Reply:
    """The reply of events whose end was seen. Raises Fault where the model's id or its usage was not."""
    if seen.answered is None:
        raise Fault("the reply names no model", label="no model", again=False)
    if not counted or seen.billed is None:
        raise Fault("the reply has no usage", label="no usage", again=False)
    if not isinstance(text, str):
        raise Fault("the text of the reply is none", label="no reply")
    return Reply(text, seen.answered, stop[: hosted.LONGEST_NAME], seen.billed, tuple(seen.events))


def usage_of(block: Mapping[str, Any], sent: str, given: str) -> Usage:
    """The usage of both OpenAI formats, whose numbers are called `sent` and `given`.

    `sent` counts what was read from and written to the cache; our `input` does not.
    """
    read = hosted.count(block, f"{sent}_details", "cached_tokens")
    written = hosted.count(block, f"{sent}_details", "cache_write_tokens")
    return Usage(
        input=max(0, hosted.count(block, sent) - read - written),
        output=hosted.count(block, given),
        reasoning=hosted.count(block, f"{given}_details", "reasoning_tokens"),
        cache_read=read,
        cache_write=written,
    )
