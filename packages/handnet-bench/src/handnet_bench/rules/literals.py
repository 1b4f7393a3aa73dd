"""Numbers in the forward pass that are not in WEIGHTS."""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from benchwright import Violation

from handnet_bench.rules.source import Source, forward, is_drawing, names_read, violation

MOST = 12
"""Literals with a say that a forward pass may have before it is refused unrun."""

MOST_SIZES = 120
"""Numbers that are sizes, axes or places in an array, together."""

FREE = frozenset({0, 1, 2, 0.5, -1})
"""Numbers that every formula has."""

TINY, HUGE = 1e-3, 1e6
"""Guards against a division by zero, and masks: floats up to the one, and from the other on when a power of ten."""

SIZE_CALLS = frozenset(
    [
        "reshape",
        "zeros",
        "ones",
        "empty",
        "eye",
        "identity",
        "arange",
        "range",
        "tri",
        "tril",
        "triu",
        "pad",
        "repeat",
        "tile",
        "split",
        "array_split",
        "stack",
        "concatenate",
        "transpose",
        "swapaxes",
        "moveaxis",
        "expand_dims",
        "squeeze",
        "argmax",
        "argmin",
        "any",
        "all",
        "flip",
        "roll",
        "take",
        "take_along_axis",
        "broadcast_to",
        "sliding_window_view",
        "zfill",
        "ljust",
        "rjust",
        "indices",
        "diag",
        "argsort",
        "rot90",
    ]
)
"""Calls whose plain integers are sizes or axes."""

SECOND = frozenset(
    [
        *("sum", "mean", "max", "min", "cumsum", "prod", "norm", "cumprod", "sort", "diff", "round", "std", "var"),
        *("amax", "amin", "nansum", "nanmax", "nanmin", "nanmean", "median", "ptp", "average", "around", "full"),
    ]
)
"""Calls whose integers are sizes or axes but for the first argument, which is what they work on."""

REDUCTIONS = frozenset(
    [*("sum", "prod", "trace", "max", "min", "mean", "item", "count", "index", "find", "len", "cumsum", "dot", "size")]
)
"""What makes a number out of something; with nothing but numbers in it, it is one in disguise."""


class Literal(msgspec.Struct, frozen=True):
    """A number with a say in the forward pass, and where it stands."""

    value: float
    line: int
    column: int
    end: int


def check(source: Source, free: frozenset[float] = frozenset()) -> Iterator[Violation]:
    """Violations of the rule `literal-in-predict` that need no run: too many, too long a table, too many sizes."""
    found = steering(source, free)
    if len(found) > MOST:
        yield Violation(
            "literal-in-predict",
            f"net.py:{found[0].line}",
            f"{len(found)} numbers in the forward pass are not in WEIGHTS; at most {MOST} are looked at one by one.",
        )
    for node in _disguised(source):
        yield violation(
            "literal-in-predict", node, "a number in disguise: it is read out of a text in the forward pass."
        )
    yield from _drawings(source)
    sizes = sum(1 for node, size in _numbers(source) if size and abs(node.value) > 2)
    if sizes > MOST_SIZES:
        first = next(node for node, size in _numbers(source) if size and abs(node.value) > 2)
        yield violation(
            "literal-in-predict",
            first,
            f"{sizes} sizes and places are written into the forward pass; at most {MOST_SIZES} may.",
        )


MOST_DRAWN = 24
"""Signs of drawings that the forward pass may read."""


def _drawings(source: Source) -> Iterator[Violation]:
    """Drawings are weights: those that the forward pass reads itself stand outside of WEIGHTS."""
    functions = forward(source)
    measured = {
        n.args[0].id
        for function in functions.values()
        for n in ast.walk(function)
        if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "len" and n.args and isinstance(n.args[0], ast.Name)
    }
    read = set().union(*(names_read(node) for node in functions.values())) if functions else set()
    places: list[ast.AST] = list(functions.values())
    for node in source.tree.body:
        bound = {t.id for t in node.targets if isinstance(t, ast.Name)} if isinstance(node, ast.Assign) else set()
        if bound & (read - measured) and "WEIGHTS" not in bound:
            places.append(node)
    for place in places:
        drawn = [n for n in ast.walk(place) if isinstance(n, ast.Constant) and is_drawing(n.value)]
        signs = sum(len(n.value) for n in drawn)
        if signs > MOST_DRAWN:
            why = f"{signs} signs of drawings are read by the forward pass and are not in WEIGHTS."
            yield violation("numbers-outside-weights", drawn[0], why)


