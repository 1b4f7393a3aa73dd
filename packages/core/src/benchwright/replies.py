"""Submissions out of replies: the one parser, and the paragraph that tells a model what it reads.

Tolerant of form, exact about content: whatever can be read in one way only is read, anything else is
`Unreadable` with the reason, and the attempt ends in `no_submission`. Both are versioned together by
`digests.REPLY_FORMAT`; `docs/reply-format.md` holds the rules.
"""

from __future__ import annotations

import re
from typing import Any

from benchwright import exact_json, fences
from benchwright.errors import BenchError
from benchwright.fences import Block
from benchwright.records import Submission, TaskSpec

MAX_CHARS = 8_000_000
"""Longest reply that is read."""
MAX_FILE_BYTES = 4_000_000
"""Largest file of a submission."""
MAX_FILES = 32
MAX_FALSE_STARTS = 1000
"""Places in prose that may begin like JSON and turn out not to be."""


class Unreadable(BenchError):
    """A reply that holds no submission, or several; `reason` is one sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def instructions(spec: TaskSpec) -> str:
    """The paragraph on the form of the reply, to be put behind the task's prompt."""
    if spec.submission == "json":
        answer = (
            "Give the answer as one JSON value in one block fenced with ```json. Text around the block is not read, so "
            "write what you like there, but only one JSON block. It is read exactly: no NaN, no Infinity, no comments, "
            "no key twice; numbers are kept as you write them."
        )
    elif spec.file:
        answer = (
            f"Give the whole file `{spec.file}` in one fenced block that opens with ```{_language(spec.file)} {spec.file}. "
            "Text around the block is not read, and other blocks are ignored as long as that one carries the file's "
            "name. If the file itself holds a line of three backticks, fence it with four."
        )
    else:
        answer = (
            "Give each file whole, in a fenced block of its own that opens with the language and the file's name, such "
            "as ```python name.py. Text around the blocks is not read, nor are blocks without a name. If a file itself "
            "holds a line of three backticks, fence it with four."
        )
    if spec.protocol.kind == "tools":
        named = "" if spec.submission == "json" else " that carries no file name"
        return (
            f"You may run Python first, {_times(spec.protocol.passes)} at most: reply with exactly one block fenced with "
            f"```python{named}, and what it prints is the next message. Files in the working folder stay between "
            f"runs, variables do not. To finish, reply without such a block. {answer}"
        )
    if spec.protocol.kind == "revise":
        return f"{answer} A development report may follow; answer it with the whole submission again, changed or not."
    return answer


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def parse(text: str, spec: TaskSpec) -> Submission:
    """The submission that a reply holds. Raises Unreadable, and nothing else, where there is not exactly one.

    The answer of a `json` submission has numbers with a fraction or an exponent as `decimal.Decimal`
    and the others as `int`; its JSON text is kept in `text`. Files end in a newline and have LF lines.
    """
    text = _normalised(text)
    blocks, prose = fences.split(text)
    if spec.submission == "json":
        answer, source = _json(blocks, prose)
        return Submission("json", answer=answer, text=source)
    if spec.file:
        files = {spec.file: _one_file(blocks, text, spec.file)}
    else:
        files = _named_files(blocks)
    return Submission(spec.submission, files={name: _content(name, body) for name, body in files.items()})


def python_blocks(text: str) -> list[str]:
    """The bodies of a reply's Python blocks that carry no file name: what the `tools` protocol runs.

    A block that never closes counts as well, so that a cut one is not passed over. Never raises.
    """
    try:
        text = _normalised(text)
    except Unreadable:
        return []
    return [b.body + "\n" for b in fences.split(text)[0] if b.language in _PYTHON and b.language and not b.name]


def _normalised(text: str) -> str:
    if len(text) > MAX_CHARS:
        raise Unreadable(f"The reply is longer than {MAX_CHARS:,} characters.")
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    thought = text.lstrip()
    if thought.startswith("<think>"):
        _, closed, text = thought.partition("</think>")
        if not closed:
            raise Unreadable("The reply never left its <think> part.")
    elif (end := _THINK_END.search(text)) and "<think>" not in text[: end.start()]:
        text = text[end.end() :]  # servers that put the opening tag into the prompt
    if not text.strip():
        raise Unreadable("The reply is empty.")
    return text


