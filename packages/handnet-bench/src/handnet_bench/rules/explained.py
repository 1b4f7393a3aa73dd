"""Every weight is explained: a comment stands on its line or above it, and says something."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from benchwright import Violation

from handnet_bench.counting import many
from handnet_bench.rules import literals
from handnet_bench.rules.names import docstring_nodes
from handnet_bench.rules.source import (
    Source,
    bodies,
    forward,
    inked,
    is_drawing,
    names_read,
    statements,
    violation,
    words,
)

MOST_NUMBERS = 160
"""Numbers that one comment can explain: a 12 x 12 drawing and a little more."""

MOST_CELLS = 400
"""Inked cells of drawings that one comment can explain: a 28 x 28 drawing of a thick digit."""

MOST_REPEATS = 3
"""Times that one comment, its numbers left out, may stand in the file above weights."""

MOST_REPORTED = 5
"""Violations of one kind that are listed; the last one counts the others."""

SIZES = frozenset({"zeros", "empty", "range", "slice", "ones", "eye", "identity", "tri", "ones_like", "len"})
"""Calls whose numbers are sizes, all of them."""

FIRST = frozenset({"reshape", "round", "around", "transpose", "swapaxes", "array_split", "moveaxis", "resize", "roll"})
"""Calls that change the form of what they are given first, or called on; their other numbers are sizes."""

MAKERS = frozenset(
    ["ones", "full", "eye", "identity", "arange", "linspace", "tri", "ones_like", "full_like", "logspace", "geomspace"]
)
"""Calls that make non-zero weights without a literal."""

STRUCTURAL = frozenset({"axis", "dtype", "ndmin", "k", "n", "decimals", "keepdims", "start"})
"""Arguments of numpy by name whose numbers are sizes."""

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
        "stuff",
        "thing",
        "things",
        "some",
        "more",
        "other",
        "another",
        "magic",
        "misc",
        "etc",
        "various",
        "good",
        "works",
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

MOST_IN_FORMULAS = 40
"""Such numbers that a function may hold before they are taken for a table."""

FOUND = re.compile(
    r"\b(fitted|regress(ion|ed)|gradient (descent|steps?)|by gradients?|backprop\w*|optimi[sz]ers?|optimi[sz]ed|least.squares|converged?|"
    r"trained|training (set|data|images|examples|sentences)|sgd|adam|(random|grid|line) search|hill.?climb\w*|"
    r"cross.?validat\w*|learn(ed|t) (by|from|on)|empirical (mean|frequency)|best of \d+|"
    r"(found|chosen|tuned|selected|estimated|computed|measured|taken) (by|on|over|from) (\w+ ){0,3}(data|data ?set|search\w*|examples|samples|labels)"
    r")\b",
    re.IGNORECASE,
)
"""What a comment says of a number that was found by computation, or taken from data."""

DENIES = re.compile(r"\b(no|not|none|never|nothing|without|instead|rather|neither|nor|un\w+)\b|n't\b", re.IGNORECASE)

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
    told = [line for line in sorted({*covering, *cells}) if _tells_of_a_search(_block(line, source))]
    yield from _listed(told, source, "is a comment that says the weights were found; they are set by reasoning.")
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
    inside = bodies([*forward(source).values(), *source.definitions.get("explain", ())])
    in_weights = names_read(source.tree.body[source.complete]) if source.complete >= 0 else set()
    docstrings = docstring_nodes(source.tree)
    found: Counter[int] = Counter()
    for _, node in statements(source.tree):
        if id(node) in inside or isinstance(node, ast.Import | ast.ImportFrom) or _helper(node, in_weights):
            continue
        for line in _Numbers(inside, docstrings, set(source.functions), source.comments).below(node):
            found[line] += 1
    return dict(found)


def drawn_lines(source: Source) -> Counter[int]:
    """Line -> inked cells of drawings on it."""
    found: Counter[int] = Counter()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_drawing(node.value):
            found[_line(node, source.comments)] += inked(node.value)
    return found


def _helper(node: ast.stmt, in_weights: set[str]) -> bool:
    """Whether a statement names sizes or indices: whole numbers under plain names that are no weights themselves."""
    if not isinstance(node, ast.Assign):
        return False
    targets = [n for target in node.targets for n in ast.walk(target)]
    if any(isinstance(n, ast.Subscript | ast.Attribute) for n in targets):
        return False
    values = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
    if any(map(is_drawing, values)):
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


class _Numbers:
    """The non-zero numbers that a statement writes, without sizes, places and what runs in the forward pass."""

    def __init__(
        self, inside: set[int], docstrings: set[ast.AST], functions: set[str], comments: Mapping[int, str]
    ) -> None:
        self.comments = comments
        self.inside = inside
        self.docstrings = docstrings
        self.functions = functions
        self.formulas: list[int] = []

    def below(self, node: ast.AST) -> list[int]:
        """The line of each number, drawing row and number-making call."""
        found = list(self._in(node, False, False))
        return found + (self.formulas if len(self.formulas) > MOST_IN_FORMULAS else [])

    def _in(self, node: ast.AST, formula: bool, listed: bool) -> Iterator[int]:
        """`formula`: in a function, whose ones and twos are free; `listed`: an item of a list."""
        if id(node) in self.inside or (isinstance(node, ast.Assert) and not _binds(node)):
            return
        formula = formula or isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)
        if isinstance(node, ast.Constant):
            yield from self._constant(node, formula, listed)
        elif isinstance(node, ast.Call):
            yield from self._call(node, formula)
        elif isinstance(node, ast.Attribute) and node.attr in literals.MEASURES and isinstance(node.value, ast.Call):
            if not names_read(node.value) - {"np", "numpy", "range", "slice"}:
                yield node.lineno
            yield from self._in(node.value, formula, False)
        elif isinstance(node, ast.Subscript):
            yield from self._in(node.value, formula, False)
            yield from self._places(node, formula)
        elif isinstance(node, ast.For | ast.comprehension):
            for each in ast.iter_child_nodes(node):
                # How often a loop runs is a size; `[*range(7, 8)]` would be a seven.
                if each is node.iter and _is_range(each):
                    continue
                yield from self._in(each, formula, False)
        elif isinstance(node, ast.Dict):
            keys = [key for key in node.keys if key is not None]
            whole = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, int)]
            if len(whole) < len(keys) or not _enumerates(whole):
                yield from self._all([key for key in keys if not _small(key)], formula, True)
            yield from self._all(node.values, formula, True)
        else:
            below = isinstance(node, ast.List | ast.Tuple | ast.Set) or (listed and isinstance(node, ast.UnaryOp))
            for field, child in ast.iter_fields(node):
                if field not in ("annotation", "returns", "ctx"):
                    yield from self._all(child if isinstance(child, list) else [child], formula, below)

    def _all(self, nodes: Iterable[object], formula: bool, listed: bool) -> Iterator[int]:
        for each in nodes:
            if isinstance(each, ast.AST):
                yield from self._in(each, formula, listed)

    def _constant(self, node: ast.Constant, formula: bool, listed: bool) -> Iterator[int]:
        value = node.value
        if node in self.docstrings:
            return
        if isinstance(value, bool):
            if value and listed:
                yield node.lineno
        elif isinstance(value, int | float | complex):
            if value != 0 and formula and value in IN_FORMULAS:
                self.formulas.append(node.lineno)
            elif value != 0:
                yield node.lineno
        elif isinstance(value, str) and is_drawing(value):
            for _ in range(inked(value)):
                yield _line(node, self.comments)
        elif isinstance(value, str) and len(value) > 200:
            yield node.lineno

    def _call(self, node: ast.Call, formula: bool) -> Iterator[int]:
        method = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") not in ("np", "numpy")
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        own = name in self.functions
        if isinstance(node.func, ast.Attribute):
            owner = node.func.value.value if isinstance(node.func.value, ast.Constant) else None
            # The words of a text that is cut into a list explain themselves; a drawing does not.
            if not isinstance(owner, str) or is_drawing(owner):
                yield from self._in(node.func.value, formula, False)
        given = list(node.args)
        if own:
            pass
        elif name in MAKERS:
            yield node.lineno
            given = given[1:2] if name in ("full", "full_like") else [a for a in given if not _scalar(a)]
            if name not in ("full", "full_like", "arange", "linspace", "logspace", "geomspace"):
                given = []
        elif name == "len" and given and isinstance(given[0], ast.Constant | ast.List | ast.Tuple):
            yield node.lineno
            given = []
        elif name == "range" and len(given) > 1:
            pass  # as the iterator of a loop it does not come here
        elif name in SIZES:
            given = []
        elif name in FIRST or (name == "split" and not method):
            given = [] if method else given[:1]
        elif name in ("split", "zeros_like"):
            given = []
        yield from self._all(given, formula, False)
        for keyword in node.keywords:
            if own or keyword.arg not in STRUCTURAL or not _sizes(keyword.value):
                yield from self._in(keyword.value, formula, False)

    def _places(self, node: ast.Subscript, formula: bool) -> Iterator[int]:
        """Lists of places count, each of them chosen like a number; a place, or a stretch of them, does not."""
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("r_", "c_"):
            yield from self._in(node.slice, formula, True)
            return
        for each in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            for part in ast.walk(each):
                of_rows = isinstance(part, ast.Subscript) and getattr(part.value, "attr", "") in ("r_", "c_")
                if of_rows or (isinstance(part, ast.List | ast.Tuple | ast.Set) and len(part.elts) > 2):
                    yield from self._in(part, formula, True)
                    break


def _binds(node: ast.AST) -> bool:
    return any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))


def _line(node: ast.Constant, comments: Mapping[int, str]) -> int:
    """The line of a drawing; its last one where the comment stands behind it."""
    last = node.end_lineno or node.lineno
    return last if last in comments else node.lineno


def _is_range(node: ast.AST) -> bool:
    """Whether a loop runs over a range of more than two numbers, or of one that is not written here."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "range":
        return False
    ends = [literals.folded(argument) for argument in node.args[:2]]
    return len(ends) < 2 or ends[0] is None or ends[1] is None or abs(ends[1] - ends[0]) > 2


def _enumerates(values: list[int]) -> bool:
    """Whether keys number what they stand for."""
    return len(set(values)) == len(values) and (not values or max(values) - min(values) < len(values) + 3)


def _small(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _scalar(node: ast.AST) -> bool:
    return not any(isinstance(n, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Call) for n in ast.walk(node))


def _sizes(node: ast.AST) -> bool:
    """Whether an argument by name is a whole number, a few of them, or no number at all."""
    if isinstance(node, ast.Tuple | ast.List):
        return len(node.elts) <= 4 and all(map(_sizes, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _sizes(node.operand)
    return not isinstance(node, ast.Constant) or isinstance(node.value, int | str | None)


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


def _tells_of_a_search(text: str) -> bool:
    """Whether a comment says that a number was computed from data; one that denies it does not."""
    parts = re.split(r"[.;,:]", text)
    return any(FOUND.search(part) and not DENIES.search(part) for part in parts)


def _normal(text: str) -> str:
    return re.sub(r"[\W\d_]+", " ", text.lower()).strip()
