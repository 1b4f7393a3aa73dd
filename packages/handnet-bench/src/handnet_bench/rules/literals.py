"""Numbers in the forward pass that are not in WEIGHTS."""

from __future__ import annotations

import ast
import builtins
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from benchwright import Violation

from handnet_bench.rules.source import Source, bodies, forward, is_drawing, names_read, statements, violation

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
    [
        *("sum", "prod", "trace", "max", "min", "mean", "item", "count", "index", "find", "rfind", "rindex", "len"),
        *("cumsum", "dot", "size", "amax", "amin", "median", "std", "var", "ptp", "norm", "vdot", "inner", "average"),
        *("argmax", "argmin", "count_nonzero", "ndim", "shape", "searchsorted", "ord", "next", "trapezoid", "einsum"),
        *("quantile", "percentile", "fsum", "pop", "reduce", "dist", "prod", "perm", "comb", "__len__", "tolist"),
        *("nanmax", "nanmin", "nansum", "nanmean", "matmul", "tensordot", "bincount", "histogram", "cumprod", "diff"),
    ]
)
"""What makes a number out of something; with nothing but numbers in it, it is one in disguise."""

KEEPS = frozenset({"T", "flat", "newaxis", "inf", "nan", "pi", "e", "tau"})
"""Attributes of arrays and modules that tell no size."""

ROWS_OF_NUMBERS = frozenset({"r_", "c_", "mgrid", "ogrid"})
"""Objects of numpy that make an array of what is written between their brackets."""

FORMULAS = (math.sqrt(2), math.sqrt(0.5), math.log(2))
"""Results of calls on 1 and 2 that formulas have."""


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
    written = sum(
        isinstance(node, ast.Constant) and type(node.value) in (int, float, complex)
        for function in forward(source).values()
        for node in ast.walk(function)
    )
    if written > MOST_WRITTEN:
        function = next(iter(forward(source).values()))
        yield violation(
            "literal-in-predict",
            function,
            f"{written:,} numbers are written into the forward pass, zeros and ones included; at most {MOST_WRITTEN} may: "
            "so many are a table.",
        )
    for node in _disguised(source):
        yield violation(
            "literal-in-predict",
            node,
            "a number in disguise: it is made in the forward pass of what is written there; put it into WEIGHTS.",
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


MOST_WRITTEN = 400
"""Numbers of any kind in the forward pass, also those that every formula has."""

MOST_DRAWN = 24
"""Signs of drawings that the forward pass may read."""


def _drawings(source: Source) -> Iterator[Violation]:
    """Drawings are weights: those that the forward pass reads itself stand outside of WEIGHTS."""
    functions = forward(source)
    inside = bodies(functions.values())
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
        if bound & (read - measured) and "WEIGHTS" not in bound and id(getattr(node, "value", None)) not in inside:
            places.append(node)
    for place in places:
        drawn = [n for n in ast.walk(place) if isinstance(n, ast.Constant) and is_drawing(n.value)]
        signs = sum(len(n.value) for n in drawn)
        if signs > MOST_DRAWN:
            why = f"{signs} signs of drawings are read by the forward pass and are not in WEIGHTS."
            yield violation("numbers-outside-weights", drawn[0], why)


def _disguised(source: Source) -> Iterator[ast.AST]:
    """`float("0.37")`, `len("seven!!")`, `np.ones(6).sum()`, `range(7)[-1]`, `len([0, 0, 0])`, `True + True`."""
    texts = _texts(source)
    for function in forward(source).values():
        closed = _Closed(function, texts)
        sizes = {id(n) for place in _size_places(function) for n in ast.walk(place)}
        for node in ast.walk(function):
            if isinstance(node, ast.BinOp):
                found = any(_is_truth(side, closed) for side in (node.left, node.right))
                found = found or (isinstance(node.op, ast.MatMult) and closed.holds(node))
            elif isinstance(node, ast.UnaryOp):
                found = not isinstance(node.op, ast.Not) and _is_truth(node.operand, closed)
            elif isinstance(node, ast.Subscript):
                found = closed.picks(node)
            elif isinstance(node, ast.Attribute):
                found = closed.measures(node)
            elif isinstance(node, ast.For):
                found = _only_counts(node)
            else:
                found = isinstance(node, ast.Call) and _is_disguise(node, closed, id(node) in sizes)
            if found:
                yield node


def _texts(source: Source) -> set[str]:
    """Names of the module that stand for one text, like TASK; what is an alphabet of the inputs is looked up, too."""
    found = {"__name__"}
    nodes = [n for function in forward(source).values() for n in ast.walk(function)]
    measured = {
        id(n.args[0]) for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "len" and n.args
    }
    used = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in measured}
    for _, node in statements(source.tree):
        if not isinstance(node, ast.Assign):
            continue
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        # A list that nothing but its length is asked of is a number.
        row = isinstance(node.value, ast.List | ast.Tuple | ast.Set) and all(
            isinstance(n, ast.Constant) for n in node.value.elts
        )
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        found |= names if text else names - used if row else set()
    return found


