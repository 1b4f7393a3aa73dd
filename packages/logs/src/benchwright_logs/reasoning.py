"""What a model let be seen of its reasoning, out of a provider's raw events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright_logs.rules.verdict import text_at


def reasoning(events: Sequence[Any]) -> Iterator[str]:
    """Each piece of reasoning or of its summary, in order; nothing for a wire format that is not known."""
    blocks: dict[Any, list[str]] = {}
    for event in events:
        if not isinstance(event, dict):
            continue
        kind = event.get("type")
        if kind == "content_block_start" and text_at(event, "content_block", "type") == "thinking":
            blocks[event.get("index")] = [text_at(event, "content_block", "thinking")]
        elif kind == "content_block_delta" and text_at(event, "delta", "type") == "thinking_delta":
            blocks.setdefault(event.get("index"), []).append(text_at(event, "delta", "thinking"))
        elif kind in ("response.completed", "response.incomplete"):
            yield from _of_response(event.get("response"))
        elif kind == "item.completed" and text_at(event, "item", "type") == "reasoning":
            yield text_at(event, "item", "text")
        elif kind is None and isinstance(event.get("choices"), list) and event["choices"]:
            message = event["choices"][0].get("message") if isinstance(event["choices"][0], dict) else None
            thought = text_at(message, "reasoning_content") or text_at(message, "reasoning")
            if thought:
                yield thought
    yield from filter(None, ("".join(pieces) for pieces in blocks.values()))


def _of_response(response: Any) -> Iterator[str]:
    output = response.get("output") if isinstance(response, dict) else None
    for item in output if isinstance(output, list) else []:
        if text_at(item, "type") != "reasoning":
            continue
        for name in ("summary", "content"):
            parts = item.get(name)
            for part in parts if isinstance(parts, list) else []:
                if text_at(part, "text"):
                    yield text_at(part, "text")
