"""Whether a log is complete: every file and hash, every number again from `eval/`, every turn's prompt digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from benchwright import digests, names
from benchwright.counting import plural
from benchwright.errors import FileError, UserError
from benchwright.journal import Manifest, read_manifest, turns
from benchwright.journal import attempts as lines_of_attempts
from benchwright.journal import manifest as manifests
from benchwright.journal.folder import PROJECTIONS
from benchwright.journal.turns import AttemptState, TurnRecord, safe_name
from benchwright.leaderboard.costs import attempt_problems
from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt, DataRef, Message, Usage, Violation

from benchwright_logs.audit import attempt_place, decode_record, read_record
from benchwright_logs.ledger import NAME as REDACTION
from benchwright_logs.ledger import STUB, Redaction, read_redaction, read_stub
from benchwright_logs.passes import CALLS
from benchwright_logs.tree import Tree, lines

ATTACHMENTS = "turn-01/attachments/"
REPORT = "report.html"
README = "README.md"
"""Both are made from the log and no part of it."""


class Checked(msgspec.Struct, frozen=True):
    """What was found. `trusted` are digests of text that placeholders stand in now: nobody can derive them again here."""

    run: str
    attempts: int
    turns: int
    files: int
    numbers: int
    trusted: int
    withheld: int
    problems: tuple[str, ...]


class _Verdict(msgspec.Struct, frozen=True):
    """`evaluation.json`, absent fields filled in."""

    outcome: str
    score: float | None = None
    reason: str = ""
    metrics: dict[str, float | int | None] = {}
    checks: list[dict[str, Any]] = []
    violations: list[Violation] = []
    device: str | None = None
    data: DataRef | None = None


def check(run: Path) -> Checked:
    """Checks a run folder. Raises FileError where there is none, or its list of attempts cannot be read at all."""
    return _Check(Tree(run)).whole()


class _Check:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.problems: list[str] = []
        self.files = self.turns = self.numbers = self.trusted = self.withheld = 0
        self._redaction: Redaction | None = read_redaction(tree)
        self._changed = frozenset(self._redaction.changed if self._redaction else ())
        self._claimed: set[str] = set()
        self._prompts: dict[tuple[str, str], bool] = {}

    def whole(self) -> Checked:
        manifest = read_manifest(self.tree.root)
        self.problems += self.tree.problems
        self._manifest(manifest)
        path = self.tree.root / lines_of_attempts.NAME
        if lines_of_attempts.NAME in self.tree.files:
            lines(self.tree.read(lines_of_attempts.NAME), path)
        found = lines_of_attempts.recover(path)
        self._plan(manifest, found.attempts)
        for attempt in found.attempts:
            self._attempt(attempt, manifest)
        if self._redaction is None or lines_of_attempts.NAME not in self._changed:
            self.problems += attempt_problems(found.attempts, manifest.prices)
        self._strays()
        return Checked(
            manifest.run, len(found.attempts), self.turns, self.files, self.numbers, self.trusted, self.withheld,
            tuple(self.problems),
        )  # fmt: skip

    # The run.

    def _manifest(self, manifest: Manifest) -> None:
        self._claimed |= {manifests.NAME, REPORT, README, REDACTION, ".lock"}
        if manifest.status != "finished":
            self.problems.append(
                f"the run is not finished ({manifest.status.replace('_', ' ')}); the command that began it continues it"
            )
        elif lines_of_attempts.NAME not in manifest.files:
            self.problems.append(f"{manifests.NAME} does not pin {lines_of_attempts.NAME}")
        for name, digest in manifest.files.items():
            if name not in PROJECTIONS:  # runs of earlier versions list them
                self._file(name, digest)
        self._derived(digests.sha256(digests.canonical_json(manifest.environment)) == manifest.environment_digest,
                      manifests.NAME, "the environment has another digest than it says")  # fmt: skip
        self._derived(manifest.plan.digest == manifest.plan_digest, manifests.NAME,
                      "the plan has another digest than it says")  # fmt: skip

    def _derived(self, equal: bool, place: str, why: str) -> None:
        """A digest that was derived again; where placeholders stand in the text it is of, it is taken on trust."""
        self.numbers += 1
        if not equal and place in self._changed:
            self.trusted += 1
        elif not equal:
            self.problems.append(f"{place}: {why}")

    def _plan(self, manifest: Manifest, attempts: tuple[Attempt, ...]) -> None:
        planned = {
            (task, model.name, draw): names.attempt_id(manifest.plan_digest, pinned.digest or task, model.name, draw)
            for task, pinned in manifest.tasks.items()
            for model in manifest.plan.models
            for draw in range(1, manifest.plan.draws + 1)
        }
        for attempt in attempts:
            key = (attempt.task.id, attempt.model.name, attempt.draw)
            if key not in planned:
                self.problems.append(
                    f"{attempt_place(attempt)}: the attempt is none of the plan, or stands there twice"
                )
                continue
            if "regraded_from" not in attempt.notes:
                self._derived(planned[key] == attempt.attempt, manifests.NAME,
                              f"the attempt id {attempt.attempt} does not follow from the plan")  # fmt: skip
            del planned[key]
            pinned = manifest.tasks[attempt.task.id]
            if (attempt.task.version, attempt.task.digest) != (pinned.version, pinned.digest):
                self.problems.append(f"{attempt_place(attempt)}: the task is not the one that {manifests.NAME} pins")
            if attempt.run != manifest.run or attempt.environment != manifest.environment_digest:
                self.problems.append(f"{attempt_place(attempt)}: the attempt is of another run or environment")
        if planned:
            task, model, draw = next(iter(planned))
            self.problems.append(
                f"{plural(len(planned), 'planned attempt')} not there, the first: {task}, {model}, draw {draw}"
            )

    def _strays(self) -> None:
        for name in sorted(self.tree.files - self._claimed):
            if name.startswith(("attempts.torn-", "attempts.retried-", "regraded-")):
                continue
            if name.endswith(STUB) and name.removesuffix(STUB) in self._claimed:
                continue
            self.problems.append(f"{name}: no record names this file")

    # Files.

    def _file(self, name: str, digest: str) -> bytes | None:
        """The content of a file that is as it was; a withheld one counts where its stub names the same hash."""
        self._claimed.add(name)
        self.files += 1
        folder, _, last = name.rpartition("/")
        if not _stays(last) or (folder and not _below(folder)):
            self.problems.append(f"the file name `{name[:80]}` leads out of the log")
            return None
        try:
            stub = read_stub(self.tree, name)
            if stub is not None and name not in self.tree.files:
                self.withheld += 1
                if stub.sha256 != digest:
                    self.problems.append(f"{name}{STUB}: names another hash than the record of the file")
                return None
            content = self.tree.read(name)
        except FileError as error:
            self._told(error)
            return None
        if digests.sha256(content) != digest:
            self.problems.append(f"{name} has a different hash")
            return None
        return content

    def _told(self, error: UserError) -> None:
        self.problems.append(str(error).removeprefix(f"{self.tree.root}/"))

    def _is_withheld(self, name: str) -> bool:
        return name not in self.tree.files and name + STUB in self.tree.files

    # An attempt.

    def _attempt(self, attempt: Attempt, manifest: Manifest) -> None:
        place = attempt_place(attempt)
        try:
            names.split_task_id(attempt.task.id)
        except UserError as error:
            self._told(error)
            return
        played = attempt.protocol.turns > 0
        if played != (turns.STATE in attempt.files):
            self.problems.append(f"{place}: {plural(attempt.protocol.turns, 'turn')} on record, and {turns.STATE} is"
                                 f"{'' if turns.STATE in attempt.files else ' not'} listed")  # fmt: skip
        contents: dict[str, bytes | None] = {}
        listed = self._listed(attempt, place, contents)
        if not played:
            return
        try:
            if "regraded_from" not in attempt.notes:
                self._turns(attempt, place, contents, listed)
            self._numbers(attempt, place, contents, listed)
        except FileError as error:
            self._told(error)
        if (
            attempt.protocol.passes != (contents.get(CALLS) or b"").count(b"\n")
            and "regraded_from" not in attempt.notes
        ):
            self.problems.append(
                f"{place}: {plural(attempt.protocol.passes, 'pass', 'passes')} on record, another number in {CALLS}"
            )
        lost = [name for done in attempt.rounds for name in done.files if name not in listed]
        if lost:
            self.problems.append(f"{place}: {turns.STATE} does not list {lost[0]}, which a round names")

    def _listed(self, attempt: Attempt, place: str, contents: dict[str, bytes | None]) -> dict[str, str]:
        """Checks every listed file; fills `contents`, and gives name -> digest of all that is listed.

        What stands in `contents` and is not None was hashed, and has the digest that is listed: nothing hashes it again.
        """
        listed = dict(attempt.files)
        if turns.STATE in listed:
            content = self._file(f"{place}/{turns.STATE}", listed[turns.STATE])
            try:
                state = msgspec.json.decode(content or b"", type=AttemptState)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                if content is not None:
                    self.problems.append(f"{place}/{turns.STATE}: is no record of an attempt: {error}")
                return listed
            if (state.attempt, state.outcome) != (attempt.attempt, attempt.outcome):
                self.problems.append(f"{place}/{turns.STATE}: is of another attempt or outcome")
            for name, digest in attempt.files.items():
                if name != turns.STATE and state.files.get(name) != digest:
                    self.problems.append(
                        f"{place}/{name}: the line of the attempt names another hash than {turns.STATE}"
                    )
            listed.update(state.files)
        for name, digest in listed.items():
            if name != turns.STATE:
                contents[name] = self._file(f"{place}/{name}", digest)
        return listed

    def _turns(
        self, attempt: Attempt, place: str, contents: dict[str, bytes | None], listed: Mapping[str, str]
    ) -> None:
        usage: Usage | None = None
        calls = 0
        answered: list[str] = []
        for turn in range(1, attempt.protocol.turns + 1):
            self.turns += 1
            prefix = f"turn-{turn:02d}"
            content = contents.get(f"{prefix}/{turns.RECORD}")
            record = (
                read_record(self.tree, f"{place}/{prefix}")
                if content is None
                else decode_record(content, f"{self.tree.root}/{place}/{prefix}/{turns.RECORD}")
            )
            self._record(record, attempt, turn, place, contents, listed)
            for billed in (record.usage, record.wasted):
                if billed is not None:
                    usage = billed if usage is None else usage + billed
            calls += record.calls
            if record.answered and record.answered not in answered:
                answered.append(record.answered)
        self._equal(place, "tokens", attempt.usage, usage)
        self._equal(place, "calls", attempt.calls, calls)
        self._equal(place, "the model that answered", attempt.model.answered, ", ".join(answered) or None)
        beyond = f"turn-{attempt.protocol.turns + 1:02d}/{turns.MESSAGE}"
        if beyond in contents:
            self.problems.append(f"{place}/{beyond}: a turn beyond the {attempt.protocol.turns} on record")
        message = contents.get(f"turn-01/{turns.MESSAGE}")
        if message is not None:
            self._prompt(attempt, place, message, contents)

    def _record(
        self,
        record: TurnRecord,
        attempt: Attempt,
        turn: int,
        place: str,
        contents: dict[str, bytes | None],
        listed: Mapping[str, str],
    ) -> None:
        where = f"{place}/turn-{turn:02d}"
        if (record.turn, record.model) != (turn, attempt.model.name) or record.settings != attempt.model.settings:
            self.problems.append(f"{where}/{turns.RECORD}: is of another turn, model or setting")
        for name, digest in (
            (turns.MESSAGE, record.message_sha256),
            (turns.ANSWER, record.answer_sha256),
            (turns.EVENTS, record.events_sha256),
        ):
            content = contents.get(f"turn-{turn:02d}/{name}")
            if digest is None and content is not None:
                self.problems.append(f"{where}/{name}: {turns.RECORD} knows of none")
            elif digest is not None and content is None and f"turn-{turn:02d}/{name}" not in contents:
                self.problems.append(f"{where}/{name}: {turns.STATE} does not list it")
            elif digest is not None and content is not None and listed[f"turn-{turn:02d}/{name}"] != digest:
                self.problems.append(f"{where}/{name} has another hash than {turns.RECORD} says")
        if f"turn-{turn:02d}/{turns.RECORD}" not in contents:
            self.problems.append(f"{where}/{turns.RECORD}: {turns.STATE} does not list it")

    def _prompt(self, attempt: Attempt, place: str, message: bytes, contents: dict[str, bytes | None]) -> None:
        """The prompt digest, derived again from the first message and what was attached to it."""
        attached = {
            name.removeprefix(ATTACHMENTS): content
            for name, content in contents.items()
            if name.startswith(ATTACHMENTS) and content is not None
        }
        key = (digests.sha256(message + digests.canonical_json(sorted((n, digests.sha256(c)) for n, c in attached.items()))),
               attempt.task.prompt_digest)  # fmt: skip
        if key not in self._prompts:
            self._prompts[key] = derives(message.decode("utf-8", "surrogatepass"), attached, attempt.task.prompt_digest)
        name = f"{place}/turn-01/{turns.MESSAGE}"
        changed = name in self._changed or any(f"{place}/{ATTACHMENTS}{one}" in self._changed for one in attached)
        self.numbers += 1
        if not self._prompts[key] and changed:
            self.trusted += 1
        elif not self._prompts[key]:
            self.problems.append(f"{name}: the prompt digest does not follow from what was sent")

    def _numbers(
        self, attempt: Attempt, place: str, contents: dict[str, bytes | None], listed: Mapping[str, str]
    ) -> None:
        """The attempt's outcome and numbers, and each round's, again from `eval/`."""
        for number, done in enumerate(attempt.rounds, 1):
            prefix = f"round-{number:02d}/"
            if f"{prefix}eval/evaluation.json" not in contents and not self._is_withheld(
                f"{place}/{prefix}eval/evaluation.json"
            ):
                prefix = ""
                if number < len(attempt.rounds):
                    self.problems.append(f"{place}: round {number} has no verdict on disk")
                    continue
            verdict = self._verdict(f"{prefix}eval/evaluation.json", place, contents)
            if verdict is not None:
                self._equal(place, f"round {number}: outcome", done.outcome, verdict.outcome)
                self._equal(place, f"round {number}: score", done.score, verdict.score)
                self._equal(place, f"round {number}: solved", done.solved, verdict.outcome == "solved")
            for name, digest in done.files.items():
                if contents.get(name) is not None and listed[name] != digest:
                    self.problems.append(f"{place}/{name} has another hash than round {number} says")
        verdict = self._verdict("eval/evaluation.json", place, contents)
        if verdict is None:
            return
        for what, said, found in (
            ("outcome", attempt.outcome, verdict.outcome),
            ("score", attempt.score, verdict.score),
            ("metrics", attempt.metrics, verdict.metrics),
            ("failed checks", attempt.failed_checks, [one["id"] for one in verdict.checks if not one.get("passed")]),
            ("violations", attempt.violations, verdict.violations),
            ("device", attempt.device, verdict.device),
            ("data", attempt.data, verdict.data),
            ("reason", attempt.reason, verdict.reason),
        ):
            self._equal(place, what, said, found)
        if attempt.outcome not in OUTCOMES:
            self.problems.append(f"{place}: `{attempt.outcome[:40]}` is no outcome")
        labels = [done.labels_seen for done in attempt.rounds]
        if labels != sorted(labels) or (labels and labels[-1] > attempt.protocol.labels_seen):
            self.problems.append(f"{place}: the labels seen do not add up over the rounds")

    def _verdict(self, name: str, place: str, contents: dict[str, bytes | None]) -> _Verdict | None:
        content = contents.get(name)
        if content is None:
            if name not in contents:
                self.problems.append(f"{place}/{name}: {turns.STATE} does not list it, so no number can be derived")
            return None
        try:
            return msgspec.json.decode(content, type=_Verdict)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FileError(self.tree.root / place / name, f"is no verdict: {error}") from None

    def _equal(self, place: str, what: str, said: Any, found: Any) -> None:
        self.numbers += 1
        if said != found:
            self.problems.append(f"{place}: {what} {_brief(said)} on record, {_brief(found)} derived")


@lru_cache(4096)
def _stays(name: str) -> bool:
    """`safe_name`, remembered: the same few names stand in every attempt."""
    return safe_name(name)


@lru_cache(64)
def _below(folder: str) -> bool:
    """Whether a folder's name leads nowhere else; files come folder by folder."""
    return all(part not in ("", ".", "..") for part in folder.split("/"))


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"


