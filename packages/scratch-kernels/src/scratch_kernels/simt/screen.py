"""What no kernel may hold: whatever could reach the counters, the compiler's attributes or the machine's files.

A kernel shares its process with the counters, so the language is narrowed to what kernels need. The text is looked at
before the compiler sees it and the assembler's text after (`assembly.py`); the process runs inside walls besides.
"""

from __future__ import annotations

import contextlib
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence

from scratch_kernels.simt.errors import CompileError
from scratch_kernels.simt.tokens import Token, closing, commas, uncommented

LONGEST = 1 << 20
"""Bytes of source that are read at all."""

_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(\w+)?[ \t]*(.*)$", re.M)
_KNOWN = {"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "line", "warning"}
_PRAGMA = re.compile(
    r"(once|unroll(\s+\w+)?|nounroll|METAL\b.*|clang\s+(loop|fp|diagnostic)\b.*|unused\s*\(.*\)|unroll\s*\(.*|GCC\s+unroll.*|nv_diag\w*.*|mark\b.*)"
)
_RUNTIME = re.compile(r"_*simt\w*|_*tsan\w*|__sanitizer\w*|__ubsan\w*|__asan\w*|_*msan\w*")
_BANNED = {
    "asm": "inline assembly",
    "__asm__": "inline assembly",
    "__asm": "inline assembly",
    "__declspec": "compiler attributes",
    "__pragma": "the __pragma operator",
    "import": "modules",
    "module": "modules",
    "co_await": "coroutines",
    "co_yield": "coroutines",
    "co_return": "coroutines",
    "__has_include": "a look at the file system",
    "__has_include_next": "a look at the file system",
    "__builtin_LINE": "compiler builtins",
}


def directives(source: str, includes: Iterable[str], headers: Mapping[str, str], folder: str = "") -> str:
    """`source`, which lies in `folder` among `headers`, without comments and with no include but those of `headers`.

    An include beyond the language's own, and whatever else is refused, becomes an `#error`: it counts where it is reached.
    """
    if len(source) > LONGEST:
        raise CompileError(f"the source has {len(source):,} characters; at most {LONGEST:,} are read")
    if "\0" in source:
        raise CompileError("the source holds a zero byte; this is no text")
    plain = uncommented(source)
    allowed = set(includes)
    folders = tuple(known for known in allowed if known.endswith("/"))

    def look(found: re.Match[str]) -> str:
        word, rest = found[1] or "", found[2].strip()
        if word == "include":
            name = re.fullmatch(r'[<"]([^">]+)[">]', rest)
            if name:
                for own in (posixpath.normpath(posixpath.join(folder, name[1])), name[1]):
                    if own in headers:
                        return f'#include "{own}"'
            if name and (name[1] in allowed or name[1].rsplit("/", 1)[-1] in allowed or name[1].startswith(folders)):
                return ""
            return f"#error cannot include {_told(rest) or 'nothing'}: only the headers of the language are there"
        if word == "pragma":
            if rest == "once":
                return "#pragma once"
            if _PRAGMA.fullmatch(rest):
                return ""
            return f"#error pragma {_told(rest)} is not supported"
        if word == "" and not rest:
            return ""
        if word not in _KNOWN:
            return f"#error directive {word} is not supported"
        return found[0].replace("%:", "#")

    return _DIRECTIVE.sub(look, plain)


def headers(texts: Mapping[str, str], includes: Iterable[str]) -> dict[str, str]:
    """The headers that may be included; one that is too large or no text is left out, so that including it fails."""
    out = {}
    for name, text in texts.items():
        if name != posixpath.normpath(name) or name.startswith(("/", "../")):
            raise CompileError(f"the header name {name!r} leads out of its folder")
        with contextlib.suppress(CompileError):
            out[name] = directives(text, includes, texts, posixpath.dirname(name))
    return out


def _told(rest: str) -> str:
    """What stands in a directive, for a message: quotes that do not close would be another complaint."""
    return re.sub(r"[\"'\\`]", "", rest)[:80]


_PLAIN_ATTRIBUTES = {
    "always_inline",
    "noinline",
    "unused",
    "aligned",
    "const",
    "pure",
    "flatten",
    "opencl_unroll_hint",
    "maybe_unused",
    "max_total_threads_per_threadgroup",
}


def without_attributes(tokens: Sequence[Token]) -> list[Token]:
    """`tokens` less `__attribute__((...))` of names that steer optimisation only. Raises `CompileError` for others."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        if tokens[i].text not in {"__attribute__", "__attribute"}:
            out.append(tokens[i])
            i += 1
            continue
        if i + 2 >= len(tokens) or tokens[i + 1].text != "(" or tokens[i + 2].text != "(":
            raise CompileError("__attribute__ needs two brackets", tokens[i].line)
        end = closing(tokens, i + 1)
        for part in commas(tokens[i + 3 : end - 1]):
            if part and part[0].text.strip("_") not in _PLAIN_ATTRIBUTES:
                raise CompileError(
                    f"the compiler attribute `{part[0].text}` cannot be used in a kernel", tokens[i].line
                )
        i = end + 1
    return out


def pragmas(left: Iterable[tuple[int, str]]) -> None:
    """What directives a preprocessed text may still hold. Raises `CompileError`."""
    for line, text in left:
        words = text.lstrip("# \t")
        if not words.startswith("pragma") or not _PRAGMA.fullmatch(words[6:].strip()):
            raise CompileError(f"#{words} is not supported", line)


def tokens(tokens: Iterable[Token], *, extern_allowed: bool) -> None:
    """Refuses what could reach beyond the kernel. Raises `CompileError`."""
    for token in tokens:
        if token.kind != "name":
            if token.text in {"<:", ":>", "<%", "%>", "%:"}:
                raise CompileError("digraphs are not supported", token.line)
            continue
        if token.text in _BANNED:
            raise CompileError(f"{_BANNED[token.text]} (`{token.text}`) cannot be used in a kernel", token.line)
        if _RUNTIME.fullmatch(token.text):
            raise CompileError(f"the name `{token.text}` belongs to the emulator", token.line)
        if token.text.startswith(("__builtin_", "__sync_", "__atomic_", "__c11_")):
            raise CompileError(f"compiler builtins (`{token.text}`) cannot be used in a kernel", token.line)
        if token.text == "extern" and not extern_allowed:
            raise CompileError("`extern` declares what is defined elsewhere; a kernel has no elsewhere", token.line)
