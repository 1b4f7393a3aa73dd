"""What a redacted log says of itself: `redaction.json` at the root of a run, and the stubs of withheld files."""

from __future__ import annotations

import msgspec
from benchwright.errors import FileError

from benchwright_logs.tree import Tree

NAME = "redaction.json"
STUB = ".withheld.json"


class Withheld(msgspec.Struct, frozen=True):
    """The stub that stands where a file was: which, how large, its sha256, and why it is not here."""

    withheld: str
    sha256: str
    bytes: int
    reason: str


class Redaction(msgspec.Struct, frozen=True):
    """What was changed. The record of a file that only its words were changed in holds no hash of the old text, which
    would let anybody test guesses of what stood there."""

    placeholders: dict[str, str]
    """Placeholder -> what it stands for, in words."""
    changed: list[str]
    """Files in which placeholders stand."""
    withheld: list[str]
    """Files that are stubs now, by their old names."""
    scored: dict[str, str]
    """sha256 of every scored file, the same before and after; withheld ones included."""
    left_out: list[str] = []
    """Files that can be made again from the others, or are no part of the log."""
    schema: int = 1


def read_redaction(tree: Tree) -> Redaction | None:
    """The record of a redacted run, or None for one as it was written. Raises FileError where it is damaged."""
    if NAME not in tree.files:
        return None
    try:
        return msgspec.json.decode(tree.read(NAME), type=Redaction)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(tree.root / NAME, f"is no record of a redaction: {error}") from None


def read_stub(tree: Tree, name: str) -> Withheld | None:
    """The stub of the file `name`, or None. Raises FileError where it is damaged."""
    if name + STUB not in tree.files:
        return None
    try:
        return msgspec.json.decode(tree.read(name + STUB, 1 << 16), type=Withheld)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(tree.root / (name + STUB), f"is no stub of a withheld file: {error}") from None


def scored(name: str) -> bool:
    """Whether a file of an attempt's folder is what a verdict stands on: submissions, verdicts, networks.

    A traceback of the harness lies in `eval/` and decides nothing.
    """
    parts = name.split("/")
    if parts[0].startswith("round-"):
        parts = parts[1:]
    return len(parts) > 1 and parts[0] in ("submission", "eval", "networks") and parts[1:] != ["traceback.txt"]
