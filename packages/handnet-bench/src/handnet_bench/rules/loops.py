"""Rule `training`, second half: weights that a loop moves towards something, by whatever name.

A loop trains where a name is updated from itself, through a product of matrices and a difference (an error), and no
input of the network takes part. A recurrent layer is such a loop over inputs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.source import Source, forward, violation

PRODUCTS = frozenset({"dot", "matmul", "einsum", "outer", "tensordot", "inner", "vdot", "kron"})
ERRORS = frozenset({"subtract", "not_equal", "less", "greater", "equal", "sign", "heaviside"})


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `training` in loops without inputs."""
    # A function that only makes weights gets no input of the network, whatever its parameters are called.
    with_inputs = {*forward(source), "explain"}
    for node in source.tree.body:
        if isinstance(node, ast.ClassDef):
            functions: list[ast.stmt] = [n for n in node.body if isinstance(n, ast.FunctionDef)]
        else:
            functions = [node]
        for one in functions:
            has_inputs = isinstance(one, ast.FunctionDef) and getattr(node, "name", "") in with_inputs
            inputs = _inputs(one) if has_inputs and isinstance(one, ast.FunctionDef) else set()
            for loop in ast.walk(one):
                if isinstance(loop, ast.For | ast.While) and (name := _trained(loop, inputs)):
                    why = f"the loop moves `{name}` by what it gets wrong; weights are written, not found."
                    yield violation("training", loop, why)


def _inputs(function: ast.FunctionDef) -> set[str]:
    """The parameters of a function and whatever is made of them."""
    found = {a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]}
    before = -1
    while before != len(found):
        before = len(found)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AugAssign) and node.value is not None and _reads(node.value) & found:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {name for target in targets for name in _bound(target)}
            elif isinstance(node, ast.For | ast.comprehension) and _reads(node.iter) & found:
                found |= _bound(node.target)
    return found


def _trained(loop: ast.For | ast.While, inputs: set[str]) -> str:
    """A name that the loop trains, or an empty string."""
    made: dict[str, list[ast.AST]] = {}
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name in _bound(target):
                    made.setdefault(name, []).append(node.value)
        elif isinstance(node, ast.AugAssign):
            for name in _bound(node.target):
                made.setdefault(name, []).append(ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value))
    for name, values in made.items():
        if name in inputs:
            continue
        chain, reached = list(values), {name}
        for value in chain:
            for other in _reads(value) - reached:
                reached.add(other)
                chain.extend(made.get(other, []))
        if reached & inputs or not any(name in _reads(value) for value in chain):
            continue
        moving = {other for other in reached if other in made}
        products = any(_multiplies(n, moving) for value in chain for n in ast.walk(value))
        errors = any(_differs(n, moving) for value in chain for n in ast.walk(value))
        if products and errors:
            return name
    return ""


def _multiplies(node: ast.AST, moving: set[str]) -> bool:
    product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    call = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in PRODUCTS
    return (product or call) and bool(_reads(node) & moving)


def _differs(node: ast.AST, moving: set[str]) -> bool:
    difference = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
    call = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ERRORS
    return (difference or call or isinstance(node, ast.Compare)) and bool(_reads(node) & moving)


def _reads(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} | (
        {node.id} if isinstance(node, ast.Name) else set()
    )


def _bound(target: ast.AST) -> set[str]:
    """Names that an assignment changes; `rows[k] = …` changes rows."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
