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
from handnet_bench.rules.source import Source, bodies, forward, is_drawing, statements, violation, words

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
ASKS = frozenset(
    {"isupper", "islower", "istitle", "isdigit", "isalpha", "isalnum", "isnumeric", "isdecimal", "isspace", "isascii"}
)
"""Methods of a text whose answer is a bit."""

RANKS = frozenset({"argsort", "argmax", "argmin", "argpartition", "searchsorted", "lexsort", "bincount", "digitize"})
"""Functions of numpy that turn the order of texts into numbers."""

NUMBERS = frozenset({"int", "float", "complex"})
READS = frozenset({"float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "astype"})
"""What makes numbers of texts that hold digits."""

MOST_DIGITS_IN_ARGUMENTS = 24
ALPHABETS = frozenset({"ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "printable", "punctuation"})


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `payload` in what texts are made of, and in what is made of them."""
    yield from _lists(source)
    yield from _numbers_from_text(source)
    yield from _argument_names(source)


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


def _argument_names(source: Source) -> Iterator[Violation]:
    """Digits in the names of a call's arguments, which a function with `**` reads."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            digits = sum(sign.isdigit() for keyword in node.keywords for sign in keyword.arg or "")
            if digits > MOST_DIGITS_IN_ARGUMENTS:
                yield violation("payload", node, f"the names of its arguments hold {digits} digits.")


def _numbers_from_text(source: Source) -> Iterator[Violation]:
    inside = bodies([*forward(source).values(), *source.definitions.get("explain", ())])
    nodes = [n for _, n in statements(source.tree) if id(n) not in inside]
    texts = _Texts(nodes)
    walked = [n for node in nodes for n in ast.walk(node)]
    skipped = {id(n) for one in walked if id(one) in inside for n in ast.walk(one)}
    slices = {id(n) for s in walked if isinstance(s, ast.Subscript) for n in ast.walk(s.slice)}
    slices |= {id(n) for s in walked if isinstance(s, ast.Call) and _called(s) == "range" for n in ast.walk(s)}
    # What is left out of a list is no number.
    filters = {id(n) for c in walked if isinstance(c, ast.comprehension) for test in c.ifs for n in ast.walk(test)}
    for node in walked:
        if id(node) in slices or id(node) in skipped:
            continue
        if isinstance(node, ast.Call) and texts.becomes_a_number(node):
            why = "makes a number out of letters or words; numbers are written as numbers."
            yield violation("payload", node, why)
        elif id(node) not in filters and texts.asks_a_letter(node):
            why = "makes a bit out of each letter or word; numbers are written as numbers."
            yield violation("payload", node, why)


class _Texts:
    """Names that hold text where weights are made, and what it consists of."""

    def __init__(self, nodes: list[ast.stmt]) -> None:
        self.held: dict[str, list[str]] = {}
        self.loops: set[str] = set()
        self.signs: set[str] = set()
        """Names that stand for one letter of a text after the other."""
        self.texts: set[str] = set()
        self.tables: dict[str, list[str]] = {}
        before = -1
        while before != sum(map(len, self.held.values())):
            before = sum(map(len, self.held.values()))
            for node in nodes:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Assign):
                        self._bind(inner.targets, self.content(inner.value), False)
                        self._bind_table(inner)
                        if self._is_text(inner.value):
                            self.texts |= {t.id for t in inner.targets if isinstance(t, ast.Name)}
                    elif isinstance(inner, ast.For | ast.comprehension):
                        self._bind([inner.target], self.content(inner.iter), True)
                        each = inner.target
                        if isinstance(each, ast.Tuple) and isinstance(inner.iter, ast.Call):
                            each = each.elts[-1]
                        if isinstance(each, ast.Name) and self._is_text(inner.iter):
                            self.signs.add(each.id)
                    elif isinstance(inner, ast.ClassDef):
                        fields = [
                            n.target.id
                            for n in inner.body
                            if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
                        ]
                        if fields:
                            self.held[inner.name] = fields

    def _bind_table(self, node: ast.Assign) -> None:
        """A dict under a name, and what is put into it later."""
        made = isinstance(node.value, ast.Dict | ast.DictComp)
        called = isinstance(node.value, ast.Call) and _called(node.value) == "dict"
        for target in node.targets:
            if isinstance(target, ast.Name) and (made or called):
                values: list[ast.expr] = node.value.values if isinstance(node.value, ast.Dict) else []
                if isinstance(node.value, ast.DictComp):
                    values = [node.value.value]
                self.tables[target.id] = [text for each in values for text in self.content(each)]

    def _is_text(self, node: ast.AST) -> bool:
        """Whether an expression is one text, or a stretch of one, and no list of them."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str)
        if isinstance(node, ast.Name):
            return node.id in self.texts
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice) and self._is_text(node.value)
        if isinstance(node, ast.BinOp):
            return self._is_text(node.left) or self._is_text(node.right)
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in KEEPS_WHOLE:
                return node.func.attr == "join" or self._is_text(node.func.value)
            if isinstance(node.func, ast.Name) and node.func.id in ("enumerate", "reversed", "list", "iter", "str"):
                return bool(node.args) and self._is_text(node.args[0])
        return False

    def asks_a_letter(self, node: ast.AST) -> bool:
        """`sign.isupper()`, `sign in "aeiou"` over a text with letters that repeat; `word < other` over words."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ASKS:
            return _repeats_signs(self.content(node.func.value))
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not self._is_text(node.value):
            return self._is_sign(node.slice) and _repeats_signs(self.content(node.slice))
        if not isinstance(node, ast.Compare):
            return False
        sides = [node.left, *node.comparators]
        orders = any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
        texts = [side for side in sides if not isinstance(side, ast.Call)]
        if orders and any(_repeats_signs(self.content(side)) for side in texts):
            return True
        return any(self._is_sign(side) and _repeats_signs(self.content(side)) for side in sides)

    def _is_sign(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.signs
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPS_WHOLE:
            return self._is_sign(node.func.value)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            return isinstance(node.value, ast.Name) and (node.value.id in self.texts or node.value.id in self.loops)
        return False

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
        if isinstance(node, ast.Attribute) and node.attr in ("_fields", "T"):
            return self.content(node.value)
        if isinstance(node, ast.Attribute):
            alphabet = isinstance(node.value, ast.Name) and node.attr in ALPHABETS
            return ["abcdefghijklmnopqrstuvwxyz"] if alphabet else []
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            # What stands under a name in a dict is no text because the name is one.
            if isinstance(node.value, ast.Dict):
                return [text for each in node.value.values for text in self.content(each)]
            if isinstance(node.value, ast.Name) and node.value.id in self.tables:
                return self.tables[node.value.id]
        if isinstance(node, ast.Subscript | ast.Starred):
            return self.content(node.value)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [text for each in node.elts for text in self.content(each)]
        if isinstance(node, ast.Dict):
            return [text for each in [*node.keys, *node.values] for text in self.content(each)]
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return self.content(node.elt)
        if isinstance(node, ast.JoinedStr):
            return [text for each in node.values for text in self.content(each)]
        if isinstance(node, ast.FormattedValue):
            return self.content(node.value)
        if isinstance(node, ast.BinOp):
            return [*self.content(node.left), *self.content(node.right)]
        if isinstance(node, ast.Call):
            name = _called(node)
            if name == "dict":
                return [keyword.arg for keyword in node.keywords if keyword.arg]
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            if name in ("namedtuple", "NamedTuple", "array", "asarray", "map", "filter", "reshape", "ravel"):
                return [text for each in [*owner, *node.args] for text in self.content(each)]
            if name in KEEPS_TEXT:
                return [text for each in [*owner, *node.args] for text in self.content(each)]
        return []

    def becomes_a_number(self, call: ast.Call) -> bool:
        """`int(text)`, `len(word)`, `ALPHABET.index(letter)`; not where all of the text is a drawing."""
        name = _called(call)
        mapped = call.args[0] if name == "map" and len(call.args) > 1 else None
        if mapped is not None and getattr(mapped, "id", getattr(mapped, "attr", "")) in NUMBERS | READS:
            return _tells(self.content(call.args[1]))
        if isinstance(call.func, ast.Attribute):
            given = self.content(call.args[0]) if call.args else []
            if name == "astype" or name in READS:
                return _tells(self.content(call.func.value) if name == "astype" else given)
            if name in ("array", "asarray") and (len(call.args) > 1 or any(k.arg == "dtype" for k in call.keywords)):
                return _tells(given)
            if name in RANKS:
                owner = [] if getattr(call.func.value, "id", "") in ("np", "numpy") else self.content(call.func.value)
                return any(not is_drawing(text) for text in [*given, *owner])
            if name == "unique" and len(call.keywords) > 0:
                return any(not is_drawing(text) for text in given)
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
            if getattr(call.func.value, "func", None) is not None and _called(call.func.value) == "sorted":  # type: ignore[arg-type]
                return bool(self.content(call.args[0]))
            if isinstance(call.func.value, ast.Name) and call.func.value.id in self.loops:
                blank = isinstance(call.args[0], ast.Constant) and call.args[0].value == " "
                return not blank and any(not is_drawing(text) and len(text) > 2 for text in owner)
            if self._is_sign(call.args[0]) and any(len(set(text)) > 3 for text in owner):
                return _repeats_signs(self.content(call.args[0]))
            single = isinstance(call.func.value, ast.Constant | ast.Attribute) or len(owner) == 1
            return (
                single
                and any(len(set(text)) > 3 and " " not in text for text in owner)
                and bool(self.content(call.args[0]))
            )
        return False


KEEPS_WHOLE = frozenset({"lower", "upper", "strip", "replace", "join", "title", "lstrip", "rstrip", "casefold"})


def _repeats_signs(content: list[str]) -> bool:
    """Whether a text is more than an alphabet and no drawing: its letters can be read off one after the other."""
    texts = [text for text in content if not is_drawing(text) and not is_drawing("".join(text.split()))]
    return any(len(set(text)) < len(text) and len(text) > 3 for text in texts)


def _tells(content: list[str]) -> bool:
    """Whether a text holds more numbers than the name of something may: "form 0 oval" is one."""
    for text in content:
        digits = sum(sign.isdigit() for sign in text)
        if digits and not is_drawing(text) and not (digits <= 2 and re.search(r"[^\W\d_]{3}", text)):
            return True
    return False


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
