"""One attempt from the first message to the verdict: one loop for `single`, `revise` and `tools`."""

from __future__ import annotations

import asyncio
import contextlib
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, TypeVar

import msgspec

from benchwright import digests, replies
from benchwright.bounds import Overdue
from benchwright.engine.budget import Budget, Further
from benchwright.engine.grading import Graded, Grader, SeenSandbox
from benchwright.engine.ledger import Ledger, with_earlier
from benchwright.engine.plan import Slot
from benchwright.engine.stop import Stop
from benchwright.errors import BudgetReached, ModelError, UserError
from benchwright.hookspecs import Workspace
from benchwright.journal import submissions, turns
from benchwright.journal.encoding import encode, whole
from benchwright.models.guard import GUARD, Guard, NoMoreCalls, Stopped
from benchwright.models.interface import Ask
from benchwright.outcomes import OUTCOMES
from benchwright.records import Evaluation, Message, Reply, Round, Submission, ToolOutput, Usage
from benchwright.sandbox import NoWalls

Answer = TypeVar("Answer")


class Abandoned(Exception):
    """The run stops before this attempt is finished; what is on disk is taken up when it resumes."""


class _Ended(Exception):
    """The episode ends without a graded submission."""

    def __init__(self, outcome: str, reason: str, trace: str = "") -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.trace = trace


class Result(msgspec.Struct, frozen=True):
    """How an episode ended, before it becomes the attempt's line."""

    outcome: str
    reason: str
    graded: Graded | None
    rounds: list[Round]
    files: dict[str, str]
    ledger: Ledger
    passes: int
    labels_seen: int
    parse_failure: bool
    protocol_errors: list[str]
    isolation: str


