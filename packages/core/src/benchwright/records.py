"""The vocabulary: frozen records that flow through a run.

Every record is a frozen `msgspec.Struct`, so the record that the code passes on is the one that the
files hold; there is no second model of it. Records that a person writes (registry, sets, prices)
refuse unknown keys where they are defined; the ones here are written by `bench` and may gain fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from benchwright import digests

SCHEMA = 1
"""Version of `attempts.jsonl` and `manifest.json`. A reader refuses a newer one in a sentence."""

SubmissionKind = Literal["json", "python-file", "files", "kernel"]
ProtocolKind = Literal["single", "revise", "tools"]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a submission may use while it is graded."""

    seconds: float = 60.0
    """Wall-clock seconds for the whole grading; at most 300."""
    cpu_seconds: float = 60.0
    memory_mb: int = 1024
    """Address space beyond what the clean worker already maps, in MiB."""
    file_mb: int = 16
    """Largest file it may write, in MiB."""
    open_files: int = 64
    processes: int = 0
    """Further processes it may start."""
    output_kb: int = 256
    """Standard output and error kept, in KiB."""
    pass_seconds: float = 30.0
    """Wall-clock seconds for one pass of the `tools` protocol."""

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 300:
            raise ValueError(f"seconds must be above 0 and at most 300, got {self.seconds}")


class Protocol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a task talks with a model.

    `single`: one reply. `revise`: the reply is answered with a fixed development report, `rounds`
    times at most. `tools`: one Python block a turn is run and its output is the next message,
    `passes` times at most.
    """

    kind: ProtocolKind = "single"
    rounds: int = 0
    passes: int = 0


class TaskSpec(msgspec.Struct, frozen=True):
    """What can be said of a task without loading it; costs nothing to list."""

    id: str
    title: str
    suite: str
    submission: SubmissionKind = "json"
    tier: str = "laptop"
    family: str = ""
    """Tasks of one family are one cluster in an interval; empty: the task is its own family."""
    category: str = ""
    difficulty: str = ""
    probes: str = ""
    """What the task measures, in a sentence."""
    requires: tuple[str, ...] = ()
    """`module:torch`, `program:clang++`, `data:sst2`, `accelerator:cuda` …"""
    protocol: Protocol = Protocol()
    tags: tuple[str, ...] = ()
    file: str = ""
    """The one file a submission consists of, where there is one; empty for JSON answers."""
    default: bool = True
    """False where a parameter was changed: such a task stays off the boards."""

    @property
    def cluster(self) -> str:
        """The family, or the task itself: the unit that an interval treats as independent."""
        return self.family or self.id


class Param(msgspec.Struct, frozen=True):
    """A parameter of a benchmark, set with `-P <benchmark>.<name>=<value>`; the type is the default's."""

    name: str
    default: int | float | str | bool
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


class Message(msgspec.Struct, frozen=True):
    """One message of a conversation. `attachments`: file name -> bytes handed over beside the text."""

    role: Literal["user", "assistant"]
    text: str
    attachments: dict[str, bytes] = {}


class Usage(msgspec.Struct, frozen=True):
    """Tokens billed, by kind. `input` excludes cache reads and writes; `output` includes `reasoning`."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            *(a + b for a, b in zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True))
        )


class Submission(msgspec.Struct, frozen=True):
    """What is graded. `files`: name -> bytes; `answer`: the decoded JSON of a `json` submission.

    Decimals in `answer` are `decimal.Decimal`, integers `int`, so nothing was rounded on the way in.
    """

    kind: SubmissionKind
    files: dict[str, bytes] = {}
    answer: Any = None
    text: str = ""


class Reply(msgspec.Struct, frozen=True):
    """What a model gave back for one turn.

    `submission` is set by models that answer with files rather than with text (`reference`,
    `starter`, `file:PATH`, a person); it is graded as it is, no reply is parsed.
    """

    text: str
    model_answered: str | None = None
    stop: str = "end"
    """`end`, or the structured reason of the provider: `length`, `refusal`, …"""
    usage: Usage | None = None
    events: tuple[dict[str, Any], ...] = ()
    """The provider's own events, verbatim."""
    submission: Submission | None = None
    calls: int = 1
    """Requests made for this reply, retries included."""
    wasted: Usage | None = None
    """Tokens billed for tries that gave no reply."""
    seconds: float = 0.0


class Task(msgspec.Struct, frozen=True):
    """A task, loaded. `private` never leaves the trusted process."""

    id: str
    version: str
    digest: str
    messages: tuple[Message, ...]
    system: str = ""
    limits: Limits = Limits()
    imports: tuple[str, ...] = ()
    """Packages that a submission may import beside the standard library."""
    starter: Submission | None = None
    reference: Submission | None = None
    workspace: dict[str, bytes] = {}
    """Files that lie in the working folder of the `tools` protocol."""
    private: dict[str, Any] = {}
    covered: tuple[str, ...] | None = None
    """sha256 of each part that the digest covers, where `single` made it; `bench validate` looks at these."""

    @classmethod
    def single(
        cls,
        id: str,
        *,
        version: str,
        prompt: str,
        private: Mapping[str, Any],
        system: str = "",
        starter: Submission | None = None,
        reference: Submission | None = None,
        parts: Mapping[str, bytes] | None = None,
        limits: Limits | None = None,
    ) -> Task:
        """A task of one message. The digest covers prompt, system line, private values, limits and `parts`.

        `private` must be what JSON can hold; with `parts` given it may hold anything, and `parts` must
        then name whatever decides the verdict: hidden tests and drivers, the list of ids, expected values.
        """
        limits = limits or Limits()
        content = {
            "prompt.md": prompt.encode(),
            "system": system.encode(),
            "limits": digests.canonical_json(limits),
            **({"private": digests.canonical_json(dict(private))} if parts is None else parts),
        }
        return cls(
            id=id,
            version=version,
            digest=digests.task_digest(content),
            messages=(Message("user", digests.strip_canary(prompt)),),
            system=system,
            limits=limits,
            starter=starter,
            reference=reference,
            private=dict(private),
            covered=tuple(digests.sha256(digests.unix_newlines(part)) for part in content.values()),
        )


