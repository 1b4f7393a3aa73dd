"""What the providers behind an SDK have in common: keys, addresses, and what their errors mean."""

from __future__ import annotations

import email.utils
import importlib
import json
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from benchwright.errors import UserError
from benchwright.models.interface import Ask
from benchwright.models.knobs import PROVIDER_DEFAULT, Options
from benchwright.models.throttle import Fault, Try
from benchwright.records import Message, Reply

LONGEST_NAME = 300
"""Letters of a model's id; what is longer is none."""
MOST_TOKENS = 10**12
"""A larger number is no count of tokens but a broken reply, and no database takes it."""


def sdk(module: str, extra: str) -> ModuleType:
    """The SDK, imported now. Raises UserError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise UserError(
            f"The {extra} provider needs the package `{module}`, which is not installed: pip install 'benchwright[{extra}]'."
        ) from None


def key_from_environment(variable: str, provider: str) -> str:
    """The key. Raises UserError where the variable is not set."""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UserError(
            f"{variable} is not set; the {provider} provider needs it. "
            "Try --model reference, or --dry-run for the plan and its price."
        )
    return key


def public_address(url: str) -> str:
    """A base URL as it may stand on record: without user, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    return urlunsplit((parts.scheme, f"{host}:{parts.port}" if parts.port else host, parts.path, "", ""))


def checked_address(url: str) -> str:
    """`url`, where it is an address that can be called. Raises UserError."""
    parts = urlsplit(url)
    try:
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fine = False
    if not fine:
        raise UserError(f"--base-url {url}: expected http://HOST:PORT/v1 or https://….")
    return url


def on_record(values: Mapping[str, Any], address: str, own: str) -> dict[str, Any]:
    """Settings for the record: knobs sent, the effort that was left to the provider, the address where it is not its own."""
    settings = {"effort": PROVIDER_DEFAULT, **values}
    if address != own:
        settings["base_url"] = public_address(address)
    return settings


def bounds(module: ModuleType, options: Options, cap: int) -> dict[str, Any]:
    """What bounds a client of the SDK: no retry, seconds to connect and for a read, bytes of a reply.

    The wall clock of a call is the throttle's.
    """
    most = LARGEST_REPLY + BYTES_A_TOKEN * cap

    async def bound(response: Any) -> None:
        pieces = response.aiter_bytes

        async def counted(chunk_size: int | None = None) -> AsyncIterator[bytes]:
            size = 0
            async for piece in pieces(chunk_size):
                size += len(piece)
                if size > most:
                    raise TooLarge(most)
                yield piece

        response.aiter_bytes = counted

    return {
        "max_retries": 0,
        "timeout": module.Timeout(options.call_seconds, connect=10.0),
        "http_client": module.DefaultAsyncHttpxClient(event_hooks={"response": [bound]}),
    }


class TooLarge(Exception):
    """A reply of more bytes than its output cap can account for."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the reply is larger than {most:,} bytes, which its output cap cannot account for")


LARGEST_REPLY = 8 * 2**20
BYTES_A_TOKEN = 1024
"""A reply may have so many bytes, and so many more for each token of its cap: several times what any API sends."""


def named(value: Any) -> str | None:
    """The id of the model that answered, or None where that is none."""
    return value if isinstance(value, str) and 0 < len(value) <= LONGEST_NAME else None


def conversation(ask: Ask) -> list[dict[str, str]]:
    """The messages of a question, in the form that all three APIs share."""
    return [{"role": message.role, "content": text_of(message)} for message in ask.messages]


def text_of(message: Message) -> str:
    """A message as one text: its attachments follow in fenced blocks that open with their names."""
    parts = [message.text]
    for name, data in message.attachments.items():
        try:
            content = data.decode()
        except UnicodeDecodeError:
            parts.append(f"(The file {name} holds {len(data)} bytes that are no text; it is not shown.)")
            continue
        longest = max((len(run) for run in re.findall(r"`{3,}", content)), default=2)
        fence = "`" * (longest + 1)
        parts.append(f"{fence}{name}\n{content.rstrip(chr(10))}\n{fence}")
    return "\n\n".join(parts)


def plain(event: Any) -> dict[str, Any]:
    """An SDK's record as the plain data that came over the wire. Raises Fault where it is none."""
    if isinstance(event, dict):
        return event
    if hasattr(event, "to_dict"):
        data = event.to_dict(mode="json", exclude_unset=True, warnings=False)
        if isinstance(data, dict):
            return data
    raise Fault(f"the provider sent something that is no reply: {str(event)[:80]!r}", label="no reply")


def made_of(seen: Try, make: Callable[[Try], Reply]) -> Reply:
    """The reply that `make` reads out of what came. Raises Fault where its form is not what the API promises."""
    try:
        return make(seen)
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise Fault(
            f"the reply is not formed as the API says ({type(error).__name__}: {error})", label="no reply"
        ) from None


def count(usage: Mapping[str, Any] | None, *path: str) -> int:
    """A number of tokens at `path` in a usage block; 0 where it is absent."""
    value: Any = usage
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if _is_count(value) else 0


