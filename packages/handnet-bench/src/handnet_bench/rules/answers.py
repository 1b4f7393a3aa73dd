"""Rule `answer-in-code`: ordinary code that computes the answer of a sequence task before a weight is read.

The generated tasks have answers that a line of Python gives, and weights behind it could pass them on unchanged, so
that no change of numbers tells. This rule follows the raw inputs through the forward pass and refuses the
operations that give the answer away. Taking inputs apart (digits, tokens, lengths) is free.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.source import Source, forward, violation

KEEPING = frozenset(
    [
        "int",
        "float",
        "list",
        "tuple",
        "dict",
        "array",
        "asarray",
        "stack",
        "sorted",
        "reversed",
        "iter",
        "abs",
        "round",
        "copy",
        "astype",
        "T",
        "tolist",
        "zip",
        "enumerate",
        "map",
        "max",
        "min",
        "next",
        "concatenate",
        "pad",
        "expand_dims",
        "squeeze",
        "ravel",
        "reshape",
        "transpose",
        "flip",
        "items",
        "values",
        "keys",
    ]
)
"""Calls and attributes whose result is as raw as what they get."""

SUMMING = frozenset(
    [
        "sum",
        "add",
        "cumsum",
        "dot",
        "matmul",
        "einsum",
        "prod",
        "multiply",
        "fsum",
        "reduce",
        "subtract",
        "polyval",
        "inner",
        "vdot",
        "tensordot",
        "average",
        "mean",
        "hypot",
        "convolve",
        "trapezoid",
        "accumulate",
    ]
)
SEARCHING = frozenset(
    [
        "index",
        "rindex",
        "find",
        "rfind",
        "count",
        "replace",
        "partition",
        "rpartition",
        "split",
        "isin",
        "where",
        "nonzero",
        "flatnonzero",
        "argwhere",
        "searchsorted",
        "equal",
        "sub",
        "subn",
        "match",
        "fullmatch",
        "search",
        "findall",
        "finditer",
        "Counter",
        "bincount",
        "unique",
        "argmax",
    ]
)
"""Calls that compare or count inputs."""


def check(source: Source, slug: str) -> Iterator[Violation]:
    """Violations of the rule `answer-in-code`; none for tasks whose answer no formula gives."""
    if slug not in ("addition", "dyck1", "induction"):
        return
    functions = {name: node for name, node in forward(source).items() if isinstance(node, ast.FunctionDef)}
    if "predict" not in functions:
        return
    waiting: list[tuple[str, frozenset[int]]] = [("predict", frozenset({0}))]
    done: set[tuple[str, frozenset[int]]] = set()
    found: set[tuple[int, str]] = set()
    while waiting:
        name, places = waiting.pop()
        if (name, places) in done:
            continue
        done.add((name, places))
        function = functions[name]
        arguments = [argument.arg for argument in function.args.args]
        trace = _Trace({arguments[i] for i in places if i < len(arguments)}, slug)
        trace.follow(function)
        found |= {(getattr(node, "lineno", 1), why) for node, why in trace.found}
        for called, given in trace.calls:
            if called in functions and given:
                waiting.append((called, frozenset(given)))
    for line, why in sorted(found):
        yield violation("answer-in-code", line, why)


class _Trace:
    """The names of one function that hold raw inputs, and what is done with them."""

    def __init__(self, raw: set[str], slug: str) -> None:
        self.raw = raw
        self.slug = slug
        self.found: list[tuple[ast.AST, str]] = []
        self.calls: list[tuple[str, set[int]]] = []

    def follow(self, function: ast.FunctionDef) -> None:
        before = -1
        while before != len(self.raw):
            before = len(self.raw)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and self.is_raw(node.value):
                    for target in node.targets:
                        self._bind(target)
                elif isinstance(node, ast.For | ast.comprehension) and self.is_raw(node.iter):
                    self._bind(node.target)
        for node in ast.walk(function):
            self._judge(node)

    def _bind(self, target: ast.expr) -> None:
        self.raw |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def is_raw(self, node: ast.AST) -> bool:
        """Whether an expression holds inputs as they came: numbers of addition, strings, tokens."""
        if isinstance(node, ast.Name):
            return node.id in self.raw
        if isinstance(node, ast.Subscript):
            return self.is_raw(node.value)
        if isinstance(node, ast.Starred):
            return self.is_raw(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr in KEEPING and self.is_raw(node.value)
        if isinstance(node, ast.Tuple | ast.List):
            return any(self.is_raw(each) for each in node.elts)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.is_raw(node.elt)
        if isinstance(node, ast.Call):
            name = _called(node)
            inside = [*node.args, node.func.value] if isinstance(node.func, ast.Attribute) else node.args
            return name in KEEPING and any(self.is_raw(each) for each in inside)
        if isinstance(node, ast.UnaryOp):
            return self.is_raw(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            return self.is_raw(node.left) or self.is_raw(node.right)
        return False

    def _judge(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            name = _called(node)
            given = {i for i, argument in enumerate(node.args) if self.is_raw(argument)}
            self.calls.append((name, given))
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            touched = bool(given) or (owner is not None and self.is_raw(owner))
            if touched and self.slug == "addition" and name in SUMMING:
                self.found.append(
                    (node, f"`{name}` adds the numbers themselves; the sum is to come digit by digit from the network.")
                )
            if self.slug == "induction" and name == "dict" and given:
                self.found.append((node, "makes a table of tokens in ordinary code; the network is to look them up."))
            if self.slug == "dyck1":
                self._counting(node)
            if touched and self.slug != "addition" and name in SEARCHING:
                self.found.append((node, f"`{name}` searches the input in ordinary code; the network is to find it."))
        elif (
            isinstance(node, ast.BinOp)
            and self.slug == "addition"
            and isinstance(node.op, ast.Add | ast.Sub | ast.BitXor | ast.BitOr)
        ):
            if self.is_raw(node.left) and self.is_raw(node.right):
                self.found.append(
                    (node, "adds the numbers themselves; the sum is to come digit by digit from the network.")
                )
        elif isinstance(node, ast.Compare) and self.slug == "induction":
            sides = [node.left, *node.comparators]
            if sum(self.is_raw(side) for side in sides) > 1 and any(
                isinstance(op, ast.Eq | ast.In | ast.Is | ast.NotEq) for op in node.ops
            ):
                self.found.append(
                    (node, "compares tokens with each other in ordinary code; the network is to match them.")
                )
        elif self.slug == "induction":
            self._table(node)
        elif self.slug == "dyck1":
            self._counting(node)

    def _table(self, node: ast.AST) -> None:
        """`after[token] = following`, `{token: following …}`: a look-up table made of the input."""
        stores = [t for t in node.targets if isinstance(t, ast.Subscript)] if isinstance(node, ast.Assign) else []
        made = any(self.is_raw(target.slice) for target in stores) and self.is_raw(node.value)  # type: ignore[union-attr]
        if isinstance(node, ast.DictComp):
            made = self.is_raw(node.key) and self.is_raw(node.value)
        if made:
            self.found.append((node, "keeps a table of tokens in ordinary code; the network is to look them up."))

    def _counting(self, node: ast.AST) -> None:
        if self._counts(node):
            why = "counts brackets in ordinary code; plus and minus one belong into WEIGHTS, the count is a state of the network."
            self.found.append((node, why))

    def _counts(self, node: ast.AST) -> bool:
        """`+= 1 if sign == "(" else -1`, a stack, a table of +1 and -1, one comparison less another."""
        if isinstance(node, ast.If) and self._asks(node.test):
            inside = [n for part in [*node.body, *node.orelse] for n in ast.walk(part)]
            steps = any(isinstance(n, ast.AugAssign) and isinstance(n.value, ast.Constant) for n in inside)
            return steps or any(isinstance(n, ast.Call) and _called(n) in ("append", "pop") for n in inside)
        if isinstance(node, ast.IfExp) and self._asks(node.test):
            sides = (node.body, node.orelse)
            return _opposite(*sides) or all(isinstance(n, ast.BinOp) and _is_step(n) for n in sides)
        if isinstance(node, ast.Dict) and len(node.values) == 2:
            return _opposite(*node.values)
        if isinstance(node, ast.Call) and _called(node) == "where" and len(node.args) == 3:
            return _opposite(*node.args[1:])
        return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and any(map(self._asks, ast.walk(node)))

    def _asks(self, test: ast.AST) -> bool:
        return isinstance(test, ast.Compare) and any(self.is_raw(side) for side in [test.left, *test.comparators])


def _is_step(node: ast.BinOp) -> bool:
    """Whether an expression is something plus or minus one."""
    return isinstance(node.op, ast.Add | ast.Sub) and any(_is_number(side, 1) for side in (node.left, node.right))


def _opposite(a: ast.expr, b: ast.expr) -> bool:
    return (_is_number(a, 1) and _is_number(b, -1)) or (_is_number(a, -1) and _is_number(b, 1))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_number(node: ast.expr, value: int) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _is_number(node.operand, -value)
    return isinstance(node, ast.Constant) and node.value == value and not isinstance(node.value, bool)
