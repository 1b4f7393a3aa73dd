"""Makes runs against a server on this machine, and mends or damages them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright import digests
from fault_server import FaultServer
from fault_table import KEY, VARIABLES

PROVIDERS = ("anthropic", "openai", "openai-compatible")


def _sum(body: dict[str, Any]) -> str:
    import re

    asked = _texts(body)[0]
    number = int(re.findall(r"the sum of (\d+)", asked)[0])
    return f'I add them up.\n\n```json\n{{"sum": {2 * number if number % 3 else 1}}}\n```\n'


def _guess(body: dict[str, Any]) -> str:
    return f'```json\n{{"value": {3 + 2 * (len(_texts(body)) // 2)}}}\n```\n'


def _compute(body: dict[str, Any]) -> str:
    said = len(_texts(body)) // 2
    return ("I try it.\n\n```python\nprint('é', 3 + 4)\n```\n", '```json\n{"value": 7}\n```\n')[min(said, 1)]


def _texts(body: dict[str, Any]) -> list[str]:
    messages = body.get("messages", body.get("input"))
    return [message["content"] for message in messages if message["role"] != "system"]


RUNS: Mapping[str, tuple[str, str, int, Callable[[dict[str, Any]], str]]] = {
    **{f"single-{provider}": (provider, "sums/n[1-4]", 2, _sum) for provider in PROVIDERS},
    "single": ("reference", "sums/n[1-4]", 1, _sum),
    "revise": ("anthropic", "trials/revise", 1, _guess),
    "tools": ("openai", "trials/tools", 1, _compute),
}
"""Name of a run -> provider, tasks, draws, and what the model says."""
PROTOCOLS = ("single-openai", "revise", "tools")


def make(name: str, out: Path, patch: pytest.MonkeyPatch) -> None:
    """Plays a run into `out`. Skips where there are no walls for one that runs code."""
    from benchwright import engine
    from benchwright.engine.workbench import Workbench
    from benchwright.sandbox import NoWalls

    provider, tasks, draws, says = RUNS[name]
    for variable in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        patch.delenv(variable, raising=False)
    for variable in VARIABLES.values():
        patch.setenv(variable, KEY)
    with FaultServer() as server, Workbench() as bench:
        server.reply = says
        base = server.origin if provider == "anthropic" else f"{server.origin}/v1"
        request = engine.Request(
            tasks=(tasks,),
            models=("reference" if provider == "reference" else f"{provider}/x",),
            draws=draws,
            options={} if provider == "reference" else {"base_url": base},
        )
        try:
            done = engine.run(
                engine.make_plan(bench.plugins, bench.registry, request), bench.plugins, bench.registry, bench.sandbox,
                begin=engine.Begin(out=out), settings=engine.Settings(), watcher=engine.Watcher(), prices=engine.Prices(),
            )  # fmt: skip
        except NoWalls as error:
            pytest.skip(f"a run with tools needs walls: {error}")
    assert done.status == "finished"


def attempts(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "attempts.jsonl").read_text().splitlines()]


def places(run: Path) -> list[Path]:
    """The folders of the attempts, in the order of `attempts.jsonl`."""
    found = {json.loads(path.read_text())["attempt"]: path.parent for path in run.rglob("state.json")}
    return [found[line["attempt"]] for line in attempts(run)]


def change_line(run: Path, change: Callable[[dict[str, Any]], None], number: int = 0) -> None:
    """Changes one line of `attempts.jsonl`; `rehash` makes the run fit again."""
    lines = attempts(run)
    change(lines[number])
    (run / "attempts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def change_json(path: Path, change: Callable[[Any], None]) -> None:
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def rehash(run: Path) -> None:
    """Mends every hash of a run whose files were changed, so that what is found is found by deriving, not by hashing."""
    lines = attempts(run)
    for line, place in zip(lines, places(run), strict=True):
        for record in sorted(place.glob("turn-*/run.json")):
            names = {"message_sha256": "message.txt", "answer_sha256": "answer.md", "events_sha256": "events.jsonl"}
            change_json(
                record,
                lambda value, names=names, record=record: value.update(
                    {
                        key: digests.sha256((record.parent / name).read_bytes())
                        if (record.parent / name).exists()
                        else None
                        for key, name in names.items()
                    }
                ),
            )
        state = place / "state.json"
        files = {
            path.relative_to(place).as_posix(): digests.sha256(path.read_bytes())
            for path in sorted(place.rglob("*"))
            if path.is_file() and path != state
        }
        change_json(state, lambda value, files=files: value.update(files=files))
        for holder in (line, *line["rounds"]):
            holder["files"] = {name: files.get(name, "sha256:gone") for name in holder["files"] if name != "state.json"}
        line["files"]["state.json"] = digests.sha256(state.read_bytes())
    (run / "attempts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    change_json(
        run / "manifest.json",
        lambda value: value["files"].update({"attempts.jsonl": digests.sha256((run / "attempts.jsonl").read_bytes())}),
    )


def repin(release: Path) -> None:
    """Mends the hashes in `release.json`."""
    files = {
        path.relative_to(release).as_posix(): digests.sha256(path.read_bytes())
        for path in sorted(release.rglob("*"))
        if path.is_file() and path.name != "release.json"
    }
    change_json(release / "release.json", lambda value: value.update(files=files))


class Ended(msgspec.Struct):
    """How a command ended."""

    code: int
    out: str
    err: str


def command(words: Sequence[object], folder: Path, environment: Mapping[str, str]) -> Ended:
    done = subprocess.run(
        list(map(str, words)),
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Ended(done.returncode, done.stdout, done.stderr)
