"""Rules on what a submission names: imports, builtins, attributes, files, state."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules import vocabulary as known
from handnet_bench.rules.source import Source, forward, violation

FILE_NAME = re.compile(
    r"(?:[\w./\\-]+\.(?:npy|npz|pkl|pickle|csv|tsv|json|txt|gz|bin|dat|h5|pt|pth|onnx|parquet|idx))|(?:^|\s)(?:/|\./|\.\./|~/)[\w.-]+/|https?://"
)


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rules `import`, `forbidden-name`, `data-read`, `training`, `state`."""
    numpy_names = _numpy_names(source.tree)
    docstrings = docstring_nodes(source.tree)
    asked = _types_asked(source.tree)
    for node in ast.walk(source.tree):
        if node in asked:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import(node, source)
        elif isinstance(node, ast.Name):
            yield from _name(node)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, numpy_names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield from _string(node)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if node.decorator_list:
                yield violation(
                    "state", node, f"`{node.name}` is decorated; a decorator can keep results between calls."
                )
            if node.name.startswith("__") and node.name not in known.ALLOWED_DUNDERS:
                yield violation("forbidden-name", node, f"`{node.name}` changes how the interpreter treats an object.")
    yield from _state(source)


def docstring_nodes(tree: ast.Module) -> set[ast.AST]:
    """The string constants that stand alone as a statement."""
    return {n.value for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}


def _types_asked(tree: ast.Module) -> set[ast.AST]:
    """`type` where it is called with one argument, which only asks."""
    calls = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and len(n.args) == 1 and not n.keywords)
    return {n.func for n in calls if isinstance(n.func, ast.Name) and n.func.id == "type"}


def _numpy_names(tree: ast.Module) -> set[str]:
    imports = (alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names)
    return {alias.asname or alias.name for alias in imports if alias.name.split(".")[0] == "numpy"}


def _import(node: ast.Import | ast.ImportFrom, source: Source) -> Iterator[Violation]:
    if node not in source.tree.body:
        yield violation("import", node, "imports stand at the top of the file.")
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name not in known.MODULES and alias.name not in known.FROM_NUMPY_LIB:
                yield violation("import", node, f"`{alias.name}` may not be imported; {', '.join(known.MODULES)} may.")
        return
    module = node.module or "."
    allowed = known.FROM_NUMPY_LIB.get(module, known.NUMPY if module == "numpy" else None)
    for alias in node.names:
        if node.level or (module not in known.MODULES and module not in known.FROM_NUMPY_LIB):
            yield violation("import", node, f"`{module}` may not be imported; {', '.join(known.MODULES)} may.")
            return
        if alias.name == "*":
            yield violation("import", node, "a star import hides what is used.")
        elif alias.name in known.FITTING:
            yield violation(
                "training", node, f"`{alias.name}` is {known.FITTING[alias.name]}; weights are written, not found."
            )
        elif allowed is not None and (alias.name not in allowed or alias.name in ("linalg", "lib")):
            yield violation("import", node, f"`{module}.{alias.name}` is not among the tensor operations.")


def _name(node: ast.Name) -> Iterator[Violation]:
    if node.id in known.FORBIDDEN_NAMES:
        yield violation("forbidden-name", node, f"`{node.id}` {known.FORBIDDEN_NAMES[node.id]}.")
    elif node.id.startswith("__") and node.id not in known.ALLOWED_DUNDERS:
        yield violation("forbidden-name", node, f"`{node.id}` belongs to the interpreter.")


