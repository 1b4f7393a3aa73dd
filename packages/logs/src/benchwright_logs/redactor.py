"""Takes what is secret out of text, JSON, archives and arrays; the same thing gets the same placeholder everywhere."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from benchwright_logs import archives, arrays
from benchwright_logs.archives import Budget, Refused
from benchwright_logs.known import Literal
from benchwright_logs.layers import LAYERS, LITERAL, literal, unliteral
from benchwright_logs.patterns import ACROSS, PATTERNS, QUOTED, Pattern
from benchwright_logs.placeholders import KEYED, Placeholders

RULES = 2
"""Version of patterns and layers; it goes on record with every release."""
_DEEPEST = 8
_MARK = re.compile("\ue000(\\d+)\ue001")
_RUNS = re.compile(rb"[\x20-\x7e\t]{4,}")
_WIDE_RUNS = (re.compile(rb"(?:[\x20-\x7e]\x00){4,}"), re.compile(rb"(?:[\x20-\x7e]\x00\x00\x00){4,}"))
_MOST_IN_TEXT = 4 * 2**20
"""Bytes that what is packed within the text of one file may unpack to: a model can say a thousand bombs."""
_KEPT = 4096
"""Texts whose result is kept: settings and names stand in every file."""


class Redactor:
    """Redacts by what is known to be secret and by form. `standing`: placeholders that are there already and stay."""

    def __init__(
        self, placeholders: Placeholders, literals: Iterable[Literal] = (), standing: Iterable[str] = ()
    ) -> None:
        self._placeholders = placeholders
        # The longest first: a folder within home is that folder, and not something in home.
        ordered = sorted({one.value: one for one in literals}.values(), key=lambda one: (-len(one.value), one.value))
        self._literals = {form: one for one in reversed(ordered) for form in (one.value.casefold(), one.value)}
        self._known = re.compile("|".join(map(_form, ordered))) if ordered else None
        names = sorted({*(f"<{one.name}>" for one in ordered), *standing}, key=len, reverse=True)
        # With entities they stand as well: what follows one is no path of its own.
        forms = [form for name in names for form in (name, f"&lt;{name[1:-1]}&gt;")]
        keyed = KEYED.pattern.replace("<", "(?:<|&lt;)", 1).replace(">|", "(?:>|&gt;)|", 1)
        self._standing = re.compile("|".join([*map(re.escape, forms), keyed]))
        self._pieces = Budget(_MOST_IN_TEXT)
        self._kept: dict[str, str] = {}
        self._clean: set[bytes] = set()
        """Hashes of contents that hold nothing secret: prompts stand in every draw."""

    def begin(self) -> None:
        """Another file: what is packed within its text may unpack to as much as that of the last one."""
        self._pieces = Budget(_MOST_IN_TEXT)

    # Text.

    def text(self, text: str, depth: int = 0) -> str:
        """`text` with placeholders. Raises Refused where encodings lie in each other deeper than is looked."""
        if len(text) < 4:
            return text
        known = self._kept.get(text)
        if known is None:
            known = self._text(text, depth)
            if len(text) <= 256 and len(self._kept) < _KEPT:
                self._kept[text] = known
        return known

    def _text(self, text: str, depth: int) -> str:
        if depth > _DEEPEST:
            raise Refused("holds encodings within encodings deeper than is looked")
        standing: list[str] = []

        def protect(text: str) -> str:
            def one(found: re.Match[str]) -> str:
                standing.append(found[0])
                return f"\ue000{len(standing) - 1}\ue001"

            return self._standing.sub(one, text)

        def restore(text: str) -> str:
            return _MARK.sub(lambda found: standing[int(found[1])] if int(found[1]) < len(standing) else found[0], text)

        now = text
        for _ in range(_DEEPEST):
            before = now
            worked = self._layers(protect(now), depth, protect, restore)
            if self._known is not None:
                worked = self._known.sub(lambda found: protect(self._named(found[0])), worked)
            for pattern in PATTERNS:
                worked = pattern.form.sub(partial(self._told, pattern, protect), worked)
            now = restore(worked)
            standing.clear()
            if now == before:
                return now
        raise Refused("does not come to rest: every pass finds something new")

    def _named(self, value: str) -> str:
        found = self._literals.get(value) or self._literals[value.casefold()]
        return self._placeholders.named(found.name, found.what)

    def _told(self, pattern: Pattern, protect: Callable[[str], str], found: re.Match[str]) -> str:
        value = found.groupdict().get("value") or found[0]
        if "\ue000" in value:
            return found[0]
        same = pattern.same(value)
        if same is None:
            return found[0]
        return found[0].replace(value, protect(self._placeholders.keyed(pattern.kind, same)))

    def _layers(self, text: str, depth: int, protect: Callable[[str], str], restore: Callable[[str], str]) -> str:
        for layer in LAYERS:
            if layer.mark is not None and not layer.mark.search(text):
                continue

            def one(found: re.Match[str], layer: Any = layer) -> str:
                if layer.mark is not None and not layer.mark.search(found[0]):
                    return found[0]
                piece = restore(found[0])
                decoded = layer.decode(piece)
                if decoded is None or decoded == piece:
                    return found[0]
                try:
                    changed = (
                        self.text(decoded, depth + 1)
                        if isinstance(decoded, str)
                        else self.data(decoded, self._pieces, depth=depth + 1)
                    )
                except Refused:
                    return protect(self._placeholders.keyed("withheld", piece))
                return found[0] if changed == decoded else protect(layer.encode(changed, piece))

            text = layer.pieces.sub(one, text)
        return text

    # Bytes.

    def data(self, data: bytes, budget: Budget | None = None, *, depth: int = 0) -> bytes:
        """`data` with placeholders, in whatever form it is. Raises Refused where it can be shown only whole or not at all."""
        if depth == 0:
            digest = hashlib.sha256(data).digest()
            if digest not in self._clean:
                changed = self._data(data, budget or Budget(), depth)
                if changed != data:
                    return changed
                self._clean.add(digest)
            return data
        return self._data(data, budget or Budget(), depth)

    def _data(self, data: bytes, budget: Budget, depth: int) -> bytes:
        if depth > _DEEPEST:
            raise Refused("holds archives within archives deeper than is looked")
        if data.startswith(b"PK\3\4"):
            members = archives.unzip(data, budget)
            names = [info.filename for info, _ in members]
            if any(self.text(name) != name for name in names):
                raise Refused("holds a member whose name is secret")
            changed = [(info, self.data(content, budget, depth=depth + 1)) for info, content in members]
            if self._same(members, changed) and not archives.loose(data, members):
                return self._or_again(data, lambda: archives.zipped(changed))
            return archives.zipped(changed)
        packed = archives.unpack(data, budget)
        if packed is not None:
            content = self.data(packed[0], budget, depth=depth + 1)
            again = packed[1]
            return again(content) if content != packed[0] else self._or_again(data, lambda: again(content))
        if data[257:262] == b"ustar":
            files = archives.untar(data, budget)
            if any(self.text(name) != name for name, _ in files):
                raise Refused("holds a member whose name is secret")
            new = [(name, self.data(content, budget, depth=depth + 1)) for name, content in files]
            if new != files or any(self.text(name) != name for name in archives.owners(data)):
                return archives.tarred(new)
            return self._or_again(data, lambda: archives.tarred(new))
        if data.startswith(arrays.MAGIC):
            return self._array(data)
        return self._plain(data, depth)

    def _or_again(self, data: bytes, again: Callable[[], bytes]) -> bytes:
        """An archive as it is; packed again where a name, an owner or a remark in its own fields is secret."""
        try:
            self._binary(data)
        except Refused:
            data = again()
            self._binary(data)
        return data

    def _same(self, old: list[Any], new: list[Any]) -> bool:
        return all(before[1] == after[1] for before, after in zip(old, new, strict=True))

    def _array(self, data: bytes) -> bytes:
        try:
            array = arrays.read_array(data)
        except ValueError as error:
            raise Refused(str(error)) from None
        codes = arrays.letters(array)
        if codes is not None and self.text(codes) != codes:
            raise Refused("holds something secret as codes of letters in an array")
        if arrays.texts(array) is not None:
            return arrays.with_texts(array, self.text) or data
        self._binary(array.body)
        return data

    def _plain(self, data: bytes, depth: int) -> bytes:
        for mark, coding in ((b"\xff\xfe\0\0", "utf-32-le"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
            if data.startswith(mark):
                try:
                    text = data[len(mark) :].decode(coding)
                except UnicodeDecodeError:
                    break
                return mark + self._document(text, depth).encode(coding, "surrogatepass")
        try:
            text = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            text = None  # type: ignore[assignment]
        if text is None or "\0" in text:
            self._binary(data)
            return data
        return self._document(text, depth).encode("utf-8", "surrogatepass")

    def _binary(self, data: bytes) -> None:
        """Raises Refused where a run of letters in binary data is secret."""
        for runs, step in ((_RUNS, 1), (_WIDE_RUNS[0], 2), (_WIDE_RUNS[1], 4)):
            for found in runs.finditer(data):
                text = found[0][::step].decode("ascii")
                if self.text(text) != text:
                    raise Refused("holds something secret within binary data")

    def _document(self, text: str, depth: int) -> str:
        """JSON, lines of JSON, or other text. JSON is changed within its strings alone, so numbers stay as they were."""
        start = text.lstrip()[:1]
        if start in ("{", "["):
            lines = [text]
            try:
                msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
            except (msgspec.DecodeError, RecursionError):
                lines = text.splitlines(keepends=True)
            return "".join(self._json_line(line, depth) for line in lines)
        return self.text(text, depth)

    def _json_line(self, line: str, depth: int) -> str:
        try:
            msgspec.json.decode(line.encode("utf-8", "surrogatepass"))
        except (msgspec.DecodeError, RecursionError):
            return self.text(line, depth)

        def one(found: re.Match[str]) -> str:
            value = unliteral(found[0])
            if value is None:
                return found[0]
            changed = self.text(value, depth + 1)
            return found[0] if changed == value else literal(changed, found[0])

        line = LITERAL.sub(one, QUOTED.sub(partial(self._told, ACROSS, str), line))
        # Arrays of codes and of letters lie across strings and numbers.
        for layer in LAYERS[1:3]:

            def whole(found: re.Match[str], layer: Any = layer) -> str:
                decoded = layer.decode(found[0])
                changed = decoded if decoded is None else self.text(decoded, depth + 1)
                return found[0] if changed == decoded else str(layer.encode(changed, found[0]))

            line = layer.pieces.sub(whole, line)
        return line


_CASELESS = 6
"""Letters from which on a name is the same in capitals; a shorter one is a word too often."""


def _form(one: Literal) -> str:
    escaped = re.escape(one.value)
    if one.whole and (one.value.count("/") > 1 or len(one.value) >= _CASELESS):
        escaped = f"(?i:{escaped})"
    if not one.whole:
        return escaped
    if one.value.startswith("/"):
        # A path of several parts is itself wherever it stands; `/root` is one only where a path can begin.
        return rf"{escaped}(?![\w-])" if one.value.count("/") > 1 else rf"(?<![\w.~-]){escaped}(?![\w-])"
    return rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])"
