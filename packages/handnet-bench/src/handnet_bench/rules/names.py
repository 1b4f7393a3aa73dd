"""Rules on what a submission names: imports, builtins, attributes, files, state."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules import vocabulary as known
from handnet_bench.rules.source import NETWORKS, PACKAGE, Source, forward, violation

FILE_NAME = re.compile(
    r"(?:[\w./\\-]+\.(?:npy|npz|pkl|pickle|csv|tsv|json|txt|gz|bin|dat|h5|pt|pth|onnx|parquet|idx))|(?:^|\s)(?:/|\./|\.\./|~/)[\w.-]+/|https?://"
)


_NETWORKS = frozenset(f"{PACKAGE}.networks.{name}" for name in NETWORKS)


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rules `import`, `forbidden-name`, `data-read`, `training`, `state`."""
    numpy_names = _numpy_names(source.tree)
    modules = _module_names(source.tree)
    bases = {n.value for n in ast.walk(source.tree) if isinstance(n, ast.Attribute)}
    docstrings = docstring_nodes(source.tree)
    asked = _types_asked(source.tree)
    called = {id(n.func) for n in ast.walk(source.tree) if isinstance(n, ast.Call)}
    for node in ast.walk(source.tree):
        if node in asked:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import(node, source)
        elif isinstance(node, ast.Name):
            yield from _name(node)
            if node.id in modules and node not in bases and isinstance(node.ctx, ast.Load):
                yield violation("forbidden-name", node, f"hands the module `{node.id}` on under another name.")
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, numpy_names)
            if node.attr == "format" and id(node) not in called:
                yield violation("forbidden-name", node, "`.format` is called where it is written, not handed on.")
            yield from _of_a_module(node, modules)
        elif isinstance(node, ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await):
            yield violation(
                "forbidden-name", node, "is asynchronous; a forward pass runs from its first line to its last."
            )
        elif isinstance(node, ast.MatchClass):
            yield violation("forbidden-name", node, "a class pattern reads attributes that the rules do not see.")
        elif isinstance(node, ast.Call):
            yield from _call(node, numpy_names)
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


def _module_names(tree: ast.Module) -> dict[str, str]:
    """Name -> module, for whole modules that the file imports."""
    imports = (alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names)
    return {alias.asname or alias.name.split(".")[0]: alias.name for alias in imports}


def _of_a_module(node: ast.Attribute, modules: dict[str, str]) -> Iterator[Violation]:
    """What a module of the standard library has beside its public names: other modules, evaluation, formats."""
    if not isinstance(node.value, ast.Name) or node.value.id not in modules:
        return
    module = modules[node.value.id]
    allowed = known.STDLIB.get(module)
    if node.attr.startswith("_") or (allowed is not None and node.attr not in allowed):
        yield violation("forbidden-name", node, f"`{module}.{node.attr}` is not among the names that may be used.")


def _call(node: ast.Call, numpy_names: set[str]) -> Iterator[Violation]:
    function = node.func
    if not isinstance(function, ast.Attribute):
        return
    if function.attr == "ndarray" and isinstance(function.value, ast.Name) and function.value.id in numpy_names:
        yield violation("forbidden-name", node, "`ndarray` made by hand lies over memory that nobody filled.")
    if function.attr == "format" and not isinstance(function.value, ast.Constant):
        yield violation(
            "forbidden-name", node, "a format that is put together reaches attributes that the rules do not see."
        )
    elif function.attr == "format" and _reaches(str(getattr(function.value, "value", ""))):
        yield violation(
            "forbidden-name", node, "a field of the format reaches into an object; name what it is to show."
        )


def _reaches(text: str) -> bool:
    """Whether a field of a format has an attribute or an item, in its name or in the format of another field."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return False
    return any(
        field is not None and ("." in field or "[" in field or (form is not None and _reaches(form)))
        for _, field, form, _ in fields
    )


def _import(node: ast.Import | ast.ImportFrom, source: Source) -> Iterator[Violation]:
    if node not in source.tree.body:
        yield violation("import", node, "imports stand at the top of the file.")
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name in _NETWORKS and alias.asname:
                continue
            if alias.name not in known.MODULES and alias.name not in known.FROM_NUMPY_LIB:
                yield violation("import", node, f"`{alias.name}` may not be imported; {', '.join(known.MODULES)} may.")
        return
    module = node.module or "."
    if not node.level and (module == f"{PACKAGE}.networks" or module in _NETWORKS):
        for alias in node.names:
            if alias.name.startswith("_") or alias.name in ("*", "np", "torch_modules"):
                yield violation("import", node, f"`{module}.{alias.name}` is no network and no part of one.")
            elif module == f"{PACKAGE}.networks" and alias.name not in NETWORKS:
                yield violation(
                    "import", node, f"`{module}` holds the networks {', '.join(NETWORKS)}, no `{alias.name}`."
                )
        return
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
        elif alias.name.startswith("_") or alias.name not in known.STDLIB.get(module, {alias.name}):
            yield violation("import", node, f"`{module}.{alias.name}` is not among the names that may be used.")
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
    if name in ("np", "numpy"):
        yield violation("forbidden-name", node, "reaches numpy through another module.")
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
        # Only its own defaults outlive a call; those of functions inside are made anew.
        defaults = [*function.args.defaults, *(d for d in function.args.kw_defaults if d is not None)]
        if not all(map(_lasting, defaults)):
            yield violation("state", function, "has a default value that can change between calls.")
        for inner in ast.walk(function):
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


def _lasting(node: ast.expr) -> bool:
    """Whether a default value stays what it is: a number, a text, a name, or a few of them in brackets."""
    if isinstance(node, ast.Tuple):
        return all(map(_lasting, node.elts))
    if isinstance(node, ast.BinOp):
        return _lasting(node.left) and _lasting(node.right)
    return isinstance(node, ast.Constant | ast.UnaryOp | ast.Name | ast.Attribute)


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
        "send",
        "appendleft",
        "popleft",
        "extendleft",
        "rotate",
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
    if (
        isinstance(node, ast.Call)
        and node.args
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in known.IN_PLACE
    ):
        yield ast.Subscript(value=node.args[0], slice=ast.Constant(0), ctx=ast.Store())
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
    stores = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    before = -1
    while before != len(local):
        before = len(local)
        aliased: Counter[str] = Counter()
        for inner in ast.walk(function):
            if isinstance(inner, ast.Assign) and _an_alias(inner.value):
                root = _root(inner.value)
                if root is not None and root.id not in local:
                    aliased.update(t.id for t in inner.targets if isinstance(t, ast.Name))
        # A name that is also bound to something made here may be changed.
        local -= {name for name, count in aliased.items() if count == stores[name]}
    return local


def _an_alias(node: ast.expr) -> bool:
    """Whether an expression is the very object that something else names; picking rows by an array makes a copy."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        if isinstance(node, ast.Subscript) and not (
            isinstance(node.slice, ast.Slice)
            or (isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str))
        ):
            return False
        node = node.value
    return isinstance(node, ast.Name)
