"""What can be set on a call: knobs that change what is measured, and options that only bound it.

Knobs stand in brackets behind a model's name, are sent as asked and are part of the identity; nothing
is sent that was not asked for but the output cap. Options come from the command line and change no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from benchwright.errors import UserError
from benchwright.names import suggest

OUTPUT_CAP = "max_output"
"""The knob that every hosted model has: the most tokens a reply may have, reasoning included."""

PROVIDER_DEFAULT = "provider default"
"""Recorded for the effort that was left to the provider; the day is the attempt's."""


class Knob(msgspec.Struct, frozen=True):
    """One knob of a provider. `place`: where its value goes in the request, as a path of keys."""

    kind: type[int] | type[float] | type[str]
    place: tuple[str, ...]
    choices: tuple[str, ...] = ()


class Options(msgspec.Struct, frozen=True):
    """How calls are bounded, from the `options` that a factory is given; unknown ones are others' business."""

    base_url: str = ""
    """Where the server is, for `openai-compatible`; for the others only when it is not the provider's own."""
    output_cap: int = 0
    """0: the provider module's own."""
    call_seconds: float = 900.0
    """Wall clock for one try, first byte to last."""
    tries: int = 5
    """Requests for one reply where the provider fails."""
    busy_tries: int = 10
    """Requests for one reply where the provider is busy: 429 and overload."""
    longest_wait: float = 120.0
    """Seconds. A provider that asks for a longer pause is not waited for."""
    backoff: float = 0.5
    """Seconds before the second try where the provider names none; doubles, 60 at most."""
    most_calls: int = 64
    """Calls in flight to one provider, at most; the throttle finds its own number below."""
    network: bool = False
    """Whether a `command:` may use the network."""
    unsafe: bool = False
    """A `command:` runs without walls."""
    dry_run: bool = False
    """Only a plan is wanted: no key and no SDK is needed."""
    waiting: Callable[[str, str, float], None] | None = None
    """Told of each wait for a provider: model, why (`429`), seconds."""


def read_options(options: Mapping[str, Any]) -> Options:
    """The options of a call among `options`. Raises UserError for a value that makes no sense."""
    known = {name: options[name] for name in Options.__struct_fields__ if options.get(name) is not None}
    if isinstance(known.get("base_url"), str):
        known["base_url"] = known["base_url"].rstrip("/")
    read = Options(**known)
    for name in ("call_seconds", "tries", "busy_tries", "most_calls"):
        if getattr(read, name) <= 0:
            raise UserError(f"{name} must be above 0, got {getattr(read, name)}.")
    for name in ("output_cap", "longest_wait", "backoff"):
        if getattr(read, name) < 0:
            raise UserError(f"{name} must not be negative, got {getattr(read, name)}.")
    return read


def read_knobs(provider: str, table: Mapping[str, Knob], given: Mapping[str, str], cap: int) -> dict[str, Any]:
    """The knobs to be sent, typed, the output cap among them. Raises UserError for an unknown one or a bad value."""
    values: dict[str, Any] = {OUTPUT_CAP: cap}
    for name, text in given.items():
        if name == OUTPUT_CAP:
            values[name] = _number(provider, name, text, int)
            if values[name] <= 0:
                raise UserError(f"[{name}={text}]: the output cap of {provider} must be above 0.")
            continue
        knob = table.get(name)
        if knob is None:
            known = sorted([*table, OUTPUT_CAP])
            raise UserError(f"{provider} has no knob `{name}`.{suggest(name, known)} It has: {', '.join(known)}.")
        if knob.choices and text not in knob.choices:
            raise UserError(f"[{name}={text}]: {provider} knows {', '.join(knob.choices)}.")
        values[name] = text if knob.kind is str else _number(provider, name, text, knob.kind)
    return values


def _number(provider: str, name: str, text: str, kind: Callable[[str], Any]) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or value != value or value in (float("inf"), float("-inf")):
        raise UserError(f"[{name}={text}]: {provider} takes a number there.")
    return value


def put(request: dict[str, Any], table: Mapping[str, Knob], values: Mapping[str, Any]) -> dict[str, Any]:
    """`request` with each knob at its place; the output cap is left to the caller."""
    for name, value in values.items():
        if name == OUTPUT_CAP:
            continue
        *path, last = table[name].place
        inner = request
        for key in path:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return request