def derives(text: str, attached: dict[str, bytes], digest: str) -> bool:
    """Whether a first message, as it stands in `message.txt`, has this prompt digest.

    The file holds the message alone, or each with its role in brackets before it and a `[system]` part first.
    """
    return any(digests.prompt_digest(system, messages) == digest for system, messages in _readings(text, attached))


def _readings(text: str, attached: dict[str, bytes]) -> Iterator[tuple[str, list[Message]]]:
    yield "", [Message("user", text, attached)]
    if not text.startswith(("[system]\n", "[user]\n", "[assistant]\n")):
        return
    marks = ("\n\n[user]\n", "\n\n[assistant]\n")
    parts: list[tuple[str, str]] = []
    rest = "\n\n" + text.removesuffix("\n")
    while rest:
        role = rest[3 : rest.index("]")]
        rest = rest[len(role) + 5 :]
        ends = [at for mark in marks if (at := rest.find(mark)) >= 0]
        body, rest = (rest[: min(ends)], rest[min(ends) :]) if ends else (rest, "")
        parts.append((role, body))
    system = parts.pop(0)[1] if parts[0][0] == "system" else ""
    if not parts:
        return
    for holder in {0, len(parts) - 1}:
        yield (
            system,
            [
                Message("assistant" if role == "assistant" else "user", body, attached if at == holder else {})
                for at, (role, body) in enumerate(parts)
            ],
        )