def has_counts(usage: Any, *names: str) -> bool:
    """Whether a usage block is there and holds these numbers."""
    return isinstance(usage, Mapping) and all(_is_count(usage.get(name)) for name in names)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


_WRONG_KEY = "The provider {provider} refuses the key in {variable} ({status}). Set another one."
_NO_KEY = (
    "The provider {provider} asks for a key ({status}), and {variable} is not set. Set it; the same command goes on."
)
_SPENT = "The account behind {variable} has no credit left ({status}). Top it up; the same command resumes the run."


def fault_of(error: Exception, *, provider: str, variable: str, key: str, address: str = "") -> Fault:
    """What an error of an SDK, or of the HTTP layer below it, means for this try.

    Raises UserError for what no retry and no other attempt can mend: a key that is refused, an empty
    account, a model that does not exist. Told by status and error code, never by the wording.
    """
    large = next((e for e in (error, error.__cause__, error.__context__) if isinstance(e, TooLarge)), None)
    if large is not None:
        return Fault(str(large), label="too large", again=False)
    if isinstance(error, TypeError):
        raise error  # the SDK does not take what we ask of it: our defect, and no request was made
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return _without_status(error, key, address)
    body = getattr(error, "body", None)
    code = str(getattr(error, "code", None) or "")
    kind = str(getattr(error, "type", None) or "")
    said = scrub(_message(error, body), key)
    if status == 401:
        # What the provider says here may show part of the key.
        told = _WRONG_KEY if key else _NO_KEY
        raise UserError(told.format(provider=provider, variable=variable, status=status)) from None
    if status == 402 or (status == 429 and "insufficient_quota" in (code, kind)):
        raise UserError(_SPENT.format(variable=variable, status=status)) from None
    if status == 404:
        raise UserError(f"The provider {provider} answers 404: {said}. Is the model's name right?") from None
    if code == "context_length_exceeded":
        return Fault("the prompt does not fit into the model's context window", again=False, outcome="truncated")
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", None) or {}
    busy = status in (429, 529) or kind in ("overloaded_error", "rate_limit_error")
    again = busy or status in (200, 408, 409) or status >= 500  # 200: an error event within a stream
    if headers.get("x-should-retry") in ("true", "false"):
        again = headers["x-should-retry"] == "true"
    label = str(status) if status != 200 else (kind or "error event")
    return Fault(f"{label}: {said}", label=label, again=again, busy=busy, after=retry_after(headers))


def _without_status(error: Exception, key: str, address: str) -> Fault:
    name = type(error).__name__
    connection = f"the connection to {public_address(address)}" if address else "the connection"
    if name == "APITimeoutError":
        return Fault(f"{connection} timed out", label="timed out")
    if name == "APIConnectionError":
        below = type(error.__cause__).__name__ if error.__cause__ else ""
        return Fault(f"{connection} failed{f' ({below})' if below else ''}", label="connection")
    if type(error).__module__.partition(".")[0] in ("httpx", "httpx2", "httpcore", "httpcore2"):
        return Fault(f"the reply was cut off ({name})", label="cut off")
    if isinstance(error, json.JSONDecodeError):
        return Fault("the provider sent broken JSON", label="broken JSON")
    kind = str(getattr(error, "type", None) or "")
    code = str(getattr(error, "code", None) or "")
    if kind or code or name == "APIError":
        return event_fault(code, kind, scrub(str(error), key))
    return Fault(f"the provider sent something that is no reply ({name})", label="no reply")


_HOPELESS = ("invalid_request_error", "invalid_prompt", "invalid_api_key", "permission_error", "model_not_found")


def event_fault(code: str, kind: str, said: str) -> Fault:
    """What an error that came within a stream or a body of status 200 means."""
    busy = code == "rate_limit_exceeded" or kind in ("overloaded_error", "rate_limit_error", "rate_limit_exceeded")
    label = code or kind or "error event"
    return Fault(
        f"{label}: {said[:300]}", label=label, again=code not in _HOPELESS and kind not in _HOPELESS, busy=busy
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `retry-after-ms` or `retry-after`, in seconds or as an HTTP date, asks to wait; None without one."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            seconds = float(text) * scale
        except ValueError:
            date = email.utils.parsedate_tz(text)
            if date is None:
                continue
            # By the provider's own clock where it tells the time: ours may be off.
            told = email.utils.parsedate_tz(headers.get("date") or "")
            seconds = email.utils.mktime_tz(date) - (time.time() if told is None else email.utils.mktime_tz(told))
        if seconds == seconds and seconds < 1e9:
            return max(0.0, seconds)
    return None


def _message(error: Exception, body: Any) -> str:
    """What the provider says, in one line."""
    inner = body.get("error", body) if isinstance(body, dict) else None
    said = inner.get("message") if isinstance(inner, dict) else None
    if not isinstance(said, str):
        said = "no message" if isinstance(body, str) or body is None else str(error)
    return " ".join(said.split())[:300].rstrip(".")


def scrub(text: str, key: str) -> str:
    """`text` without the key, and without what looks like one."""
    if key:
        text = text.replace(key, "[key]")
    return _LOOKS_LIKE_A_KEY.sub("[key]", text)


_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|key|pk|api)-[A-Za-z0-9_*-]{8,}|Bearer\s+\S+")
