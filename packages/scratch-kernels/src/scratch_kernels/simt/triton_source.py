"""Reads a Triton file: keeps its jit functions and constants, leaves its host code out, and narrows the language.

A Triton kernel is Python text, and what interprets it holds the counters. So nothing of the file is run as Python:
of each jit function the syntax tree is looked at, and only what the language needs is let through.
"""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from scratch_kernels.simt.errors import CompileError, UnsupportedError

LONGEST = 1 << 20
"""Characters of source that are read at all."""
HEADER_LINES = 1
"""Lines that `TritonSource.text` has before the first line of the file."""

LANGUAGE = frozenset(
    [
        "abs",
        "add",
        "arange",
        "argmax",
        "argmin",
        "associative_scan",
        "assume",
        "atomic_add",
        "atomic_and",
        "atomic_cas",
        "atomic_max",
        "atomic_min",
        "atomic_or",
        "atomic_xchg",
        "atomic_xor",
        "bfloat16",
        "broadcast",
        "broadcast_to",
        "cast",
        "cat",
        "cdiv",
        "ceil",
        "clamp",
        "constexpr",
        "cos",
        "cumprod",
        "cumsum",
        "debug_barrier",
        "device_assert",
        "device_print",
        "div_rn",
        "dot",
        "erf",
        "exp",
        "exp2",
        "expand_dims",
        "fdiv",
        "flip",
        "float16",
        "float32",
        "float64",
        "float8e4nv",
        "float8e5",
        "floor",
        "fma",
        "full",
        "gather",
        "histogram",
        "int1",
        "int16",
        "int32",
        "int64",
        "int8",
        "interleave",
        "join",
        "load",
        "log",
        "log2",
        "make_block_ptr",
        "advance",
        "make_tensor_descriptor",
        "max",
        "max_constancy",
        "max_contiguous",
        "maximum",
        "min",
        "minimum",
        "mul",
        "multiple_of",
        "num_programs",
        "permute",
        "philox",
        "pi32_t",
        "program_id",
        "rand",
        "rand4x",
        "randint",
        "randint4x",
        "randn",
        "randn4x",
        "range",
        "ravel",
        "reduce",
        "reshape",
        "rsqrt",
        "sigmoid",
        "sin",
        "softmax",
        "sort",
        "split",
        "sqrt",
        "sqrt_rn",
        "static_assert",
        "static_print",
        "static_range",
        "store",
        "sub",
        "sum",
        "swizzle2d",
        "trans",
        "uint16",
        "uint32",
        "uint64",
        "uint8",
        "umulhi",
        "view",
        "void",
        "where",
        "xor_sum",
        "zeros",
        "zeros_like",
        "PropagateNan",
        "const",
        "squeeze",
        "unsqueeze",
        "topk",
    ]
)
"""Names of `triton.language` that a kernel may use."""
MATH = frozenset("abs ceil cos div_rn erf exp exp2 fdiv floor fma log log2 rsqrt sin sqrt sqrt_rn umulhi".split())  # noqa: SIM905
METHODS = frozenset(
    [
        "T",
        "abs",
        "advance",
        "argmax",
        "argmin",
        "associative_scan",
        "atomic_add",
        "atomic_and",
        "atomic_cas",
        "atomic_max",
        "atomic_min",
        "atomic_or",
        "atomic_xchg",
        "atomic_xor",
        "broadcast_to",
        "cast",
        "cdiv",
        "ceil",
        "cos",
        "cumprod",
        "cumsum",
        "dtype",
        "element_ty",
        "erf",
        "exp",
        "exp2",
        "expand_dims",
        "flip",
        "floor",
        "gather",
        "histogram",
        "is_bf16",
        "is_floating",
        "is_fp16",
        "is_fp32",
        "is_fp64",
        "is_int",
        "is_ptr",
        "load",
        "log",
        "log2",
        "logical_and",
        "logical_or",
        "max",
        "min",
        "ndim",
        "numel",
        "permute",
        "primitive_bitwidth",
        "ravel",
        "reduce",
        "reshape",
        "rsqrt",
        "scalar",
        "shape",
        "sigmoid",
        "sin",
        "softmax",
        "sort",
        "split",
        "sqrt",
        "sqrt_rn",
        "store",
        "sum",
        "to",
        "trans",
        "type",
        "value",
        "view",
        "xor_sum",
        "NONE",
        "ALL",
    ]
)
"""Attributes of values that a kernel may use."""
BUILTINS = frozenset({"range", "min", "max", "abs", "len", "int", "float", "bool", "tuple", "print"})
_HOST_TOO = frozenset({"cdiv", "next_power_of_2"})
_RESERVED = frozenset({"interpreter_semantic", "triton"})
_NODES: tuple[type[ast.AST], ...] = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.IfExp, ast.For, ast.While, ast.Return, ast.Pass, ast.Assert, ast.Break,
    ast.Continue, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple,
    ast.List, ast.Constant, ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
