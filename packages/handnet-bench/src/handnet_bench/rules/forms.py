"""Rules `predict-form` and `weights-form`, as far as reading shows: the two names are bound where everyone looks for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.source import Source, fills_weights, outside, statements, violation

_PREDICT = "`predict` is one function, defined once by `def predict(inputs):` at the top level of the file"


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rules `predict-form` and `weights-form`; a file that lacks a name altogether breaks neither."""
    yield from _predict(source)
    yield from _weights(source)


def _predict(source: Source) -> Iterator[Violation]:
    bound = list(_bound(source.tree, "predict"))
    plain = [node for node in source.tree.body if isinstance(node, ast.FunctionDef) and node.name == "predict"]
    for node in bound:
        if node not in plain:
            yield violation("predict-form", node, f"{_PREDICT}; this binds the name in another way.")
    for node in plain[1:]:
        yield violation("predict-form", node, f"{_PREDICT}; this is the second time.")


def _weights(source: Source) -> Iterator[Violation]:
    """Changed copies are put in once WEIGHTS is complete, so that has to be a place at the top level."""
    made = [node for node in source.tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and fills_weights(node)]
    running = {id(node) for _, node in statements(source.tree)}
    for node in _bound(source.tree, "WEIGHTS"):
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) or id(node) not in running:
            why = "`WEIGHTS` is assigned at the top level of the file, as `WEIGHTS = {...}`; this binds the name in another way."
            yield violation("weights-form", node, why)
    if not made:
        return
    others: set[str] = set()
    for _, statement in statements(source.tree):
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            continue
        for node in outside(statement):
            if isinstance(node, ast.Assign) and getattr(node.value, "id", "") in {"WEIGHTS", *others}:
                others |= {t.id for t in node.targets if isinstance(t, ast.Name) and t.id != "WEIGHTS"}
            if _fills(node, others, source):
                why = "fills WEIGHTS under another name; write `WEIGHTS[...] = ...` or all of it in one assignment."
                yield violation("weights-form", node if hasattr(node, "lineno") else statement, why)


def _fills(node: ast.AST, others: set[str], source: Source, within: frozenset[str] = frozenset()) -> bool:
    """`w["x"] = …` and `w.update(…)` where w is WEIGHTS, and `fill(WEIGHTS)` where `fill` writes into what it gets."""
    if isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(t, ast.Subscript) and getattr(t.value, "id", "") in others for t in targets)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in ("update", "setdefault") and getattr(node.func.value, "id", "") in others
    name = getattr(node.func, "id", "")
    function = source.functions.get(name)
    if name in within or not isinstance(function, ast.FunctionDef):
        return False
    given = [
        parameter.arg
        for parameter, argument in zip(function.args.args, node.args, strict=False)
        if isinstance(argument, ast.Name) and argument.id in {"WEIGHTS", *others}
    ]
    body = outside(ast.Module(function.body, []))
    return bool(given) and any(_fills(inner, set(given), source, within | {name}) for inner in body)


def _bound(tree: ast.Module, name: str) -> Iterator[ast.AST]:
    """Everything that binds a name of the module, or unbinds it."""
    for node in outside(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name == name:
                yield node
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete):
            targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
            if any(_names(target, name) for target in targets):
                yield node
        elif isinstance(node, ast.For | ast.AsyncFor | ast.NamedExpr):
            if _names(node.target, name):
                yield node
        elif isinstance(node, ast.withitem) and node.optional_vars is not None and _names(node.optional_vars, name):
            yield node.context_expr
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if any((alias.asname or alias.name.partition(".")[0]) == name for alias in node.names):
                yield node
        elif name in (getattr(node, "name", None), getattr(node, "rest", None)) and isinstance(node, _CATCHES):
            yield node
    for node in ast.walk(tree):
        if isinstance(node, ast.Global) and name in node.names:
            yield node


_CATCHES = ast.ExceptHandler | ast.MatchAs | ast.MatchStar | ast.MatchMapping


def _names(target: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in ast.walk(target))
