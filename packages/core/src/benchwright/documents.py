"""YAML files that people write, read strictly into records.

Unknown and duplicate keys and wrong types are refused with file, line and reason. The reading follows
YAML 1.2 where 1.1 surprises: `yes`, `no`, `on`, `off` and dates are text, `1e-6` is a number. A parsed
file is kept as JSON in the cache folder under the hash of its content, so a warm start reads no YAML.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from benchwright import folders, given
from benchwright.errors import FileError

Record = TypeVar("Record")

_CACHE_VERSION = 1
_LARGEST = 20_000_000


def load(path: Path, type: type[Record]) -> Record:
    """The record that the YAML file at `path` holds.

    Raises FileError, whose place is `path` or `path:line`, where the file is absent, not UTF-8, not YAML,
    repeats a key, has an unknown one, or holds a value of the wrong type.
    """
    return parse(given.read(path, _LARGEST), type, place=path)


def parse(raw: bytes, type: type[Record], *, place: object) -> Record:
    """As `load`, from bytes; `place` names them in a message."""
    if len(raw) > _LARGEST:
        raise FileError(place, f"is {len(raw):,} bytes long; at most {_LARGEST:,} are read")
    kept = folders.cache() / "documents" / f"{_CACHE_VERSION}-{hashlib.sha256(raw).hexdigest()}.json"
    with contextlib.suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
        return msgspec.json.decode(kept.read_bytes(), type=type)
    value, lines = _plain(raw, place)
    try:
        record = msgspec.convert(value, type=type)
    except msgspec.ValidationError as error:
        raise FileError(*_locate(str(error), value, lines, place)) from None
    with contextlib.suppress(OSError, TypeError, OverflowError):
        _keep(kept, value)
    return record


def _keep(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    content = msgspec.json.encode(value)
    if msgspec.json.decode(content) == value:  # not so for .nan and .inf, which JSON lacks
        temporary.write_bytes(content)
        temporary.replace(path)


def _plain(raw: bytes, place: object) -> tuple[Any, dict[str, int]]:
    """Plain data, and the line of each JSON path in it (`$.suites[0].name` -> 7)."""
    import yaml

    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(place, f"is not UTF-8 (byte {error.start})") from None
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: Any = type("Loader", (base,), {"yaml_implicit_resolvers": {}})
    for tag, pattern, first in _RESOLVERS:
        loader.add_implicit_resolver(tag, re.compile(pattern), list(first))
    lines: dict[str, int] = {}
    try:
        reader = loader(text)
        try:
            node = reader.get_single_node()
            value = None if node is None else _value(reader, node, "$", lines, place, 0)
        finally:
            reader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{place}:{mark.line + 1}" if mark else place
        raise FileError(where, f"is not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise FileError(place, f"is not YAML: {str(error).splitlines()[0]}") from None
    return value, lines


_RESOLVERS = (
    ("tag:yaml.org,2002:null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    ("tag:yaml.org,2002:bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("tag:yaml.org,2002:int", r"^[-+]?[0-9]+$", "-+0123456789"),
    (
        "tag:yaml.org,2002:float",
        r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
        "-+0123456789.",
    ),
    ("tag:yaml.org,2002:merge", r"^<<$", "<"),
)


def _value(reader: Any, node: Any, path: str, lines: dict[str, int], place: object, depth: int) -> Any:
    import yaml

    line = node.start_mark.line + 1
    lines[path] = line
    if depth > 50:
        raise FileError(f"{place}:{line}", "is nested more than 50 levels deep")
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            at = f"{place}:{key_node.start_mark.line + 1}"
            if not isinstance(key_node, yaml.ScalarNode):
                raise FileError(at, "a key must be plain text")
            if key_node.tag == "tag:yaml.org,2002:merge":
                raise FileError(at, "merge keys (`<<`) are not read")
            key = key_node.value
            if key in mapping:
                raise FileError(
                    at, f"the key `{key}` stands here a second time (first on line {lines[f'{path}.{key}']})"
                )
            mapping[key] = _value(reader, value_node, f"{path}.{key}", lines, place, depth + 1)
            lines[f"{path}.{key}"] = key_node.start_mark.line + 1
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [
            _value(reader, item, f"{path}[{index}]", lines, place, depth + 1) for index, item in enumerate(node.value)
        ]
    text: str = node.value
    if node.tag == "tag:yaml.org,2002:int":
        if len(text) > 4000:
            raise FileError(f"{place}:{line}", "a number of more than 4,000 digits")
        return int(text)
    return reader.construct_object(node)


_WORDS = {"object": "a mapping", "array": "a list", "null": "nothing"}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "str": str, "int": int, "float": float, "bool": bool, "array": list, "object": dict, "null": type(None),
}  # fmt: skip


def _locate(message: str, value: Any, lines: dict[str, int], place: object) -> tuple[str, str]:
    """msgspec's message `Expected … - at `$.a[0]`` as (place:line, reason naming the key)."""
    match = re.fullmatch(r"(?P<what>.*?)(?: - at `(?:key in )?(?P<path>\$[^`]*)`)?", message, re.DOTALL)
    assert match is not None
    path, what = match["path"] or "$", match["what"]
    field = re.fullmatch(r"Object (?P<kind>contains unknown|missing required) field `(?P<key>.*)`", what)
    got = re.search(r"got `(\w+)`$", what)

    def fits(found: Any) -> bool:
        if field is not None:
            has = isinstance(found, dict) and field["key"] in found
            return has if field["kind"] == "contains unknown" else isinstance(found, dict) and not has
        return got is None or got[1] not in _TYPES or isinstance(found, _TYPES[got[1]])

    path = next((known for known, found in _walk(value, "$") if _same_place(path, known) and fits(found)), path)
    line = lines.get(path, 1)
    if field is not None and field["kind"] == "contains unknown":
        what = f"unknown key `{field['key']}`"
        line = lines.get(f"{path}.{field['key']}", line)
    elif field is not None:
        what = f"the key `{field['key']}` is missing"
    else:
        what = re.sub(r"`(object|array|null)`", lambda word: _WORDS[word[1]], what)
    inside = path.removeprefix("$").removeprefix(".")
    return f"{place}:{line}", f"{what} (in `{inside}`)" if inside else what


def _walk(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(inner, f"{path}[{index}]")


def _same_place(pattern: str, known: str) -> bool:
    """msgspec writes `[...]` for the key of a mapping."""
    parts = [re.escape(part) for part in pattern.split("[...]")]
    return re.fullmatch(r"(?:\.[^.\[\]]+|\[\d+\])".join(parts), known) is not None