_WORDS = {
    "Import": "an import", "ImportFrom": "an import", "FunctionDef": "a function inside a function", "Lambda": "a lambda", "Try": "try",
    "With": "with", "Raise": "raise", "Delete": "del", "Global": "global", "Nonlocal": "nonlocal", "ClassDef": "a class",
    "ListComp": "a comprehension", "GeneratorExp": "a comprehension", "DictComp": "a comprehension", "SetComp": "a comprehension",
    "JoinedStr": "an f-string", "NamedExpr": "an assignment inside an expression", "Starred": "a starred value", "Dict": "a dictionary",
    "Set": "a set", "Yield": "yield", "Await": "await", "Match": "match",
}  # fmt: skip
_JIT_OPTIONS = frozenset({"do_not_specialize", "do_not_specialize_on_alignment", "debug", "noinline"})
MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()


class Parameter(NamedTuple):
    """One parameter of a kernel; `default` is MISSING where it has none."""

    name: str
    constexpr: bool
    default: Any = MISSING


class Kernel(NamedTuple):
    """A jit function."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]


class TritonSource(NamedTuple):
    """A file that was read. `text`: a module with its jit functions and constants alone, `HEADER_LINES` further down."""

    text: str
    kernels: dict[str, Kernel]
    host: tuple[str, ...]
    """Functions of the file that are no kernels; they were left out."""
    tuned: frozenset[str]
    """Kernels that have `triton.autotune` or `triton.heuristics`, which were left out: a launch gives every value."""


def read(source: str) -> TritonSource:
    """The kernels of a Triton file. Raises `CompileError` at the line of what is no kernel language."""
    if not isinstance(source, str):
        raise CompileError(f"the source is a {type(source).__name__}, not text", file="kernel.py")
    if len(source) > LONGEST:
        raise _refuse(f"the source has {len(source):,} characters; at most {LONGEST:,} are read")
    source = source.replace("\r\n", "\n")
    if strange := re.search(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]|[\u2028\u2029]", source):
        raise _refuse(f"the source holds the character {strange[0]!r}", source.count("\n", 0, strange.start()) + 1)
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise _refuse(f"{error.msg}", error.lineno or 0) from None
    except (RecursionError, MemoryError, ValueError):
        raise _refuse("the source is nested too deeply to be read") from None
    return _Reader(source, tree).result()


def _refuse(why: str, line: int = 0) -> CompileError:
    return CompileError(why, line, "kernel.py")


class _Reader:
    """One file: which names mean what in it, and what is kept."""

    def __init__(self, source: str, tree: ast.Module) -> None:
        self.lines = [line.encode() for line in source.split("\n")]
        self.tree = tree
        self.paths: dict[str, str] = {}
        """Name in the file -> dotted path: `tl` -> `triton.language`."""
        self.headers: list[str] = []
        self.constants: set[str] = set()
        self.jits: dict[str, ast.FunctionDef] = {}
        self.kept: list[tuple[int, ast.stmt, list[ast.expr]]] = []
        self.host: list[str] = []
        self.tuned: set[str] = set()

    def result(self) -> TritonSource:
        for node in self.tree.body:
            try:
                self._statement(node)
            except RecursionError:
                raise _refuse("an expression is nested too deeply to be read", node.lineno) from None
        for function in self.jits.values():
            try:
                _Screen(self, function).function()
            except RecursionError:
                raise _refuse("an expression is nested too deeply to be read", function.lineno) from None
        text = self._text()
        kernels = {name: Kernel(name, node.lineno, self._parameters(node)) for name, node in self.jits.items()}
        return TritonSource(text, kernels, tuple(self.host), frozenset(self.tuned))

    # What a file holds.

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "triton" or alias.name.startswith("triton."):
                    self._import(alias.asname or "triton", alias.name if alias.asname else "triton", alias.name)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            if node.module == "triton" or node.module.startswith("triton."):
                for alias in node.names:
                    if alias.name == "*":
                        raise _refuse(f"`from {node.module} import *` hides which names are whose", node.lineno)
                    name, path = alias.asname or alias.name, f"{node.module}.{alias.name}"
                    self.paths[name] = path
                    if path in {"triton.jit", "triton.language", "triton.cdiv", "triton.next_power_of_2"} or (
                        node.module == "triton.language" and alias.name in LANGUAGE | {"math"}
                    ):
                        self.headers.append(f"from {node.module} import {alias.name} as {name}")
        elif isinstance(node, ast.FunctionDef):
            self._function(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self._constant(node, node.targets[0].id, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self._constant(node, node.target.id, node.value)

    def _import(self, name: str, path: str, module: str) -> None:
        self.paths[name] = path
        if module in {"triton", "triton.language"}:
            self.headers.append(f"import {module} as {name}" if name != "triton" else f"import {module}")

    def _constant(self, node: ast.Assign | ast.AnnAssign, name: str, value: ast.expr) -> None:
        annotation = getattr(node, "annotation", None)
        if self._is_constant(value) and (annotation is None or self._path(annotation) == "triton.language.constexpr"):
            if name.startswith("__") or name in _RESERVED or name in self.paths or name in self.jits:
                raise _refuse(f"the name `{name}` means something else already", node.lineno)
            self.constants.add(name)
            self.kept.append((node.lineno, node, []))
        elif name in self.constants:
            raise _refuse(f"`{name}` is a constant first and something else later", node.lineno)

    def _is_constant(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Constant):
            return isinstance(value.value, (int, float, bool, str, type(None)))
        if isinstance(value, ast.UnaryOp):
            return self._is_constant(value.operand)
        if isinstance(value, ast.BinOp):
            small = not isinstance(value.op, (ast.Pow, ast.LShift))
            return small and self._is_constant(value.left) and self._is_constant(value.right)
        if isinstance(value, ast.Tuple):
            return all(self._is_constant(part) for part in value.elts)
        if isinstance(value, ast.Name):
            return value.id in self.constants
        if isinstance(value, ast.Call):
            wrapped = self._path(value.func) == "triton.language.constexpr"
            return wrapped and len(value.args) == 1 and not value.keywords and self._is_constant(value.args[0])
        path = self._path(value)
        return path is not None and path.removeprefix("triton.language.") in LANGUAGE

    def _function(self, node: ast.FunctionDef) -> None:
        kept, jit = [], False
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            path = self._path(call.func if call else decorator)
            if path == "triton.jit":
                jit = True
                kept.append(decorator)
                if call:
                    self._jit_options(call)
            elif path in {"triton.autotune", "triton.heuristics"}:
                self.tuned.add(node.name)
            elif jit:
                raise _refuse("a decorator below @triton.jit cannot be modelled", decorator.lineno)
        if not jit:
            self.tuned.discard(node.name)
            self.host.append(node.name)
            return
        if node.name in self.jits or node.name in self.constants or node.name in self.paths or node.name in _RESERVED:
            raise _refuse(f"there are two things of the name `{node.name}`", node.lineno)
        if node.name.startswith("__"):
            raise _refuse(f"`{node.name}` is no name for a kernel", node.lineno)
        self.jits[node.name] = node
        self.kept.append((min([node.lineno, *(d.lineno for d in kept)]), node, kept))

    def _jit_options(self, call: ast.Call) -> None:
        for keyword in call.keywords:
            plain = all(isinstance(n, (ast.Constant, ast.List, ast.Tuple, ast.Load)) for n in ast.walk(keyword.value))
            if keyword.arg not in _JIT_OPTIONS or not plain:
                raise _refuse(f"the option `{keyword.arg}` of triton.jit cannot be modelled", call.lineno)
        if call.args:
            raise _refuse("triton.jit takes options by name", call.lineno)

    def _parameters(self, node: ast.FunctionDef) -> tuple[Parameter, ...]:
        arguments = [*node.args.posonlyargs, *node.args.args]
        defaults: list[Any] = [MISSING] * (len(arguments) - len(node.args.defaults))
        defaults += [ast.literal_eval(d) if _literal(d) else MISSING for d in node.args.defaults]
        arguments += node.args.kwonlyargs
        defaults += [ast.literal_eval(d) if d is not None and _literal(d) else MISSING for d in node.args.kw_defaults]
        return tuple(
            Parameter(a.arg, a.annotation is not None and self._annotated_constexpr(a.annotation), d)
            for a, d in zip(arguments, defaults, strict=True)
        )

    def _annotated_constexpr(self, annotation: ast.expr) -> bool:
        return self._path(annotation) == "triton.language.constexpr"

    def _path(self, node: ast.AST) -> str | None:
        """The dotted path of `tl.load` and its like, through the file's own imports; None for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.paths:
            return None
        return ".".join([self.paths[node.id], *reversed(parts)])

    # What is kept of it.

    def _text(self) -> str:
        out = [b""] * len(self.lines)
        expected: list[ast.stmt] = []
        for _, node, decorators in sorted(self.kept, key=lambda k: k[0]):
            for decorator in decorators:
                self._copy(out, decorator, b"@")
            self._copy(out, node, b"")
            if isinstance(node, ast.FunctionDef):
                node.decorator_list = decorators
            expected.append(node)
        header = "; ".join(dict.fromkeys(["import triton", "import triton.language", *self.headers]))
        text = f"{header}\n" + "\n".join(line.decode() for line in out) + "\n"
        # What was cut out has to be what was looked at, to the last node.
        try:
            again = ast.parse(text).body[header.count("; ") + 1 :]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            again = []
        if [ast.dump(n) for n in again] != [ast.dump(n) for n in expected]:
            raise _refuse("every kernel and constant has to begin on a line of its own")
        return text

    def _copy(self, out: list[bytes], node: ast.stmt | ast.expr, mark: bytes) -> None:
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        for i in range(first, last + 1):
            line = self.lines[i]
            begin = node.col_offset if i == first else 0
            end = node.end_col_offset if i == last else len(line)
            if out[i]:
                raise _refuse("every kernel and constant has to begin on a line of its own", i + 1)
            out[i] = (mark if i == first else b"") + line[begin:end]


