"""Rule `answer-in-code`: ordinary code that computes the answer of a sequence task before a weight is read.

The generated tasks have answers that a line of Python gives, and weights behind it could pass them on unchanged, so
that no change of numbers tells. This rule follows the raw inputs through the forward pass and refuses the
operations that give the answer away. Taking inputs apart (digits, tokens, lengths) is free.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.literals import folded, named_numbers
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
        "argmin",
        "argsort",
        "fromkeys",
    ]
)
"""Calls that compare or count inputs."""

OF_TEXTS = frozenset({"index", "find", "rindex", "rfind", "count"})
"""Methods that search in what they are called on."""


def check(source: Source, slug: str) -> Iterator[Violation]:
    """Violations of the rule `answer-in-code`; none for tasks whose answer no formula gives."""
    if slug not in ("addition", "dyck1", "induction"):
        return
    callables = _callables(source)
    if "predict" not in callables:
        return
    attributes: set[str] = set()
    found: set[tuple[int, str]] = set()
    before = -1
    while before != len(attributes):
        before = len(attributes)
        waiting: list[tuple[str, frozenset[int]]] = [("predict", frozenset({0}))]
        done: set[tuple[str, frozenset[int]]] = set()
        while waiting:
            name, places = waiting.pop()
            if (name, places) in done:
                continue
            done.add((name, places))
            for function, offset in callables[name]:
                arguments = [argument.arg for argument in function.args.args][offset:]
                trace = _Trace({arguments[i] for i in places if i < len(arguments)}, slug, callables, attributes)
                trace.follow(function)
                found |= {(getattr(node, "lineno", 1), why) for node, why in trace.found}
                for called, given in trace.calls:
                    waiting.append((called, frozenset(given)))
    for line, why in sorted(found):
        yield violation("answer-in-code", line, why)


Callable = ast.FunctionDef | ast.Lambda
EVERY = frozenset(range(8))


def _callables(source: Source) -> dict[str, list[tuple[Callable, int]]]:
    """Functions, methods and named lambdas that may run in the forward pass; how many leading parameters are `self`."""
    found: dict[str, list[tuple[Callable, int]]] = {}
    nodes: list[ast.AST] = list(forward(source).values())
    nodes += [n for n in source.tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Lambda)]
    methods = {id(n) for c in nodes if isinstance(c, ast.ClassDef) for n in c.body}
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append((node, int(id(node) in methods)))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append((node.value, 0))
    for top in nodes:
        if isinstance(top, ast.ClassDef) and "__init__" in found:
            found[top.name] = found["__init__"]
    return found


_ADDS = "adds the numbers themselves; the sum is to come digit by digit from the network."


class _Trace:
    """The names of one function that hold raw inputs, and what is done with them."""

    def __init__(
        self,
        raw: set[str],
        slug: str,
        callables: dict[str, list[tuple[Callable, int]]] | None = None,
        attributes: set[str] | None = None,
    ) -> None:
        self.raw = raw
        self.slug = slug
        self.callables = callables or {}
        self.attributes = set() if attributes is None else attributes
        self.weighted: set[str] = set()
        self.asked: set[str] = set()
        self.sums: set[str] = set()
        self.named: dict[str, float] = {}
        self.found: list[tuple[ast.AST, str]] = []
        self.calls: list[tuple[str, set[int]]] = []

    def follow(self, function: Callable) -> None:
        self.named = named_numbers(function)
        before = -1
        while before != len(self.raw) + len(self.weighted) + len(self.asked) + len(self.sums) + len(self.attributes):
            before = len(self.raw) + len(self.weighted) + len(self.asked) + len(self.sums) + len(self.attributes)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign):
                    self._assign(node.targets, node.value)
                elif isinstance(node, ast.AugAssign | ast.NamedExpr):
                    self._assign([node.target], node.value)
                elif isinstance(node, ast.For | ast.comprehension) and self.is_raw(node.iter):
                    self._bind(node.target)
                elif isinstance(node, ast.Call):
                    self._hand_on(node)
        called = {n.func for n in ast.walk(function) if isinstance(n, ast.Call)}
        bases = {n.value for n in ast.walk(function) if isinstance(n, ast.Attribute)}
        for node in ast.walk(function):
            self._judge(node)
            if node not in called and node not in bases:
                self._judge_name(node)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        """What a name is from here on: raw, made of weights, the answer to a comparison, or a sum of digits."""
        if self.is_raw(value):
            for target in targets:
                self._bind(target)
                if isinstance(target, ast.Attribute):
                    self.attributes.add(target.attr)
            return
        names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if self._of_weights(value):
            self.weighted |= names
            return
        if self._compares(value):
            self.asked |= names
        if self._adds(value):
            self.sums |= names

    def _of_weights(self, node: ast.AST) -> bool:
        """Whether weights take part in an expression."""
        return any(
            (isinstance(n, ast.Name) and (n.id == "WEIGHTS" or n.id in self.weighted))
            or (isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self")
            for n in ast.walk(node)
        )

    def _compares(self, node: ast.AST) -> bool:
        inside = {id(n) for s in ast.walk(node) if isinstance(s, ast.Subscript) for n in ast.walk(s.slice)}
        return any(
            id(n) not in inside and (self._asks(n) or (isinstance(n, ast.Name) and n.id in self.asked))
            for n in ast.walk(node)
        )

    def _adds(self, node: ast.AST) -> bool:
        """Whether an expression is a sum that no weight takes part in."""
        if isinstance(node, ast.Name):
            return node.id in self.sums
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Add) or self._adds(node.left) or self._adds(node.right)
        return isinstance(node, ast.Call) and _called(node) in SUMMING

    def _hand_on(self, node: ast.Call) -> None:
        """A function that is handed to another one together with inputs gets them."""
        if not any(self.is_raw(argument) for argument in node.args):
            return
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(argument, ast.Lambda):
                self.raw |= {a.arg for a in argument.args.args}
            elif isinstance(argument, ast.Name) and argument.id in self.callables:
                self.calls.append((argument.id, set(EVERY)))

    def _judge_name(self, node: ast.AST) -> None:
        """A function that gives the answer away, handed on instead of called."""
        known = SUMMING if self.slug == "addition" else SEARCHING - {"where", "index", "sub", "split", "count"}
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in known:
            self.found.append((node, f"`{node.attr}` is handed on under another name; the network is to do it."))
        elif isinstance(node, ast.Name) and node.id == "sum" and self.slug == "addition" and "sum" not in self.sums:
            self.found.append((node, "`sum` is handed on under another name; the network is to do it."))

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
            of_self = isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self.attributes
            return of_self or (node.attr in KEEPING and self.is_raw(node.value))
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
            if self.slug != "addition" and self._of_weights(node):
                return False
            return self.is_raw(node.left) or self.is_raw(node.right)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv):
            # A remainder of ten is a digit; that of a large number is the number itself.
            by = folded(node.right, self.named)
            whole = by is not None and (by > 100 if isinstance(node.op, ast.Mod) else by == 1)
            return whole and self.is_raw(node.left)
        return False

    def _judge(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            name = _called(node)
            given = {i for i, argument in enumerate(node.args) if self.is_raw(argument)}
            name = (
                name if name in self.callables or name in SUMMING | SEARCHING | KEEPING else self._unknown(node, name)
            )
            if given and name in self.callables:
                self.calls.append((name, given))
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            touched = bool(given) or (owner is not None and self.is_raw(owner))
            if name in OF_TEXTS and owner is not None and not self.is_raw(owner):
                touched = False  # `"()".find(sign)` gives a token its number
            if touched and self.slug == "addition" and name in SUMMING:
                self.found.append(
                    (node, f"`{name}` adds the numbers themselves; the sum is to come digit by digit from the network.")
                )
            if self.slug == "induction" and name == "dict" and given:
                self.found.append((node, "makes a table of tokens in ordinary code; the network is to look them up."))
            if self.slug == "dyck1":
                self._counting(node)
            if self.slug == "addition" and name == "divmod" and len(node.args) == 2:
                self._carrying(node, node.args[0], node.args[1])
            if touched and self.slug != "addition" and name in SEARCHING:
                self.found.append((node, f"`{name}` searches the input in ordinary code; the network is to find it."))
        elif isinstance(node, ast.AugAssign) and self.slug == "addition":
            if isinstance(node.op, ast.Add | ast.Sub | ast.BitXor | ast.BitOr) and self.is_raw(node.value):
                self.found.append((node, _ADDS))
        elif isinstance(node, ast.BinOp) and self.slug == "addition":
            self._adding(node)
        elif isinstance(node, ast.BinOp) and self.slug == "induction" and isinstance(node.op, ast.Sub | ast.BitXor):
            if self.is_raw(node.left) and self.is_raw(node.right):
                self.found.append(
                    (node, "compares tokens with each other in ordinary code; the network is to match them.")
                )
        elif isinstance(node, ast.Compare) and self.slug == "addition":
            for side in node.comparators:
                self._carrying(node, node.left, side)
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

    def _unknown(self, node: ast.Call, name: str) -> str:
        """A call of an object of the file is a call of its class's `__call__`."""
        plain = isinstance(node.func, ast.Name | ast.Call)
        return "__call__" if plain and "__call__" in self.callables else name

    def _adding(self, node: ast.BinOp) -> None:
        left, right = self.is_raw(node.left), self.is_raw(node.right)
        both = isinstance(node.op, ast.Add | ast.Sub | ast.BitXor | ast.BitOr) and left and right
        if both or (isinstance(node.op, ast.MatMult) and (left or right)):
            self.found.append((node, _ADDS))
        elif isinstance(node.op, ast.Mod | ast.FloorDiv):
            self._carrying(node, node.left, node.right)

    def _carrying(self, node: ast.AST, value: ast.expr, by: ast.expr) -> None:
        """`column // 10`, `column % 10`, `column > 9` of a sum that no weight took part in."""
        if (
            folded(by, self.named) in (9, 10)
            and self._adds(value)
            and not self._of_weights(value)
            and not self.is_raw(value)
        ):
            self.found.append((node, "carries in ordinary code; the network is to make the carry and the digit."))

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
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
            return False
        if any(map(self._asks, ast.walk(node))):
            return True
        # `2 * up - 1`, `ups - downs`; `1 - up` is the other half of a one-hot code.
        times = isinstance(node.right, ast.BinOp) and isinstance(node.right.op, ast.Mult)
        told = self._compares(node.left) or (times and self._compares(node.right))
        return told and not self._of_weights(node)

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
