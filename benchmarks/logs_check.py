"""Seconds and memory for `bench logs` on a run of many attempts, each command in a process of its own.

    python benchmarks/logs_check.py [ATTEMPTS]

ATTEMPTS: 10,000 where not given. The run is made by the engine with a model that answers as the Responses API
does, a stream of events a turn, so that check reads everything a paid run holds. Beside them the baseline: reading
and hashing the same files. Prints one JSON line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from engine_overhead import install

COMMANDS = {
    "baseline": "from logs_check import baseline; baseline(Path(sys.argv[1]))",
    "check": "from benchwright_logs.check import check; assert not check(Path(sys.argv[1])).problems",
    "audit": "from benchwright_logs.audit import audit; found = audit(Path(sys.argv[1])); "
    "assert set(found.verdicts) == {'tool_free'} and not found.problems",
}
TIMED = """
import json, resource, sys, time
sys.path.insert(0, {here!r})
wall, cpu = time.perf_counter(), time.process_time()
from pathlib import Path
{command}
print(json.dumps({{
    "wall_s": round(time.perf_counter() - wall, 2),
    "cpu_s": round(time.process_time() - cpu, 2),
    "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)),
}}))
"""


class Streaming:
    """Answers every sum, with the events that the Responses API would have sent."""

    identity = "openai/bench"
    settings: Mapping[str, Any] = {"max_output": 32000}
    paid = False

    async def reply(self, ask: Any) -> Any:
        """The reference as a stream of events."""
        from benchwright import Reply, Usage

        text = json.dumps(ask.task.private["reference"])
        fence = f"```json\n{text}\n```"
        common = {"id": "resp_1", "object": "response", "model": "bench", "tools": []}
        item = {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": fence, "annotations": []}],
        }
        usage = {"input_tokens": 90, "output_tokens": 12, "total_tokens": 102}
        events = [
            {"type": "response.created", "response": {**common, "status": "in_progress", "output": []}},
            *({"type": "response.output_text.delta", "item_id": "m", "delta": fence[at : at + 4]} for at in range(0, len(fence), 4)),
            {"type": "response.completed", "response": {**common, "status": "completed", "output": [item], "usage": usage}},
        ]  # fmt: skip
        numbered = tuple({**event, "sequence_number": number} for number, event in enumerate(events))
        return Reply(fence, "bench", "end", Usage(90, 12), numbered)

    async def close(self) -> None:
        """Nothing is held."""


def make(attempts: int, out: Path) -> None:
    """The run."""
    import msgspec
    from benchwright import engine
    from benchwright.engine.plan import Plan
    from benchwright.engine.workbench import Workbench
    from benchwright.records import ModelRef

    with Workbench() as bench:
        request = engine.Request(suites=("sums",), params=(f"sums.num_tasks={attempts}",))
        planned = engine.make_plan(bench.plugins, bench.registry, request)
        model = Streaming()
        record = msgspec.structs.replace(
            planned.record, models=[ModelRef(model.identity, settings=dict(model.settings))]
        )
        engine.run(
            Plan(record, planned.places, [model]), bench.plugins, bench.registry, bench.sandbox,
            begin=engine.Begin(out=out), settings=engine.Settings(), watcher=engine.Watcher(), prices=engine.Prices(),
        )  # fmt: skip


def baseline(run: Path) -> None:
    """Reads and hashes every file of the run."""
    import hashlib

    for folder, _, names in os.walk(run):
        for name in names:
            with open(f"{folder}/{name}", "rb") as file:
                hashlib.sha256(file.read()).hexdigest()


def main() -> None:
    """Makes the run, times each command, prints one JSON line."""
    attempts = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    here = str(Path(__file__).resolve().parent)
    with tempfile.TemporaryDirectory() as place:
        install(Path(place) / "site")
        environment = {**os.environ, "PYTHONPATH": f"{place}/site", "BENCHWRIGHT_CACHE": f"{place}/cache"}
        run = f"{place}/run"
        code = f"import sys; sys.path.insert(0, {here!r}); import logs_check; from pathlib import Path; logs_check.make({attempts}, Path({run!r}))"
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)
        measured: dict[str, Any] = {"attempts": attempts, "files": sum(len(names) for _, _, names in os.walk(run))}
        for name, command in COMMANDS.items():
            done = subprocess.run(
                [sys.executable, "-c", TIMED.format(here=here, command=command), run],
                env=environment, check=True, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            measured[name] = json.loads(done.stdout)
        print(json.dumps(measured), flush=True)


if __name__ == "__main__":
    main()
