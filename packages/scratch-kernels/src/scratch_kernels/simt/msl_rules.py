"""What the Metal Shading Language forbids and C++ allows, found in the tokens before a compiler sees them.

Rules follow the language (versions 2.4 to 3.1), not any collection of kernels. Messages name the language's reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from scratch_kernels.simt.errors import CompileError
from scratch_kernels.simt.tokens import Token, closing, spelled

SPACES = frozenset(["device", "constant", "threadgroup", "thread", "threadgroup_imageblock", "ray_data", "object_data"])
SCALARS = frozenset(
    [
        "bool",
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "half",
        "float",
        "bfloat",
        "size_t",
        "ptrdiff_t",
        "int8_t",
        "uint8_t",
        "int16_t",
        "uint16_t",
        "int32_t",
        "uint32_t",
        "int64_t",
        "uint64_t",
        "unsigned",
        "signed",
    ]
)
VECTORS = frozenset(
    f"{base}{n}"
    for base in ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "bfloat"]
    for n in (2, 3, 4)
)
_FORBIDDEN = {
    word: f"'{word}' is not supported in Metal"
    for word in [
        "double",
        "thread_local",
        "goto",
        "try",
        "catch",
        "throw",
        "new",
        "delete",
        "typeid",
        "dynamic_cast",
        "noexcept",
        "virtual",
        "wchar_t",
        "__restrict__x",
    ]
}
_FORBIDDEN["register"] = "Metal does not support the 'register' storage class specifier"
_FORBIDDEN["restrict"] = "'restrict' is not a word of Metal (write __restrict)"
KNOWN_ATTRIBUTES = frozenset(
    [
        "kernel",
        "host_name",
        "max_total_threads_per_threadgroup",
        "buffer",
        "threadgroup",
        "function_constant",
        "texture",
        "sampler",
        "stage_in",
        "unroll",
        "maybe_unused",
        "nodiscard",
        "fallthrough",
        "likely",
        "unlikely",
        "noinline",
        "always_inline",
        "visible",
        "stitchable",
        "user",
        "id",
        "early_fragment_tests",
        "clang::loop_unroll_hint",
        "deprecated",
        "no_unique_address",
        "metal::loop_unroll",
    ]
)


def check(tokens: Sequence[Token]) -> None:
    """Raises `CompileError` for the first thing that the language does not have."""
    for i, token in enumerate(tokens):
        before = tokens[i - 1].text if i else ""
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.kind == "string":
            if not _string_allowed(tokens, i):
                raise CompileError("string literals are not supported in Metal", token.line)
            continue
        if token.text == "[":
            _no_lambda(tokens, i)
            continue
        if token.kind != "name":
            continue
        if token.text in _FORBIDDEN and before not in {".", "->", "::"}:
            raise CompileError(_FORBIDDEN[token.text], token.line)
        if token.text == "long" and (after == "long" or (after == "double")):
            raise CompileError(f"'long {after}' is not supported in Metal", token.line)
        if token.text == "half" and after in {"=", ";", ",", ")", "["} and before in SCALARS | VECTORS | {"auto"}:
            raise CompileError("'half' is a type in Metal and cannot name a variable", token.line)
        if token.text == "std" and after == "::":
            raise CompileError("there is no namespace 'std' in Metal", token.line)
        if token.text == "main" and after == "(" and before in {"void", "int", "kernel"}:
            raise CompileError("non-qualified function cannot be called 'main'", token.line)
        if token.text in {"printf", "malloc", "free"} and after == "(" and before not in {".", "->"}:
            raise CompileError(f"use of undeclared identifier '{token.text}'", token.line)


def _string_allowed(tokens: Sequence[Token], i: int) -> bool:
    before = tokens[i - 1].text if i else ""
    return (before == "(" and i > 1 and tokens[i - 2].text in {"host_name", "user", "deprecated"}) or (
        before in {",", "("}
        and any(t.text == "static_assert" for t in tokens[max(0, i - 200) : i] if t.line >= tokens[i].line - 20)
    )


def _no_lambda(tokens: Sequence[Token], i: int) -> None:
    before = tokens[i - 1] if i else None
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if after == "[" or (before and before.text == "["):
        return
    if before and (
        (before.kind in {"name", "number", "string"} and before.text != "return")
        or before.text in {")", "]", ">", "operator", "delete"}
    ):
        return
    end = closing(tokens, i)
    if end + 1 < len(tokens) and tokens[end + 1].text in {"(", "{"}:
        raise CompileError("lambda expressions are not supported in Metal", tokens[i].line)


def body(tokens: Sequence[Token], is_kernel: bool) -> None:
    """Rules inside a function body."""
    for i, token in enumerate(tokens):
        before = tokens[i - 1].text if i else "{"
        if token.text == "static" and before in {"{", "}", ";"}:
            end = next((j for j in range(i, len(tokens)) if tokens[j].text in {";", "="}), i)
            if not any(t.text in {"constant", "constexpr"} for t in tokens[i:end]):
                raise CompileError("variables in function scope cannot be declared static", token.line)
        if token.text == "threadgroup" and before in {"{", "}", ";"} and not is_kernel:
            end = next((j for j in range(i, len(tokens)) if tokens[j].text in {";", "=", "*", "&", "("}), i)
            if tokens[end].text == ";":
                raise CompileError("a threadgroup variable can be declared in a kernel only", token.line)
        if token.text == "threadgroup" and before in {"{", "}", ";"}:
            end = next((j for j in range(i, len(tokens)) if tokens[j].text in {";", "=", "*", "&", "("}), i)
            if tokens[end].text == "=":
                raise CompileError("variables in the threadgroup address space cannot have an initializer", token.line)
        _local_pointer(tokens, i)


def _local_pointer(tokens: Sequence[Token], i: int) -> None:
    """`float *p` and `(float *)x` need an address space."""
    token = tokens[i]
    if token.text not in SCALARS | VECTORS or i + 2 >= len(tokens) or tokens[i + 1].text not in {"*", "&"}:
        return
    after = tokens[i + 2]
    if not (
        (after.kind == "name" and i + 3 < len(tokens) and tokens[i + 3].text in {"=", ";", ","}) or after.text == ")"
    ):
        return
    j = i - 1
    while j >= 0 and tokens[j].text in {"const", "volatile", "constexpr", "static", "unsigned", "signed"}:
        j -= 1
    before = tokens[j].text if j >= 0 else "{"
    if before in SPACES:
        return
    if (after.kind == "name" and before in {"{", "}", ";", "("}) or (after.text == ")" and before == "("):
        kind = "pointer" if tokens[i + 1].text == "*" else "reference"
        raise CompileError(f"{kind} type must have explicit address space qualifier", token.line)


def parameters(parts: Sequence[Sequence[Token]]) -> None:
    """Pointers and references of any function name their space."""
    for part in parts:
        default = next((k for k, t in enumerate(part) if t.text == "="), len(part))
        declared = part[:default]
        texts = {t.text for t in declared}
        stars = [t for t in declared if t.text in {"*", "&"}]
        if stars and not texts & SPACES and "&&" not in texts:
            kind = "pointer" if stars[0].text == "*" else "reference"
            raise CompileError(
                f"{kind} type must have explicit address space qualifier in '{spelled(declared)}'", part[0].line
            )
