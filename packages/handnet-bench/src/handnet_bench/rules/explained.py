"""Every weight is explained: a comment stands on its line or above it, and says something."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.counting import many
from handnet_bench.rules import literals
from handnet_bench.rules.names import docstring_nodes
from handnet_bench.rules.source import Source, forward, inked, is_drawing, names_read, violation, words

MOST_NUMBERS = 160
"""Numbers that one comment can explain: a 12 x 12 drawing and a little more."""

MOST_CELLS = 400
"""Inked cells of drawings that one comment can explain: a 28 x 28 drawing of a thick digit."""

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
        "an",
        "at",
        "num",
        "val",
        "constant",
        "const",
        "coefficient",
        "coefficients",
        "todo",
        "note",
        "same",
        "again",
        "tuned",
        "trained",
        "learned",
        "matrix",
        "vector",
        "float",
        "int",
    ]
)
"""Words that say nothing about why a weight is what it is."""

IN_FORMULAS = frozenset({0, 1, 2, 3, 0.5})
"""Numbers of formulas, in the functions that build weights."""

NUMERALS = frozenset(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half"])


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `unexplained`."""
    numbers = weight_lines(source)
    if not numbers:
        return
    drawn = drawn_lines(source)
    covering: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    bare: list[int] = []
    for line, count in sorted(numbers.items()):
        comment = _comment_for(line, source)
        if comment is None:
            bare.append(line)
        else:
            cells[comment] += drawn[line]
            covering[comment] += count - drawn[line]
    yield from _listed(bare, source, "has weights and no comment on its line or above it, up to an empty line.")
    # A drawing shows what it is; its comment only has to name it.
    empty = [line for line in covering if covering[line] and not _says_something(_block(line, source))]
    empty += [line for line in covering if not covering[line] and not re.search(r"\w", _block(line, source))]
    yield from _listed(sorted(empty), source, "is a comment that does not say why the weights are what they are.")
    for line, count in sorted(covering.items()):
        if count > MOST_NUMBERS:
            yield violation(
                "unexplained", line, f"one comment for {count} numbers; at most {MOST_NUMBERS} go with one."
            )
        if cells[line] > MOST_CELLS:
            yield violation(
                "unexplained", line, f"one comment for {cells[line]} inked cells; at most {MOST_CELLS} go with one."
            )
    texts = Counter(_normal(_block(line, source)) for line in covering if line not in empty and covering[line])
    for text, count in texts.items():
        if count > MOST_REPEATS:
            first = next(line for line in sorted(covering) if _normal(_block(line, source)) == text)
            yield violation("unexplained", first, f"the same comment explains weights in {count} places.")


def _listed(lines: list[int], source: Source, why: str) -> Iterator[Violation]:
    for line in lines[:MOST_REPORTED]:
        yield violation("unexplained", line, why)
    if len(lines) > MOST_REPORTED:
        yield violation(
            "unexplained", lines[MOST_REPORTED], f"and {many(len(lines) - MOST_REPORTED, 'more line')} like this."
        )


def weight_lines(source: Source) -> dict[int, int]:
    """Line -> non-zero numbers written there, outside the forward pass and `explain`."""
    inside = set(forward(source)) | {"explain"}
    in_weights = names_read(source.tree.body[source.complete]) if source.complete >= 0 else set()
    docstrings = docstring_nodes(source.tree)
    found: Counter[int] = Counter()
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in inside:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom | ast.If) or _helper(node, in_weights):
            continue
        formula = isinstance(node, ast.FunctionDef | ast.ClassDef)
        for line in _numbers(node, docstrings, IN_FORMULAS if formula else frozenset({0})):
            found[line] += 1
    return dict(found)


def drawn_lines(source: Source) -> Counter[int]:
    """Line -> inked cells of drawings on it."""
    found: Counter[int] = Counter()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_drawing(node.value):
            found[node.lineno] += inked(node.value)
    return found


def _helper(node: ast.stmt, in_weights: set[str]) -> bool:
    """Whether a statement names sizes or indices: whole numbers under plain names that are no weights themselves."""
    if not isinstance(node, ast.Assign):
        return False
    targets = [n for target in node.targets for n in ast.walk(target)]
    if any(isinstance(n, ast.Subscript | ast.Attribute) for n in targets):
        return False
    values = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
    if any(map(is_drawing, values)) and any(
        isinstance(n, ast.List | ast.Tuple | ast.Dict) for n in ast.walk(node.value)
    ):
        return False
    named = {n.id for n in targets if isinstance(n, ast.Name)}
    whole = all((isinstance(v, int | str) and (isinstance(v, int) or len(v) <= 200)) or _guards(v) for v in values)
    tables = any(isinstance(n, ast.List | ast.Set) and len(n.elts) > 8 for n in ast.walk(node.value))
    makers = any(isinstance(n, ast.Attribute) and n.attr in MAKERS - {"arange"} for n in ast.walk(node.value))
    return whole and not tables and not makers and not named & in_weights


def _guards(value: object) -> bool:
    """Whether a fraction is a guard against a division by zero, or a mask like -1e9."""
    if not isinstance(value, float):
        return False
    return abs(value) <= literals.TINY or (abs(value) >= literals.HUGE and literals.power_of_ten(value))


def _numbers(node: ast.AST, docstrings: set[ast.AST], free: frozenset[float]) -> Iterator[int]:
    """The line of each non-zero number, drawing row and number-making call below `node`."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or node in docstrings:
            return
        if (isinstance(node.value, int | float | complex) and node.value != 0) or (
            isinstance(node.value, str) and len(node.value) > 200
        ):
            yield node.lineno
        elif isinstance(node.value, str) and is_drawing(node.value):
            for _ in range(inked(node.value)):
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
        yield from _numbers(node.value, docstrings, free)
        return
    for field, child in ast.iter_fields(node):
        if field == "keys":
            child = [key for key in child if not (isinstance(key, ast.Constant) and isinstance(key.value, int))]
        if field in ("slice", "annotation", "returns"):
            continue
        for each in child if isinstance(child, list) else [child]:
            if isinstance(each, ast.keyword) and each.arg in ("axis", "dtype", "ndmin", "k", "n"):
                continue
            if isinstance(each, ast.AST):
                yield from _numbers(each, docstrings, free)


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
    long = {word for word in telling if len(word) > 2}
    return (len(words(text)) >= 2 and bool(long - NUMERALS)) or bool(foreign)


def _normal(text: str) -> str:
    return re.sub(r"[\W\d_]+", " ", text.lower()).strip()