def _attribute(node: ast.Attribute, numpy_names: set[str]) -> Iterator[Violation]:
    name = node.attr
    if name.startswith("__") and name not in known.DUNDER_ATTRIBUTES:
        yield violation("forbidden-name", node, f"`.{name}` belongs to the interpreter.")
        return
    if name in known.FORBIDDEN_ATTRIBUTES:
        yield violation("forbidden-name", node, f"`.{name}` {known.FORBIDDEN_ATTRIBUTES[name]}.")
        return
    if name in known.READING:
        yield violation("data-read", node, f"`.{name}` reads or writes data outside the file.")
        return
    base = node.value
    if isinstance(base, ast.Name) and base.id in numpy_names:
        if name in known.FITTING:
            yield violation("training", node, f"`{name}` is {known.FITTING[name]}; weights are written, not found.")
        elif name not in known.NUMPY:
            yield violation("forbidden-name", node, f"numpy's `{name}` is not among the tensor operations.")
    elif isinstance(base, ast.Attribute) and base.attr in known.NUMPY_BELOW:
        if name in known.FITTING:
            yield violation("training", node, f"`{name}` is {known.FITTING[name]}; weights are written, not found.")
        elif name not in known.NUMPY_BELOW[base.attr]:
            yield violation("forbidden-name", node, f"numpy's `{base.attr}.{name}` is not among the tensor operations.")
    elif name in known.FITTING:
        yield violation("training", node, f"`.{name}` is {known.FITTING[name]}; weights are written, not found.")


def _string(node: ast.Constant) -> Iterator[Violation]:
    if FILE_NAME.search(node.value):
        yield violation("data-read", node, "names a file or an address; a submission is one file that reads nothing.")
    elif re.search(r"__\w+__", node.value) and node.value != "__main__":
        yield violation("forbidden-name", node, "holds the name of an interpreter's attribute.")


def _state(source: Source) -> Iterator[Violation]:
    """Nothing may be kept between calls, so the forward pass changes only what it made itself."""
    for function in forward(source).values():
        if isinstance(function, ast.ClassDef):
            continue
        for inner in ast.walk(function):
            if isinstance(inner, ast.FunctionDef | ast.Lambda):
                defaults = [*inner.args.defaults, *(d for d in inner.args.kw_defaults if d is not None)]
                if any(not isinstance(d, ast.Constant | ast.UnaryOp | ast.Name | ast.Attribute) for d in defaults):
                    yield violation("state", inner, "has a default value that can change between calls.")
            if isinstance(inner, ast.Global | ast.Nonlocal):
                yield violation("state", inner, "writes to a name outside the function; nothing is kept between calls.")
        local = _local_names(function)
        for inner in ast.walk(function):
            for target in _written(inner):
                root = _root(target)
                if root is not None and root.id not in local:
                    what = (
                        "changes WEIGHTS" if root.id == "WEIGHTS" else f"changes `{root.id}`, which outlives the call"
                    )
                    yield violation("state", inner, f"`{function.name}` {what}; nothing is kept between calls.")


_CHANGING = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "setdefault",
        "pop",
        "popitem",
        "clear",
        "remove",
        "sort",
        "fill",
        "itemset",
        "discard",
        "resize",
        "put",
    ]
)


def _written(node: ast.AST) -> Iterator[ast.expr]:
    """The objects that a node changes in place."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    elif isinstance(node, ast.Delete):
        targets = node.targets
    for target in targets:
        if isinstance(target, ast.Subscript | ast.Attribute):
            yield target
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        yield node.func
    if isinstance(node, ast.keyword) and node.arg == "out":
        yield ast.Subscript(value=node.value, slice=ast.Constant(0), ctx=ast.Store())


def _root(node: ast.expr) -> ast.Name | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _local_names(function: ast.FunctionDef) -> set[str]:
    """Names bound in the function; a name bound to a module-level object by a plain alias does not count as its own."""
    local: set[str] = {"np", "numpy"}
    for inner in ast.walk(function):
        if isinstance(inner, ast.arguments):
            local |= {
                a.arg for a in [*inner.posonlyargs, *inner.args, *inner.kwonlyargs, inner.vararg, inner.kwarg] if a
            }
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            local.add(inner.id)
    for inner in ast.walk(function):
        if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Name | ast.Subscript | ast.Attribute):
            root = _root(inner.value)
            if root is not None and root.id == "WEIGHTS":
                local -= {t.id for t in inner.targets if isinstance(t, ast.Name)}
    return local