def _is_truth(node: ast.AST, closed: _Closed) -> bool:
    """`True`, `0 < 1`, `not 0`: ones and zeros that are no numbers in the text."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return closed.holds(node.operand)
    return isinstance(node, ast.Compare | ast.BoolOp) and closed.holds(node)


def _is_disguise(node: ast.Call, closed: _Closed, size: bool) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Name) and node.args:
        text = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        if isinstance(text, str) and name in ("int", "float", "len", "ord", "complex"):
            return not (name == "float" and text.strip("+-").lower() in ("inf", "nan", "infinity"))
        if name == "len" and size and isinstance(node.args[0], ast.Name):
            return node.args[0].id == "TASK"
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant) and name in REDUCTIONS:
        return all(isinstance(argument, ast.Constant) for argument in node.args)
    if name in ("arange", "range") and not size and closed.holds(node):
        # A row of one or two numbers that does not begin at nothing is a number, or two.
        start, stop = [folded(a) for a in node.args[:2]] if len(node.args) > 1 else (None, None)
        return start is not None and stop is not None and stop - start <= 2 and stop > 3
    if name in REDUCTIONS and closed.holds(node):
        # Arithmetic on plain numbers is looked at by its value.
        return folded(node) is None
    return name in ("int", "float", "round", "bool") and closed.holds(node) and folded(node) is None


class _Closed:
    """Which expressions of a function consist of nothing but what is written in the file."""

    def __init__(self, function: ast.AST, texts: set[str]) -> None:
        self.names = {*texts, *_PLAIN}
        bound = {a.arg for n in ast.walk(function) if isinstance(n, ast.arguments) for a in _parameters(n)}
        stores = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.names -= bound | set(stores)
        before = -1
        while before != len(self.names):
            before = len(self.names)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                    name = node.targets[0].id
                    made = isinstance(node.value, ast.List | ast.Tuple | ast.Call | ast.Set | ast.Dict | ast.BinOp)
                    text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
                    once = stores[name] == 1 and name not in bound and not _written(function, name)
                    # Places in a row are inputs of a kind: their mean is their middle.
                    if once and (made or text) and self.holds(node.value) and not _counts_places(node.value):
                        self.names.add(name)

    def holds(self, node: ast.AST) -> bool:
        """Whether an expression reads nothing but numbers, texts, numpy and builtins, and something is written in it."""
        inner = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        inner |= {a.arg for n in ast.walk(node) if isinstance(n, ast.arguments) for a in _parameters(n)}
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        written = any(isinstance(n, ast.Constant) and n.value is not None for n in ast.walk(node))
        written = written or bool(names - _PLAIN) or any(isinstance(n, ast.List | ast.Tuple) for n in ast.walk(node))
        return written and names - inner <= self.names

    def picks(self, node: ast.Subscript) -> bool:
        """`range(7)[-1]`, `[*range(7)][6]`; turning an array or leaving out its first row picks nothing."""
        value = node.value
        if isinstance(value, ast.Constant) or not self.holds(node) or not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(value, ast.Attribute) and value.attr in {*ROWS_OF_NUMBERS, "s_"}:
            return False
        if isinstance(value, ast.Name) and value.id in _PLAIN:
            return False
        lists = ast.List | ast.Tuple | ast.Dict | ast.ListComp
        if not isinstance(value, lists | ast.Call | ast.Subscript | ast.Name | ast.BinOp):
            return False
        if _is_identity(value) and isinstance(node.slice, ast.Constant) and node.slice.value in FREE:
            # The first direction of a space, where a state begins; its place is a number that every formula has.
            return False
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return not all(_turns(part) for part in parts)

    def measures(self, node: ast.Attribute) -> bool:
        """`np.zeros(6).size`, `range(6).stop`."""
        if node.attr in KEEPS or not isinstance(node.value, ast.Call | ast.Subscript | ast.List | ast.Tuple | ast.Name):
            return False
        if isinstance(node.value, ast.Name):
            known = node.value.id in self.names - _PLAIN - {"np", "numpy", "math", "itertools"}
            return known and node.attr in MEASURES
        return node.attr in MEASURES and self.holds(node.value)


def _is_identity(node: ast.AST) -> bool:
    """`np.eye(2)`, `np.identity(10)`, with a written size."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("eye", "identity") and isinstance(node.args[0], ast.Constant)