_THINK_END = re.compile(r"^</think>$", re.MULTILINE)


# JSON


def _json(blocks: list[Block], prose: str) -> tuple[Any, str]:
    marked = [block for block in blocks if block.language in ("json", "jsonc", "json5")]
    if marked:
        return _only([(_fenced_json(block), block.body) for block in marked], "JSON blocks")
    found = []
    for block in blocks:
        if block.body.lstrip()[:1] in ("{", "["):
            try:
                found.append((exact_json.decode(block.body), block.body))
            except exact_json.NotJson:
                continue  # a block of code that merely opens with a bracket
            except exact_json.RefusedJson as error:
                raise Unreadable(f"The JSON in the block at line {block.line} is refused: {error}.") from None
    return _only(found, "JSON blocks") if found else _json_in_prose(prose)


def _fenced_json(block: Block) -> Any:
    try:
        return exact_json.decode(block.body)
    except exact_json.NotJson as error:
        raise Unreadable(
            f"The JSON block at line {block.line} of the reply is not JSON: {error} of the block."
        ) from None
    except exact_json.RefusedJson as error:
        raise Unreadable(f"The JSON block at line {block.line} of the reply is refused: {error}.") from None


def _json_in_prose(prose: str) -> tuple[Any, str]:
    """JSON that stands in the text itself: objects first, and lists only where there is no object."""
    stripped = prose.strip()
    try:
        return exact_json.decode(stripped), stripped
    except exact_json.NotJson:
        pass  # the reply as a whole is no JSON value: look inside it
    except exact_json.RefusedJson as error:
        raise Unreadable(f"The JSON in the reply is refused: {error}.") from None
    objects: list[tuple[Any, str]] = []
    lists: list[tuple[Any, str]] = []
    place, false_starts, effort = 0, 0, 4 * len(prose)
    while start := _JSON_START.search(prose, place):
        at = start.start()
        try:
            value, place = exact_json.decode_at(prose, at)
        except exact_json.NotJson as error:
            if _MEANT_AS_JSON.match(prose, at):
                raise Unreadable(f"The JSON in the reply is broken: {error}.") from None
            false_starts += 1
            effort -= error.read - at
            place = at + 1
            if false_starts > MAX_FALSE_STARTS or effort < 0:
                raise Unreadable("The reply holds too much that begins like JSON and is none.") from None
        except exact_json.RefusedJson as error:
            where = exact_json.line_of(prose, at)
            raise Unreadable(f"The JSON at {where} of the reply is refused: {error}.") from None
        else:
            if value:
                (objects if _has_object(value) else lists).append((value, prose[at:place]))
    if not objects and not lists:
        raise Unreadable("The reply holds no JSON.")
    return _only(objects or lists, "JSON values")


_JSON_START = re.compile(
    r"\{(?=\s{0,200}\")|\{(?=\s{0,200}')|\{(?=\s{0,200}[A-Za-z_]\w{0,60}\s{0,9}:)|\[(?=\s{0,200}[-\d\[{\"'tfnNI])"
)
_MEANT_AS_JSON = re.compile(r"\{|\[\s*[{\"]|\[\s*\[\s*[-\d\[{\"]")


def _has_object(value: Any) -> bool:
    level = [value]
    while level:
        if any(isinstance(item, dict) for item in level):
            return True
        level = [below for item in level if isinstance(item, list) for below in item]
    return False


def _only(found: list[tuple[Any, str]], what: str) -> tuple[Any, str]:
    first = found[0]
    if any(not exact_json.same(first[0], value) for value, _ in found[1:]):
        raise Unreadable(f"The reply holds {len(found)} {what} that differ, and nothing says which one is the answer.")
    return first


# Files

_PYTHON = ("", "python", "py", "python3", "py3")
_LANGUAGES = {
    "py": _PYTHON,
    "cu": ("", "cuda", "cu", "cpp", "c++", "c"),
    "metal": ("", "metal", "msl", "cpp", "c++"),
    "json": ("", "json"),
}


def _language(file: str) -> str:
    suffix = file.rpartition(".")[2]
    return {"py": "python", "cu": "cuda"}.get(suffix, suffix)


