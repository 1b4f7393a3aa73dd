"""A submission's source, read as Python reads it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings

import msgspec
from benchwright import Violation

FILE = "net.py"
PACKAGE = "handnet_bench"
NETWORKS = ("addition", "dyck1", "induction", "mnist", "sentiment")
"""Networks of this package that a reference entry may import; such an entry is not self-contained."""

LARGEST = 4_000_000
"""Bytes; a hundred thousand weights with their comments take about a third of it."""


class Unreadable(Exception):
    """The bytes are no Python source; the message is a sentence."""


class Source(msgspec.Struct, frozen=True):
    """Text, syntax tree and comments of a submission. Lines count from 1."""

    text: str
    tree: ast.Module
    comments: dict[int, str]
    """Line -> text of the comment on it, without the sign."""
    code_lines: frozenset[int]
    """Lines that hold anything but a comment."""
    numbers: tuple[tuple[int, str], ...]
    """Line and text of each number, as written."""
    functions: dict[str, ast.FunctionDef | ast.ClassDef]
    """Functions and classes of the module, by name."""
    complete: int
    """Index in `tree.body` of the statement after which WEIGHTS is complete; -1 where it is never bound."""

    @property
    def self_contained(self) -> bool:
        """Whether the file imports nothing of this package, wherever the import stands."""
        for node in ast.walk(self.tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            if any(module.split(".")[0] == PACKAGE for module in modules):
                return False
        return True


def violation(rule: str, node: ast.AST | int, why: str) -> Violation:
    """A violation at the line of `node`."""
    line = node if isinstance(node, int) else getattr(node, "lineno", 1)
    return Violation(rule, f"{FILE}:{line}", why)


def read(data: bytes) -> Source:
    """The source in `data`. Raises Unreadable for what is too large, not UTF-8, or not Python."""
    if len(data) > LARGEST:
        raise Unreadable(f"The file has {len(data):,} bytes; at most {LARGEST:,} are read.")
    try:
        text = data.decode("utf-8-sig")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if encoding not in ("utf-8", "utf-8-sig"):
            raise Unreadable(f"The file declares the encoding {encoding}; only UTF-8 is read.")
    except UnicodeDecodeError as error:
        raise Unreadable(f"The file is not UTF-8 (byte {error.start}).") from None
    except (SyntaxError, LookupError) as error:
        raise Unreadable(f"The file is no Python source: {error}.") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except SyntaxError as error:
        raise Unreadable(f"The file is no Python source: {error.msg} (line {error.lineno}).") from None
    except (ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        raise Unreadable(f"The file is no Python source: {error}.") from None
    layout = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    code: set[int] = set()
    comments: dict[int, str] = {}
    numbers = tuple((token.start[0], token.string) for token in tokens if token.type == tokenize.NUMBER)
    for token in tokens:
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string.lstrip("#").strip()
        elif token.type not in layout:
            code.update(range(token.start[0], token.end[0] + 1))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return Source(text, tree, comments, frozenset(code), numbers, functions, _complete(tree))


def _complete(tree: ast.Module) -> int:
    last = -1
    for index, node in enumerate(tree.body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            while isinstance(target, ast.Subscript):
                target = target.value
            if isinstance(target, ast.Name) and target.id == "WEIGHTS":
                last = index
    return last


def names_read(node: ast.AST) -> set[str]:
    """Names that `node` reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def forward(source: Source) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """The functions that run when `predict` does, or at import once WEIGHTS is complete."""
    waiting = {"predict"}
    for index, node in enumerate(source.tree.body):
        if index > source.complete and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            waiting |= names_read(node)
    found: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    while waiting:
        name = waiting.pop()
        if name in source.functions and name not in found:
            found[name] = source.functions[name]
            waiting |= names_read(found[name])
    return found


def words(text: str) -> list[str]:
    """Words of two letters or more, in any script."""
    return re.findall(r"[^\W\d_]{2,}", text)


def is_drawing(value: object) -> bool:
    """Whether a string is a row of a drawing: four signs or more, two or three different ones, at most one letter."""
    if not isinstance(value, str) or len(value) < 4 or value.isspace():
        return False
    return 2 <= len(set(value)) <= 3 and sum(sign.isalpha() for sign in set(value)) < 2


def inked(text: str) -> int:
    """Signs of a drawing that are not the most frequent one, which is its paper."""
    return len(text) - max(text.count(sign) for sign in set(text))
