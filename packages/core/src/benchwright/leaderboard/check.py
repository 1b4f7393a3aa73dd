"""Re-derives everything the board publishes and names each figure that does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests, names, pricing
from benchwright.counting import plural
from benchwright.errors import FileError
from benchwright.leaderboard import build, entries
from benchwright.leaderboard.costs import cost_problems
from benchwright.leaderboard.everything import ATTEMPTS, JSON, collect
from benchwright.registry import Registry

PRICES = "prices.yaml"


class Findings(msgspec.Struct, frozen=True):
    """What a check found. `problems` is empty where all holds."""

    figures: int
    """Numbers compared."""
    attempts: int
    problems: list[str]


def check(root: Path, registry: Registry) -> Findings:
    """Compares `root`'s published files with what its attempts and the registry give now."""
    problems = []
    broken = _broken_files(root / ATTEMPTS)
    problems.extend(broken)
    files = []
    for path in sorted((root / ATTEMPTS).glob("*.jsonl")):
        try:
            files.append(entries.read(path, hashes=False))
        except FileError as error:
            return Findings(0, 0, broken or [str(error)])
    entries.refuse_twice(files)
    for found in files:
        problems.extend(_wrong_ids(found))
        problems.extend(cost_problems(found))
    problems.extend(_other_prices(root / PRICES))
    everything = collect(root, registry, files=files)
    derived = build.render(everything)
    figures, differences = _compare(root / JSON, derived[JSON])
    problems.extend(f"{JSON}, {difference}{_cause(broken)}" for difference in differences[:20])
    if len(differences) > 20:
        problems.append(f"{JSON}: {plural(len(differences) - 20, 'further figure')} not alike")
    for name, content in derived.items():
        path = root / name
        if not path.is_file():
            problems.append(f"{path} is not there; bench leaderboard build writes it")
        elif path.read_bytes() != content and not (name == JSON and differences):
            problems.append(f"{path}{_first_difference(path.read_bytes(), content)}{_cause(broken)}")
    return Findings(figures, sum(len(found.entries) for found in files), problems)


def _broken_files(folder: Path) -> list[str]:
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            entries.read(path)
        except FileError as error:
            found.append(str(error))
    return found


def _other_prices(path: Path) -> Iterator[str]:
    """The board's copy of the price table is there to be read; costs are derived from the table in the package."""
    if path.is_symlink() and not path.exists():
        yield f"{path} leads nowhere"
    elif path.exists():
        try:
            digest = digests.sha256(digests.unix_newlines(path.read_bytes()))
        except OSError as error:
            yield f"{path} cannot be read: {error.strerror or error}"
            return
        if digest != pricing.load_prices().digest:
            yield f"{path} is not the price table that costs are derived from ({pricing.PATH})"


def _cause(broken: list[str]) -> str:
    return f" ({broken[0]})" if broken else ""


def _wrong_ids(found: entries.EntriesFile) -> Iterator[str]:
    header = found.header
    for number, entry in enumerate(found.entries, 2):
        task, model = header.tasks[entry.task], header.models[entry.model]
        expected = names.attempt_id(header.plan_digest, task.digest or task.id, model.name, entry.draw)
        if entry.attempt != expected:
            yield (
                f"{found.path}:{number}: the attempt {entry.attempt} is not that of {task.id}, {model.name}, "
                f"draw {entry.draw}"
            )


def _compare(path: Path, derived: bytes) -> tuple[int, list[str]]:
    """(numbers compared, one text a difference) between the published board.json and the derived one."""
    want = dict(_walk(msgspec.json.decode(derived), ""))
    numbers = sum(isinstance(value, int | float) and not isinstance(value, bool) for value in want.values())
    try:
        have = dict(_walk(msgspec.json.decode(path.read_bytes()), ""))
    except FileNotFoundError:
        return numbers, []
    except (OSError, msgspec.DecodeError) as error:
        return numbers, [f"it cannot be read: {error}"]
    differences = [
        f"{place}: {_shown(have.get(place, 'absent'))} on the board, {_shown(want.get(place, 'absent'))} from attempts"
        for place in [*want, *(place for place in have if place not in want)]
        if have.get(place, "absent") != want.get(place, "absent")
    ]
    return numbers, differences


def _walk(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """(place in words, plain value) of every leaf; a record in a list is named by what it is, not by its number."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(inner, f"{place}, {key}" if place else key)
    elif isinstance(value, list) and value:
        seen: dict[str, int] = {}
        for number, inner in enumerate(value):
            label = _label(inner) or str(number)
            seen[label] = seen.get(label, 0) + 1
            yield from _walk(inner, f"{place}, {label}" + (f" #{seen[label]}" if seen[label] > 1 else ""))
    else:
        yield place, value


def _label(record: Any) -> str:
    if not isinstance(record, dict):
        return ""
    if "a" in record and "b" in record:
        return f"{record['a']} against {record['b']}"
    label = next((record[name] for name in ("title", "model", "task", "file", "source") if name in record), "")
    return f"{label} by {record['by']}" if "by" in record and "model" in record else str(label)


def _shown(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _first_difference(have: bytes, want: bytes) -> str:
    for number, (mine, theirs) in enumerate(zip(have.split(b"\n"), want.split(b"\n"), strict=False), 1):
        if mine != theirs:
            return f":{number} is not what the attempts give"
    return " is not what the attempts give: it ends elsewhere"
