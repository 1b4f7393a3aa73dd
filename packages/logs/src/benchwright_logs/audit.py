"""Whether a turn was free of tools, derived again from the raw events; nothing that was stored is trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from benchwright import digests, names
from benchwright.counting import plural
from benchwright.errors import FileError
from benchwright.journal import read_attempts, read_manifest, turns
from benchwright.journal.turns import TurnRecord
from benchwright.records import Attempt

from benchwright_logs.passes import CALLS, pass_problems, read_calls
from benchwright_logs.rules import JUDGES, RULE_VERSION, Told
from benchwright_logs.rules.verdict import Finding
from benchwright_logs.tree import Tree, lines

LOCAL = frozenset({"reference", "starter", "file", "person", "replay", "mutant"})
"""Answerers on this side of the wall: no provider was asked, so there are no events to read."""
PROGRAM = "command"
_CACHE_APART = frozenset({"anthropic"})
"""Providers whose `input_tokens` leave cached tokens out, as our own records do."""


class TurnAudit(msgspec.Struct, frozen=True):
    """One turn. `verdict`: `tool_free`, `tools`, `unknown`; `program` where a program answered, which may use tools of
    its own and says so by its name; `no_model` where no provider was asked; `no_reply` where the call failed."""

    place: str
    verdict: str
    events: dict[str, int] = {}
    """Event type -> how many."""
    findings: tuple[str, ...] = ()
    thread: str | None = None


class Audited(msgspec.Struct, frozen=True):
    """An audit; `problems` holds a sentence for each thing that keeps a turn from counting as tool-free."""

    rule_version: int
    attempts: int
    verdicts: dict[str, int]
    turns: tuple[TurnAudit, ...]
    passes: int
    problems: tuple[str, ...]


def audit(path: Path) -> Audited:
    """Audits a run folder. Raises FileError where there is none, or its list of attempts is damaged."""
    read_manifest(path)
    tree = Tree(path)
    attempts = read_attempts(path)
    found: list[TurnAudit] = []
    problems = tree.problems
    passes = 0
    for attempt in attempts:
        place = attempt_place(attempt)
        seen, count = _attempt(tree, attempt, place, found)
        passes += count
        problems += [f"{place}: {sentence}" for sentence in seen]
    return _summed(found, problems, len(attempts), passes)


def problems(folder: Path) -> Sequence[str]:
    """What keeps a run off a board: tools that were used, turns that nobody can vouch for, passes that do not fit."""
    return audit(folder).problems


def attempt_place(attempt: Attempt) -> str:
    """The folder of an attempt, relative to its run folder."""
    return turns.attempt_place(attempt.task.id, attempt.model.name, attempt.draw)


def _summed(found: list[TurnAudit], problems: list[str], attempts: int, passes: int) -> Audited:
    for turn in found:
        if turn.verdict in ("tools", "unknown"):
            word = "a tool was used" if turn.verdict == "tools" else "not known to be free of tools"
            more = f" (and {len(turn.findings) - 1} more)" if len(turn.findings) > 1 else ""
            problems.append(f"{turn.place}: {word}: {turn.findings[0]}{more}")
    verdicts = dict(sorted(Counter(turn.verdict for turn in found).items()))
    return Audited(RULE_VERSION, attempts, verdicts, tuple(found), passes, tuple(problems))


def _attempt(tree: Tree, attempt: Attempt, place: str, found: list[TurnAudit]) -> tuple[list[str], int]:
    """Adds the attempt's turns to `found`; gives what is wrong between them, and how many passes there were."""
    if "regraded_from" in attempt.notes:
        return [], 0  # its turns lie in the run that was graded again
    problems: list[str] = []
    for turn in range(1, attempt.protocol.turns + 1):
        try:
            found.append(_turn(tree, attempt, f"{place}/turn-{turn:02d}"))
        except FileError as error:
            found.append(TurnAudit(f"{place}/turn-{turn:02d}", "unknown", findings=(_relative(error, tree),)))
    name = f"{place}/{CALLS}"
    if attempt.protocol.kind != "tools":
        return ([f"{CALLS} is there, and the task hands out no tool"] if name in tree.files else []), 0
    try:
        calls = read_calls(tree.read(name), tree.root / name) if name in tree.files else []
        problems += pass_problems(calls, attempt.protocol.turns, _reader(tree, place))
    except FileError as error:
        return [_relative(error, tree)], 0
    if len(calls) != attempt.protocol.passes:
        problems.append(f"{plural(attempt.protocol.passes, 'pass', 'passes')} on record, {len(calls)} in {CALLS}")
    return problems, len(calls)


def _relative(error: FileError, tree: Tree) -> str:
    return str(error).removeprefix(f"{tree.root}/")


def _reader(tree: Tree, place: str) -> Callable[[str], str | None]:
    def read(name: str) -> str | None:
        path = f"{place}/{name}"
        return tree.read(path).decode("utf-8", "surrogatepass") if path in tree.files else None

    return read