def _disguised(source: Source) -> Iterator[ast.AST]:
    """`float("0.37")`, `len("seven!!")`, `np.ones(6).sum()`, `range(7)[-1]`, `len([0, 0, 0])`, `True + True`."""
    for function in forward(source).values():
        for node in ast.walk(function):
            if isinstance(node, ast.BinOp):
                found = any(isinstance(s, ast.Constant) and isinstance(s.value, bool) for s in (node.left, node.right))
            elif isinstance(node, ast.Subscript):
                found = isinstance(node.value, ast.Call) and _closed(node)
            elif isinstance(node, ast.For):
                found = _only_counts(node)
            else:
                found = isinstance(node, ast.Call) and _is_disguise(node)
            if found:
                yield node


def _is_disguise(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Name) and node.args:
        text = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        if isinstance(text, str) and name in ("int", "float", "len", "ord", "complex"):
            return not (name == "float" and text.strip("+-").lower() in ("inf", "nan", "infinity"))
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant) and name in REDUCTIONS:
        return all(isinstance(argument, ast.Constant) for argument in node.args)
    return name in REDUCTIONS and _closed(node) and any(isinstance(n, ast.Constant) for n in ast.walk(node))


def _only_counts(loop: ast.For) -> bool:
    """`for _ in range(6): level += 1`."""
    counted = isinstance(loop.iter, ast.Call) and all(folded(argument) is not None for argument in loop.iter.args)
    return counted and all(isinstance(n, ast.AugAssign) and folded(n.value) is not None for n in loop.body)


