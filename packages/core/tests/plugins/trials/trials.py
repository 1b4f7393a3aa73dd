"""A benchmark whose tasks end in every outcome there is, and a model that says what it is told to say.

`scripted:FILE` reads a JSON file: `replies` maps `task`, `task#draw` or `task#draw#turn` to what the
model does there (`*` for the rest), `paid` says whether calls cost, `log` names a file that gets a line a call,
`flight` one that gets the number of calls in flight.
"""

import json
import os
import sys
import threading
from pathlib import Path

from benchwright import (
    Check,
    Evaluation,
    Protocol,
    Reply,
    Section,
    Submission,
    Table,
    Task,
    TaskSpec,
    Usage,
    Violation,
    hookimpl,
)
from benchwright.errors import ModelError

API = 1

GRADED = (
    "solved", "unsolved", "rule_violation", "submission_error", "timeout", "resource_limit", "harness_error",
    "no_submission", "provider_error", "refused", "truncated", "substituted_model",
)  # fmt: skip


def _version():
    return "2" if "TRIALS_MENDED" in os.environ else "1"


def _hangs(hook):
    if os.environ.get("TRIALS_HANGS") == hook:
        threading.Event().wait()


@hookimpl
def list_params():
    _hangs("list_params")
    if os.environ.get("TRIALS_FAILS") == "list_params":
        raise KeyError("nothing there")
    return []


@hookimpl
def list_tasks(ctx):
    _hangs("list_tasks")
    yield from (TaskSpec(f"trials/{name}", name, "trials") for name in GRADED)
    yield TaskSpec("trials/needs_accelerator", "a machine nobody has", "trials", requires=("accelerator:none",))
    yield TaskSpec("trials/needs_dependency", "a package nobody has", "trials", requires=("module:no_such_module",))
    yield TaskSpec("trials/needs_data", "data nobody has", "trials", requires=("data:no_such_data",))
    yield TaskSpec("trials/unloadable", "load_task fails", "trials-broken")
    yield TaskSpec("trials/revise", "guess 7", "trials-revise", protocol=Protocol("revise", rounds=2))
    yield TaskSpec("trials/tools", "the sum that Python prints", "trials-tools", protocol=Protocol("tools", passes=2))
    yield TaskSpec("trials/waits", "graded when another task was asked", "trials-waits")
    if "TRIALS_ALIKE" in os.environ:
        yield from (TaskSpec(f"trials/alike_{each}", "the same as another", "trials-alike") for each in "ab")
    yield TaskSpec("trials/file", "one file", "trials-file", submission="python-file", file="answer.py")


@hookimpl
def load_task(ctx):
    if ctx.id == "trials/unloadable":
        _hangs("load_task")
    if ctx.id == "trials/unloadable":
        raise KeyError("nothing there")
    answer = {"value": 7}
    if ctx.id.startswith("trials/alike"):
        return Task.single(ctx.id, version="1", prompt="Seven.", private={"reference": answer})
    task = Task.single(
        ctx.id, version=_version(), prompt=f"The task {ctx.id}, {_version()}.", private={"answer": answer}
    )
    reference = Submission("json", answer=answer)
    if ctx.id == "trials/file":
        reference = Submission("python-file", files={"answer.py": b"value = 7\n"})
    return type(task)(**{**{name: getattr(task, name) for name in task.__struct_fields__}, "reference": reference})


@hookimpl
def check_rules(ctx):
    if ctx.task.id == "trials/rule_violation":
        return [Violation("no-seven", "value", "it is 7")]
    return None


INTERPRETER_FAILED = threading.Event()
"""Set once the interpreter is made out to have failed."""
UNWRITABLE = {
    "metric": Evaluation("unsolved", 0.0, {"passed": object()}),
    "artifact": Evaluation("unsolved", 0.0, artifacts={"../out.txt": b"x"}),
    "text": Evaluation("unsolved", 0.0, artifacts={"out.txt": "no bytes"}),
    "half": Evaluation("unsolved", 0.0, reason="it printed \ud83d"),
}
"""Verdicts that no file can hold as they are."""


