"""Rule `answer-in-code`: ordinary code that computes the answer of a sequence task before a weight is read.

The generated tasks have answers that a line of Python gives, and weights behind it could pass them on unchanged, so
that no change of numbers tells. This rule follows the raw inputs through the forward pass and refuses the
operations that give the answer away. Taking inputs apart (digits, tokens, lengths) is free.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable as Callable_
from collections.abc import Iterator
from typing import Any, NamedTuple

from benchwright import Violation

from handnet_bench.rules.literals import folded, named_numbers
from handnet_bench.rules.source import Source, entries, forward, violation

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
        "join",
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

NUMBERING = frozenset(
    {"ord", "int", "float", "find", "index", "rfind", "rindex", "encode", "translate", "get", "bytes"}
)
"""Calls that make numbers of signs."""

UNTOLD = frozenset({"len", "zeros_like", "ones_like", "full_like", "range", "arange", "isinstance", "eye"})
"""Calls whose result says nothing about the signs, though their arguments do."""

RUNNING = frozenset({"cumsum", "cumulative_sum", "nancumsum", "accumulate", "cumprod", "count_nonzero"})
"""Running totals."""

OF_TEXTS = frozenset({"index", "find", "rindex", "rfind", "count"})
"""Methods that search in what they are called on."""


def check(source: Source, slug: str) -> Iterator[Violation]:
    """Violations of the rule `answer-in-code`; none for tasks whose answer no formula gives."""
    if slug not in ("addition", "dyck1", "induction"):
        return
    callables = _callables(source)
    roots = sorted(entries(source) & set(callables))
    if not roots:
        return
    attributes: set[str] = set()
    passing: set[str] = set()
    found: set[tuple[int, str]] = set()
    before = -1
    while before != len(attributes) + len(passing):
        before = len(attributes) + len(passing)
        waiting = [_Call(root, frozenset({0}), frozenset()) for root in roots]
        done: set[_Call] = set()
        while waiting:
            call = waiting.pop()
            if call in done:
                continue
            done.add(call)
            for function, offset in callables[call.name]:
                raw, told = (_parameters(function, offset, places) for places in (call.raw, call.told))
                trace = _Trace(raw, slug, callables, attributes, told - raw, passing)
                trace.follow(function)
                found |= {(getattr(node, "lineno", 1), why) for node, why in trace.found}
                waiting += trace.calls
                if raw and trace.gives_back(function):
                    passing.add(call.name)
                if raw and slug == "dyck1" and trace.descends(function, call.name):
                    found.add((function.lineno, _COUNTS))
    for line, why in sorted(found):
        yield violation("answer-in-code", line, why)


Callable = ast.FunctionDef | ast.Lambda
Place = int | str
EVERY: frozenset[Place] = frozenset(["*"])
"""Stands for every parameter: what a starred argument fills nobody counts."""


class _Call(NamedTuple):
    """A call of the file's own function. `raw`, `told`: places (from 0) or keywords of the arguments that hold inputs,
    or what was found out about them."""

    name: str
    raw: frozenset[Place]
    told: frozenset[Place]


def _parameters(function: Callable, offset: int, places: frozenset[Place]) -> set[str]:
    """The names under which a function gets the arguments at `places`."""
    given = function.args
    listed = [argument.arg for argument in [*given.posonlyargs, *given.args]][offset:]
    named = {*listed, *(argument.arg for argument in given.kwonlyargs)}
    rest = [argument.arg for argument in (given.vararg, given.kwarg) if argument is not None]
    if "*" in places:
        return named | set(rest)
    found: set[str] = set()
    for place in places:
        if isinstance(place, int) and place < len(listed):
            found.add(listed[place])
        elif isinstance(place, str) and place in named:
            found.add(place)
        else:
            found |= set(rest)
    return found


def _callables(source: Source) -> dict[str, list[tuple[Callable, int]]]:
    """Functions, methods and named lambdas that may run in the forward pass; how many leading parameters are `self`."""
    found: dict[str, list[tuple[Callable, int]]] = {}
    nodes: list[ast.AST] = list(forward(source).values())
    nodes += [n for n in source.tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Lambda)]
    methods = {id(n) for c in nodes if isinstance(c, ast.ClassDef) for n in c.body}
    for node in source.tree.body:
        # A table of functions stands for each of them.
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict | ast.List | ast.Tuple):
            inside = [(n, 0) for n in ast.walk(node.value) if isinstance(n, ast.Lambda)]
            for target in node.targets:
                if isinstance(target, ast.Name) and inside:
                    found.setdefault(target.id, []).extend(inside)
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append((node, int(id(node) in methods)))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda | ast.Dict | ast.List | ast.Tuple):
                inside = [(n, 0) for n in ast.walk(node.value) if isinstance(n, ast.Lambda)]
                for target in node.targets:
                    if isinstance(target, ast.Name) and inside:
                        found.setdefault(target.id, []).extend(inside)
    for top in nodes:
        if isinstance(top, ast.ClassDef) and "__init__" in found:
            found[top.name] = found["__init__"]
    own: dict[ast.AST, Callable] = {}
    for inside in found.values():
        for node, _ in inside:
            own.setdefault(node, _OwnNames().visit(copy.deepcopy(node)))
    return {name: [(own[node], offset) for node, offset in inside] for name, inside in found.items()}


class _OwnNames(ast.NodeTransformer):
    """Gives the variables of each comprehension names of their own: outside they are others, if they are anything."""

    def __init__(self) -> None:
        self.made = 0

    def visit(self, node: ast.AST) -> Any:
        node = self.generic_visit(node)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            self.made += 1
            targets = [n for each in node.generators for n in ast.walk(each.target)]
            names = {n.id for n in targets if isinstance(n, ast.Name)}
            outside = set(ast.walk(node.generators[0].iter))
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and inner.id in names and inner not in outside:
                    inner.id = f"{inner.id} {self.made}"
        return node


_COUNTS = (
    "counts brackets in ordinary code; plus and minus one belong into WEIGHTS, the count is a state of the network."
)
_ADDS = "adds the numbers themselves; the sum is to come digit by digit from the network."


class _Trace:
    """The names of one function that hold raw inputs, and what is done with them."""

    def __init__(
        self,
        raw: set[str],
        slug: str,
        callables: dict[str, list[tuple[Callable, int]]] | None = None,
        attributes: set[str] | None = None,
        told: set[str] | None = None,
        passing: set[str] | None = None,
    ) -> None:
        self.raw = raw
        self.told = set() if told is None else told
        self.passing = set() if passing is None else passing
        self.places: set[str] = set()
        self.slug = slug
        self.callables = callables or {}
        self.attributes = set() if attributes is None else attributes
        self.weighted: set[str] = set()
        self.asked: set[str] = set()
        self.sums: set[str] = set()
        self.named: dict[str, float] = {}
        self.found: list[tuple[ast.AST, str]] = []
        self.calls: list[_Call] = []

    def follow(self, function: Callable) -> None:
        self.named = named_numbers(function)
        known = (self.raw, self.weighted, self.asked, self.sums, self.attributes, self.told, self.places)
        before = -1
        while before != sum(map(len, known)):
            before = sum(map(len, known))
            for node in ast.walk(function):
                if isinstance(node, ast.Assign):
                    self._assign(node.targets, node.value)
                elif isinstance(node, ast.AugAssign | ast.NamedExpr):
                    self._assign([node.target], node.value)
                elif isinstance(node, ast.For | ast.comprehension):
                    self._loop(node.target, node.iter)
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
                self._take_apart(target, value)
                if isinstance(target, ast.Attribute):
                    self.attributes.add(target.attr)
            return
        names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if self._of_weights(value):
            self.weighted |= names
            return
        if self.is_told(value):
            self.told |= names
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
        if isinstance(node.func, ast.Lambda):
            given = self._given(node, self.is_raw)
            self.raw |= _parameters(node.func, 0, given)
        if not self._given(node, self.is_raw):
            return
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(argument, ast.Lambda):
                self.raw |= {a.arg for a in argument.args.args}
            elif isinstance(argument, ast.Name) and argument.id in self.callables:
                self.calls.append(_Call(argument.id, EVERY, frozenset()))

    def _judge_name(self, node: ast.AST) -> None:
        """A function that gives the answer away, handed on instead of called."""
        known = SUMMING if self.slug == "addition" else SEARCHING - {"where", "index", "sub", "split", "count"}
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in known:
            self.found.append((node, f"`{node.attr}` is handed on under another name; the network is to do it."))
        elif isinstance(node, ast.Name) and node.id == "sum" and self.slug == "addition" and "sum" not in self.sums:
            self.found.append((node, "`sum` is handed on under another name; the network is to do it."))

    def _given(self, node: ast.Call, holds: Callable_[[ast.AST], bool]) -> frozenset[Place]:
        """The places and keywords of a call's arguments that hold something."""
        found: set[Place] = set()
        for i, argument in enumerate(node.args):
            if holds(argument):
                found.add("*" if any(isinstance(each, ast.Starred) for each in node.args[: i + 1]) else i)
        for keyword in node.keywords:
            if holds(keyword.value):
                found.add(keyword.arg or "*")
        return frozenset(found)

    def _loop(self, target: ast.expr, over: ast.expr) -> None:
        """What the names of a loop are: inputs, what was found out about them, or places in them."""
        numbered = isinstance(over, ast.Call) and _called(over) == "enumerate"
        if numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            self.places |= {n.id for n in ast.walk(target.elts[0]) if isinstance(n, ast.Name)}
            target = target.elts[1]
        elif isinstance(over, ast.Call) and _called(over) == "range":
            self.places |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
        if self.is_raw(over):
            self._bind(target)
        elif self.is_told(over):
            self.told |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}

    def _take_apart(self, target: ast.expr, value: ast.expr) -> None:
        """Binds the names of `a, b = x, y` each to its own side."""
        sides = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        names = target.elts if isinstance(target, ast.Tuple | ast.List) else []
        if names and len(names) == len(sides) and not any(isinstance(e, ast.Starred) for e in [*names, *sides]):
            for name, side in zip(names, sides, strict=True):
                self._assign([name], side)
        else:
            self._bind(target)

    def is_told(self, node: ast.AST) -> bool:
        """Whether an expression is what ordinary code found out about brackets: a sign's number, a comparison, a step.

        What weights take part in is the network's.
        """
        if self.slug != "dyck1" or self._of_weights(node):
            return False
        if isinstance(node, ast.Name):
            return node.id in self.told
        if isinstance(node, ast.Compare):
            return any(self.is_raw(side) or self.is_told(side) for side in [node.left, *node.comparators])
        if isinstance(node, ast.Subscript):
            chosen = self.is_raw(node.slice) or self.is_told(node.slice)
            return chosen or self.is_told(node.value)
        if isinstance(node, ast.IfExp):
            return any(self.is_told(part) for part in (node.test, node.body, node.orelse))
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.is_told(node.elt)
        if isinstance(node, ast.Call):
            inside = [*node.args, *(keyword.value for keyword in node.keywords)]
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            name = _called(node)
            if name in NUMBERING and any(map(self.is_raw, [*inside, *owner])):
                return True
            own = name in self.callables or name in UNTOLD
            return not own and any(map(self.is_told, [*inside, *owner]))
        parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
        listed = ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Tuple | ast.List | ast.Starred | ast.Attribute
        return isinstance(node, listed) and any(map(self.is_told, parts))

    def gives_back(self, function: Callable) -> bool:
        """Whether a function that got inputs gives inputs back."""
        if isinstance(function, ast.Lambda):
            return self.is_raw(function.body)
        nested = {
            id(n) for f in ast.walk(function) if isinstance(f, Callable) and f is not function for n in ast.walk(f)
        }
        returned = [
            n.value for n in ast.walk(function) if isinstance(n, ast.Return | ast.Yield) and id(n) not in nested
        ]
        # Of `return logits, tokens` the logits are what counts.
        sides = [value.elts if isinstance(value, ast.Tuple) else [value] for value in returned if value is not None]
        return any(each and all(map(self.is_raw, each)) for each in sides)

    def descends(self, function: Callable, name: str) -> bool:
        """Whether a function that got brackets calls itself and no weight takes part: its depth is the count."""
        calls = any(isinstance(n, ast.Call) and _called(n) == name for n in ast.walk(function))
        return calls and not self._of_weights(function) and name not in ("__init__", "__call__", "predict")

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
        if isinstance(node, ast.Dict):
            return any(self.is_raw(each) for each in node.values)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.is_raw(node.elt)
        if isinstance(node, ast.Call):
            name = _called(node)
            inside = [*node.args, node.func.value] if isinstance(node.func, ast.Attribute) else node.args
            if isinstance(node.func, ast.Name) and name in self.passing:
                return bool(self._given(node, self.is_raw))
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
            given = self._given(node, self.is_raw)
            name = (
                name if name in self.callables or name in SUMMING | SEARCHING | KEEPING else self._unknown(node, name)
            )
            told = self._given(node, self.is_told)
            for called in self._callees(node, name):
                if given or told:
                    self.calls.append(_Call(called, given, told))
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

    def _callees(self, node: ast.Call, name: str) -> set[str]:
        """The functions of the file that a call may run: by its name, or one taken out of a table."""
        if name in self.callables:
            return {name}
        if isinstance(node.func, ast.Subscript | ast.Call | ast.IfExp):
            return {n.id for n in ast.walk(node.func) if isinstance(n, ast.Name)} & set(self.callables)
        return set()

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
        made = any(self.is_raw(target.slice) for target in stores) and self._tells(node.value)  # type: ignore[union-attr]
        if isinstance(node, ast.DictComp):
            made = self.is_raw(node.key) and self._tells(node.value)
        if isinstance(node, ast.Dict):
            made = any(key is not None and self.is_raw(key) for key in node.keys)
        if made:
            self.found.append((node, "keeps a table of tokens in ordinary code; the network is to look them up."))

    def _tells(self, node: ast.expr) -> bool:
        """Whether an expression is an input or a place in one."""
        return self.is_raw(node) or any(isinstance(n, ast.Name) and n.id in self.places for n in ast.walk(node))

    def _counting(self, node: ast.AST) -> None:
        if self._counts(node) or self._runs(node):
            self.found.append((node, _COUNTS))

    def _counts(self, node: ast.AST) -> bool:
        """`+= 1 if sign == "(" else -1`, a stack, a table of +1 and -1, one comparison less another."""
        if (isinstance(node, ast.If) and self._asks(node.test)) or (
            isinstance(node, ast.Match) and self.is_raw(node.subject)
        ):
            parts = [*node.body, *node.orelse] if isinstance(node, ast.If) else [n for c in node.cases for n in c.body]
            inside = [n for part in parts for n in ast.walk(part)]
            steps = any(isinstance(n, ast.AugAssign) and not self._of_weights(n.value) for n in inside)
            steps = steps or any(isinstance(n, ast.Assign) and self._moves(n) for n in inside)
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

    def _runs(self, node: ast.AST) -> bool:
        """A running total of steps, a sum or list of one kind of bracket, a state that code moves: no weight in it."""
        if isinstance(node, ast.Call):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            given += [node.func.value] if isinstance(node.func, ast.Attribute) else []
            if _called(node) in RUNNING:
                return any(self.is_told(each) or self.is_raw(each) for each in given)
            if isinstance(node.func, ast.Subscript) and self.is_raw(node.func.slice):
                return True
            return _called(node) in SUMMING and any(self.is_told(each) and not _masks(each) for each in given)
        if isinstance(node, ast.AugAssign):
            return isinstance(node.op, ast.Add | ast.Sub) and self.is_told(node.value)
        if isinstance(node, ast.Assign):
            names = {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            again = any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node.value))
            moves = isinstance(node.value, ast.IfExp) and any(map(self._asks, ast.walk(node.value.test)))
            moves = moves or (isinstance(node.value, ast.BinOp) and self.is_told(node.value))
            moves = moves or any(
                isinstance(n, ast.Subscript)
                and (self.is_raw(n.slice) or self.is_told(n.slice))
                and any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(n.value))
                for n in ast.walk(node.value)
            )
            return again and moves and not self._of_weights(node.value)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return any(self._asks(n) and _equals(n) for g in node.generators for test in g.ifs for n in ast.walk(test))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.is_raw(node.left) and self.is_raw(node.right)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            return self.is_told(node)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            longer = any(isinstance(s, ast.Constant) and isinstance(s.value, str) and len(s.value) > 1 for s in sides)
            return (longer and self._asks(node) and _equals(node)) or sum(map(self.is_raw, sides)) > 1
        return False

    def _moves(self, node: ast.Assign) -> bool:
        """Whether a name gets something made of itself, with no weight in it."""
        names = {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        again = any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node.value))
        return again and not self._of_weights(node.value)

    def _asks(self, test: ast.AST) -> bool:
        return isinstance(test, ast.Compare) and any(self.is_raw(side) for side in [test.left, *test.comparators])


def _equals(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and not any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)


def _masks(node: ast.AST) -> bool:
    """Whether an expression only compares numbers, as a mask over a padding does."""
    return isinstance(node, ast.Compare) and not any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node)
    )


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
