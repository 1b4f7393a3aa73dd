"""From CUDA C++ device code to C++ that the compiler instruments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scratch_kernels.simt import declarations, screen
from scratch_kernels.simt.declarations import Declaration
from scratch_kernels.simt.errors import CompileError, UnsupportedError
from scratch_kernels.simt.signature import Parameter, Signature
from scratch_kernels.simt.tokens import Token, closing, closing_angle, commas, spelled, split, text

HEADERS = (
    "cuda_runtime.h",
    "cuda.h",
    "cuda_fp16.h",
    "cuda_bf16.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "math_constants.h",
    "math.h",
    "cmath",
    "stdio.h",
    "cstdio",
    "stdint.h",
    "cstdint",
    "stdlib.h",
    "cstdlib",
    "float.h",
    "cfloat",
    "limits.h",
    "climits",
    "assert.h",
    "cassert",
    "stddef.h",
    "cstddef",
    "string.h",
    "cstring",
    "iostream",
    "vector",
    "algorithm",
    "limits",
    "type_traits",
    "cuda_runtime_api.h",
    "helper_cuda.h",
)
HOST_HEADERS = (
    "cublas_v2.h", "cublasLt.h", "cublas.h", "cudnn.h", "nccl.h", "mpi.h", "omp.h", "time.h", "ctime", "unistd.h", "sys/time.h",
    "sys/stat.h", "string", "random", "chrono", "functional", "utility", "memory", "map", "unordered_map", "set", "array", "tuple",
    "torch/", "ATen/", "c10/", "pybind11/", "Python.h", "numeric", "fstream", "sstream", "iomanip", "stdexcept", "cuda_profiler_api.h", "nvtx3/nvToolsExt.h", "nvToolsExt.h", "sstream",
)  # fmt: skip
"""Left out together with the host functions that need them."""
MACROS = ("__CUDACC__=1", "__NVCC__=1", "__CUDA_ARCH__=800", "__CUDACC_VER_MAJOR__=12", "__CUDACC_VER_MINOR__=0")
_QUALIFIERS = {"__global__", "__device__", "__host__", "__forceinline__", "__noinline__", "__inline__"}
_UNSUPPORTED = {
    "texture": "textures", "tex1Dfetch": "textures", "tex2D": "textures", "surface": "surfaces", "wmma": "tensor cores",
    "this_grid": "grid-wide synchronisation", "memcpy_async": "asynchronous copies", "cudaLaunchDevice": "launches from a kernel",
}  # fmt: skip


class Source(NamedTuple):
    """A CUDA source that was read. `host`: functions left out because they run on the host."""

    kernels: dict[str, Signature]
    templates: frozenset[str]
    tokens: tuple[Token, ...]
    found: tuple[Declaration, ...]
    host: frozenset[str]
    refused: Mapping[str, UnsupportedError]
    """Kernels that ask for what is not modelled, and are left out: the others of the file do without."""


def _words(tokens: Sequence[Token]) -> set[str]:
    return {t.text for t in tokens if t.kind == "name"}


def read(preprocessed: str) -> Source:
    """Finds the kernels. Raises `CompileError` for what cannot be device code."""
    tokens, left = split(preprocessed, "kernel.cu")
    screen.pragmas(left)
    tokens = screen.without_attributes(tokens)
    screen.tokens(tokens, extern_allowed=True)
    found = tuple(declarations.walk(tokens))
    kernels: dict[str, Signature] = {}
    templates: set[str] = set()
    host: set[str] = set()
    for d in found:
        head = tokens[d.start : d.open if d.open >= 0 else d.stop]
        words = _words(head)
        if d.kind == "function" and "__global__" in words:
            signature = _signature(tokens, d)
            if signature.name in kernels:
                raise CompileError(f"kernel '{signature.name}' is defined twice", signature.line)
            kernels[signature.name] = signature
            if d.template >= 0:
                templates.add(signature.name)
        elif d.kind == "function" and not words & {"__device__", "constexpr"}:
            host.add(tokens[d.name].text)
    if host:
        found = _reached(tokens, found)
    refused: dict[str, UnsupportedError] = {}
    kept = []
    for d in found:
        words = _words(tokens[d.start : d.open if d.open >= 0 else d.stop])
        try:
            if not _of_the_host(d, words):
                _device_code(tokens[d.start : d.stop], d)
        except UnsupportedError as error:
            if d.kind != "function" or "__global__" not in words:
                raise
            refused[tokens[d.name].text] = error
            d = d._replace(kind="refused")
        kept.append(d)
    return Source(kernels, frozenset(templates), tuple(tokens), tuple(kept), frozenset(host), refused)


def _reached(tokens: Sequence[Token], found: Sequence[Declaration]) -> tuple[Declaration, ...]:
    """`found`, with the types that no device code names marked as the host's: a file with host code has types for it alone."""
    types = {i: _names_of_type(tokens, d) for i, d in enumerate(found) if d.kind == "type" or _is_alias(tokens, d)}
    asked: set[str] = set()
    for i, d in enumerate(found):
        head = tokens[d.start : d.open if d.open >= 0 else d.stop]
        if i not in types and not _of_the_host(d, _words(head)):
            asked |= _words(tokens[d.start : d.stop])
    waiting = dict(types)
    while reached := [i for i, names in waiting.items() if not names or names & asked]:
        for i in reached:
            del waiting[i]
            asked |= _words(tokens[found[i].start : found[i].stop])
    return tuple(d._replace(kind="host") if i in waiting else d for i, d in enumerate(found))