def _literal(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, bool, str, type(None)))


class _Screen(ast.NodeVisitor):
    """Looks at every node of one jit function. Raises `CompileError`."""

    def __init__(self, reader: _Reader, function: ast.FunctionDef) -> None:
        self.reader = reader
        self.function_node = function
        arguments = function.args
        self.arguments = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        stored = [
            n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        ]  # fmt: skip
        self.local = {n.id for n in stored} | {a.arg for a in self.arguments}
        places = [(n.id, n.lineno) for n in stored] + [(a.arg, a.lineno) for a in self.arguments]
        for name, line in places:
            if name.startswith("__") or name in _RESERVED or name in reader.paths or name in reader.jits:
                raise _refuse(f"the name `{name}` means something else and cannot be given to a value", line)

    def function(self) -> None:
        node = self.function_node
        if node.args.vararg or node.args.kwarg:
            raise _refuse("a kernel takes no *args and **kwargs", node.lineno)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None and not _literal(default):
                raise _refuse("a default value has to be a plain number", default.lineno)
        for argument in self.arguments:
            self._annotation(argument.annotation)
        self._annotation(node.returns)
        for statement in node.body:
            self.visit(statement)

    def _annotation(self, node: ast.expr | None) -> None:
        if node is None or (isinstance(node, ast.Constant) and isinstance(node.value, (str, type(None)))):
            if (
                isinstance(node, ast.Constant)
                and node.value is not None
                and not re.fullmatch(r"[A-Za-z0-9_*.]{1,32}", node.value)
            ):
                raise _refuse("an annotation is `tl.constexpr`, a type of the language, or left out", node.lineno)
            return
        path = self.reader._path(node)
        if isinstance(node, ast.Name) and node.id in {"int", "float", "bool"}:
            return
        if path is None or path.removeprefix("triton.language.") not in LANGUAGE | {"tensor", "dtype"}:
            raise _refuse("an annotation is `tl.constexpr`, a type of the language, or left out", node.lineno)

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, _NODES):
            word = _WORDS.get(type(node).__name__, type(node).__name__)
            raise _refuse(
                f"{word} cannot be used in a Triton kernel", getattr(node, "lineno", self.function_node.lineno)
            )
        super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, (int, float, bool, str, type(None))):
            raise _refuse(f"{node.value!r} is no value of the language", node.lineno)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store) or node.id in self.local:
            return
        name, reader = node.id, self.reader
        if name in reader.constants or name in reader.jits or name in BUILTINS:
            return
        path = reader.paths.get(name)
        if path is not None:
            self._path(path, node.lineno)
            return
        if name in reader.host:
            raise _refuse(
                f"`{name}` is a function of the host (no @triton.jit) and cannot be used in a kernel", node.lineno
            )
        raise _refuse(
            f"`{name}` is neither a value of this kernel, nor a jit function or a constant of the file", node.lineno
        )

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            raise _refuse("attributes cannot be assigned in a kernel", node.lineno)
        root: ast.AST = node
        while isinstance(root, ast.Attribute):
            root = root.value
        path = self.reader._path(node)
        if path is not None and isinstance(root, ast.Name) and root.id not in self.local:
            self._path(path, node.lineno)
            return
        if node.attr not in METHODS:
            raise _refuse(f"`.{node.attr}` is no attribute that a kernel's values have", node.lineno)
        self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            raise _refuse("elements cannot be assigned in a kernel; tl.store writes memory", node.lineno)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            raise _refuse("only names can be annotated", node.lineno)
        self._annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg is None:
            raise _refuse("a call takes no ** in a kernel", node.value.lineno)
        if node.arg.startswith("_"):
            raise _refuse(f"`{node.arg}` is no argument of the language", node.value.lineno)
        self.visit(node.value)

    def _path(self, path: str, line: int) -> None:
        if path == "triton.language.constexpr_function" or path.startswith("triton.language.extra"):
            raise UnsupportedError(f"kernel.py:{line}: `{path}` is not modelled by the emulator")
        inner = path.removeprefix("triton.language.")
        head, _, tail = inner.partition(".")
        if inner != path and (
            (head in LANGUAGE and (not tail or tail in METHODS)) or (head == "math" and tail in MATH)
        ):
            return
        if path.removeprefix("triton.") in _HOST_TOO:
            return
        raise _refuse(f"`{path}` cannot be used in a kernel here", line)
