"""Every weight is explained: a comment stands on its line or above it, and says something."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.names import docstring_nodes
from handnet_bench.rules.source import Source, forward, violation, words

MOST_NUMBERS = 160
"""Numbers that one comment can explain: a 12 x 12 drawing and a little more."""

MOST_REPEATS = 3
"""Times that one comment, its numbers left out, may stand in the file above weights."""

MOST_REPORTED = 5
"""Violations of one kind that are listed; the last one counts the others."""

SHAPES = frozenset(
    [
        "zeros",
        "zeros_like",
        "empty",
        "range",
        "reshape",
        "len",
        "slice",
        "round",
        "enumerate",
        "transpose",
        "swapaxes",
        "split",
        "array_split",
    ]
)
"""Calls whose numbers are sizes, not weights."""

MAKERS = frozenset(
    ["ones", "full", "eye", "identity", "arange", "linspace", "tri", "ones_like", "full_like", "logspace", "geomspace"]
)
"""Calls that make non-zero weights without a literal."""

EMPTY = frozenset(
    [
        "weight",
        "weights",
        "value",
        "values",
        "set",
        "sets",
        "to",
        "is",
        "are",
        "the",
        "of",
        "number",
        "numbers",
        "equals",
        "this",
        "that",
        "array",
        "arrays",
        "row",
        "rows",
        "col",
        "cols",
        "column",
        "columns",
        "entry",
        "entries",
        "element",
        "elements",
        "param",
        "params",
        "parameter",
        "parameters",
        "and",
        "for",
        "its",
        "with",
        "here",
        "as",
        "be",
        "by",
        "on",
        "in",
        "num",
        "val",
        "constant",
        "const",
        "coefficient",
        "coefficients",
        "todo",
        "note",
        "see",
        "above",
        "below",
        "same",
        "again",
        "tuned",
        "trained",
        "learned",
        "matrix",
        "vector",
        "float",
        "int",
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
    ]
)
"""Words that say nothing about why a weight is what it is."""


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `unexplained`."""
    numbers = weight_lines(source)
    if not numbers:
        return
    covering: Counter[int] = Counter()
    bare: list[int] = []
    for line, count in sorted(numbers.items()):
        comment = _comment_for(line, source)
        if comment is None:
            bare.append(line)
        else:
            covering[comment] += count
    yield from _listed(bare, source, "has weights and no comment on its line or above it, up to an empty line.")
    empty = [line for line in covering if not _says_something(_block(line, source))]
    yield from _listed(sorted(empty), source, "is a comment that does not say why the weights are what they are.")
    for line, count in sorted(covering.items()):
        if count > MOST_NUMBERS:
            yield violation(
                "unexplained", line, f"one comment for {count} numbers; at most {MOST_NUMBERS} go with one."
            )
    texts = Counter(_normal(_block(line, source)) for line in covering if line not in empty)
    for text, count in texts.items():
        if count > MOST_REPEATS:
            first = next(line for line in sorted(covering) if _normal(_block(line, source)) == text)
            yield violation("unexplained", first, f"the same comment explains weights in {count} places.")


def _listed(lines: list[int], source: Source, why: str) -> Iterator[Violation]:
    for line in lines[:MOST_REPORTED]:
        yield violation("unexplained", line, why)
    if len(lines) > MOST_REPORTED:
        yield violation("unexplained", lines[MOST_REPORTED], f"and {len(lines) - MOST_REPORTED} more lines like this.")


def weight_lines(source: Source) -> dict[int, int]:
    """Line -> non-zero numbers written there, outside the forward pass and `explain`."""
    inside = set(forward(source)) | {"explain"}
    found: Counter[int] = Counter()
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in inside:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom | ast.If):
            continue
        for line in _numbers(node, docstring_nodes(source.tree)):
            found[line] += 1
    return dict(found)


def _numbers(node: ast.AST, docstrings: set[ast.AST]) -> Iterator[int]:
    """The line of each non-zero number, drawing row and number-making call below `node`."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or node in docstrings:
            return
        if (isinstance(node.value, int | float | complex) and node.value != 0) or (
            isinstance(node.value, str) and len(node.value) > 200
        ):
            yield node.lineno
        return
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in SHAPES:
            return
        if name in MAKERS:
            yield node.lineno
            return
    if isinstance(node, ast.Subscript):
        yield from _numbers(node.value, docstrings)
        return
    for field, child in ast.iter_fields(node):
        if field in ("slice", "annotation", "returns"):
            continue
        for each in child if isinstance(child, list) else [child]:
            if isinstance(each, ast.keyword) and each.arg in ("axis", "dtype", "ndmin", "k", "n"):
                continue
            if isinstance(each, ast.AST):
                yield from _numbers(each, docstrings)


def _comment_for(line: int, source: Source) -> int | None:
    """The line of the comment that covers `line`: on it, or the nearest one above without an empty line between."""
    if line in source.comments and line in source.code_lines:
        return line
    above = line - 1
    while above > 0 and (above in source.code_lines or above in source.comments):
        if above in source.comments:
            return above
        above -= 1
    return None


def _block(line: int, source: Source) -> str:
    """The comment at `line` with the comment lines directly above it and, where it ends in "...", below."""
    texts = [source.comments[line]]
    above = line - 1
    while line not in source.code_lines and above in source.comments and above not in source.code_lines:
        texts.insert(0, source.comments[above])
        above -= 1
    return " ".join(texts)


def _says_something(text: str) -> bool:
    telling = {word.lower() for word in words(text)} - EMPTY
    foreign = {word for word in telling if not word.isascii()}
    return len({word for word in telling if len(word) > 2}) >= 2 or bool(foreign)


def _normal(text: str) -> str:
    return re.sub(r"[\W\d_]+", " ", text.lower()).strip()
