"""The fenced code blocks of a Markdown text, found in one pass over its lines."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import msgspec


class Block(msgspec.Struct, frozen=True):
    """One fenced block. `line` is where its fence opens, counted from 1."""

    language: str
    """The first word behind the fence, in lower case; empty where there is none."""
    name: str
    """The file name given behind the fence, in the line above it or in the block's first comment; else empty."""
    body: str
    line: int
    closed: bool


def split(text: str) -> tuple[list[Block], str]:
    """The fenced blocks of `text`, and the text outside them.

    A fence is three or more backticks or tildes, indented or not; it closes with at least as many of
    the same sign alone on a line, indented at most three columns more than the opening, or behind the
    last line of the text. A block that never closes runs to the end.
    """
    blocks: list[Block] = []
    prose: list[str] = []
    body: list[str] = []
    opening: re.Match[str] | None = None
    opened = 0
    above, above_line = "", -9  # the last line of prose that says something
    for number, line in enumerate(text.split("\n"), 1):
        if opening is not None:
            if _closes(line, opening):
                blocks.append(_block(opening, body, above, opened, closed=True))
                opening, above = None, ""
                prose.append("")
            else:
                body.append(_dedent(line, len(opening["indent"])))
            continue
        opening = _OPENING.match(line) if "```" in line or "~~~" in line else None
        if opening is not None:
            body, opened = [], number
            above = above if number - above_line <= 2 else ""
            prose.append("")
            continue
        prose.append(line)
        if line.strip():
            above, above_line = line, number
    if opening is not None:
        closed = _closes_in_its_last_line(body, opening["fence"])
        blocks.append(_block(opening, body, above, opened, closed=closed))
    return blocks, "\n".join(prose)


_OPENING = re.compile(r"(?P<indent>[ \t]{0,40})(?P<fence>`{3,}(?!`)(?=[^`]*$)|~{3,})(?P<info>.*)$")


def _closes(line: str, opening: re.Match[str]) -> bool:
    fence = opening["fence"]
    if fence not in line:
        return False
    stripped = line.strip()
    indent = len(line) - len(line.lstrip(" \t"))
    return indent <= len(opening["indent"]) + 3 and not stripped.strip(fence[0])


def _closes_in_its_last_line(body: list[str], fence: str) -> bool:
    """Takes a fence off the end of the text, where it stands behind the last line and not below it."""
    last = next((n for n in reversed(range(len(body))) if body[n].strip()), None)
    if last is None or not body[last].rstrip().endswith(fence):
        return False
    body[last:] = [body[last].rstrip().removesuffix(fence)]
    return not body[last].endswith(fence[0])


def _dedent(line: str, columns: int) -> str:
    return line[min(columns, len(line) - len(line.lstrip(" \t"))) :] if columns else line


def _block(opening: re.Match[str], body: list[str], above: str, line: int, closed: bool) -> Block:
    info = opening["info"].strip()
    language = "" if not info else re.split(r"[\s{:,]", info, maxsplit=1)[0].lower()[:40]
    name = _name_in_info(info) or _name_alone(above) or _name_in_comment(body[0] if body else "")
    if "." in language:
        language = ""  # ```softmax.py: the fence carries a name and no language
    return Block(language, name, "\n".join(body), line, closed)


_FILE = r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}\.[A-Za-z0-9_]{1,8}"


def _name_in_info(info: str) -> str:
    """```python softmax.py · ```python:softmax.py · ```softmax.py · ```python title="softmax.py"."""
    if not info or len(info) > 200:
        return ""
    for word in re.split(r"[\s:={}\"',]+", info):
        if re.fullmatch(_FILE, word.removeprefix("./")):
            return _clean(word)
    return ""


def _name_alone(line: str) -> str:
    """A line that holds a file name and nothing else: **`softmax.py`** · ### softmax.py · File: softmax.py · --- softmax.py ---."""
    if not line or len(line) > 200:
        return ""
    bare = line.strip(" \t#*_`:-=\"'()[]>")
    label = re.fullmatch(r"(?:file|filename|path)\b[\s:*_`\"']*(?P<rest>.*)", bare, re.IGNORECASE)
    if label:
        bare = label["rest"].strip(" \t*_`:\"'")
    return _clean(bare) if re.fullmatch(_FILE, bare.removeprefix("./")) else ""


def _name_in_comment(line: str) -> str:
    """# softmax.py · // file: kernel.cu, as a block's first line."""
    if len(line) > 200:
        return ""
    comment = re.fullmatch(r"\s*(?:#|//)(?P<rest>[^#/].*)", line)
    return _name_alone(comment["rest"]) if comment else ""


def _clean(name: str) -> str:
    return str(PurePosixPath(name.removeprefix("./")))
