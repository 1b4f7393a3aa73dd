"""Every fault, met by every hosted provider through its real SDK: outcome, calls made, tokens on record.

    python packages/core/tests/providers/fault_table.py [--page]

prints the table, or writes it to `docs/faults.md`. The tests beside it hold each row to what it must be.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent))

from benchwright import replies
from benchwright.errors import ModelError, UserError
from benchwright.models import anthropic, compatible, openai
from benchwright.models.interface import Ask, Model
from benchwright.records import Message, Reply, Task, TaskSpec, Usage
from fault_server import FaultServer

KEY = "sk-test-SECRET-0123456789"
SPEC = TaskSpec("toy/sum", "2 + 2", "toy")
FACTORIES = {"anthropic": anthropic.factory, "openai": openai.factory, "openai-compatible": compatible.factory}
VARIABLES = {
    "anthropic": anthropic.VARIABLE,
    "openai": openai.VARIABLE,
    "openai-compatible": compatible.VARIABLE,
}

OK = "graded"
"""The reply holds a submission, which goes on to be graded."""

# fault: (script, outcome, calls). A dict where providers differ.
FAULTS: dict[str, tuple[Any, Any, int]] = {
    "none": (["ok"], OK, 1),
    "429, Retry-After 0.05 s": (["429:after=0.05", "ok"], OK, 2),
    "429, Retry-After as a date": (["429:date=1", "ok"], OK, 2),
    "429 without Retry-After": (["429", "ok"], OK, 2),
    "429, Retry-After an hour": (["429:after=3600", "ok"], "provider_error", 1),
    "429 for good": (["429"], "provider_error", 6),
    "quota used up": (["429:insufficient_quota"], "user error", 1),
    "500, then well": (["500", "500", "ok"], OK, 3),
    "500 for good": (["500"], "provider_error", 4),
    "500, told not to retry": (["500:final"], "provider_error", 1),
    "503 with HTML": (["503:html", "ok"], OK, 2),
    "529 overloaded": (["529", "ok"], OK, 2),
    "400": (["400"], "provider_error", 1),
    "401": (["401"], "user error", 1),
    "404": (["404"], "user error", 1),
    "prompt too long": (
        ["400:context_length_exceeded"],
        # The Messages API gives no error code of its own for it.
        {"anthropic": "provider_error", "openai": "truncated", "openai-compatible": "truncated"},
        1,
    ),
    "cut in mid-stream, then well": (["cut", "ok"], OK, 2),
    "cut in mid-stream for good": (["cut"], "provider_error", 4),
    "clean end without terminal event": (["early_end", "ok"], OK, 2),
    "slow drip past the limit": (["drip"], "provider_error", 2),
    "broken JSON": (["broken_json", "ok"], OK, 2),
    "HTML with status 200": (["html", "ok"], OK, 2),
    "error event within a stream": (["error_event", "ok"], OK, 2),
    "missing usage": (["no_usage"], "provider_error", 1),
    "missing model id": (["no_model"], "provider_error", 1),
    "refusal": (["refusal"], "refused", 1),
    "refusal, second shape": (
        {"anthropic": ["refusal:partial"], "openai": ["refusal:filter"], "openai-compatible": ["refusal:filter"]},
        "refused",
        1,
    ),
    "max tokens": (["max_tokens"], "truncated", 1),
    "tool call instead of text": (["tool_call"], "no_submission", 1),
    "empty reply": (["empty"], "no_submission", 1),
    "substituted model": (["substituted"], "substituted_model", 1),
    "unicode across chunk borders": (["unicode"], OK, 1),
    "half of a surrogate pair": (["half_a_pair"], OK, 1),
    "absurd number of tokens": (["absurd_usage"], "provider_error", 1),
    "model id of a million letters": (["absurd_model"], "provider_error", 1),
    "reply larger than its cap allows": (["flood"], "provider_error", 1),
}


class Row(msgspec.Struct, frozen=True):
    """What a fault led to."""

    provider: str
    fault: str
    outcome: str
    calls: int
    on_record: int
    """Calls that the reply or the error carries; must equal `calls`, which the server counted."""
    usage: Usage | None
    wasted: Usage | None
    text: str
    reason: str


def make_model(
    provider: str, name: str, server: FaultServer, knobs: Mapping[str, str] | None = None, **options: Any
) -> Model:
    """A model of `provider` that calls `server`, impatient enough for a test."""
    os.environ[VARIABLES[provider]] = KEY
    base = server.origin if provider == "anthropic" else f"{server.origin}/v1"
    quick = {"base_url": base, "tries": 4, "busy_tries": 6, "backoff": 0.01, "call_seconds": 5.0, **options}
    return FACTORIES[provider](name, knobs or {}, quick)


def ask(text: str = "What is 2 + 2?", system: str = "") -> Ask:
    messages = (Message("user", text),)
    task = Task("toy/sum", "1", "bw1:0", messages, system)
    return Ask(SPEC, task, system, messages, 1, 1, Path(tempfile.gettempdir()))


def outcome_of(name: str, reply: Reply) -> str:
    """The outcome that a reply leads to, or `graded`."""
    if reply.model_answered != name:
        return "substituted_model"
    if reply.stop in ("length", "refusal"):
        return {"length": "truncated", "refusal": "refused"}[reply.stop]
    try:
        replies.parse(reply.text, SPEC)
    except replies.Unreadable:
        return "no_submission"
    return OK


async def meet(provider: str, fault: str, server: FaultServer) -> Row:
    """One row: a fresh model of `provider` meets `fault`."""
    script = FAULTS[fault][0]
    behaviours = script[provider] if isinstance(script, dict) else script
    name = server.script(f"{provider}-{fault}".replace(" ", "-").replace(",", ""), *behaviours)
    limit = 2.0 if behaviours == ["drip"] else 60.0
    model = make_model(provider, name, server, call_seconds=limit, output_cap=1000)
    reply: Reply | None = None
    reason = ""
    try:
        reply = await model.reply(ask())
        outcome = outcome_of(name, reply)
    except ModelError as error:
        reply, outcome, reason = error.reply, error.outcome, str(error)
    except UserError as error:
        outcome, reason = "user error", str(error)
    finally:
        await model.close()
    return Row(
        provider,
        fault,
        outcome,
        server.calls(name),
        reply.calls if reply else 1,
        reply.usage if reply else None,
        reply.wasted if reply else None,
        reply.text if reply else "",
        reason,
    )


PARALLEL = "200 calls at once"


async def parallel(provider: str, server: FaultServer) -> Row:
    """The last row: so many calls to a well server; its numbers are sums."""
    name = server.script(f"{provider}-parallel", "ok")
    model = make_model(provider, name, server, call_seconds=60.0)
    found = await asyncio.gather(*(model.reply(ask(f"{n} + {n}?")) for n in range(200)))
    await model.close()
    usage = [reply.usage for reply in found if reply.usage is not None]
    assert len(usage) == 200
    outcomes = {outcome_of(name, reply) for reply in found}
    calls = sum(reply.calls for reply in found)
    return Row(
        provider, PARALLEL, ", ".join(outcomes), server.calls(name), calls, sum(usage[1:], usage[0]), None, "", ""
    )


async def rows(server: FaultServer) -> list[Row]:
    found = [await asyncio.wait_for(meet(provider, fault, server), 300) for fault in FAULTS for provider in FACTORIES]
    return found + [await parallel(provider, server) for provider in FACTORIES]


def tokens(usage: Usage | None) -> str:
    return "" if usage is None else f"{usage.input:,} + {usage.cache_read:,} in, {usage.output:,} out"


def cells(row: Row) -> tuple[str, ...]:
    """What the page shows of a row."""
    return (row.outcome, f"{row.calls}", tokens(row.usage), tokens(row.wasted))


PAGE = Path(__file__).parents[4] / "docs" / "faults.md"
COLUMNS = ("fault", "provider", "outcome", "calls", "tokens of the reply", "tokens of failed tries")
HEAD = """# Faults of providers

