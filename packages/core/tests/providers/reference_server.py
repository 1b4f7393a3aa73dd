"""A server that answers every task with its reference, in the form that the prompt asks for.

    python packages/core/tests/providers/reference_server.py [SUITE,…] [--provider anthropic,openai,openai-compatible]

    python packages/core/tests/providers/reference_server.py --serve [SUITE,…]

The first runs `bench run` once with the references handed over and once through the server with each provider, and
prints, suite by suite, what each solved. All must solve the same tasks: whatever is lost on the way is lost by the
prompt's form, the parser, the protocols or the provider module, never by the answer. The second
prints the server's address and serves until it is interrupted.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import fault_table
import msgspec
from benchwright import replies
from benchwright.engine import Request, make_plan
from benchwright.engine.workbench import Workbench
from benchwright.errors import ModelError
from benchwright.models.hosted import text_of
from benchwright.models.reference import reference_of
from benchwright.records import Submission, TaskSpec
from fault_server import FaultServer

FIRST_PASS = """I look at the files first.

```python
import hashlib, os
for name in sorted(os.listdir(".")):
    if os.path.isfile(name):
        print(hashlib.sha256(open(name, "rb").read()).hexdigest())
```
"""
"""Tasks may share a prompt and differ in their files, so the answer depends on what this pass prints."""


def exact(value: Any) -> str:
    """JSON with every digit of a Decimal, which `json.dumps` does not know."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {exact(below)}" for key, below in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(exact, value)) + "]"
    return json.dumps(value, allow_nan=False)


def fenced(opening: str, body: str) -> str:
    longest = max((len(run) for run in re.findall(r"^ *(`{3,})", body, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{opening}\n{body.rstrip(chr(10))}\n{fence}\n"


def composed(spec: TaskSpec, submission: Submission) -> str:
    """A submission as a reply that follows `replies.instructions(spec)`."""
    if spec.submission == "json":
        return "Here is the answer.\n\n" + fenced("json", exact(submission.answer))
    told = replies.instructions(spec)
    languages = dict(re.findall(r"```(\w+) (\w+\.\w+)", told))
    language = next(iter(languages))
    parts = [f"{fenced(f'{language} {name}', data.decode())}" for name, data in submission.files.items()]
    return "Here it is.\n\n" + "\n".join(parts)


class Known(msgspec.Struct, frozen=True):
    """A task that the server can answer: its reply, and the digests of its files."""

    spec: TaskSpec
    reply: str
    files: tuple[str, ...]


def answers(suites: list[str]) -> dict[str, list[Known]]:
    """First message, exactly as sent -> the tasks that begin with it."""
    found: dict[str, list[Known]] = {}
    with Workbench() as bench:
        plan = make_plan(bench.plugins, bench.registry, Request(suites=tuple(suites)))
        for place in plan.places:
            if place.task is None:
                continue
            try:
                reply = composed(place.spec, reference_of(place.spec, place.task))
            except ModelError:
                continue
            files = tuple(hashlib.sha256(data).hexdigest() for data in place.task.workspace.values())
            found.setdefault(text_of(place.messages[0]), []).append(Known(place.spec, reply, files))
    return found


def conversation(body: dict[str, Any]) -> list[str]:
    """The texts of a request's messages, the system line left out, whatever the wire format."""
    messages = body.get("messages", body.get("input"))
    return [message["content"] for message in messages if message["role"] != "system"]


def answer(known: dict[str, list[Known]], body: dict[str, Any]) -> str:
    """The reply to a request: with the `tools` protocol one pass first, so that the protocol is gone through."""
    texts = conversation(body)
    candidates = known[texts[0]]
    if candidates[0].spec.protocol.kind != "tools":
        [only] = candidates
        return only.reply
    if len(texts) == 1:
        return FIRST_PASS
    [only] = [entry for entry in candidates if all(digest in texts[2] for digest in entry.files)]
    return only.reply


def run(model: str, suites: list[str], out: Path, *more: str) -> dict[str, dict[str, Any]]:
    """`bench run`; task id -> attempt."""
    command = [
        sys.executable,
        "-m",
        "benchwright",
        "run",
        "--suite",
        ",".join(suites),
        "--model",
        model,
        "--out",
        str(out),
    ]
    done = subprocess.run([*command, "--no-mlflow", *more], capture_output=True, text=True, check=False)
    if not (out / "attempts.jsonl").exists():
        raise SystemExit(done.stderr)
    lines = [json.loads(line) for line in (out / "attempts.jsonl").read_text().splitlines()]
    return {line["task"]["id"]: line for line in lines}


Pairs = list[tuple[dict[str, Any], dict[str, Any]]]
"""Each task's attempt by the reference, and by the server."""


def compare(suites: list[str], providers: Sequence[str], folder: Path, *more: str) -> dict[str, Pairs]:
    """Provider -> each task's two attempts; the references are handed over once."""
    known = answers(suites)
    handed = run("reference", suites, folder / "handed", *more)
    found: dict[str, Pairs] = {}
    for provider in providers:
        with FaultServer() as server:
            server.reply = lambda body: answer(known, body)
            os.environ[fault_table.VARIABLES[provider]] = fault_table.KEY
            base = server.origin if provider == "anthropic" else f"{server.origin}/v1"
            served = run(f"{provider}/x", suites, folder / provider, "--base-url", base, *more)
        assert set(handed) == set(served)
        found[provider] = [(handed[task], served[task]) for task in handed]
    return found


def serve(suites: list[str]) -> int:
    """Serves until it is interrupted."""
    known = answers(suites)
    with FaultServer() as server:
        server.reply = lambda body: answer(known, body)
        print(server.origin, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


def main(arguments: list[str]) -> int:
    """Prints the table; 1 where the two differ."""
    from tabulate import tabulate

    if arguments[:1] == ["--serve"]:
        return serve(arguments[1].split(",") if arguments[1:] else ["all"])
    providers = list(fault_table.FACTORIES)
    if "--provider" in arguments:
        at = arguments.index("--provider")
        providers = arguments[at + 1].split(",")
        del arguments[at : at + 2]
    suites = arguments[0].split(",") if arguments else ["all"]
    with tempfile.TemporaryDirectory() as folder:
        found = compare(suites, providers, Path(folder))
    groups: dict[tuple[str, str, str], Pairs] = {}
    for provider, pairs in found.items():
        for one, other in pairs:
            groups.setdefault((provider, one["task"]["suite"], one["protocol"]["kind"]), []).append((one, other))
    table = [
        (
            *key, len(pairs), sum(one["outcome"] == "solved" for one, _ in pairs),
            sum(other["outcome"] == "solved" for _, other in pairs), sum(other["protocol"]["turns"] for _, other in pairs),
            sum(other["calls"] for _, other in pairs), sum(other["parse_failure"] for _, other in pairs),
        )
        for key, pairs in sorted(groups.items())
    ]  # fmt: skip
    columns = ["provider", "suite", "protocol", "tasks", "handed over, solved", "served, solved", "turns", "calls",
               "parse failures"]  # fmt: skip
    print(tabulate(table, columns, "github"))
    different = [
        (provider, one, other)
        for provider, pairs in found.items()
        for one, other in pairs
        if (one["outcome"], one["score"]) != (other["outcome"], other["score"])
    ]
    for provider, one, other in different:
        print(
            f"{provider}, {one['task']['id']}: {one['outcome']} {one['score']} handed over, "
            f"{other['outcome']} {other['score']} through the server: {other['reason']}"
        )
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
