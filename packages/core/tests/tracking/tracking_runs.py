"""Finished runs to project."""

from pathlib import Path

import msgspec
from benchwright.journal import Manifest, PlanRecord, encode_line
from benchwright.records import Attempt, ModelRef, ProtocolRecord, TaskRef, Usage

RUN = "20261129-200000-abcd"


def attempt(model: str, task: int, draw: int, outcome: str = "solved", **fields: object) -> Attempt:
    record = Attempt(
        run=RUN,
        attempt=f"{abs(hash((model, task, draw))) & 0xFFFFFFFF:016x}",
        task=TaskRef(f"weightspace/read_t{task}", "1", f"bw1:{task:064x}", "warmup", "laptop", "weightspace"),
        model=ModelRef(model),
        draw=draw,
        outcome=outcome,
        score={"solved": 1.0, "unsolved": 0.25}.get(outcome),
        metrics={},
        failed_checks=[] if outcome == "solved" else ["<script>alert(1)</script>"],
        violations=[],
        protocol=ProtocolRecord("single", 1),
        usage=Usage(10, 20),
        cost_usd=0.01,
        isolation="not-needed",
        device=None,
        data=None,
        environment="sha256:0",
        started="2026-11-29T20:00:00Z",
        seconds=1.5,
        files={},
        benchmark="weightspace 0.1.0",
        reason="<b>bold</b>" if outcome != "solved" else "",
    )
    return msgspec.structs.replace(record, **fields)


def write_run(folder: Path, attempts: list[Attempt]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "attempts.jsonl").write_bytes(b"".join(map(encode_line, attempts)))
    plan = PlanRecord(["weightspace"], sorted({a.task.id for a in attempts}), [ModelRef("reference")], 2)
    manifest = Manifest(
        run=folder.name, created="2026-11-29T20:00:00Z", status="finished", plan=plan, plan_digest=plan.digest,
        tasks={}, versions={"benchwright": "0.1.0"}, environment={}, environment_digest="x", isolation={}, prices={},
    )  # fmt: skip
    (folder / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    return folder