_PLAIN = frozenset(
    [
        *("np", "numpy", "math", "itertools", "str", "repr", "format", "bin", "enumerate", "zip", "len", "range"),
        *("sum", "max", "min", "list", "tuple", "sorted", "set", "frozenset", "dict", "abs", "round", "int", "float"),
        *("bool", "pow", "divmod", "ord", "chr", "iter", "next", "map", "reversed", "filter", "all", "any"),
        *("complex", "slice"),
    ]
)
_CHANGES = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "pop", "fill", "put", "sort"})
MEASURES = frozenset({"size", "shape", "ndim", "stop", "start", "step", "real", "imag", "numerator", "denominator"})
"""Attributes that tell a number."""


def _written(function: ast.AST, name: str) -> bool:
    """Whether something is put into the object of that name after it was made."""
    for node in ast.walk(function):
        owner = None
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            owner = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            owner = node.func.value
        elif isinstance(node, ast.keyword) and node.arg == "out":
            owner = node.value
        if owner is not None and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(owner)):
            return True
    return False


def _counts_places(node: ast.AST) -> bool:
    """Whether an expression makes a row of places, like `np.arange(28)`."""
    names = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return bool(names & {"arange", "linspace", "indices", "mgrid", "ogrid", "meshgrid"})


def _parameters(node: ast.arguments) -> list[ast.arg]:
    return [a for a in [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg] if a is not None]


def _turns(part: ast.expr) -> bool:
    """`None`, `...`, `:`, `::-1`, `1:` and the like, which leave an array an array."""
    if isinstance(part, ast.Slice):
        return all(end is None or folded(end) in (0, 1) for end in (part.lower,)) and part.upper is None
    if isinstance(part, ast.Attribute):
        return part.attr == "newaxis"
    return isinstance(part, ast.Constant) and part.value in (None, ...)