def _closed(node: ast.AST) -> bool:
    """Whether an expression reads nothing but numbers, numpy and builtins, and calls or lists something."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    made = any(isinstance(n, ast.Call | ast.List | ast.Tuple) and n is not node for n in ast.walk(node))
    return made and names <= {"np", "numpy", "math", "len", "range", "sum", "max", "min", "list", "tuple", "sorted"}


def steering(source: Source, free: frozenset[float] = frozenset()) -> list[Literal]:
    """The numbers of the forward pass that are neither sizes nor free, in the order of the file."""
    found = []
    for node, size in _numbers(source):
        value = node.value
        if size or value in FREE or value in free:
            continue
        if isinstance(value, float) and (abs(value) <= TINY or (abs(value) >= HUGE and power_of_ten(value))):
            continue
        found.append(Literal(value, node.lineno, node.col_offset, node.end_col_offset or 0))
    return sorted(found, key=lambda literal: (literal.line, literal.column))


def power_of_ten(value: float) -> bool:
    """Whether a number is written as a one and zeros; infinity counts."""
    return math.isinf(value) or math.isclose(math.log10(abs(value)) % 1, 0, abs_tol=1e-9)


def folded(node: ast.AST, named: Mapping[str, float] | None = None) -> float | None:
    """The value of arithmetic on numbers alone, like `2 ** 5 + 1`; None for anything else.

    `named`: names that stand for one number.
    """
    if isinstance(node, ast.Name) and named:
        return named.get(node.id)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = folded(node.operand, named)
        return None if value is None else -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = folded(node.left, named), folded(node.right, named)
        if (
            left is None
            or right is None
            or abs(left) > HUGE
            or abs(right) > HUGE
            or (isinstance(node.op, ast.Pow) and abs(right) > 64)
        ):
            return None
        try:
            value = _OPERATIONS[type(node.op)](left, right)
        except (ArithmeticError, ValueError):
            return None
        return value if isinstance(value, int | float) else None
    return None


_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def _numbers(source: Source) -> Iterator[tuple[ast.Constant, bool]]:
    """Each number of the forward pass, and whether it is a size. Module-level names it reads are followed."""
    functions = forward(source)
    wanted = set().union(*(names_read(node) for node in functions.values())) if functions else set()
    seen: set[int] = set()
    for node in functions.values():
        for size in _named_sizes(node):
            seen.add(id(size))
            yield size, True
        yield from _walk(node, False, seen, named_numbers(node))
    for index, node in enumerate(source.tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bound = {
                n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            plain = node.value is not None and not names_read(node.value) - {"np", "numpy", "slice", "range", "math"}
            if (
                bound & wanted
                and "WEIGHTS" not in bound
                and (index > source.complete or (plain and _scalars(node.value)))
            ):
                yield from _walk(node.value, False, seen)
        elif index > source.complete and not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Expr | ast.If):
            yield from _walk(node, False, seen)


def named_numbers(function: ast.AST) -> dict[str, float]:
    """Local names that are bound once, to a number: `two = 2`."""
    stores = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    found: dict[str, float] = {}
    before = -1
    while before != len(found):
        before = len(found)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name, value = node.targets[0].id, folded(node.value, found)
                if value is not None and stores[name] == 1:
                    found[name] = value
    return found


def _named_sizes(function: ast.AST) -> Iterator[ast.Constant]:
    """Whole numbers that get a local name which is used for sizes and places only: `k = 5`, then `range(k)`."""
    names: dict[str, list[ast.Constant]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(node.targets[0].elts, node.value.elts, strict=False))
            for target, value in pairs:
                if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and type(value.value) is int:
                    names.setdefault(target.id, []).append(value)
    loads = {name: [0, 0] for name in names}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in loads:
            loads[node.id][0] += 1
    for place in _size_places(function):
        for node in ast.walk(place):
            if isinstance(node, ast.Name) and node.id in loads:
                loads[node.id][1] += 1
    for name, (everywhere, as_size) in loads.items():
        if everywhere and as_size >= everywhere:
            yield from names[name]


def _size_places(function: ast.AST) -> Iterator[ast.AST]:
    """Subscripts and arguments in which whole numbers are sizes, the outermost ones."""
    for child in ast.iter_child_nodes(function):
        if isinstance(child, ast.Subscript):
            yield child.slice
            yield from _size_places(child.value)
        elif isinstance(child, ast.Call):
            name = child.func.attr if isinstance(child.func, ast.Attribute) else getattr(child.func, "id", "")
            sizes = [a for place, a in enumerate(child.args) if _is_size(child, name, place) and _sizes_only(a)]
            yield from sizes
            for other in [child.func, *(a for a in child.args if a not in sizes), *child.keywords]:
                yield from _size_places(ast.Expr(other) if isinstance(other, ast.Call | ast.Subscript) else other)
        else:
            yield from _size_places(child)


def _scalars(node: ast.expr | None) -> bool:
    """Whether `node` is a number or a tuple of numbers; tables are judged by their value when the file runs."""
    if isinstance(node, ast.UnaryOp):
        return _scalars(node.operand)
    if isinstance(node, ast.BinOp):
        return _scalars(node.left) and _scalars(node.right)
    if isinstance(node, ast.Tuple):
        return all(_scalars(each) for each in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _walk(
    node: ast.AST | None, size: bool, seen: set[int], named: Mapping[str, float] | None = None
) -> Iterator[tuple[ast.Constant, bool]]:
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, ast.Constant):
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield node, size and isinstance(node.value, int)
        return
    if isinstance(node, ast.BinOp) and (value := folded(node, named)) is not None:
        yield ast.copy_location(ast.Constant(value), node), size and isinstance(value, int)
        return
    if isinstance(node, ast.Subscript):
        yield from _walk(node.value, size, seen, named)
        yield from _walk(node.slice, True, seen, named)
        return
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        yield from _walk(node.func, size, seen, named)
        for place, argument in enumerate(node.args):
            as_size = _is_size(node, name, place) and _sizes_only(argument)
            yield from _walk(argument, as_size, seen, named)
        for keyword in node.keywords:
            structural = keyword.arg in ("axis", "k", "n", "ndmin", "keepdims", "start", "axes", "ddof", "decimals")
            yield from _walk(keyword.value, structural, seen, named)
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant):
        yield from _walk(node.left, size, seen, named)
        yield from _walk(node.right, isinstance(node.right.value, int) and node.right.value <= 4, seen, named)
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, size, seen, named)


def _is_size(call: ast.Call, name: str, place: int) -> bool:
    """Whether integers are sizes, axes or places as an argument of this call."""
    if name in SIZE_CALLS:
        return True
    if name not in SECOND:
        return False
    if isinstance(call.func, ast.Name):
        return name == "round" and place == 1
    of_numpy = isinstance(call.func.value, ast.Name) and call.func.value.id in ("np", "numpy", "linalg")
    of_numpy = of_numpy or (isinstance(call.func.value, ast.Attribute) and call.func.value.attr == "linalg")
    if name == "full":
        return place == 0
    return place >= 1 or not of_numpy


def _sizes_only(node: ast.AST) -> bool:
    """Whether an argument can be a size: no call and no comparison in it."""
    return not any(isinstance(n, ast.Call | ast.Compare) for n in ast.walk(node))


def changed(source: Source, literal: Literal) -> str:
    """The source with one literal made a third larger, an integer by one at least."""
    value = literal.value
    new = value * 1.3 if isinstance(value, float) else value + max(1, round(abs(value) * 0.3))
    return ast.unparse(_Replacing(literal, new).visit(copy.deepcopy(source.tree)))


class _Replacing(ast.NodeTransformer):
    """Puts another number where a literal, or arithmetic on literals, stands."""

    def __init__(self, literal: Literal, new: float) -> None:
        self.literal = literal
        self.new = new

    def generic_visit(self, node: ast.AST) -> ast.AST:
        place = (getattr(node, "lineno", 0), getattr(node, "col_offset", -1), getattr(node, "end_col_offset", -1))
        if isinstance(node, ast.Constant | ast.BinOp) and place == (
            self.literal.line,
            self.literal.column,
            self.literal.end,
        ):
            return ast.copy_location(ast.Constant(self.new), node)
        return super().generic_visit(node)
