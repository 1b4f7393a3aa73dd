"""Where words go: people read standard output, except with --json, where it belongs to machines."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from benchwright import figures
from benchwright.counting import plural as plural
from benchwright.records import Table

if TYPE_CHECKING:
    from benchwright.plugins import Plugins


class Output:
    """Says things to a person, and gives things to a machine."""

    def __init__(self, json: bool) -> None:
        self.json = json

    def say(self, text: str = "") -> None:
        """One or more lines for a person."""
        click.echo(shown(text), err=self.json)

    def table(self, table: Table, indent: str = "") -> None:
        """A table for a person; None prints as "not run"."""
        self.say(aligned(table.columns, table.rows, indent))

    def give(self, value: Any) -> None:
        """One JSON value on one line of standard output, where --json was asked for."""
        if self.json:
            sys.stdout.write(msgspec.json.encode(value).decode() + "\n")

    @property
    def terminal(self) -> bool:
        """Whether a person watches."""
        return (sys.stderr if self.json else sys.stdout).isatty()


def aligned(columns: Sequence[str], rows: Iterable[Sequence[Any]], indent: str = "") -> str:
    """Columns of text, the first to the left, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(row[at]) for row in [list(columns), *cells]) for at in range(len(columns))]
    right = [at > 0 and all(_numeric(row[at]) for row in cells) for at in range(len(columns))]

    def line(row: Sequence[str]) -> str:
        padded = [
            text.rjust(width) if flag else text.ljust(width)
            for text, width, flag in zip(row, widths, right, strict=True)
        ]
        return (indent + "  ".join(padded)).rstrip()

    return "\n".join([line(columns), *map(line, cells)])


def _cell(value: Any) -> str:
    return figures.score(value) if value is None or isinstance(value, float) else str(value)


def _numeric(text: str) -> bool:
    if len(re.findall(r"[^\W\d_]{2,}", text)) > 3:
        return False  # a sentence that begins with a number
    return text == figures.NOT_RUN or text[:1].isdigit() or text[:1] in "$-+"


def tell_broken(plugins: Plugins) -> None:
    """A line on standard error for each plugin that is left out."""
    for broken in plugins.broken:
        click.echo(f"Plugin `{broken.name}` ({broken.distribution}) is left out: {broken.why}", err=True)


def shown(text: str) -> str:
    """Text without what drives a terminal: a submission's error message may hold escapes, and reaches a person here."""
    return "".join(
        letter if letter in "\n\t" or unicodedata.category(letter) not in _DRIVING else f"\\u{ord(letter):04x}"
        for letter in text
    )


_DRIVING = ("Cc", "Cf", "Cs")
"""Unicode's categories of control characters, formatting (such as reversed writing) and halves of surrogate pairs."""


def clock(seconds: float) -> str:
    """Seconds as `0:07` or `1:02:03`."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"