@hookimpl
def evaluate(ctx):
    name = ctx.task.id.partition("/")[2]
    if name == "file":
        return Evaluation.solved_if(ctx.submission.files == {"answer.py": b"value = 7\n"})
    if name == "waits":
        return Evaluation.solved_if(_asked("trials/solved"))
    value = ctx.submission.answer.get("value")
    if value == "interpreter" and not INTERPRETER_FAILED.is_set():
        INTERPRETER_FAILED.set()
        raise SystemError("AST constructor recursion depth mismatch (before=54, after=52)")
    if value in ("none", "odd"):
        return {"none": None, "odd": Evaluation("splendid")}[value]
    if value == "leaves":
        sys.exit("the tool failed")
    if value in UNWRITABLE:
        return UNWRITABLE[value]
    if name == "revise":
        if ctx.split == "development":
            return Evaluation(
                "unsolved", 0.0, feedback=f"{value} is {'too low' if value < 7 else 'not too low'}", labels_seen=1
            )
        return Evaluation.solved_if(value == 7, max(0.0, 1 - abs(value - 7) / 10))
    if name == "harness_error":
        raise RuntimeError("the benchmark broke")
    if name == "unsolved" and _version() == "1":
        checks = (Check("first", True), Check("second", False, "it is off"))
        return Evaluation(
            "unsolved", 0.5, {"passed": 1, "ratio": 0.5, "unknown": None}, checks, artifacts={"trace.txt": b"off\n"}
        )
    if name in ("submission_error", "timeout", "resource_limit"):
        return Evaluation(name, 0.0, reason=f"it ended in {name}")
    return Evaluation.solved_if(value == 7)


def _asked(task):
    """Waits until `calls.log` has a call for `task`."""
    import time

    until = time.monotonic() + 20
    while time.monotonic() < until:
        if task in Path("calls.log").read_text():
            return True
        time.sleep(0.01)
    return False


@hookimpl
def report(ctx):
    _hangs("report")
    if ctx.suite != "trials":
        return []
    rows = tuple((attempt.task.id, attempt.outcome) for attempt in ctx.attempts)
    return [
        Section("Every end", "Why this is measured.", (Table(("task", "end"), rows),), at_end=True),
        Section("For the report alone", tables=(Table(("what",), (("nothing",),)),)),
    ]


@hookimpl
def check_machine():
    _hangs("check_machine")
    return []


@hookimpl
def calibrate(ctx):
    _hangs("calibrate")
    if os.environ.get("TRIALS_FAILS") == "calibrate":
        raise KeyError("nothing there")


@hookimpl
def register_commands(cli):
    _hangs("register_commands")


@hookimpl
def register_models(register):
    _hangs("register_models")
    if os.environ.get("TRIALS_FAILS") == "register_models":
        raise KeyError("nothing there")
    register("scripted", Scripted)


class Scripted:
    """See the module."""

    def __init__(self, argument, knobs, options):
        script = json.loads(Path(argument).read_text())
        self.identity = "scripted/" + script.get("name", "one")
        self.settings = {"script": script.get("name", "one")}
        self.paid = script.get("paid", False)
        self._replies = script["replies"]
        self._delay = script.get("delay", 0.0)
        self._log = script.get("log")
        self._flight = script.get("flight")
        self._in_flight = 0

    async def reply(self, ask):
        import asyncio

        keys = (f"{ask.spec.id}#{ask.draw}#{ask.turn}", f"{ask.spec.id}#{ask.draw}", ask.spec.id, "*")
        said = next(self._replies[key] for key in keys if key in self._replies)
        if self._log:
            with open(self._log, "a") as log:
                log.write(f"{ask.spec.id}#{ask.draw}#{ask.turn}\n")
        self._in_flight += 1
        if self._flight:
            with open(self._flight, "a") as log:
                log.write(f"{self._in_flight}\n")
        await asyncio.sleep(self._delay)
        self._in_flight -= 1
        usage = Usage(input=100, output=10) if self.paid else None
        if "crash" in said:
            raise ValueError(said["crash"])
        if "fail" in said:
            billed = Reply("", stop="failed", wasted=usage, calls=3)
            raise ModelError(said["fail"], said.get("outcome", "provider_error"), billed)
        return Reply(
            said.get("text", ""), said.get("answered"), said.get("stop", "end"), usage,
            events=({"type": "reply", "text": said.get("text", "")},),
        )  # fmt: skip

    async def close(self):
        pass