def _is_alias(tokens: Sequence[Token], d: Declaration) -> bool:
    return d.kind == "other" and any(t.text in {"typedef", "="} for t in tokens[d.start : d.stop])


def _names_of_type(tokens: Sequence[Token], d: Declaration) -> set[str]:
    """What a type is called; empty where that cannot be seen, and it is kept."""
    part = tokens[d.start : d.stop]
    if d.kind == "type":
        body = next((i for i, t in enumerate(part) if t.text in {"{", ";", ":"}), len(part))
        after = (
            {t.text for t in part[closing(part, body) :] if t.kind == "name"}
            if body < len(part) and part[body].text == "{"
            else set()
        )
        return after | {t.text for t in part[:body] if t.kind == "name"} - {
            "struct",
            "class",
            "union",
            "enum",
            "template",
            "typename",
        }
    if any(t.text == "typedef" for t in part):
        pointer = next(
            (i for i, t in enumerate(part) if t.text == "(" and i + 1 < len(part) and part[i + 1].text == "*"), None
        )
        names = [t.text for t in (part if pointer is None else part[: closing(part, pointer)]) if t.kind == "name"]
        return {names[-1]} if names else set()
    using = next((i for i, t in enumerate(part) if t.text == "using"), None)
    return {part[using + 1].text} if using is not None and using + 1 < len(part) else set()


def _of_the_host(d: Declaration, words: set[str]) -> bool:
    """Whether a declaration belongs to host code, which is left out: a kernel that uses it does not build."""
    if d.kind in {"function", "prototype"}:
        return not words & {"__device__", "__global__", "constexpr"}
    if d.kind == "host":
        return True
    if d.kind == "variable":
        return not words & {"__device__", "__constant__", "__shared__", "__managed__", "const", "constexpr"}
    return False


def _device_code(tokens: Sequence[Token], d: Declaration) -> None:
    for i, t in enumerate(tokens):
        if t.text == "extern" and not any(x.text == "__shared__" or x.kind == "string" for x in tokens[i + 1 : i + 3]):
            raise CompileError("`extern` declares what is defined elsewhere; a kernel has no elsewhere", t.line)
        if t.kind == "name" and t.text in _UNSUPPORTED:
            raise UnsupportedError(f"kernel.cu:{t.line}: {_UNSUPPORTED[t.text]} are not modelled")
        if t.text == "<<<":
            raise UnsupportedError(f"kernel.cu:{t.line}: launches from a kernel are not modelled")
        if t.kind == "name" and t.text in {
            "__shfl",
            "__shfl_up",
            "__shfl_down",
            "__shfl_xor",
            "__any",
            "__all",
            "__ballot",
        }:
            raise CompileError(f"'{t.text}' was removed for sm_70 and newer; use '{t.text}_sync' with a mask", t.line)
        if t.kind == "name" and t.text in {"try", "throw", "catch", "dynamic_cast", "typeid", "thread_local"}:
            raise CompileError(f"'{t.text}' is not supported in device code", t.line)
        if t.kind == "name" and t.text in {"new", "delete"}:
            raise UnsupportedError(f"kernel.cu:{t.line}: device-side allocation is not modelled")