def _turn(tree: Tree, attempt: Attempt, place: str) -> TurnAudit:
    record = read_record(tree, place)
    provider = names.parse_model(attempt.model.name)[0] if names_provider(attempt.model.name) else ""
    if record.failure:
        return TurnAudit(place, "no_reply")
    events = f"{place}/{turns.EVENTS}"
    if events not in tree.files:
        if provider in LOCAL or (record.gave_files and provider not in JUDGES):
            return TurnAudit(place, "no_model")
        return TurnAudit(place, "unknown", findings=(f"there is no {turns.EVENTS}",))
    content = tree.read(events)
    if digests.sha256(content) != record.events_sha256:
        return TurnAudit(place, "unknown", findings=(f"{turns.EVENTS} has another hash than run.json says",))
    decoded = decode_events(content, tree.root / events)
    if provider == PROGRAM:
        return _program(place, decoded)
    judge = JUDGES.get(provider)
    if judge is None:
        return TurnAudit(
            place,
            "unknown",
            _counted(decoded),
            (f"no allow-list knows the events of `{provider or attempt.model.name}`",),
        )
    told = judge(decoded)
    answer = f"{place}/{turns.ANSWER}"
    text = tree.read(answer).decode("utf-8", "surrogatepass") if answer in tree.files else ""
    findings = [_sentence(finding) for finding in told.findings]
    crossed = list(_crossed(told, record, text, apart=provider in _CACHE_APART))
    verdict = "unknown" if crossed and told.verdict == "tool_free" else told.verdict
    return TurnAudit(place, verdict, _counted(decoded), (*findings, *crossed), told.thread)


def names_provider(model: str) -> bool:
    """Whether a model's name begins with a provider, and is no label that a person chose."""
    from benchwright.errors import UserError

    try:
        names.parse_model(model)
    except UserError:
        return False
    return True


def read_record(tree: Tree, place: str) -> TurnRecord:
    """`run.json` of a turn. Raises FileError where it is absent or damaged."""
    name = f"{place}/{turns.RECORD}"
    return decode_record(tree.read(name), tree.root / name)


def decode_record(content: bytes, name: object) -> TurnRecord:
    """`run.json` of a turn from its content. Raises FileError, under this name, where it is damaged."""
    try:
        return msgspec.json.decode(content, type=TurnRecord)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(name, f"is no record of a turn: {error}") from None


def decode_events(content: bytes, place: object) -> list[Any]:
    """Events, one a line. Raises FileError for a line that is cut, too long, or no JSON."""
    found = []
    for number, line in enumerate(lines(content, place), 1):
        try:
            found.append(msgspec.json.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FileError(f"{place}:{number}", f"is no JSON: {error}") from None
    return found


def _counted(events: Sequence[Any]) -> dict[str, int]:
    kinds = (event.get("type") or event.get("object") if isinstance(event, dict) else None for event in events)
    return dict(sorted(Counter(str(kind)[:60] for kind in kinds).items()))


def _sentence(finding: Finding) -> str:
    return f"event {finding.event}: {finding.why}" if finding.event else finding.why


def _crossed(told: Told, record: TurnRecord, text: str, *, apart: bool) -> Iterator[str]:
    """Where the harness read something else out of the events than stands in them."""
    if told.text != text:
        yield f"{turns.ANSWER} is not the text in the events"
    if told.answered != record.answered:
        yield f"`{told.answered}` answered by the events, `{record.answered}` by run.json"
    if record.usage is None:
        yield "run.json holds no tokens"
        return
    ours = record.usage.input if apart else record.usage.input + record.usage.cache_read + record.usage.cache_write
    if (told.input, told.output) != (ours, record.usage.output):
        yield (
            f"{told.input} tokens in and {told.output} out by the events, {ours} and {record.usage.output} by run.json"
        )


def _program(place: str, events: Sequence[Any]) -> TurnAudit:
    walls = events[0].get("walls") if len(events) == 1 and isinstance(events[0], dict) else None
    if not isinstance(walls, str) or events[0].get("type") != "command":
        return TurnAudit(place, "unknown", _counted(events), ("the events are not those of a program behind walls",))
    if walls == "unsafe":
        return TurnAudit(place, "unknown", _counted(events), ("the program ran without walls",))
    return TurnAudit(place, "program", _counted(events))


# Event files that no run of ours holds: Codex CLI and others.


def audit_files(path: Path, wire: str | None = None) -> Audited:
    """Audits one file of events, or each `events.jsonl` below a folder. `wire` names the format; None: told by its events.

    Turns of one conversation (folders beside each other) must belong to one thread.
    """
    if path.is_file():
        tree, listed = Tree(path.parent), [path.name]
    else:
        tree = Tree(path)
        listed = sorted(name for name in tree.files if name.rpartition("/")[2] == turns.EVENTS)
        if not listed:
            raise FileError(path, f"holds neither a run nor a file {turns.EVENTS}.")
    found: list[TurnAudit] = []
    threads: dict[str, set[str]] = {}
    for name in listed:
        turn = _file(tree, name, wire)
        found.append(turn)
        if turn.thread:
            threads.setdefault(name.rpartition("/")[0].rpartition("/")[0], set()).add(turn.thread)
    problems = [] if path.is_file() else tree.problems
    problems += [
        f"{folder or path.name}: its turns belong to {len(ids)} threads"
        for folder, ids in sorted(threads.items())
        if len(ids) > 1
    ]
    return _summed(found, problems, len(threads), 0)


def _file(tree: Tree, name: str, wire: str | None) -> TurnAudit:
    try:
        decoded = decode_events(tree.read(name), tree.root / name)
    except FileError as error:
        return TurnAudit(name, "unknown", findings=(_relative(error, tree),))
    judge = JUDGES.get(wire or _wire(decoded))
    if judge is None:
        return TurnAudit(name, "unknown", _counted(decoded), ("no allow-list knows these events",))
    told = judge(decoded)
    return TurnAudit(
        name, told.verdict, _counted(decoded), tuple(_sentence(finding) for finding in told.findings), told.thread
    )


def _wire(events: Sequence[Any]) -> str:
    kinds = {str(event.get("type")) for event in events if isinstance(event, dict)}
    if any(kind.startswith(("thread.", "turn.", "item.")) for kind in kinds):
        return "codex"
    if any(kind.startswith("response.") for kind in kinds):
        return "openai"
    if "message_start" in kinds:
        return "anthropic"
    return "openai-compatible" if kinds == {"None"} else ""
