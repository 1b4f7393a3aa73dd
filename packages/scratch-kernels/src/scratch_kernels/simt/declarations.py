"""The declarations of a program scope, one by one: enough of C++'s shape to find functions, variables and types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scratch_kernels.simt.tokens import Token, closing, closing_angle

_TYPES = {"struct", "class", "union", "enum"}


class Declaration(NamedTuple):
    """Tokens `start` to `stop`; a function has its parameters between `open` and `close`, and a body from `brace`, or -1."""

    kind: str
    """function, prototype, variable, type, instantiation, other."""
    start: int
    stop: int
    name: int = -1
    open: int = -1
    close: int = -1
    brace: int = -1
    template: int = -1
    """Where the template header ends, -1 where there is none."""
    namespace: tuple[str, ...] = ()


def walk(
    tokens: Sequence[Token], start: int = 0, stop: int | None = None, namespace: tuple[str, ...] = ()
) -> Iterator[Declaration]:
    """Every declaration of the program scope and of the namespaces in it."""
    i = start
    end = len(tokens) if stop is None else stop
    while i < end:
        text = tokens[i].text
        if text == ";":
            i += 1
            continue
        if text == "inline" and i + 1 < end and tokens[i + 1].text == "namespace":
            i += 1
            text = "namespace"
        if text == "namespace":
            j = i + 1
            names = []
            while j < end and tokens[j].text not in {"{", ";", "="}:
                if tokens[j].kind == "name":
                    names.append(tokens[j].text)
                j += 1
            if j < end and tokens[j].text == "{":
                close = closing(tokens, j)
                yield from walk(tokens, j + 1, close, (*namespace, *names))
                i = close + 1
                continue
            i = _semicolon(tokens, j, end)
            continue
        if text == "extern" and i + 2 < end and tokens[i + 1].kind == "string" and tokens[i + 2].text == "{":
            close = closing(tokens, i + 2)
            yield from walk(tokens, i + 3, close, namespace)
            i = close + 1
            continue
        declaration = _one(tokens, i, end, namespace)
        yield declaration
        i = max(declaration.stop, i + 1)


def _semicolon(tokens: Sequence[Token], i: int, end: int) -> int:
    while i < end:
        if tokens[i].text == ";":
            return i + 1
        i = closing(tokens, i) + 1 if tokens[i].text in {"(", "[", "{"} else i + 1
    return end


def _one(tokens: Sequence[Token], start: int, end: int, namespace: tuple[str, ...]) -> Declaration:
    i = start
    template = -1
    if tokens[i].text in {"using", "typedef", "static_assert", "friend"}:
        return Declaration("other", start, _semicolon(tokens, i, end), namespace=namespace)
    if tokens[i].text == "template" and i + 1 < end and tokens[i + 1].text != "<":
        return Declaration("instantiation", start, _semicolon(tokens, i, end), namespace=namespace)
    while i < end and tokens[i].text == "template" and i + 1 < end and tokens[i + 1].text == "<":
        close = closing_angle(tokens, i + 1, surely=True)
        if close < 0:
            break
        template = i = close + 1
        if i < end and tokens[i].text == "requires":
            i += 1
            if i < end and tokens[i].text == "(":
                i = closing(tokens, i) + 1
    head = i
    if i < end and tokens[i].text in {"using", "typedef"}:
        return Declaration("other", start, _semicolon(tokens, i, end), template=template, namespace=namespace)
    name = open_ = close = -1
    is_type = False
    while i < end:
        t = tokens[i].text
        if t in _TYPES and open_ < 0:
            is_type = True
        if t == ";":
            if open_ >= 0 and (tokens[open_ + 1].kind == "number" or tokens[open_ + 1].text in {"-", "+"}):
                open_ = -1  # `constant float3 up(0, 0, 1);`
            kind = "prototype" if open_ >= 0 else "type" if is_type else "variable"
            return Declaration(kind, start, i + 1, name, open_, close, -1, template, namespace)
        if t == "=" and not (i > head and tokens[i - 1].text == "operator"):
            stop = _semicolon(tokens, i, end)
            if open_ >= 0:
                return Declaration("prototype", start, stop, name, open_, close, -1, template, namespace)
            return Declaration("variable", start, stop, template=template, namespace=namespace)
        if t == "[" and i + 1 < end:
            i = closing(tokens, i) + 1
            continue
        if t == "<" and i > head and tokens[i - 1].kind == "name" and open_ < 0:
            angle = closing_angle(tokens, i)
            if angle > 0:
                i = angle + 1
                continue
        if t == "(":
            shut = closing(tokens, i)
            if open_ < 0 and i > head:
                if tokens[i - 1].text == "operator" and shut + 1 < end and tokens[shut + 1].text == "(":
                    i = shut + 1
                    continue
                if (at := _named(tokens, i, head)) >= 0:
                    name, open_, close = at, i, shut
            i = shut + 1
            continue
        if t == "{":
            shut = closing(tokens, i)
            if is_type and open_ < 0:
                return Declaration(
                    "type", start, _semicolon(tokens, shut, end), template=template, namespace=namespace, brace=i
                )
            if open_ >= 0:
                return Declaration("function", start, shut + 1, name, open_, close, i, template, namespace)
            stop = shut + 1
            return Declaration("variable", start, _semicolon(tokens, stop, end), template=template, namespace=namespace)
        i += 1
    return Declaration("other", start, end, namespace=namespace)


def _named(tokens: Sequence[Token], i: int, head: int) -> int:
    """The index of the function's name before the `(` at `i`, or -1 where none stands there."""
    before = tokens[i - 1]
    if before.kind == "name" and before.text not in {
        "decltype",
        "alignas",
        "__launch_bounds__",
        "__align__",
        "requires",
    }:
        return i - 1
    if _operator(tokens, i, head):
        return i - 1
    if before.text in {">", ">>"}:  # a specialisation: `convert<float>(...)`
        for j in range(i - 2, head, -1):
            if tokens[j].text == "<" and tokens[j - 1].kind == "name" and closing_angle(tokens, j) == i - 1:
                return j - 1
    return -1


def _operator(tokens: Sequence[Token], i: int, head: int) -> bool:
    return any(tokens[k].text == "operator" for k in range(max(head, i - 3), i))