def _signature(tokens: Sequence[Token], d: Declaration) -> Signature:
    name = tokens[d.name]
    head = [t.text for t in tokens[max(d.start, d.template) : d.name]]
    most = ""
    if "__launch_bounds__" in head:
        at = max(d.start, d.template) + head.index("__launch_bounds__")
        most = " ".join(t.text for t in commas(tokens[at + 2 : closing(tokens, at + 1)])[0])
        head = head[: head.index("__launch_bounds__")] + [t.text for t in tokens[closing(tokens, at + 1) + 1 : d.name]]
    returned = [w for w in head if w not in _QUALIFIERS | {"static", "inline", "extern", '"C"'}]
    if returned != ["void"]:
        raise CompileError(f"a __global__ function returns void, not '{' '.join(returned)}'", name.line)
    parameters = []
    for i, part in enumerate(commas(tokens[d.open + 1 : d.close])):
        stop = next((k for k, t in enumerate(part) if t.text == "="), len(part))
        declared = part[:stop]
        names = [t for t in declared if t.kind == "name"]
        if [t.text for t in declared] == ["void"] or not names:
            continue
        if any(t.text == "&" for t in declared):
            raise CompileError(f"a kernel parameter cannot be a reference: '{spelled(declared)}'", names[-1].line)
        role = "buffer" if any(t.text in {"*", "["} for t in declared) else "value"
        parameters.append(Parameter(names[-1].text, role, i, spelled(declared), names[-1].line))
    return Signature(name.text, "::".join((*d.namespace, name.text)), tuple(parameters), name.line, most)


def lower(source: Source) -> str:
    """C++ for the instrumented build, host functions left out."""
    out: list[Token] = []
    tokens = source.tokens
    last = 0
    dynamic = _scope_dynamic(source)
    for d in source.found:
        out += _lower(tokens[last : d.start], False, dynamic)
        last = d.stop
        head = tokens[d.start : d.open if d.open >= 0 else d.stop]
        words = _words(head)
        if d.kind == "refused" or _of_the_host(d, words):
            continue
        if d.kind == "instantiation":
            continue
        if d.kind in {"function", "prototype"}:
            cut = (d.template if d.template > d.start else d.start) - d.start
            out += _lower(head[:cut], False, dynamic)
            if words & {"__global__", "__device__"} and "friend" not in words:
                out.append(Token("name", "static", head[0].line))
            out += _lower(_plain_head(head[cut:]), False, dynamic)
            out += _lower(tokens[d.open : d.close + 1], False, dynamic)
            out += _lower(tokens[d.close + 1 : d.stop], "__global__" in words, dynamic)
            continue
        if d.kind == "variable":
            if words & {"extern"} and "__shared__" in words:
                continue
            section = (
                "SIMT_CONSTANT"
                if "__constant__" in words
                else "SIMT_GLOBAL"
                if words & {"__device__", "__managed__"}
                else "SIMT_SHARED"
                if "__shared__" in words
                else ""
            )
            plain = [
                t
                for t in tokens[d.start : d.stop]
                if t.text not in _QUALIFIERS | {"__constant__", "__managed__", "__shared__", "static", "extern"}
            ]
            if section == "SIMT_CONSTANT":
                plain = [t for t in plain if t.text not in {"const", "constexpr"}]
            out.append(Token("name", section, head[0].line))
            out += _lower(plain, False, dynamic)
            continue
        out += _lower(tokens[d.start : d.stop], False, dynamic)
    out += _lower(tokens[last:], False, dynamic)
    return text(out)


def device_part(source: Source) -> str:
    """The source with its macros expanded and without its host functions, in CUDA C++ as before, each line where it was."""
    out: list[Token] = []
    last = 0
    for d in source.found:
        out += source.tokens[last : d.start]
        last = d.stop
        words = _words(source.tokens[d.start : d.open if d.open >= 0 else d.stop])
        if not _of_the_host(d, words):
            out += source.tokens[d.start : d.stop]
    return text([*out, *source.tokens[last:]])


