"""Between compiler and assembler: what a kernel may call, where its lines and threadgroup variables are.

The compiler's text is the last place where everything is still visible: each call of a hook gets a label and a row
with its source line, each threadgroup variable a red zone on both sides and a row with its name, and a call that leads
anywhere but to the runtime's own names or the mathematics library is refused. What is for a debugger is left out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scratch_kernels.simt.errors import CompileError

RED_ZONE = 4096
_CALL = re.compile(r"^\s+(?:callq?|bl)\s+([\w.$]+)(?:@PLT)?\s*(?:[#/].*)?$")
_JUMP = re.compile(r"^\s+(?:jmp|b)\s+([A-Za-z_$][\w.$]*)(?:@PLT)?\s*(?:[#/].*)?$")
_INDIRECT = re.compile(r"^\s+(?:(?:callq?|jmpq?)\s+\*|blr\s|br\s)")
_LOC = re.compile(r"^\s+\.loc\s+(\d+)\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'^\s+\.file\s+(\d+)\s+(?:"(?:[^"]*)"\s+)?"([^"]*)"')
_LABEL = re.compile(r"^([A-Za-z_$.][\w$.]*):")
_SIZE = re.compile(r"^\s+\.size\s+([\w$.]+),\s*(\d+)\s*$")
_SECTION = re.compile(r"^\s+\.(?:section\s+)?([\w.]+)")
_SECTIONS = ("simt_shared", "simt_global", "simt_constant")

MATH = frozenset(
    [
        "exp",
        "exp2",
        "exp10",
        "log",
        "log2",
        "log10",
        "log1p",
        "expm1",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "sqrt",
        "cbrt",
        "pow",
        "fmod",
        "remainder",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fabs",
        "fmax",
        "fmin",
        "fma",
        "ldexp",
        "frexp",
        "modf",
        "copysign",
        "nextafter",
        "erf",
        "erfc",
        "tgamma",
        "lgamma",
        "hypot",
        "ilogb",
        "logb",
        "scalbn",
        "fdim",
        "lrint",
        "llrint",
        "lround",
        "llround",
        "sincos",
        "j0",
        "j1",
        "y0",
        "y1",
    ]
)
_PLAIN = frozenset(
    [
        "memcpy",
        "memset",
        "memmove",
        "memcmp",
        "bcmp",
        "__extendhfsf2",
        "__truncsfhf2",
        "__truncdfhf2",
        "__gnu_h2f_ieee",
        "__gnu_f2h_ieee",
        "__truncsfbf2",
        "__udivti3",
        "__umodti3",
        "__divti3",
        "__modti3",
        "__multi3",
        "__muloti4",
        "__floattisf",
        "__floatuntisf",
        "__extendhfdf2",
        "__stack_chk_fail",
    ]
)
_HOOKS = re.compile(r"__tsan_\w+|__sanitizer_cov_\w+|__ubsan_handle_(?:out_of_bounds|divrem_overflow)|simt_\w+")


class Assembled(NamedTuple):
    """`text` for the assembler; `shared`: name and bytes of each threadgroup variable; `lines`: those of the source that became code."""

    text: str
    shared: tuple[tuple[str, int], ...]
    lines: frozenset[int] = frozenset()


def _allowed(symbol: str) -> bool:
    return (
        bool(_HOOKS.fullmatch(symbol))
        or symbol in _PLAIN
        or symbol in MATH
        or (symbol[-1:] in "fl" and symbol[:-1] in MATH)
    )


def plain_name(symbol: str) -> str:
    """The last name in a mangled one: `tile` of `_ZZ4loadPKfE4tile`."""
    stem = re.sub(r"_\d*$", "", symbol)
    for digits in re.finditer(r"\d+", stem):
        for start in range(digits.start(), digits.end()):
            name = stem[digits.end() :]
            if int(stem[start : digits.end()]) == len(name) and re.fullmatch(r"[A-Za-z_]\w*", name):
                return name
    plain = re.match(r"_ZL?(\d+)", symbol)
    return symbol[plain.end() : plain.end() + int(plain[1])] if plain else symbol


def process(text: str, kernel_file: str) -> Assembled:
    """Checks the calls and adds the tables. Raises `CompileError` for a call that leads outside."""
    lines = text.split("\n")
    defined = {found[1] for line in lines if (found := _LABEL.match(line))}
    out: list[str] = []
    files: dict[str, str] = {}
    sites: list[tuple[int, int]] = []
    rows: dict[str, list[tuple[str, int]]] = {name: [] for name in _SECTIONS}
    places: set[int] = set()
    place = label = 0
    section = ""
    for line in lines:
        if section.startswith(".debug_") and not line.startswith(("\t.section", "\t.text", "\t.data", "\t.bss")):
            continue  # the lines of the source are in the table below, and nothing else reads these
        if not line.startswith(("\t", " ")):
            if (found := _LABEL.match(line)) and not found[1].startswith("."):
                place = 0
            out.append(line)
            continue
        start = line.lstrip()
        if start.startswith("."):
            if found := _LOC.match(line):
                if files.get(found[1], "").endswith(kernel_file) and int(found[2]):
                    place = int(found[2])
                    places.add(place)
                continue
            if found := _FILE.match(line):
                files[found[1]] = found[2]
                continue
            if found := _SIZE.match(line):
                out.append(line)
                if section in rows:
                    rows[section].append((found[1], int(found[2])))
                    out.append(f"\t.zero\t{RED_ZONE}")
                continue
            if line.startswith(("\t.section", "\t.text", "\t.data", "\t.bss")):
                section = _SECTION.match(line)[1] if "\t.section" in line else line.strip(" \t.")  # type: ignore[index]
                if section.startswith(".debug_"):
                    continue
                out.append(line)
                if section in rows:
                    out.append(f"\t.zero\t{RED_ZONE}")
                continue
        elif start.startswith(("c", "j", "b")):  # every call and jump, on both processors
            if _INDIRECT.match(line):
                raise CompileError("a call through a pointer to a function is not supported", place)
            called = _CALL.match(line)
            if found := called or _JUMP.match(line):
                symbol = found[1]
                if symbol not in defined and not symbol.startswith(".L") and not _allowed(symbol):
                    raise CompileError(f"the function `{plain_name(symbol)}` is declared and never defined", place)
                out.append(line)
                if called:
                    label += 1
                    out.append(f".Lsimt_site_{label}:")
                    sites.append((label, place))
                continue
        out.append(line)
    out += _table(sites, rows)
    named = tuple((plain_name(symbol), size) for symbol, size in rows["simt_shared"])
    return Assembled("\n".join(out) + "\n", named, frozenset(places))


def _table(sites: list[tuple[int, int]], rows: dict[str, list[tuple[str, int]]]) -> list[str]:
    out = ['\t.section simt_tables,"aw"', "\t.p2align 4", "\t.globl simt_sites", "simt_sites:"]
    for label, line in sites:
        out += [f"\t.quad .Lsimt_site_{label}", f"\t.long {line}, 0"]
    out.append("\t.quad 0, 0")
    out += ["\t.globl simt_site_count", "simt_site_count:", f"\t.quad {len(sites)}"]
    for section, variables in rows.items():
        out += [f"\t.globl {section}_rows", f"{section}_rows:"]
        for i, (symbol, size) in enumerate(variables):
            out.append(f"\t.quad {symbol}, {size}, .L{section}_name_{i}")
        out += ["\t.quad 0, 0, 0", f"\t.globl {section}_count", f"{section}_count:", f"\t.quad {len(variables)}"]
        for i, (symbol, _) in enumerate(variables):
            out += [f".L{section}_name_{i}:", f'\t.asciz "{plain_name(symbol)}"']
        out.append("\t.p2align 4")
    return out