class Violation(msgspec.Struct, frozen=True):
    """A rule that a submission breaks; `where` is `file:line` or the part of the answer."""

    rule: str
    where: str
    why: str


class Check(msgspec.Struct, frozen=True):
    """One named, hidden check."""

    id: str
    passed: bool
    detail: str = ""


class DataRef(msgspec.Struct, frozen=True):
    """The data set a score was measured on; `n` is the number of scored rows."""

    id: str
    sha256: str
    n: int
    official: bool


class Evaluation(msgspec.Struct, frozen=True):
    """A verdict. `score` lies in [0, 1], or is None where the outcome is no evidence."""

    outcome: str
    score: float | None = None
    metrics: dict[str, float | int | None] = {}
    checks: tuple[Check, ...] = ()
    reason: str = ""
    """One sentence; what a person reads first."""
    artifacts: dict[str, bytes] = {}
    """Files for `eval/` in the run folder. No label, oracle value or hidden test belongs here."""
    device: str | None = None
    """`emulated`, or the name of the accelerator that ran it."""
    data: DataRef | None = None
    feedback: str = ""
    """The development report, where the development split was asked for."""
    labels_seen: int = 0
    """Labels that `feedback` shows."""

    def __post_init__(self) -> None:
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            raise ValueError(f"a score lies in [0, 1], got {self.score}")

    @classmethod
    def solved_if(cls, solved: bool, score: float | None = None, **fields: Any) -> Evaluation:
        """`solved` with score 1 where true, else `unsolved` with `score` (0 where not given)."""
        if solved:
            return cls("solved", 1.0 if score is None else score, **fields)
        return cls("unsolved", 0.0 if score is None else score, **fields)


class ToolOutput(msgspec.Struct, frozen=True):
    """What one block of Python printed; `text` is cut at the limit with a mark."""

    text: str
    status: Literal["ok", "error", "timeout", "resource_limit"] = "ok"
    seconds: float = 0.0
    truncated: bool = False


class TaskRef(msgspec.Struct, frozen=True):
    """The task of an attempt, pinned."""

    id: str
    version: str
    digest: str
    set: str
    tier: str
    suite: str
    cluster: str = ""
    prompt_digest: str = ""
    params: dict[str, Any] = {}


class ModelRef(msgspec.Struct, frozen=True):
    """The model of an attempt: `name` is its identity, `answered` the snapshot that did the work."""

    name: str
    answered: str | None = None
    settings: dict[str, Any] = {}


class ProtocolRecord(msgspec.Struct, frozen=True):
    """What the episode really used."""

    kind: ProtocolKind
    turns: int
    labels_seen: int = 0
    passes: int = 0


class Round(msgspec.Struct, frozen=True):
    """One graded submission of an attempt; `revise` has several, the others one."""

    score: float | None
    solved: bool
    labels_seen: int
    """Labels that its writer had been shown when it was written; 0 is blind."""
    outcome: str
    files: dict[str, str] = {}


class Attempt(msgspec.Struct, frozen=True):
    """One model, one task, one draw: a line of `attempts.jsonl`. The score is the last round's."""

    run: str
    attempt: str
    task: TaskRef
    model: ModelRef
    draw: int
    outcome: str
    score: float | None
    metrics: dict[str, float | int | None]
    failed_checks: list[str]
    violations: list[Violation]
    protocol: ProtocolRecord
    usage: Usage | None
    cost_usd: float | None
    isolation: str
    """A tier's name, `not-needed` where nothing untrusted ran, or `unsafe`."""
    device: str | None
    data: DataRef | None
    environment: str
    started: str
    seconds: float
    files: dict[str, str]
    rounds: list[Round] = []
    reason: str = ""
    parse_failure: bool = False
    calls: int = 0
    benchmark: str = ""
    """Distribution and version that graded, as `weightspace 0.1.0`."""
    notes: dict[str, Any] = {}
    schema: int = SCHEMA

    @property
    def solved(self) -> bool:
        return self.outcome == "solved"


class Calibration(msgspec.Struct, frozen=True):
    """What a task measures now, from every attempt on record."""

    task: str
    entries: tuple[dict[str, Any], ...]
    """Per model: `model`, `k`, `n`, `low`, `high`."""
    verdict: str
    """`unvalidated`, `warmup`, `admit`, `retire`."""
    reason: str
    discrimination: float | None = None
    shapes: tuple[dict[str, Any], ...] = ()
    """Failure shapes: the failing ids, how often, and the mutant they equal."""
    equivalents: dict[str, Any] = {}


class Table(msgspec.Struct, frozen=True):
    """A table of a report; cells are text or numbers, None prints as "not run"."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""


class DoctorRow(msgspec.Struct, frozen=True):
    """A line of `bench doctor`. `ok` is False where something is to be mended, and `remedy` says how."""

    what: str
    state: str
    remedy: str = ""
    ok: bool = True


class Section(msgspec.Struct, frozen=True):
    """A part of a report."""

    title: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    figures: dict[str, bytes] = {}
    """File name -> SVG or PNG bytes."""
    notes: Sequence[str] = ()
    at_end: bool = False
    """Whether its tables say what a run of the suite is for, and stand at the end of `bench run`, too."""
