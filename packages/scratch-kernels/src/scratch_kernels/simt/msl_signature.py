"""Kernels of a Metal source: attributes, parameters, position inputs, host names, function constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scratch_kernels.simt import msl_rules as rules
from scratch_kernels.simt.declarations import Declaration
from scratch_kernels.simt.errors import CompileError, UnsupportedError
from scratch_kernels.simt.signature import Parameter, Signature
from scratch_kernels.simt.tokens import Token, closing, commas, spelled

SCALAR_INPUTS = {
    "thread_index_in_threadgroup": "simt_linear()",
    "thread_index_in_simdgroup": "simt_lane()",
    "thread_index_in_quadgroup": "(simt_lane() & 3u)",
    "simdgroup_index_in_threadgroup": "(simt_linear() / 32u)",
    "quadgroup_index_in_threadgroup": "(simt_linear() / 4u)",
    "simdgroups_per_threadgroup": "((simt_size() + 31u) / 32u)",
    "dispatch_simdgroups_per_threadgroup": "((simt_asked() + 31u) / 32u)",
    "quadgroups_per_threadgroup": "((simt_size() + 3u) / 4u)",
    "dispatch_quadgroups_per_threadgroup": "((simt_asked() + 3u) / 4u)",
    "threads_per_simdgroup": "32u",
    "thread_execution_width": "32u",
}
GRID_INPUTS = {
    "thread_position_in_grid": "(simt_group_in_grid({d}) * simt_group_asked({d}) + simt_thread_in_group({d}))",
    "threads_per_grid": "simt_threads({d})",
    "grid_size": "simt_threads({d})",
    "grid_origin": "0u",
    "thread_position_in_threadgroup": "simt_thread_in_group({d})",
    "threads_per_threadgroup": "simt_group_size({d})",
    "dispatch_threads_per_threadgroup": "simt_group_asked({d})",
    "threadgroup_position_in_grid": "simt_group_in_grid({d})",
    "threadgroups_per_grid": "simt_groups({d})",
}
_WIDTH = {"uint": 1, "ushort": 1, "uint32_t": 1, "uint16_t": 1, "unsigned": 1, "unsigned int": 1, "unsigned short": 1, "uint2": 2, "uint3": 3, "ushort2": 2, "ushort3": 3}  # fmt: skip
_RESOURCES = {"texture", "sampler", "stage_in"}


class Attribute(NamedTuple):
    """One attribute of a `[[...]]`; `argument` are the tokens in its brackets."""

    name: str
    argument: tuple[Token, ...]
    line: int


def attributes(tokens: Sequence[Token], i: int) -> tuple[list[Attribute], int]:
    """The attributes of the `[[` at `i`, and the index after its `]]`."""
    end = closing(tokens, i)
    out = []
    for part in commas(tokens[i + 2 : end - 1]):
        name = part[0].text
        k = 1
        while k + 1 < len(part) and part[k].text == "::":
            name += "::" + part[k + 1].text
            k += 2
        argument = part[k + 1 : closing(part, k)] if k < len(part) and part[k].text == "(" else []
        out.append(Attribute(name, tuple(argument), part[0].line))
    return out, end + 1


def quoted(attribute: Attribute) -> str:
    """The text of an attribute's string, which may be written in several pieces."""
    return "".join(t.text.strip('"') for t in attribute.argument if t.kind == "string")


def is_attribute(tokens: Sequence[Token], i: int) -> bool:
    """Whether `[[` stands at `i`."""
    return tokens[i].text == "[" and i + 1 < len(tokens) and tokens[i + 1].text == "["


def all_attributes(tokens: Sequence[Token]) -> list[Attribute]:
    """Every attribute in `tokens`."""
    out: list[Attribute] = []
    i = 0
    while i < len(tokens):
        if is_attribute(tokens, i):
            found, i = attributes(tokens, i)
            out += found
        else:
            i += 1
    return out


