"""Events of a stream: a reply comes in pieces, and a secret can lie across them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchwright_logs.redactor import Redactor

_PIECES = frozenset(
    "text delta thinking partial_json signature content arguments reasoning reasoning_content refusal token".split()  # noqa: SIM905
)
_BELONGS = ("index", "item_id", "output_index", "content_index", "summary_index")


def redact_events(content: bytes, redactor: Redactor) -> bytes:
    """The events with placeholders, as many as before.

    Pieces of one stream are redacted as the text they make together. Where that changes something, the whole
    of it stands in the first piece, and the others are empty.
    """
    text = content.decode("utf-8", "surrogatepass")
    lines = text.splitlines(keepends=True) if "\r" not in text else text.split("\n")
    if "".join(lines) != text:
        lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    events: list[Any] = []
    for line in lines:
        try:
            events.append(json.loads(line))
        except ValueError:
            events.append(None)
    changed: set[int] = set()
    for holders in _streams(events).values():
        pieces = [holder[key] for _, holder, key in holders]
        whole = "".join(pieces)
        redacted = redactor.text(whole)
        if len(pieces) < 2 or redacted == whole:
            continue
        for at, (number, holder, key) in enumerate(holders):
            holder[key] = redacted if at == 0 else ""
            if key == "token":
                _forget(holder)
            changed.add(number)
    for number in changed:
        lines[number] = json.dumps(events[number], ensure_ascii=False, separators=(",", ":")) + "\n"
    return b"".join(redactor.data(line.encode("utf-8", "surrogatepass")) for line in lines)


def _forget(token: dict[str, Any]) -> None:
    """What else tells the letters of a token that was changed: their codes, and the tokens that were nearly said."""
    if isinstance(token.get("bytes"), list):
        token["bytes"] = list(token["token"].encode("utf-8", "surrogatepass"))
    if "top_logprobs" in token:
        token["top_logprobs"] = []


def _streams(events: list[Any]) -> dict[tuple[Any, ...], list[tuple[int, Any, Any]]]:
    """Stream -> where its pieces are: number of the event, the object or list, and the key in it."""
    found: dict[tuple[Any, ...], list[tuple[int, Any, Any]]] = {}
    for number, event in enumerate(events):
        if not isinstance(event, dict):
            continue
        belongs = tuple(json.dumps(event.get(name)) for name in _BELONGS)
        for path, holder, key in _leaves(event, ()):
            found.setdefault((event.get("type"), belongs, path), []).append((number, holder, key))
    return found


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """Texts that can be pieces; those of one list lie in one stream."""
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, path)]
    while waiting:
        holder, path = waiting.pop(0)
        entries = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, below in entries:
            where = (*path, key) if isinstance(holder, dict) else (*path, "*")
            if isinstance(below, str):
                if where[-1] in _PIECES or (where[-1] == "*" and len(where) > 1 and where[-2] in _PIECES):
                    yield where, holder, key
            elif isinstance(below, (dict, list)):
                waiting.append((below, where))
