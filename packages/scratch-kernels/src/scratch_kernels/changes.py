"""Small wrong changes of a program, made by machine: what a slip of the pen would do to it.

Comparisons and operators are exchanged, constants moved by one, conditions forced, statements and keywords left out,
slices opened, functions exchanged for their neighbours. Changes that give the same text are made once.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from functools import lru_cache

import msgspec


class Change(msgspec.Struct, frozen=True):
    """One changed program. `before` and `after` are the statement, or its head, as Python prints it."""

    line: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> str:
        """What an explanation refers to."""
        return f"{self.before} -> {self.after}"


_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
_NEIGHBOURS = {
    "maximum": "minimum",
    "max": "min",
    "min": "max",
    "zeros": "ones",
    "zeros_like": "ones_like",
    "exp": "expm1",
    "log": "log1p",
    "cos": "sin",
    "sin": "cos",
    "cumsum": "sort",
    "sqrt": "square",
    "float64": "float32",
    "floor": "ceil",
}


@lru_cache(maxsize=32)
def changes(source: str) -> tuple[Change, ...]:
    """Every change of a program, in the order of its text."""
    tree = ast.parse(source)
    plain = ast.unparse(tree)
    statements = {id(inner): node for node in ast.walk(tree) if isinstance(node, ast.stmt) for inner in ast.walk(node)}
    seen, found = {plain}, []
    for node in _places(tree):
        for variant in _variants(node):
            text, after = _with(tree, node, variant, statements[id(node)])
            if text not in seen:
                seen.add(text)
                statement = statements[id(node)]
                found.append(Change(statement.lineno, _head(ast.unparse(statement)), _head(after), text))
    return tuple(sorted(found, key=lambda change: change.line))


def _head(text: str) -> str:
    """The first line: of a compound statement, its condition."""
    return text.splitlines()[0]


def _places(tree: ast.Module) -> Iterator[ast.AST]:
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
            and ast.get_docstring(node, clean=False) is not None
        ):
            skipped |= {id(inner) for inner in ast.walk(node.body[0])}
        if isinstance(node, ast.FunctionDef):
            annotations = [argument.annotation for argument in node.args.args if argument.annotation] + [node.returns]
            skipped |= {id(inner) for annotation in annotations if annotation for inner in ast.walk(annotation)}
        if id(node) not in skipped:
            yield node


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
        yield ast.Compare(node.left, [_COMPARE[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.Attribute) and node.attr in _NEIGHBOURS:
        yield ast.Attribute(node.value, _NEIGHBOURS[node.attr], node.ctx)
    elif isinstance(node, ast.Call):
        for at in range(len(node.keywords)):
            yield ast.Call(node.func, node.args, node.keywords[:at] + node.keywords[at + 1 :])
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.If):
        for forced in (True, False):
            yield ast.If(ast.Constant(forced), node.body, node.orelse)
    elif isinstance(node, ast.Slice):
        if node.lower is not None:
            yield ast.Slice(None, node.upper, node.step)
        if node.upper is not None:
            yield ast.Slice(node.lower, None, node.step)
    elif isinstance(node, ast.AugAssign):
        yield ast.Pass()
        yield ast.Assign([node.target], node.value, lineno=node.lineno)
    elif isinstance(node, ast.Expr | ast.Assign | ast.Continue | ast.Break):
        yield ast.Pass()


def _constants(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        if value:
            yield ast.Constant(0)


def _with(tree: ast.Module, node: ast.AST, variant: ast.AST, statement: ast.stmt) -> tuple[str, str]:
    """The program with `variant` for `node`, and the statement that this changes, as text."""
    memo: dict[int, ast.AST] = {}
    changed = copy.deepcopy(tree, memo)
    target, new, holder = memo[id(node)], copy.deepcopy(variant), memo[id(statement)]
    for parent in ast.walk(changed):
        for field, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, field, new)
            elif isinstance(value, list):
                value[:] = [new if item is target else item for item in value]
    after = new if target is holder else holder
    return ast.unparse(ast.fix_missing_locations(changed)), ast.unparse(after)