def _plain_head(head: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    i = 0
    while i < len(head):
        t = head[i]
        if t.text == "__launch_bounds__":
            i = closing(head, i + 1) + 1
            continue
        if t.text in {"extern", "static"} or t.kind == "string":
            i += 1
            continue
        out.append(t)
        i += 1
    return out


def _scope_dynamic(source: Source) -> dict[str, str]:
    """`extern __shared__` arrays of the program scope: name -> element type."""
    found = {}
    for d in source.found:
        part = source.tokens[d.start : d.stop]
        if d.kind == "variable" and {"extern", "__shared__"} <= _words(part):
            name, kind = _dynamic(part)
            found[name] = kind
    return found


def _dynamic(part: Sequence[Token]) -> tuple[str, str]:
    plain: list[Token] = []
    i = 0
    while i < len(part):
        if part[i].text in {"__align__", "alignas"}:
            i = closing(part, i + 1) + 1
            continue
        if part[i].text not in {"extern", "__shared__", "volatile"}:
            plain.append(part[i])
        i += 1
    bracket = next((k for k, t in enumerate(plain) if t.text == "["), None)
    if bracket is None or bracket < 2:
        raise CompileError("an extern __shared__ variable is an array without a size", part[0].line)
    return plain[bracket - 1].text, " ".join(t.text for t in plain[: bracket - 1])


def _lower(tokens: Sequence[Token], kernel: bool, dynamic: dict[str, str]) -> list[Token]:
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        t = tokens[i]
        before = tokens[i - 1].text if i else ""
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if t.kind == "name":
            if t.text in {"__global__", "__device__", "__host__", "__managed__", "__grid_constant__", "__noinline__"}:
                i += 1
                continue
            if t.text in {"__forceinline__", "__inline__"}:
                out.append(t._replace(text="inline"))
            elif t.text == "__launch_bounds__":
                i = closing(tokens, i + 1) + 1
                continue
            elif t.text == "__align__" and after == "(":
                out.append(t._replace(text="alignas"))
            elif t.text == "extern" and after == "__shared__":
                stop = next(k for k in range(i, len(tokens)) if tokens[k].text == ";")
                name, kind = _dynamic(tokens[i:stop])
                out.append(Token("name", f"{kind} * const {name} = ({kind} *)simt_dynamic_shared();", t.line))
                i = stop + 1
                continue
            elif t.text == "__shared__":
                if before != "static":
                    out.append(t._replace(text="SIMT_SHARED"))
                else:
                    out[-1] = t._replace(text="SIMT_SHARED")
            elif t.text == "__constant__":
                out.append(t._replace(text="static const"))
            elif t.text == "return" and after == ";" and kernel:
                out.append(t._replace(text="return simt_returned()"))
            elif t.text in dynamic and before not in {".", "->"}:
                out.append(t._replace(text=f"(({dynamic[t.text]} *)simt_dynamic_shared())"))
            elif t.text in {"__builtin_assume", "__assume"} and after == "(":
                i = closing(tokens, i + 1) + 1
                continue
            else:
                out.append(t)
        else:
            out.append(t)
        i += 1
    return out


def instance(source: Source, name: str) -> tuple[Signature, str]:
    """The kernel that `name`, perhaps with template arguments, asks for; and the C++ expression of it."""
    base = name.split("<", 1)[0].strip()
    if base not in source.kernels:
        raise CompileError(f"no kernel `{name}` in this source; it has {', '.join(source.kernels) or 'none'}")
    signature = source.kernels[base]
    arguments = name[len(base) :].strip()
    if arguments and base not in source.templates:
        raise CompileError(f"`{base}` is no template")
    if arguments:
        tokens, _ = split(arguments, "kernel.cu")
        if closing_angle([Token("name", "x", 1), *tokens], 1) != len(tokens) or any(
            t.text in {";", "{", "("} for t in tokens
        ):
            raise CompileError(f"`{arguments}` is no list of template arguments")
        screen.tokens(tokens, extern_allowed=False)
    if not arguments and base in source.templates:
        raise CompileError(f"`{base}` is a template; ask for `{base}<...>`")
    return signature._replace(name=name), signature.expression + arguments