def without_attributes(tokens: Sequence[Token]) -> list[Token]:
    """`tokens` less every `[[...]]`."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        if is_attribute(tokens, i):
            i = closing(tokens, i) + 1
        else:
            out.append(tokens[i])
            i += 1
    return out


def check_attributes(tokens: Sequence[Token]) -> None:
    """Foreign attributes are refused: they reach the compiler, which also makes the counters."""
    known = rules.KNOWN_ATTRIBUTES | set(SCALAR_INPUTS) | set(GRID_INPUTS)
    for attribute in all_attributes(tokens):
        if attribute.name not in known:
            raise CompileError(f"unknown attribute '{attribute.name}'", attribute.line)


def is_kernel(tokens: Sequence[Token], d: Declaration) -> bool:
    """Whether a declaration is marked `kernel` or `[[kernel]]`."""
    head = tokens[d.start : d.open if d.open >= 0 else d.stop]
    return any(t.text == "kernel" for t in without_attributes(head)) or any(
        a.name == "kernel" for a in all_attributes(head)
    )


def read(tokens: Sequence[Token], d: Declaration) -> Signature:
    """The signature of the kernel defined by `d`. Raises `CompileError` where Metal would refuse it."""
    head = tokens[max(d.start, d.template) : d.open]
    name = tokens[d.name]
    plain = [t.text for t in without_attributes(head)]
    kernel_at = next((k for k, t in enumerate(head) if t.text == "kernel"), None)
    if kernel_at is not None and kernel_at + 1 < len(head) and is_attribute(head, kernel_at + 1):
        raise CompileError("an attribute list cannot appear here (write it before 'kernel')", head[kernel_at].line)
    returned = [t for t in plain[:-1] if t not in {"kernel", "static", "inline", "extern"} | rules.SPACES and t != "C"]
    if returned and returned != ["void"]:
        raise CompileError(f"invalid return type '{' '.join(returned)}' for kernel function", name.line)
    for k in range(d.close + 1, d.brace):
        if is_attribute(tokens, k):
            found, _ = attributes(tokens, k)
            raise CompileError(
                f"'{found[0].name}' attribute cannot be applied to types (write it before the function)", tokens[k].line
            )
    most = ""
    for attribute in all_attributes(tokens[d.start : d.open]):
        if attribute.name == "max_total_threads_per_threadgroup":
            most = " ".join(t.text for t in attribute.argument)
    found = parameters(tokens, d)
    return Signature(name.text, "::".join((*d.namespace, name.text)), found, name.line, most)


def parameters(tokens: Sequence[Token], d: Declaration) -> tuple[Parameter, ...]:
    """The parameters of a kernel, buffers numbered as Metal numbers them."""
    out: list[Parameter] = []
    taken: dict[str, set[int]] = {"buffer": set(), "threadgroup": set()}
    shape = 0
    for part in commas(tokens[d.open + 1 : d.close]):
        plain = without_attributes(part)
        if not plain or [t.text for t in plain] == ["void"]:
            continue
        found = all_attributes(part)
        role, index, optional = _role(found, plain)
        pointer = any(t.text in {"*", "&"} for t in plain)
        names = [t for t in plain if t.kind == "name"]
        name = names[-1]
        spaces = {t.text for t in plain} & rules.SPACES
        declared = spelled(plain)
        type_text = " ".join(t.text for t in plain if t.text not in rules.SPACES | {"const", name.text})
        if role in _RESOURCES:
            raise UnsupportedError(f"kernel:{name.line}: textures and samplers are not modelled")
        if role in SCALAR_INPUTS or role in GRID_INPUTS:
            width = _WIDTH.get(type_text, 0)
            if pointer or not width or (role in SCALAR_INPUTS and width > 1):
                raise CompileError(f"type '{type_text}' is not valid for attribute '{role}'", name.line)
            if role in GRID_INPUTS:
                if shape not in {0, width}:
                    raise CompileError(
                        "expecting input declarations with either all scalar types or all vector types with the same number of elements",
                        name.line,
                    )
                shape = width
        elif not pointer and not any(t.text == "[" for t in plain):
            if role == "buffer" and found and any(a.name == "buffer" for a in found):
                raise CompileError(f"type '{type_text}' is not valid for attribute 'buffer'", name.line)
            raise CompileError(f"invalid type '{type_text}' for input declaration in a kernel function", name.line)
        else:
            role = "threadgroup" if "threadgroup" in spaces else "buffer"
            if not spaces & {"device", "constant", "threadgroup"}:
                kind = "pointer" if any(t.text == "*" for t in plain) else "reference"
                raise CompileError(f"{kind} type must have explicit address space qualifier in '{declared}'", name.line)
            if index < 0:
                index = next(k for k in range(64) if k not in taken[role])
            elif index in taken[role]:
                raise CompileError(f"cannot reserve '{role}' resource location at index {index}", name.line)
            if index > 30:
                raise CompileError(
                    f"'{role}' attribute parameter is out of bounds: must be between 0 and 30", name.line
                )
            taken[role].add(index)
        out.append(Parameter(name.text, role, index, declared, name.line, optional))
    return tuple(out)


def _role(found: Sequence[Attribute], plain: Sequence[Token]) -> tuple[str, int, bool]:
    role, index, optional = "buffer", -1, False
    for attribute in found:
        if attribute.name == "function_constant":
            optional = True
        elif attribute.name in {"buffer", "threadgroup", "texture", "sampler"}:
            role = attribute.name
            digits = "".join(t.text for t in attribute.argument)
            index = int(digits) if digits.isdigit() else -1
        elif attribute.name in SCALAR_INPUTS or attribute.name in GRID_INPUTS or attribute.name == "stage_in":
            role = attribute.name
        elif attribute.name not in {"maybe_unused", "user", "id"}:
            raise CompileError(
                f"attribute '{attribute.name}' cannot be applied to the parameter '{spelled(plain)}'", attribute.line
            )
    return role, index, optional
