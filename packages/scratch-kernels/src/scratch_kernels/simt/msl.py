"""From Metal Shading Language to C++ that the compiler instruments."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from scratch_kernels.simt import declarations, msl_rules, msl_signature, screen
from scratch_kernels.simt.declarations import Declaration
from scratch_kernels.simt.errors import CompileError
from scratch_kernels.simt.signature import Signature
from scratch_kernels.simt.tokens import Token, closing, closing_angle, commas, spelled, split, text

HEADERS = (
    "metal_stdlib",
    "metal_math",
    "metal_common",
    "metal_integer",
    "metal_relational",
    "metal_geometric",
    "metal_matrix",
    "metal_pack",
    "metal_compute",
    "metal_atomic",
    "metal_simdgroup",
    "metal_simdgroup_matrix",
    "metal_quadgroup",
    "metal_types",
    "metal_type_traits",
    "metal_limits",
    "metal_array",
    "metal_uniform",
    "metal_graphics",
    "metal_texture",
    "metal_numeric",
    "metal_config",
    "metal_extended_vector",
    "metal_logging",
    "simd/simd.h",
)
MACROS = [
    "__METAL__=1",
    "__METAL_MACOS__=1",
    "__HAVE_BFLOAT__=1",
    "__HAVE_SIMDGROUP_MATRIX__=1",
    "__HAVE_ATOMIC_FLOAT__=1",
    "__HAVE_SIMDGROUP_REDUCTION__=1",
    "__HAVE_SIMDGROUP_SHUFFLE_AND_FILL__=1",
    "__METAL_FAST_MATH__=0",
    "__METAL_HALF_MATH__=1",
    "__METAL_NATIVE_MATH__=2",
    "__METAL_PRECISE_MATH__=3",
    "__METAL_MAYBE_FAST_MATH__=3",
]
_PACKED = frozenset(f"packed_{v}" for v in msl_rules.VECTORS)


class Source(NamedTuple):
    """A Metal source that was read: its kernels by the names a host uses, and its tokens."""

    kernels: dict[str, Signature]
    tokens: tuple[Token, ...]
    found: tuple[Declaration, ...]
    constants: dict[str, int]
    """Function constants: name -> index."""
    vectors: frozenset[str]
    tables: frozenset[str] = frozenset()
    """Variables of the program scope, which lie in the constant space."""
    later: frozenset[str] = frozenset()
    """Type parameters of templates, of which only the instance says whether they are vectors."""


def read(preprocessed: str) -> Source:
    """Checks the dialect and finds the kernels. Raises `CompileError`."""
    tokens, left = split(preprocessed, "kernel.metal")
    screen.pragmas(left)
    tokens = screen.without_attributes(tokens)
    screen.tokens(tokens, extern_allowed=False)
    msl_signature.check_attributes(tokens)
    plain = msl_signature.without_attributes(tokens)
    msl_rules.check(plain)
    found = tuple(declarations.walk(tokens))
    kernels: dict[str, Signature] = {}
    templates: dict[str, Signature] = {}
    tables: set[str] = set()
    constants: dict[str, int] = {}
    for d in found:
        head = tokens[d.start : d.stop]
        if d.kind in {"function", "prototype"}:
            is_kernel = msl_signature.is_kernel(tokens, d)
            if d.kind == "function":
                msl_rules.body(tokens[d.brace + 1 : d.stop - 1], is_kernel)
            if is_kernel and d.kind == "function":
                signature = msl_signature.read(tokens, d)
                name = signature.name
                for a in msl_signature.all_attributes(tokens[d.start : d.open]):
                    if a.name == "host_name":
                        name = msl_signature.quoted(a)
                if d.template >= 0:
                    templates[signature.name] = signature
                elif name in kernels:
                    raise CompileError(f"redefinition of kernel '{name}'", signature.line)
                else:
                    kernels[name] = signature._replace(name=name)
            elif not is_kernel:
                msl_rules.parameters(
                    [msl_signature.without_attributes(p) for p in commas(tokens[d.open + 1 : d.close])]
                )
        elif d.kind == "variable":
            attributes = {a.name: a for a in msl_signature.all_attributes(head)}
            stop = next((k for k, t in enumerate(head) if t.text == "="), len(head))
            names = [t for t in msl_signature.without_attributes(head[:stop]) if t.kind == "name"]
            if not any(t.text == "constant" for t in head[:stop]) and names:
                raise CompileError("program scope variable must reside in constant address space", head[0].line)
            bracket = next((k for k, t in enumerate(head[:stop]) if t.text == "[" and head[k - 1].kind == "name"), None)
            if bracket or names:
                tables.add(head[bracket - 1].text if bracket else names[-1].text)
            if "function_constant" in attributes:
                constants[names[-1].text] = _whole(attributes["function_constant"].argument, head[0].line)
    for d in found:
        if d.kind == "instantiation":
            _instantiate(tokens[d.start : d.stop], templates, kernels)
    return Source(
        kernels, tuple(tokens), found, constants, _vector_names(tokens), frozenset(tables), _type_parameters(tokens)
    )


def without_value(source: Source, signature: Signature, given: Collection[int]) -> list[str]:
    """Function constants that a kernel reaches, that have no index among `given`, and of which the source never asks whether they are defined."""
    tokens = source.tokens
    asked = {
        t.text
        for word, _, t in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if word.text == "is_function_constant_defined"
    }
    waiting = {name for name, index in source.constants.items() if index not in given and name not in asked}
    if not waiting:
        return []
    parts = [
        (_declared(tokens, d), {t.text for t in tokens[d.start : d.stop] if t.kind == "name"}) for d in source.found
    ]
    reached = {signature.expression.split("<", 1)[0].split("::")[-1].strip()}
    while more := [part for part in parts if part[0] & reached and not part[1] <= reached]:
        for _, words in more:
            reached |= words
    return sorted(waiting & reached)


def _declared(tokens: Sequence[Token], d: Declaration) -> set[str]:
    """The name that a declaration gives to what can hold code or a value; an instantiation gives none."""
    if d.kind == "instantiation":
        return set()
    if d.kind in {"function", "prototype"}:
        return {tokens[d.name].text}
    start = d.start if d.template < 0 else d.template
    head = list(itertools.takewhile(lambda t: t.text not in {"=", "[", "{", ":"}, tokens[start : d.stop]))
    names = [t.text for t in head if t.kind == "name"]
    return set(names[-1:])


def _whole(tokens: Sequence[Token], line: int) -> int:
    """The value of a constant expression of whole numbers, as macros make them: `300 + 1`. Raises `CompileError` for another."""
    words = [re.sub(r"(?<=[0-9a-fA-F])[uUlL]+$", "", t.text) if t.kind == "number" else t.text for t in tokens]
    if words and all(re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+|[-+()]", w) for w in words):
        with contextlib.suppress(SyntaxError, ValueError, OverflowError):
            return int(eval(" ".join(words), {"__builtins__": {}}))
    raise CompileError(f"the index of a function constant is a whole number, not '{spelled(tokens)}'", line)


def _instantiate(tokens: Sequence[Token], templates: Mapping[str, Signature], kernels: dict[str, Signature]) -> None:
    attributes = msl_signature.all_attributes(tokens)
    plain = msl_signature.without_attributes(tokens)
    for i in range(len(plain) - 1, -1, -1):
        if plain[i].text in templates and i + 1 < len(plain) and plain[i + 1].text == "<":
            end = closing_angle(plain, i + 1)
            if end < 0 or plain[end + 1].text not in {"(", ";"}:
                continue
            arguments = " ".join(t.text for t in plain[i + 1 : end + 1]).replace(" half ", " simt_half ")
            definition = templates[plain[i].text]
            name = next((msl_signature.quoted(a) for a in attributes if a.name == "host_name"), plain[i].text)
            kernels[name] = definition._replace(
                name=name, expression=definition.expression + arguments, most_threads=""
            )
            return


def _type_parameters(tokens: Sequence[Token]) -> frozenset[str]:
    """Names that are type parameters wherever the source declares them, and nothing else anywhere."""
    found = {t.text for before, word, t in zip(tokens, tokens[1:], tokens[2:], strict=False)
             if word.text in {"typename", "class"} and before.text in {"<", ","} and t.kind == "name"}  # fmt: skip
    # `float T = …` elsewhere in the file: `(T)` may then be a value in brackets.
    values = {t.text for before, t in itertools.pairwise(tokens)
              if t.text in found and before.text in msl_rules.VECTORS | {"float", "half", "int", "uint", "bool", "auto", "short", "ushort", "*", "&"}
              and before.kind == "name"}  # fmt: skip
    return frozenset(found - values)


def _vector_names(tokens: Sequence[Token]) -> frozenset[str]:
    names = set(msl_rules.VECTORS)
    for i, t in enumerate(tokens):
        if t.text == "using" and i + 3 < len(tokens) and tokens[i + 2].text == "=":
            value = tokens[i + 3].text if tokens[i + 3].text != "metal" else tokens[i + 5].text
            if value in names or value == "vec":
                names.add(tokens[i + 1].text)
        elif t.text == "typedef" and i + 2 < len(tokens):
            end = next((j for j in range(i, len(tokens)) if tokens[j].text == ";"), i)
            value = tokens[i + 1].text if tokens[i + 1].text != "metal" else tokens[min(i + 3, end)].text
            if (value in names and end == i + 3) or (value == "vec" and tokens[end - 1].kind == "name"):
                names.add(tokens[end - 1].text)
    return frozenset(names)


def lower(source: Source, target: Signature | None, constants: Mapping[int, str], *, spaces: bool) -> str:
    """C++ for the instrumented build; with `spaces` real address spaces are kept, for the check of pointers only."""
    out: list[Token] = []
    last = 0
    seen: set[str] = set()
    for d in source.found:
        out += _lower(source, source.tokens[last : d.start], constants, False, spaces, False)
        part = source.tokens[d.start : d.stop]
        last = d.stop
        if not spaces and d.kind in {"function", "prototype"} and _repeats(source.tokens, d, seen):
            continue
        if d.kind == "instantiation":
            continue
        if d.kind == "variable" and any(a.name == "function_constant" for a in msl_signature.all_attributes(part)):
            out += _function_constant(source, part, constants)
            continue
        if d.kind in {"function", "prototype"}:
            is_kernel = msl_signature.is_kernel(source.tokens, d)
            head = source.tokens[d.start : d.open]
            if is_kernel:
                cut = (d.template if d.template > d.start else d.start) - d.start
                out += _lower(source, head[:cut], constants, False, spaces, False)
                out.append(Token("name", "static", head[0].line))
                rest = [t for t in head[cut:] if t.text not in {"kernel", "static", "inline"}]
                rest = _drop_extern(rest)
                out += _lower(source, rest, constants, False, spaces, False)
            else:
                out += _lower(source, head, constants, False, spaces, False)
            out += _lower(source, source.tokens[d.open : d.close + 1], constants, False, spaces, False)
            out += _lower(source, source.tokens[d.close + 1 : d.stop], constants, is_kernel, spaces, True)
            continue
        if d.kind == "type" and d.brace >= 0 and not spaces:
            part = _without_repeats(source.tokens, d)
        out += _lower(source, part, constants, False, spaces, d.kind in {"type", "variable"})
    out += _lower(source, source.tokens[last:], constants, False, spaces, False)
    return text(out)


def _repeats(tokens: Sequence[Token], d: Declaration, seen: set[str]) -> bool:
    """Whether an earlier function differs from this one in address spaces alone, which the build erases."""
    stop = d.brace if d.brace >= 0 else d.stop
    head = msl_signature.without_attributes(tokens[d.start : d.close + 1])
    after = [t for t in tokens[d.close + 1 : stop] if t.text in {"const", "volatile"}]
    key = " ".join(
        [*d.namespace, *(t.text for t in head if t.text not in msl_rules.SPACES), *(t.text for t in after), d.kind]
    )
    if key in seen:
        return True
    seen.add(key)
    return False


def _without_repeats(tokens: Sequence[Token], d: Declaration) -> list[Token]:
    """A class without the member functions that repeat others but for address spaces."""
    end = closing(tokens, d.brace)
    out = list(tokens[d.start : d.brace + 1])
    last = d.brace + 1
    seen: set[str] = set()
    for member in declarations.walk(tokens, d.brace + 1, end):
        if member.kind in {"function", "prototype"} and _repeats(tokens, member, seen):
            out += tokens[last : member.start]
            last = member.stop
    return out + list(tokens[last : d.stop])


def _drop_extern(tokens: list[Token]) -> list[Token]:
    return [
        t
        for i, t in enumerate(tokens)
        if not (t.text == "extern" or (t.kind == "string" and i and tokens[i - 1].text == "extern"))
    ]


def _function_constant(source: Source, part: Sequence[Token], constants: Mapping[int, str]) -> list[Token]:
    plain = [
        t
        for t in msl_signature.without_attributes(part)
        if t.text not in {"constant", "const", "constexpr", "static", ";"}
    ]
    stop = next((k for k, t in enumerate(plain) if t.text == "="), len(plain))
    line = part[0].line
    value = constants.get(source.constants[plain[stop - 1].text], "{}")
    kind = " ".join("simt_half" if t.text == "half" else t.text for t in plain[: stop - 1])
    return [
        Token(
            "punct",
            f"static constexpr {kind} {plain[stop - 1].text} = {kind}{value if value == '{}' else f'({value})'};",
            line,
        )
    ]


def _number(token: Token) -> Token:
    body = token.text
    if body[:2] in {"0x", "0X"}:
        return token._replace(text=body + "f") if re.search(r"[pP][+-]?\d+$", body) else token
    if body.endswith(("bf", "BF")):
        return token._replace(text=f"simt_bfloat({body[:-2]}f)")
    if body[-1] in "hH":
        digits = body[:-1]
        return token._replace(text=(digits if "." in digits or "e" in digits.lower() else digits + ".0") + "f16")
    if re.fullmatch(r"(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?", body) and re.search(r"[.eE]", body):
        return token._replace(text=body + "f")
    if re.fullmatch(r"\d+[fF]", body):
        return token._replace(text=body[:-1] + ".0f")
    return token


def _lower(
    source: Source, tokens: Sequence[Token], constants: Mapping[int, str], kernel: bool, spaces: bool, body: bool
) -> list[Token]:
    tokens = msl_signature.without_attributes(tokens)
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        t = tokens[i]
        before = tokens[i - 1].text if i else ""
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if t.kind == "number":
            out.append(_number(t))
        elif t.kind != "name":
            if t.text == "(" and body and spaces and (found := _pointer_cast(source, tokens, i)):
                close, stop = found
                named = next((x.text for x in tokens[close + 1 : stop] if x.kind == "name"), "")
                if named in source.tables and any(x.text == "constant" for x in tokens[i + 1 : close]):
                    # Such a variable keeps no space of its own in the C++ text; the cast leaves it where it is.
                    out += [t, *_lower(source, tokens[i + 1 : close], constants, kernel, spaces, body), tokens[close]]
                    i = close + 1
                    continue
                kind = _lower(source, tokens[i + 1 : close], constants, kernel, spaces, body)
                inner = _lower(source, tokens[close + 1 : stop], constants, kernel, spaces, body)
                out += [
                    Token("name", "simt_space_cast<", t.line),
                    *kind,
                    Token("punct", ">(", t.line),
                    *inner,
                    Token("punct", ")", t.line),
                ]
                i = stop
                continue
            if (
                t.text == "("
                and body
                and (cast := _cast(source, tokens, i))
                and not (spaces and cast[0] in source.later)
            ):
                kind, start, stop = cast
                inner = _lower(source, tokens[start:stop], constants, kernel, spaces, body)
                out += [
                    Token("name", f"{'simt_late_cast' if kind in source.later else 'simt_convert'}<{kind}>(", t.line),
                    *inner,
                    Token("punct", ")", t.line),
                ]
                i = stop
                continue
            out.append(t)
        elif t.text == "half":
            out.append(t._replace(text="simt_half"))
        elif t.text in msl_rules.SPACES and _trailing(tokens, i):
            pass
        elif t.text in {"device", "thread", "ray_data", "object_data", "threadgroup_imageblock"}:
            if spaces and t.text == "device":
                out.append(t._replace(text="SIMT_AS_DEVICE"))
        elif t.text == "constant":
            out.append(t._replace(text="SIMT_AS_CONSTANT" if spaces and _points(tokens, i) else "const"))
        elif t.text == "threadgroup":
            if _variable(tokens, i) and kernel:
                out.append(t._replace(text="SIMT_AS_SHARED_VARIABLE" if spaces else "SIMT_SHARED"))
            elif spaces:
                out.append(t._replace(text="SIMT_AS_SHARED"))
        elif t.text == "return" and after == ";" and kernel:
            out.append(t._replace(text="return simt_returned()"))
        elif t.text == "is_function_constant_defined" and after == "(":
            name = tokens[i + 2].text
            out.append(t._replace(text="true" if source.constants.get(name, -1) in constants else "false"))
            i = closing(tokens, i + 1) + 1
            continue
        elif t.text == "static_cast" and after == "<" and (end := closing_angle(tokens, i + 1)) > 0:
            kind = tokens[i + 2 : end]
            plain = all(k.text not in {"*", "&", "const"} for k in kind)
            if plain and not (len(kind) == 1 and kind[0].text in msl_rules.SCALARS):
                out.append(t._replace(text="simt_cast"))
            else:
                out.append(t)
        elif t.text == "constexpr" and body and _vector_follows(source, tokens, i):
            out.append(t._replace(text="const"))
        elif t.text in source.vectors and before not in {"operator", "struct", "class", "using", "typename"}:
            if after == "(" and body and not (i + 2 < len(tokens) and tokens[i + 2].text == "*"):
                out.append(t._replace(text=f"simt_make<{t.text}>"))
            elif (
                body
                and after
                and tokens[i + 1].kind == "name"
                and i + 2 < len(tokens)
                and tokens[i + 2].text == "("
                and _constructed(tokens, i + 2)
            ):
                close = closing(tokens, i + 2)
                inner = _lower(source, tokens[i + 3 : close], constants, kernel, spaces, body)
                out += [t, tokens[i + 1], Token("name", f"= simt_make<{t.text}>(", t.line), *inner, tokens[close]]
                i = close + 1
                continue
            else:
                out.append(t)
        elif (
            t.text == "vec"
            and after == "<"
            and body
            and (end := closing_angle(tokens, i + 1)) > 0
            and end + 1 < len(tokens)
            and tokens[end + 1].text == "("
            and before != "operator"
        ):
            kind = _lower(source, tokens[i : end + 1], constants, kernel, spaces, False)
            out += [Token("name", "simt_make<", t.line), *kind, Token("punct", ">", t.line)]
            i = end + 1
            continue
        else:
            out.append(t)
        i += 1
    return out


def _trailing(tokens: Sequence[Token], i: int) -> bool:
    """Whether a space qualifies a member function, as in `float get() const device { ... }`."""
    j = i - 1
    while j >= 0 and tokens[j].text in msl_rules.SPACES | {"const", "volatile"}:
        j -= 1
    k = i + 1
    while k < len(tokens) and tokens[k].text in msl_rules.SPACES | {"const", "volatile"}:
        k += 1
    return j >= 0 and tokens[j].text == ")" and (k >= len(tokens) or tokens[k].text in {"{", ";", ":", "="})


def _constructed(tokens: Sequence[Token], i: int) -> bool:
    """`float4 v(a, b);` declares a variable where a body stands."""
    close = closing(tokens, i)
    return close + 1 < len(tokens) and tokens[close + 1].text in {";", ","} and close > i + 1


def _vector_follows(source: Source, tokens: Sequence[Token], i: int) -> bool:
    for t in tokens[i + 1 : i + 5]:
        if t.text in source.vectors or t.text in _PACKED:
            return True
        if t.text in {"=", ";", "("}:
            return False
    return False


def _points(tokens: Sequence[Token], i: int) -> bool:
    for t in tokens[i + 1 : i + 12]:
        if t.text in {"*", "&"}:
            return True
        if t.text in {"=", ";", ",", ")", "{"}:
            return False
    return False


def _variable(tokens: Sequence[Token], i: int) -> bool:
    """Whether this `threadgroup` declares a variable rather than what a pointer points at."""
    before = tokens[i - 1].text if i else "{"
    if before not in {"{", "}", ";", ":", "const", "volatile", "alignas", ")"}:
        return False
    j = i + 1
    while j < len(tokens):
        t = tokens[j].text
        if t == "<" and tokens[j - 1].kind == "name" and (end := closing_angle(tokens, j)) > 0:
            j = end + 1
            continue
        if t in {"*", "&"}:
            return False
        if t in {"[", ";", ",", "="}:
            return True
        if t in {"(", ")", "{"}:
            return False
        j += 1
    return False


def _cast(source: Source, tokens: Sequence[Token], i: int) -> tuple[str, int, int] | None:
    """`(float4)operand` at `i`: the type, and where the operand lies."""
    j = i + 1
    kind = None
    if j + 1 < len(tokens) and tokens[j].text in source.vectors | source.later and tokens[j + 1].text == ")":
        kind, j = tokens[j].text, j + 2
    elif (
        tokens[j].text == "vec"
        and tokens[j + 1].text == "<"
        and (end := closing_angle(tokens, j + 1)) > 0
        and tokens[end + 1].text == ")"
    ):
        kind = " ".join("simt_half" if t.text == "half" else t.text for t in tokens[j : end + 1])
        j = end + 2
    if kind is None or j >= len(tokens):
        return None
    before = tokens[i - 1] if i else None
    if before and (
        before.text in {")", "]", ">"}
        or (before.kind == "name" and before.text not in {"return", "case", "else", "do"})
    ):
        return None
    start = j
    while j < len(tokens) and tokens[j].text in {"-", "+", "!", "~", "*", "&", "++", "--"}:
        j += 1
    if j >= len(tokens) or not (tokens[j].kind in {"name", "number"} or tokens[j].text in {"(", "{"}):
        return None
    if tokens[j].text == "{":
        return None
    if tokens[j].text == "(" and (nested := _cast(source, tokens, j)):
        return kind, start, nested[2]
    return kind, start, operand(tokens, j)


def _pointer_cast(source: Source, tokens: Sequence[Token], i: int) -> tuple[int, int] | None:
    """`(device float *)operand` at `i`: where its bracket closes, and where the operand ends."""
    close = closing(tokens, i)
    inside = tokens[i + 1 : close]
    if (
        close + 1 >= len(tokens)
        or len(inside) < 3
        or inside[-1].text != "*"
        or not any(t.text in msl_rules.SPACES for t in inside)
    ):
        return None
    if any(t.kind not in {"name"} and t.text not in {"*", "::", "<", ">", ","} for t in inside):
        return None
    before = tokens[i - 1] if i else None
    if before and (
        before.text in {")", "]", ">"}
        or (before.kind == "name" and before.text not in {"return", "case", "else", "do"})
    ):
        return None
    j = close + 1
    while j < len(tokens) and tokens[j].text in {"-", "+", "!", "~", "*", "&", "++", "--"}:
        j += 1
    if j >= len(tokens) or not (tokens[j].kind in {"name", "number"} or tokens[j].text == "("):
        return None
    if tokens[j].text == "(" and ((nested := _pointer_cast(source, tokens, j)) or _cast(source, tokens, j)):
        return (close, nested[1]) if nested else None
    return close, operand(tokens, j)


def operand(tokens: Sequence[Token], j: int) -> int:
    """Where the postfix expression that starts at `j` ends."""
    j = closing(tokens, j) + 1 if tokens[j].text == "(" else j + 1
    while j < len(tokens):
        t = tokens[j].text
        if t in {"(", "["}:
            j = closing(tokens, j) + 1
        elif t in {".", "->", "::"}:
            j += 2
        elif t in {"++", "--"}:
            j += 1
        elif (
            t == "<"
            and tokens[j - 1].kind == "name"
            and (end := closing_angle(tokens, j)) > 0
            and end + 1 < len(tokens)
            and tokens[end + 1].text == "("
        ):
            j = end + 1
        else:
            break
    return j


LAUNCHER = """
static inline __attribute__((no_sanitize("thread"), no_sanitize("coverage"))) simt_u32 simt_size() {
  return simt_group_size(0) * simt_group_size(1) * simt_group_size(2); }
static inline __attribute__((no_sanitize("thread"), no_sanitize("coverage"))) simt_u32 simt_asked() {
  return simt_group_asked(0) * simt_group_asked(1) * simt_group_asked(2); }
static inline __attribute__((no_sanitize("thread"), no_sanitize("coverage"))) simt_u32 simt_linear() {
  return simt_thread_in_group(0) + simt_group_size(0) * (simt_thread_in_group(1) + simt_group_size(1) * simt_thread_in_group(2)); }
"""


def position(parameter_type: str, role: str) -> str:
    """The C++ expression that gives a position input its value."""
    if role in msl_signature.SCALAR_INPUTS:
        return f"simt_bind_position<{parameter_type}>({msl_signature.SCALAR_INPUTS[role]}, 0u, 0u)"
    each = [msl_signature.GRID_INPUTS[role].replace("{d}", str(d)) for d in range(3)]
    return f"simt_bind_position<{parameter_type}>({', '.join(each)})"
