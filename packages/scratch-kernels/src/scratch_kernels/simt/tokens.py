"""Source text as tokens that know their line, and the way back to text with every line where it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from scratch_kernels.simt.errors import CompileError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\f\v]+)|(?P<newline>\n)
    |(?P<string>(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*")|(?P<char>(?:u8|u|U|L)?'(?:\\.|[^'\\\n])+')
    |(?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|\.?\d(?:[0-9.]|[eE][+-]?(?=\d)|')*)[a-zA-Z_0-9]*)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<punct>::|->\*|->|<<<|>>>|<<=|>>=|<=>|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\.\.\.|\#\#|.)""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """`kind` is name, number, string, char or punct."""

    kind: str
    text: str
    line: int


def uncommented(source: str) -> str:
    """`source` without comments and line continuations, every line kept."""
    joined = re.sub(r"((?:[^\n]*\\[ \t]*\n)+)([^\n]*)", _join, source)

    def blank(found: re.Match[str]) -> str:
        text = found[0]
        return text if text[0] in "\"'" else re.sub(r"[^\n]", " ", text)

    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', blank, joined, flags=re.S)


def _join(found: re.Match[str]) -> str:
    text = found[0]
    n = text.count("\n")
    return re.sub(r"\\[ \t]*\n", " ", text) + "\n" * n


def split(preprocessed: str, file: str) -> tuple[list[Token], list[tuple[int, str]]]:
    """Tokens of a preprocessed text and the directives left in it; line markers are followed."""
    tokens: list[Token] = []
    directives: list[tuple[int, str]] = []
    line = 1
    for text in preprocessed.split("\n"):
        stripped = text.lstrip()
        if stripped.startswith("#"):
            marker = re.match(r"#\s*(?:line\s+)?(\d+)", stripped)
            if marker:
                line = int(marker[1])
                continue
            directives.append((line, stripped))
            line += 1
            continue
        for found in _TOKEN.finditer(text):
            kind = found.lastgroup or "punct"
            if kind != "space":
                tokens.append(Token(kind, found[0], line))
        line += 1
    # `>>` closing two template lists is two tokens for those who match brackets.
    return tokens, directives


def text(tokens: Sequence[Token]) -> str:
    """The tokens as text, each on its line."""
    out: list[str] = []
    line = 1
    for token in tokens:
        if token.line != line:
            if 0 < token.line - line < 20:
                out.append("\n" * (token.line - line))
            else:
                out.append(f"\n#line {token.line}\n")
            line = token.line
        out.append(token.text)
        out.append(" ")
    return "".join(out) + "\n"


_PAIRS = {"(": ")", "[": "]", "{": "}"}


def closing(tokens: Sequence[Token], i: int) -> int:
    """The index of the bracket that closes the one at `i`."""
    depth = 0
    opened, closed = tokens[i].text, _PAIRS[tokens[i].text]
    for j in range(i, len(tokens)):
        t = tokens[j].text
        if t == opened:
            depth += 1
        elif t == closed:
            depth -= 1
            if depth == 0:
                return j
    raise CompileError(f"expected '{closed}'", tokens[i].line)


def closing_angle(tokens: Sequence[Token], i: int, surely: bool = False) -> int:
    """The index of the `>` that closes the `<` at `i`, or -1 where that is a comparison; `surely` a bracket after `template`."""
    depth = 0
    j = i
    while j < len(tokens):
        t = tokens[j].text
        if t == "<":
            depth += 1
        elif t in {">", ">>", ">>>"}:
            depth -= len(t)
            if depth <= 0:
                return j
        elif t in {"(", "["}:
            j = closing(tokens, j)
        elif t in {";", "{", "}"} or (t in {"&&", "||"} and not surely):
            return -1
        j += 1
    return -1


def commas(tokens: Sequence[Token]) -> list[list[Token]]:
    """The parts of an argument list between its own commas."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for i, t in enumerate(tokens):
        if t.text in {"(", "[", "{"}:
            depth += 1
        elif t.text in {")", "]", "}"}:
            depth -= 1
        elif t.text == "<" and i and tokens[i - 1].kind == "name" and closing_angle(tokens, i) > 0:
            depth += 1
        elif t.text in {">", ">>"} and depth > 0 and _closes_angle(tokens, i):
            depth -= len(t.text)
        if t.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(t)
    return parts if parts != [[]] else []


def _closes_angle(tokens: Sequence[Token], i: int) -> bool:
    return any(
        tokens[j].text == "<" and j and tokens[j - 1].kind == "name" and closing_angle(tokens, j) == i for j in range(i)
    )


def spelled(tokens: Sequence[Token]) -> str:
    """Tokens for a message."""
    joined = " ".join(t.text for t in tokens)
    joined = re.sub(r"\s*([*&,:<>()\[\]]+)\s*", r"\1", joined)
    return re.sub(r"(?<=[\w>])[*&]", r" \g<0>", joined).strip()