def _only_counts(loop: ast.For) -> bool:
    """`for _ in range(6): level += 1`."""
    counted = isinstance(loop.iter, ast.Call) and all(folded(argument) is not None for argument in loop.iter.args)
    return counted and all(isinstance(n, ast.AugAssign) and folded(n.value) is not None for n in loop.body)


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
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        value = folded(node.operand, named)
        return ~value if isinstance(value, int) else None
    if isinstance(node, ast.Call) and node.args and not node.keywords:
        return _called_on([folded(argument, named) for argument in node.args], node.func)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = folded(node.left, named), folded(node.right, named)
        if (
            left is None
            or right is None
            or abs(left) > HUGE
            or abs(right) > HUGE
            or (isinstance(node.op, ast.Pow | ast.LShift) and abs(right) > 64)
        ):
            return None
        try:
            value = _OPERATIONS[type(node.op)](left, right)
        except (ArithmeticError, ValueError, TypeError):
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
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
LARGEST_ARGUMENT = 200
"""Beyond it a function of a number is not worked out, and its arguments are looked at instead."""


def _called_on(values: list[float | None], function: ast.expr) -> float | None:
    """What a function of numpy, of `math`, or a builtin like `max` gives for plain numbers; None where it is no number."""
    import numpy as np

    given = [value for value in values if value is not None and abs(value) <= LARGEST_ARGUMENT]
    if len(given) != len(values):
        return None
    if isinstance(function, ast.Name):
        known = function.id in ("max", "min", "pow", "abs", "round", "int", "float")
        called = getattr(builtins, function.id) if known else None
    elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        module = {"np": np, "numpy": np, "math": math}.get(function.value.id)
        called = getattr(module, function.attr, None) if module is not None else None
        if module is np and not (isinstance(called, np.ufunc) or function.attr in ("float64", "float32", "int64")):
            called = None
    else:
        return None
    if not callable(called):
        return None
    try:
        with np.errstate(all="ignore"):
            value = called(*given)
        return value if isinstance(value, int) and not isinstance(value, bool) else float(value)
    except (ArithmeticError, ValueError, TypeError):
        return None


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
    for index, statement in statements(source.tree):
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            bound = {
                n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            plain = statement.value is not None and not names_read(statement.value) - {
                "np",
                "numpy",
                "slice",
                "range",
                "math",
            }
            if (
                bound & wanted
                and "WEIGHTS" not in bound
                and (index > source.complete or (plain and _scalars(statement.value)))
            ):
                yield from _walk(statement.value, False, seen)
        elif index > source.complete and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield from _walk(statement, False, seen)


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
    inverted = isinstance(node, ast.UnaryOp) and any(isinstance(n, ast.Invert) for n in ast.walk(node))
    if (inverted or isinstance(node, ast.BinOp | ast.Call)) and (value := folded(node, named)) is not None:
        if isinstance(node, ast.Call) and _of_formulas(node, value):
            value = 1
        yield ast.copy_location(ast.Constant(value), node), size and isinstance(value, int)
        return
    if isinstance(node, ast.Subscript):
        of_rows = isinstance(node.value, ast.Attribute) and node.value.attr in ROWS_OF_NUMBERS
        yield from _walk(node.value, size, seen, named)
        yield from _walk(node.slice, not of_rows or size, seen, named)
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


def _of_formulas(node: ast.Call, value: float) -> bool:
    """Roots, by which attention divides, and logarithms of two."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name == "sqrt" or any(math.isclose(value, known) for known in FORMULAS)


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
    return ast.unparse(_Replacing(literal, new).visit(ast.parse(source.text)))


class _Replacing(ast.NodeTransformer):
    """Puts another number where a literal, or arithmetic on literals, stands."""

    def __init__(self, literal: Literal, new: float) -> None:
        self.literal = literal
        self.new = new

    def generic_visit(self, node: ast.AST) -> ast.AST:
        place = (getattr(node, "lineno", 0), getattr(node, "col_offset", -1), getattr(node, "end_col_offset", -1))
        if isinstance(node, ast.Constant | ast.BinOp | ast.Call | ast.UnaryOp) and place == (
            self.literal.line,
            self.literal.column,
            self.literal.end,
        ):
            return ast.copy_location(ast.Constant(self.new), node)
        return super().generic_visit(node)
