"""Attempts in which code was allowed: each output is byte for byte the next message, and no pass is beyond the limit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec
from benchwright import replies
from benchwright.counting import plural
from benchwright.errors import FileError
from benchwright.journal import turns
from benchwright.records import ToolOutput

from benchwright_logs.tree import lines

CALLS = "tool_calls.jsonl"

_LEFT = re.compile(r"\n\n(?:You may run Python (\d+) more times\.|No run is left: reply with the answer now\.)\Z")


class ToolCall(msgspec.Struct, frozen=True):
    """A line of `tool_calls.jsonl`."""

    turn: int
    pass_: int = msgspec.field(name="pass")
    code: str
    output: ToolOutput
    protocol_error: bool = False

    @property
    def told(self) -> str:
        """What the model was told of it."""
        if self.protocol_error:
            return f"Protocol error: {self.output.text}."
        return self.output.text if self.output.status == "ok" else f"{self.output.text}\n[{self.output.status}]"


def read_calls(content: bytes, place: object) -> list[ToolCall]:
    """The calls on record. Raises FileError for a line that is none."""
    found = []
    for number, line in enumerate(lines(content, place), 1):
        try:
            found.append(msgspec.json.decode(line, type=ToolCall))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FileError(f"{place}:{number}", f"is no tool call: {error}") from None
    return found


def pass_problems(calls: list[ToolCall], turn_count: int, text: Callable[[str], str | None]) -> Iterator[str]:
    """What does not fit between the calls on record, the replies and the messages, a sentence each.

    `text` gives a file of the attempt's folder by name. The limit is what the first message after a pass
    says is left, so it needs no plugin; each later one must say one less.
    """
    if [call.pass_ for call in calls] != list(range(1, len(calls) + 1)):
        yield f"{CALLS}: the passes are not numbered from 1 in steps of 1"
    if len({call.turn for call in calls}) != len(calls):
        yield f"{CALLS}: a turn has more than one pass"
    by_turn = {call.turn: call for call in calls}
    limit: int | None = None
    for turn in range(1, turn_count + 1):
        call = by_turn.pop(turn, None)
        answer = text(f"turn-{turn:02d}/{turns.ANSWER}") or ""
        message = text(f"turn-{turn + 1:02d}/{turns.MESSAGE}")
        if call is None:
            if message is not None:
                yield f"turn {turn}: a message follows, and {CALLS} holds no pass for it"
            continue
        blocks = replies.python_blocks(answer)
        if not call.protocol_error and blocks != [call.code]:
            yield f"turn {turn}: the code on record is not the one Python block of the reply"
        if call.protocol_error and len(blocks) == 1:
            yield f"turn {turn}: the reply holds one Python block, and it was not run"
        if message is None:
            if turn < turn_count:
                yield f"turn {turn}: no message follows its pass"
            continue
        found = _LEFT.search(message)
        if found is None:
            yield f"turn {turn + 1}: the message does not say how many passes are left"
            continue
        if message[: found.start()] != call.told:
            yield f"turn {turn + 1}: the message is not the output on record, byte for byte"
        left = int(found[1] or 0)
        limit = left + call.pass_ if limit is None else limit
        if left != limit - call.pass_:
            yield f"turn {turn + 1}: {plural(left, 'pass', 'passes')} said to be left, and {limit - call.pass_} left"
    if limit is not None and len(calls) > limit:
        yield f"{plural(len(calls), 'pass', 'passes')} run, and {limit} allowed"
    for turn in by_turn:
        yield f"{CALLS}: a pass belongs to turn {turn}, which is not there"