def _one_file(blocks: list[Block], text: str, file: str) -> str:
    named = [block for block in blocks if block.name.rpartition("/")[2] == file]
    if named:
        return _same_body(named, f"that carry the name {file}")
    languages = _LANGUAGES.get(file.rpartition(".")[2])
    fitting = [block for block in blocks if languages is None or block.language in languages]
    if fitting:
        return _same_body(fitting, f"and none carries the name {file}")
    if blocks:
        raise Unreadable(
            f"No code block fits {file}: found {', '.join(sorted({block.language or 'unmarked' for block in blocks})[:5])}."
        )
    if _bare(text, file):
        return text.strip("\n")
    raise Unreadable(f"The reply holds no code block, and as a whole it does not read as {file}.")


def _same_body(blocks: list[Block], which: str) -> str:
    bodies = {_closed(block).strip("\n") for block in blocks}
    if len(bodies) > 1:
        raise Unreadable(f"The reply holds {len(bodies)} code blocks {which}, and nothing says which one is meant.")
    return bodies.pop()


def _named_files(blocks: list[Block]) -> dict[str, str]:
    files: dict[str, str] = {}
    folded: dict[str, str] = {}
    for block in blocks:
        if not block.name:
            continue
        if any(part in ("", ".", "..") for part in block.name.split("/")):
            raise Unreadable(f"The file name {block.name} leads out of the submission's folder.")
        body = _closed(block).strip("\n")
        if files.get(block.name, body) != body:
            raise Unreadable(f"The reply holds two files named {block.name} that differ.")
        if folded.setdefault(block.name.casefold(), block.name) != block.name:
            raise Unreadable(f"The names {folded[block.name.casefold()]} and {block.name} differ in case only.")
        files[block.name] = body
    if not files:
        unmarked = f", though {len(blocks)} without a name" if blocks else ""
        raise Unreadable(f"The reply holds no code block with a file name{unmarked}.")
    if len(files) > MAX_FILES:
        raise Unreadable(f"The reply holds {len(files)} files; at most {MAX_FILES} are read.")
    inside = next((name for name in files for other in files if name.startswith(other + "/")), None)
    if inside:
        raise Unreadable(f"The file {inside} lies inside another file.")
    return files


def _closed(block: Block) -> str:
    if not block.closed:
        raise Unreadable(f"The code block that opens at line {block.line} of the reply never closes.")
    return block.body


def _content(name: str, body: str) -> bytes:
    if not body.strip():
        raise Unreadable(f"The file {name} is empty.")
    try:
        data = body.encode() + b"\n"
    except UnicodeEncodeError:
        raise Unreadable(f"The file {name} holds half of a surrogate pair.") from None
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable(f"The file {name} is larger than {MAX_FILE_BYTES:,} bytes.")
    return data


def _bare(text: str, file: str) -> bool:
    """Whether a reply without fences is the file itself: it begins and ends as code and defines something.

    Asked of the lines and not of a compiler, so the answer is the same on every version of Python.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if not file.endswith(".py"):
        return bool(_C_FIRST.match(lines[0])) and lines[-1].rstrip().endswith(("}", ";", "*/", "#endif"))
    return (
        bool(_PYTHON_FIRST.match(lines[0]))
        and bool(_PYTHON_LAST.match(lines[-1]))
        and any(_PYTHON_DEFINES.match(line) for line in lines)
    )


_NAME = r"[A-Za-z_]\w{0,200}"
_PYTHON_DEFINES = re.compile(
    rf"(?:async )?def {_NAME} ?\(|class {_NAME} ?[:(]|import {_NAME}(?=[.,]| as |\s*$|\s*#)|from [\w.]{{1,200}} import |{_NAME}(?:: [^=]{{1,200}})? ?= ?\S"
)
_PYTHON_FIRST = re.compile(rf"(?:{_PYTHON_DEFINES.pattern}|@|#|[rR]?\"\"\"|[rR]?''')")
_PYTHON_LAST = re.compile(rf"(?:\s|{_PYTHON_DEFINES.pattern}|[)\]}}#@]|\"\"\"|'''|{_NAME}[.(\[])")
_C_FIRST = re.compile(
    r"\s*(?:#(?:include|define|pragma|ifn?def)|//|/\*|using |kernel |__global__|extern |template|struct |typedef |constexpr |static |constant )"
)