class Episode:
    """The state of one attempt in progress."""

    def __init__(
        self,
        slot: Slot,
        folder: turns.Files,
        grader: Grader,
        budget: Budget,
        gate: asyncio.Semaphore,
        stop: Stop,
        accepts: Callable[[str, str], bool],
        in_thread: Callable[[Callable[[], Any], float | None], Awaitable[Any]],
        resumed: bool,
        margin: float,
    ) -> None:
        assert slot.place.task is not None
        self._slot = slot
        self._task = slot.place.task
        self._files = folder
        self._grader = grader
        self._budget = budget
        self._gate = gate
        self._stop = stop
        self._accepts = accepts
        self._in_thread = in_thread
        self._resumed = resumed
        self._limit = self._task.limits.seconds + margin
        self._messages = list(slot.place.messages)
        self._ledger = Ledger()
        self._sandbox: SeenSandbox = grader.sandbox()
        self._rounds: list[Round] = []
        self._passes = 0
        self._shown: dict[str, int] = {}
        """Labels shown, by the data they belong to."""
        self._parse_failure = False
        self._protocol_errors: list[str] = []
        self._tool_calls: list[bytes] = []

    async def play(self) -> Result:
        """Runs the episode. Raises Abandoned and BudgetReached, both of which leave it to be resumed."""
        protocol = self._slot.place.spec.protocol.kind
        graded: Graded | None = None
        files: dict[str, str] = {}
        try:
            if protocol == "tools":
                text = await self._use_tools()
                graded, files = await self._grade(text)
            elif protocol == "revise":
                graded, files = await self._revise()
            else:
                graded, files = await self._grade(await self._ask())
        except _Ended as ended:
            self._parse_failure = ended.outcome == "no_submission"
            graded = Graded(Evaluation(ended.outcome, reason=str(ended)), [], 0.0, ended.trace)
            if OUTCOMES[ended.outcome].evidence != "none":
                graded = msgspec.structs.replace(graded, evaluation=Evaluation(ended.outcome, 0.0, reason=str(ended)))
            submissions.write_verdict(self._files, "eval", graded.evaluation, [], ended.trace)
        if self._tool_calls:
            self._files.write("tool_calls.jsonl", b"".join(self._tool_calls))
        evaluation = graded.evaluation
        return Result(
            outcome=evaluation.outcome,
            reason=evaluation.reason,
            graded=graded,
            rounds=self._rounds,
            files=files,
            ledger=self._ledger,
            passes=self._passes,
            labels_seen=self._labels_seen,
            parse_failure=self._parse_failure,
            protocol_errors=self._protocol_errors,
            isolation=self._sandbox.isolation,
        )

    # The three protocols.

    async def _revise(self) -> tuple[Graded, dict[str, str]]:
        # A model that answers alike whatever it is told would be shown labels for nothing.
        most = 0 if getattr(self._slot.model, "fixed", False) else self._slot.place.spec.protocol.rounds
        for done in range(most + 1):
            reply = await self._ask()
            last = done == most
            submission, unreadable = self._read(reply)
            graded = await self._verdict(submission, unreadable)
            seen = self._labels_seen  # before the report on it: what its writer knew
            feedback = "" if last else await self._feedback(submission, graded, unreadable)
            prefix = "" if not feedback else f"round-{done + 1:02d}/"
            files = self._write(prefix, submission, graded)
            self._round(graded, files, seen)
            if not feedback:
                return graded, files
            self._say(reply, feedback)
        raise AssertionError("the last round returns")

    async def _feedback(self, submission: Submission | None, graded: Graded, unreadable: str) -> str:
        """The next message: the development report, or why there is none. Empty ends the episode."""
        if submission is None:
            return f"Your reply could not be read: {unreadable}"
        if graded.violations:
            broken = "\n".join(f"- {entry.rule}, {entry.where}: {entry.why}" for entry in graded.violations)
            return f"The submission breaks rules of the task and was not run:\n{broken}"
        shown = await self._graded(lambda: self._grader.development(self._slot.place, submission, self._sandbox))
        if shown.evaluation.outcome == "harness_error":
            raise _Ended("harness_error", shown.evaluation.reason, shown.trace)
        self._ledger.seconds += shown.seconds
        if shown.evaluation.feedback:
            self._show(shown.evaluation)
        return str(shown.evaluation.feedback)

    def _show(self, evaluation: Evaluation) -> None:
        """Counts the labels of a report; the same data shown again holds no new ones."""
        key = evaluation.data.sha256 if evaluation.data is not None else f"report {len(self._shown) + 1}"
        self._shown[key] = max(self._shown.get(key, 0), evaluation.labels_seen)

    @property
    def _labels_seen(self) -> int:
        return sum(self._shown.values())

    async def _use_tools(self) -> Reply:
        """Passes until a reply holds the answer; gives that reply."""
        place, most = self._slot.place, self._slot.place.spec.protocol.passes
        stack = ExitStack()
        workspace: Workspace | None = None
        try:
            while True:
                reply = await self._ask()
                if self._passes >= most or reply.submission is not None:
                    return reply
                blocks = replies.python_blocks(reply.text)
                if len(blocks) == 1:
                    if workspace is None:
                        workspace = await self._tool(lambda: stack.enter_context(self._open_workspace()))
                    output = await self._pass(workspace, blocks[0])
                elif blocks:
                    output = self._protocol_error(f"{len(blocks)} Python blocks where exactly one is run; none was run")
                else:
                    try:
                        replies.parse(reply.text, place.spec)
                    except replies.Unreadable as error:
                        output = self._protocol_error(f"no Python block to run and no answer: {error.reason}")
                    else:
                        return reply
                self._passes += 1
                left = most - self._passes
                runs = (
                    f"You may run Python {left} more times." if left else "No run is left: reply with the answer now."
                )
                self._say(reply, f"{output}\n\n{runs}")
        finally:
            await self._in_thread(stack.close, self._limit)

    async def _pass(self, workspace: Workspace, code: str) -> str:
        """Runs one block; gives the next message."""
        ran: ToolOutput = await self._tool(lambda: workspace.python(code))
        self._ledger.seconds += ran.seconds
        self._record_call(code, ran)
        return ran.text if ran.status == "ok" else f"{ran.text}\n[{ran.status}]"

    async def _tool(self, work: Callable[[], Answer]) -> Answer:
        """What `work` gives, in a thread; what breaks in the sandbox ends the episode, not the run."""
        try:
            done: Answer = await self._in_thread(work, self._limit)
        except (UserError, NoWalls):
            raise
        except Exception as error:  # noqa: BLE001  the sandbox's defect is an outcome, never the end of a run
            raise _Ended("harness_error", f"{type(error).__name__}: {error}", traceback.format_exc()) from None
        return done

    def _open_workspace(self) -> contextlib.AbstractContextManager[Workspace]:
        return self._sandbox.workspace(self._task.workspace, imports=self._task.imports, limits=self._task.limits)

    def _protocol_error(self, why: str) -> str:
        self._protocol_errors.append(f"turn {self._ledger.turns}: {why}")
        self._record_call("", ToolOutput(why, "error"), protocol_error=True)
        return f"Protocol error: {why}."

    def _record_call(self, code: str, output: ToolOutput, *, protocol_error: bool = False) -> None:
        record = {"turn": self._ledger.turns, "pass": self._passes + 1, "code": code, "output": output}
        if protocol_error:
            record["protocol_error"] = True
        self._tool_calls.append(encode(record) + b"\n")

    def _say(self, reply: Reply, text: str) -> None:
        """Puts the model's reply and our next message behind the conversation."""
        self._messages += [Message("assistant", reply.text), Message("user", text)]

    # Asking.

    async def _ask(self) -> Reply:
        """The reply to the conversation so far: from disk where it was paid already, else from the model."""
        self._ledger.turns += 1
        turn = self._ledger.turns
        ask = Ask(
            self._slot.place.spec, self._task, self._task.system, tuple(self._messages), self._slot.draw, turn,
            self._files.folder,
        )  # fmt: skip
        sent = self._sent(turn)
        if turn == 1:
            for name, content in ((n, c) for message in self._messages for n, c in message.attachments.items()):
                self._files.write(f"turn-01/attachments/{name}", content)
        reply = self._from_disk(turn, sent) if self._resumed else None
        if reply is None:
            if self._stop.asked:
                raise Abandoned
            reply = await self._call(ask, sent)
        self._ledger.enter(reply)
        self._judge_stop(reply)
        return reply

    def _sent(self, turn: int) -> bytes:
        """The text of this turn's message, as it stands in `message.txt`."""
        if turn > 1:
            return self._messages[-1].text.encode("utf-8", "surrogatepass")
        parts = [f"[system]\n{self._task.system}\n"] if self._task.system else []
        many = len(self._messages) > 1
        parts += [
            f"[{message.role}]\n{message.text}\n" if many or parts else message.text for message in self._messages
        ]
        return "\n".join(parts).encode("utf-8", "surrogatepass")

    def _from_disk(self, turn: int, sent: bytes) -> Reply | None:
        found = turns.read_turn(self._files.folder, turn)
        if found is None:
            return None
        record, reply = found
        if record.gave_files or record.message_sha256 != digests.sha256(sent):
            return None
        for name in (turns.MESSAGE, turns.ANSWER, turns.EVENTS, turns.RECORD):
            with contextlib.suppress(FileNotFoundError):
                path = f"turn-{turn:02d}/{name}"
                self._files.known(path, (self._files.folder / path).read_bytes())
        turns.drop_answered(self._files, turn, record)
        self._ledger.reused += 1
        self._ledger.interrupted += record.interrupted
        return reply

    async def _call(self, ask: Ask, sent: bytes) -> Reply:
        message = self._files.write(f"turn-{ask.turn:02d}/{turns.MESSAGE}", sent)
        try:
            async with self._gate, self._budget.reserved(self._slot.model, ask, self._stop.halt) as further:
                if self._stop.asked:
                    raise Abandoned
                reply, failure = await self._asked(ask, message, further)
        except NoMoreCalls:
            raise Abandoned from None
        if failure is not None:
            self._ledger.enter(reply)
            raise failure
        return reply

    async def _asked(self, ask: Ask, message: str, further: Further | None) -> tuple[Reply, Exception | None]:
        """The reply, on disk; where there is none, what was billed all the same, and what ends the episode."""
        model, turn = self._slot.model, ask.turn
        began, clock = time.time(), time.perf_counter()
        earlier = turns.read_record(self._files.folder, turn) if self._resumed and model.paid else None
        left = turns.begin_call(self._files, turn, began) if model.paid else turns.Calling("")

        marked = left

        def note(calls: int, wasted: Usage | None, in_flight: bool) -> None:
            nonlocal marked
            so_far = with_earlier(Reply("", wasted=wasted, calls=calls), calls=left.calls, billed=[left.wasted])
            marked = turns.Calling(left.started, left.interrupted, so_far.calls, so_far.wasted, in_flight)
            turns.note_call(self._files, turn, marked)

        token = GUARD.set(Guard(self._stop.halt, further, note if model.paid else None))
        try:
            reply, failure = await self._reply(ask)
        except (UserError, BudgetReached):
            if model.paid:
                ended = msgspec.structs.replace(marked, calls=marked.calls + 1, in_flight=False)
                turns.note_call(self._files, turn, ended)
            raise
        finally:
            GUARD.reset(token)
        if not reply.seconds:
            reply = msgspec.structs.replace(reply, seconds=time.perf_counter() - clock)
        self._budget.spent(model, reply)
        interrupted = left.interrupted
        reply = with_earlier(reply, calls=left.calls, billed=[left.wasted])
        if earlier is not None:
            interrupted += earlier.interrupted
            reply = with_earlier(reply, calls=earlier.calls, billed=[earlier.usage, earlier.wasted])
        record = turns.TurnRecord(
            turn, model.identity, reply.model_answered, dict(model.settings), reply.stop, reply.usage, reply.wasted,
            reply.calls, round(reply.seconds, 6), turns.stamp(began), message, interrupted=interrupted,
            gave_files=reply.submission is not None, failure="" if failure is None else str(failure),
        )  # fmt: skip
        turns.write_turn(self._files, record, reply, durable=model.paid)
        if model.paid:
            turns.end_call(self._files, turn)
        self._ledger.interrupted += interrupted
        return reply, failure

    async def _reply(self, ask: Ask) -> tuple[Reply, Exception | None]:
        """The model's reply; where it gave none, what was billed all the same, and how the episode ends."""
        try:
            reply = await self._slot.model.reply(ask)
            return msgspec.structs.replace(reply, text=whole(reply.text)), None
        except Stopped as stopped:
            return stopped.reply or Reply("", stop="failed", calls=0), Abandoned(str(stopped))
        except ModelError as error:
            billed = error.reply or Reply("", stop="failed")
            return msgspec.structs.replace(billed, stop="failed"), _Ended(error.outcome, str(error))
        except (UserError, BudgetReached):
            raise
        except Exception as error:  # noqa: BLE001  a provider module's defect is an outcome, never the end of a run
            ended = _Ended("harness_error", f"{type(error).__name__}: {error}", traceback.format_exc())
            return Reply("", stop="failed"), ended

    def _judge_stop(self, reply: Reply) -> None:
        """Ends the episode where the reply's structured fields say it is no evidence."""
        asked, _, _ = self._slot.model.identity.partition("[")
        if reply.model_answered and not self._accepts(asked, reply.model_answered):
            raise _Ended("substituted_model", f"`{reply.model_answered}` answered where `{asked}` was asked")
        if reply.stop == "length":
            raise _Ended("truncated", "the reply was cut at the output cap")
        if reply.stop == "refusal":
            raise _Ended("refused", "the model declined to answer")

    # Grading.

    def _read(self, reply: Reply) -> tuple[Submission | None, str]:
        """The submission of a reply, or why there is none."""
        self._parse_failure = False
        try:
            submission = reply.submission or replies.parse(reply.text, self._slot.place.spec)
            bad = [name for name in submission.files if not turns.safe_name(name)]
            if bad:
                raise replies.Unreadable(f"The file name {bad[0][:80]!r} cannot be used.")
        except replies.Unreadable as error:
            self._parse_failure = True
            return None, error.reason
        return submission, ""

    async def _verdict(self, submission: Submission | None, unreadable: str) -> Graded:
        if submission is None:
            return Graded(Evaluation("no_submission", 0.0, reason=unreadable), [], 0.0)
        graded = await self._graded(lambda: self._grader.grade(self._slot.place, submission, self._sandbox))
        self._ledger.seconds += graded.seconds
        return graded

    async def _graded(self, work: Callable[[], Graded]) -> Graded:
        """What the grader says; where it hangs, that it did."""
        try:
            graded: Graded = await self._in_thread(work, self._limit)
        except Overdue as overdue:
            owner = self._slot.place.spec.id.partition("/")[0]
            reason = f"the grading of `{owner}` hung: {overdue}"
            return Graded(Evaluation("harness_error", reason=reason), [], overdue.seconds)
        return graded

    async def _grade(self, reply: Reply) -> tuple[Graded, dict[str, str]]:
        submission, unreadable = self._read(reply)
        graded = await self._verdict(submission, unreadable)
        files = self._write("", submission, graded)
        self._round(graded, files)
        return graded, files

    def _write(self, prefix: str, submission: Submission | None, graded: Graded) -> dict[str, str]:
        if self._resumed:
            submissions.clear(self._files, f"{prefix}submission")
            submissions.clear(self._files, f"{prefix}eval")
        files = (
            {} if submission is None else submissions.write_submission(self._files, f"{prefix}submission", submission)
        )
        submissions.write_verdict(self._files, f"{prefix}eval", graded.evaluation, graded.violations, graded.trace)
        return files

    def _round(self, graded: Graded, files: dict[str, str], labels_seen: int = 0) -> None:
        verdict = graded.evaluation
        self._rounds.append(Round(verdict.score, verdict.outcome == "solved", labels_seen, verdict.outcome, files))
