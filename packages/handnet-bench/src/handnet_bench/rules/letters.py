"""Rule `payload`, second half: numbers that are read out of letters and words where weights are made.

Outside the forward pass there is no input, so a text that becomes a number there is data in another spelling. What is
free: alphabets and drawings taken sign by sign, and words that find their place in a vocabulary.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules.names import docstring_nodes
from handnet_bench.rules.source import Source, forward, is_drawing, violation, words

MOST_WORDS = 60
"""Words of a string or a list from which on it is looked at how often they repeat."""

MOST_LINES = 8
"""Strings of a list that may read like sentences."""

FUNCTION_WORDS = frozenset(
    [
        *("a", "an", "and", "as", "at", "by", "for", "from", "i", "in", "is", "it"),
        *("of", "on", "or", "that", "the", "this", "to", "was", "we", "with", "you"),
    ]
)
KEEPS_TEXT = frozenset(
    [
        *("split", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "join", "splitlines", "title", "keys"),
        *("list", "tuple", "sorted", "reversed", "enumerate", "zip", "set", "iter", "str", "items", "cycle", "chain"),
    ]
)
"""Calls that give text for text."""

FINDS = frozenset({"index", "find", "rindex", "rfind", "count"})
ALPHABETS = frozenset({"ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "printable", "punctuation"})


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `payload` in what texts are made of, and in what is made of them."""
    yield from _lists(source)
    yield from _numbers_from_text(source)


def _lists(source: Source) -> Iterator[Violation]:
    docstrings = docstring_nodes(source.tree)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            found = words(node.value)
            if _repeats(found) and not is_drawing(node.value):
                yield violation("payload", node, "repeats few words many times: they are digits in another spelling.")
            elif len(told := _in_sentences(node.value)) > MOST_WORDS and _reads_like_sentences(told):
                yield violation("payload", node, "is prose in a string; no examples are kept.")
        elif isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            parts = node.values if isinstance(node, ast.Dict) else node.elts
            texts = [n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            texts = [text for text in texts if not is_drawing(text)]
            if _repeats([word for text in texts for word in words(text)]):
                yield violation("payload", node, "repeats few words many times: they are digits in another spelling.")
            lines = [text for text in texts if _in_sentences(text)]
            if len(lines) > MOST_LINES and _reads_like_sentences([word for text in lines for word in words(text)]):
                yield violation("payload", node, f"holds {len(lines)} sentences; no examples are kept.")


def _repeats(found: list[str]) -> bool:
    return len(found) > MOST_WORDS and 3 * len(set(found)) < len(found)


def _in_sentences(text: str) -> list[str]:
    """The words of a text that stand five or more between two stops; lists of phrases have none."""
    parts = [words(part) for part in re.split(r"[.;,:|!?\n]", text)]
    return [word for part in parts if len(part) >= 5 for word in part]


def _reads_like_sentences(found: list[str]) -> bool:
    return sum(word.lower() in FUNCTION_WORDS for word in found) > 0.15 * len(found)


def _numbers_from_text(source: Source) -> Iterator[Violation]:
    inside = forward(source)
    inside = {*inside, "explain"}
    nodes = [n for n in source.tree.body if getattr(n, "name", None) not in inside and not isinstance(n, ast.If)]
    texts = _Texts(nodes)
    walked = [n for node in nodes for n in ast.walk(node)]
    slices = {id(n) for s in walked if isinstance(s, ast.Subscript) for n in ast.walk(s.slice)}
    slices |= {id(n) for s in walked if isinstance(s, ast.Call) and _called(s) == "range" for n in ast.walk(s)}
    for node in nodes:
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and id(call) not in slices and texts.becomes_a_number(call):
                why = "makes a number out of letters or words; numbers are written as numbers."
                yield violation("payload", call, why)


class _Texts:
    """Names that hold text where weights are made, and what it consists of."""

    def __init__(self, nodes: list[ast.stmt]) -> None:
        self.held: dict[str, list[str]] = {}
        self.loops: set[str] = set()
        before = -1
        while before != sum(map(len, self.held.values())):
            before = sum(map(len, self.held.values()))
            for node in nodes:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Assign):
                        self._bind(inner.targets, self.content(inner.value), False)
                    elif isinstance(inner, ast.For | ast.comprehension):
                        self._bind([inner.target], self.content(inner.iter), True)

    def _bind(self, targets: list[ast.expr], content: list[str], loop: bool) -> None:
        if not content:
            return
        for name in (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)):
            self.held[name] = sorted({*self.held.get(name, []), *content})
            if loop:
                self.loops.add(name)

    def content(self, node: ast.expr | None) -> list[str]:
        """The strings that an expression is made of; empty where it is no text."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else []
        if isinstance(node, ast.Name):
            return self.held.get(node.id, [])
        if isinstance(node, ast.Attribute):
            alphabet = isinstance(node.value, ast.Name) and node.attr in ALPHABETS
            return ["abcdefghijklmnopqrstuvwxyz"] if alphabet else []
        if isinstance(node, ast.Subscript | ast.Starred):
            return self.content(node.value)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [text for each in node.elts for text in self.content(each)]
        if isinstance(node, ast.Dict):
            return [text for each in [*node.keys, *node.values] for text in self.content(each)]
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return self.content(node.elt)
        if isinstance(node, ast.BinOp):
            return [*self.content(node.left), *self.content(node.right)]
        if isinstance(node, ast.Call):
            name = _called(node)
            if name == "dict":
                return [keyword.arg for keyword in node.keywords if keyword.arg]
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            if name in KEEPS_TEXT:
                return [text for each in [*owner, *node.args] for text in self.content(each)]
        return []

    def becomes_a_number(self, call: ast.Call) -> bool:
        """`int(text)`, `len(word)`, `ALPHABET.index(letter)`; not where all of the text is a drawing."""
        name = _called(call)
        if isinstance(call.func, ast.Name) and call.args:
            content = self.content(call.args[0])
            if name in ("int", "float", "complex"):
                return _tells(content)
            if name == "len":
                looped = isinstance(call.args[0], ast.Name) and call.args[0].id in self.loops
                literal = isinstance(call.args[0], ast.Constant)
                return (looped or literal) and any(len(text.split()) > 1 or literal for text in content)
        if isinstance(call.func, ast.Attribute) and name in FINDS and call.args:
            owner = self.content(call.func.value)
            single = isinstance(call.func.value, ast.Constant | ast.Attribute) or len(owner) == 1
            return (
                single
                and any(len(set(text)) > 3 and " " not in text for text in owner)
                and bool(self.content(call.args[0]))
            )
        return False


def _tells(content: list[str]) -> bool:
    """Whether a text holds more numbers than the name of something may: "form 0 oval" is one."""
    for text in content:
        digits = sum(sign.isdigit() for sign in text)
        if digits and not is_drawing(text) and not (digits <= 2 and re.search(r"[^\W\d_]{3}", text)):
            return True
    return False


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
