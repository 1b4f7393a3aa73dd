"""A submission's source, read as Python reads it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterable, Iterator

import msgspec
from benchwright import Violation

FILE = "net.py"
PACKAGE = "handnet_bench"
NETWORKS = ("addition", "dyck1", "induction", "mnist", "sentiment")
"""Networks of this package that a reference entry may import; such an entry is not self-contained."""

LARGEST = 4_000_000
"""Bytes; a hundred thousand weights with their comments take about a third of it."""

DEEPEST = 90
"""Levels of nesting in the syntax tree; a sum of ninety terms and ninety `elif` are as deep."""

Function = ast.FunctionDef | ast.ClassDef


class Unreadable(Exception):
    """The bytes are no Python source; the message is a sentence."""


class Source(msgspec.Struct, frozen=True):
    """Text, syntax tree and comments of a submission. Lines count from 1."""

    text: str
    tree: ast.Module
    comments: dict[int, str]
    """Line -> text of the comment on it, without the sign."""
    code_lines: frozenset[int]
    """Lines that hold anything but a comment."""
    numbers: tuple[tuple[int, str], ...]
    """Line and text of each number, as written."""
    functions: dict[str, ast.FunctionDef | ast.ClassDef]
    """Functions and classes at the top of the module, by name."""
    definitions: dict[str, tuple[ast.FunctionDef | ast.ClassDef, ...]]
    """Everything that may run under a name of the module: also what an `if` or a loop defines, and lambdas."""
    leads: dict[str, frozenset[str]]
    """Name of the module -> functions and classes of the file that it stands for or was made by."""
    complete: int
    """Index in `tree.body` of the statement after which WEIGHTS is complete; -1 where it is never bound."""

    @property
    def self_contained(self) -> bool:
        """Whether the file imports nothing of this package, wherever the import stands."""
        for node in ast.walk(self.tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            if any(module.split(".")[0] == PACKAGE for module in modules):
                return False
        return True


def violation(rule: str, node: ast.AST | int, why: str) -> Violation:
    """A violation at the line of `node`."""
    line = node if isinstance(node, int) else getattr(node, "lineno", 1)
    return Violation(rule, f"{FILE}:{line}", why)


def read(data: bytes) -> Source:
    """The source in `data`. Raises Unreadable for what is too large, not UTF-8, or not Python."""
    if len(data) > LARGEST:
        raise Unreadable(f"The file has {len(data):,} bytes; at most {LARGEST:,} are read.")
    try:
        text = data.decode("utf-8-sig")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if encoding not in ("utf-8", "utf-8-sig"):
            raise Unreadable(f"The file declares the encoding {encoding}; only UTF-8 is read.")
    except UnicodeDecodeError as error:
        raise Unreadable(f"The file is not UTF-8 (byte {error.start}).") from None
    except (SyntaxError, LookupError) as error:
        raise Unreadable(f"The file is no Python source: {error}.") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except SyntaxError as error:
        raise Unreadable(f"The file is no Python source: {error.msg} (line {error.lineno}).") from None
    except (ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        raise Unreadable(f"The file is no Python source: {error}.") from None
    _not_too_deep(tree)
    layout = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    code: set[int] = set()
    comments: dict[int, str] = {}
    numbers = tuple((token.start[0], token.string) for token in tokens if token.type == tokenize.NUMBER)
    for token in tokens:
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string.lstrip("#").strip()
        elif token.type not in layout:
            code.update(range(token.start[0], token.end[0] + 1))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    definitions = _definitions(tree)
    leads = _leads(tree, definitions)
    return Source(text, tree, comments, frozenset(code), numbers, functions, definitions, leads, _complete(tree))


def _not_too_deep(tree: ast.Module) -> None:
    """Raises Unreadable for a tree that the rules could not follow to its end."""
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        if depth > DEEPEST:
            line = next((node.lineno for node in level if hasattr(node, "lineno")), 1)
            raise Unreadable(
                f"The file nests more than {DEEPEST} levels deep (line {line}); "
                "cut long sums and chains of `elif` into several statements."
            )
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1


def outside(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what runs with it, without the bodies of functions, lambdas and classes."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        waiting.extend(ast.iter_child_nodes(one))


def bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Target and value of each assignment, loop and `with` that runs with `node` itself."""
    for one in outside(node):
        if isinstance(one, ast.Assign):
            yield from ((target, one.value) for target in one.targets)
        elif isinstance(one, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            yield one.target, one.value
        elif isinstance(one, ast.For | ast.AsyncFor):
            yield one.target, one.iter
        elif isinstance(one, ast.withitem) and one.optional_vars is not None:
            yield one.optional_vars, one.context_expr


def roots(target: ast.expr) -> set[str]:
    """Names that an assignment binds or changes: `a[0], b.c = …` are a and b."""
    while isinstance(target, ast.Subscript | ast.Attribute | ast.Starred):
        target = target.value
    if isinstance(target, ast.Tuple | ast.List):
        return set().union(*map(roots, target.elts))
    return {target.id} if isinstance(target, ast.Name) else set()


def only_in_scripts(node: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":`, whose body does not run here."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
        return False
    sides = [node.test.left, node.test.comparators[0]]
    name = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    main = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return isinstance(node.test.ops[0], ast.Eq) and name and main


def statements(tree: ast.Module) -> list[tuple[int, ast.stmt]]:
    """The statements of the module that run when it is imported, each with its place in `tree.body`."""
    found: list[tuple[int, ast.stmt]] = []
    for index, node in enumerate(tree.body):
        if only_in_scripts(node):
            found += [(index, each) for each in getattr(node, "orelse", [])]
        else:
            found.append((index, node))
    return found


def _definitions(tree: ast.Module) -> dict[str, tuple[Function, ...]]:
    found: dict[str, list[Function]] = {}
    for _, statement in statements(tree):
        for node in outside(statement):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.setdefault(node.name, []).append(node)
        for target, value in bindings(statement):
            for node in _kept(value):
                if isinstance(node, ast.Lambda):
                    for name in roots(target):
                        found.setdefault(name, []).append(_as_function(name, node))
    return {name: tuple(nodes) for name, nodes in found.items()}


def _as_function(name: str, node: ast.Lambda) -> ast.FunctionDef:
    body = ast.copy_location(ast.Return(node.body), node.body)
    return ast.copy_location(ast.FunctionDef(name=name, args=node.args, body=[body], decorator_list=[]), node)


_ASKS_ONLY = frozenset({"sorted", "map", "filter", "max", "min", "sort"})


def _kept(value: ast.expr | None) -> Iterator[ast.AST]:
    """The parts of an expression that its value may hold on to; a key that something is sorted by is none."""
    waiting: list[ast.AST] = [] if value is None else [value]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in _ASKS_ONLY:
            waiting.extend(a for a in node.args if not isinstance(a, ast.Name | ast.Lambda))
            continue
        waiting.extend(ast.iter_child_nodes(node))


def _leads(tree: ast.Module, definitions: dict[str, tuple[Function, ...]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for _, statement in statements(tree):
        for target, value in bindings(statement):
            kept = list(_kept(value))
            called = {id(n.func) for n in kept if isinstance(n, ast.Call)}
            for node in kept:
                if not isinstance(node, ast.Name) or node.id not in definitions:
                    continue
                # What a function gives is a value of its own; an object or a closure runs code later.
                if id(node) not in called or any(map(_gives_code, definitions[node.id])):
                    for name in roots(target):
                        found.setdefault(name, set()).add(node.id)
    return {name: frozenset(others) for name, others in found.items()}


def _gives_code(node: Function) -> bool:
    inner = (n for n in ast.walk(node) if n is not node)
    return isinstance(node, ast.ClassDef) or any(isinstance(n, ast.FunctionDef | ast.Lambda) for n in inner)


_FILLS = frozenset({"update", "setdefault", "pop", "popitem", "clear"})


def _complete(tree: ast.Module) -> int:
    last = -1
    for index, node in statements(tree):
        if any(fills_weights(each) for each in outside(node)):
            last = index
    return last


def fills_weights(node: ast.AST) -> bool:
    """Whether a node binds WEIGHTS, writes into it, or calls a method that does: `WEIGHTS.update(…)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _FILLS and isinstance(node.func.value, ast.Name) and node.func.value.id == "WEIGHTS"
    if isinstance(node, ast.Assign):
        return any("WEIGHTS" in roots(target) for target in node.targets)
    return isinstance(node, ast.AnnAssign | ast.AugAssign) and "WEIGHTS" in roots(node.target)


def names_read(node: ast.AST) -> set[str]:
    """Names that `node` reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def entries(source: Source) -> set[str]:
    """Names of functions that are called when `predict` is: itself, and what it is bound to."""
    found, waiting = set(), {"predict"}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= source.leads.get(name, frozenset())
    return found


def forward(source: Source) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """The functions that run when `predict` does, or at import once WEIGHTS is complete.

    One that is defined twice is in it twice, the second time as `name (2)`.
    """
    waiting = {"predict"}
    for index, node in statements(source.tree):
        if index > source.complete and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            waiting |= {n.id for n in outside(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    found: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        waiting |= source.leads.get(name, frozenset())
        for number, node in enumerate(source.definitions.get(name, ()), 1):
            found[name if number == 1 else f"{name} ({number})"] = node
            waiting |= names_read(node)
    return found


def bodies(functions: Iterable[ast.AST]) -> set[int]:
    """Identities of functions and of the lambdas among them, as they are met when the module is walked."""
    found = set()
    for node in functions:
        found.add(id(node))
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Return) and node.body[0].value:
            found.add(id(node.body[0].value))
    return found


def words(text: str) -> list[str]:
    """Words of two letters or more, in any script."""
    return re.findall(r"[^\W\d_]{2,}", text)


def is_drawing(value: object) -> bool:
    """Whether a string is a row of a drawing: four signs or more, two or three different ones, at most one letter."""
    if not isinstance(value, str) or len(value) < 4 or value.isspace():
        return False
    return 2 <= len(set(value)) <= 3 and sum(sign.isalpha() for sign in set(value)) < 2


def inked(text: str) -> int:
    """Signs of a drawing that are not the most frequent one, which is its paper."""
    return len(text) - max(text.count(sign) for sign in set(text))
