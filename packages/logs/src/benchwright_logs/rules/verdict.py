"""What a judge says of the events of one turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

RULE_VERSION = 1
"""Version of the allow-lists; it goes on record with every audit."""

Verdict = Literal["tool_free", "tools", "unknown"]


class Finding(msgspec.Struct, frozen=True):
    """Why a turn is not tool-free. `event` counts from 1; 0 is the turn as a whole."""

    event: int
    why: str
    tools: bool = False
    """True where a tool was used; False where nobody can tell."""


class Told(msgspec.Struct, frozen=True):
    """What the events tell: text and model as the harness should have read them, and what speaks against the turn."""

    findings: tuple[Finding, ...]
    text: str = ""
    answered: str | None = None
    input: int | None = None
    """Input tokens, cached ones included where the wire format counts them so."""
    output: int | None = None
    thread: str | None = None
    """The conversation that the provider put the turn into, where it names one."""

    @property
    def verdict(self) -> Verdict:
        """`tool_free` where nothing speaks against it, `tools` where a tool was used, else `unknown`."""
        if not self.findings:
            return "tool_free"
        return "tools" if any(finding.tools for finding in self.findings) else "unknown"


class Notes:
    """Collects findings while a judge goes through the events."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def unknown(self, event: int, why: str) -> None:
        """Nobody can tell what this is."""
        self.found.append(Finding(event, why))

    def tools(self, event: int, why: str) -> None:
        """A tool was used or offered."""
        self.found.append(Finding(event, why, tools=True))

    def strange_keys(self, event: int, record: Mapping[str, Any], known: frozenset[str], what: str) -> None:
        """Fields outside the allow-list that hold something."""
        for key in sorted(set(record) - known):
            if record[key] not in (None, False, "", [], {}):
                self.unknown(event, f"{what} holds the field `{shown(key)}`, which is not on the list")


def text_at(record: Any, *path: str) -> str:
    """The text at `path`; empty where it is absent or none."""
    value = record
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


def count_at(record: Any, *path: str) -> int | None:
    """The number of tokens at `path`; None where it is absent or none."""
    value = record
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def shown(text: object) -> str:
    """A name out of somebody else's data, cut to a length that fits a sentence."""
    return str(text)[:60]