What each fault led to, through the real SDKs, on a server on loopback that speaks the wire formats: outcome, requests made
(which the record carries too), and tokens on record as `input + read from the cache, output`. `graded` is a reply that holds a
submission; `user error` ends the run with a sentence. [models.md](models.md) says why. Limits were shortened for it: four
requests where the provider fails, six where it is busy, 2 s for the slow drip.

This page is printed by `python packages/core/tests/providers/fault_table.py --page`, and a test compares each row.

"""


def page(found: list[Row]) -> str:
    """The page; providers that fare alike share a row."""
    grouped: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for row in found:
        grouped.setdefault((row.fault, cells(row)), []).append(row.provider)
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}"]
    for (fault, shown), providers in grouped.items():
        who = "all" if len(providers) == len(FACTORIES) else ", ".join(providers)
        lines.append("|" + "".join(f" {cell} |" if cell else " |" for cell in (fault, who, *shown)))
    return HEAD + "\n".join(lines) + "\n"


def on_page() -> dict[tuple[str, str], tuple[str, ...]]:
    """(fault, provider) -> what the page shows."""
    found = {}
    for line in PAGE.read_text().splitlines():
        fault, who, *shown = [cell.strip() for cell in line.split("|")[1:-1]] if line.startswith("| ") else [""] * 2
        for provider in FACTORIES if who == "all" else who.split(", "):
            found[fault, provider] = tuple(shown)
    return found


def main(arguments: list[str]) -> None:
    """Prints the table, or writes the page."""
    from tabulate import tabulate

    with FaultServer() as server:
        found = asyncio.run(rows(server))
    if arguments == ["--page"]:
        PAGE.write_text(page(found))
        return
    table = [(row.fault, row.provider, *cells(row), row.reason[:70]) for row in found]
    print(tabulate(table, [*COLUMNS, "reason"], "github"))


if __name__ == "__main__":
    main(sys.argv[1:])
