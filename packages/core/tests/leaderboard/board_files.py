"""Attempts and files of admitted attempts, made for tests."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from benchwright.leaderboard import entries
from benchwright.leaderboard.entries import EntriesFile
from benchwright.names import attempt_id
from benchwright.records import Attempt, DataRef, ModelRef, ProtocolRecord, Round, TaskRef, Usage

PLAN = "sha256:plan"


def attempt(
    task="a",
    model="provider/strong",
    draw=1,
    outcome="solved",
    *,
    score=None,
    suite="kernels",
    set="laptop-1",
    tier="laptop",
    digest=None,
    answered="strong-20261001",
    settings=None,
    device=None,
    data=None,
    started="2026-11-01T10:00:00Z",
    usage=None,
    cost=None,
    isolation="namespaces",
    rounds=(),
    protocol="single",
    cluster="",
    **fields,
) -> Attempt:
    evidence = outcome not in ("refused", "truncated", "provider_error", "needs_data", "harness_error")
    if score is None and evidence:
        score = float(outcome == "solved")
    digest = digest or f"bw1:{suite}-{task}"
    return Attempt(
        run="unused",
        attempt=attempt_id(PLAN, digest, model, draw),
        task=TaskRef(f"{suite}/{task}", "1", digest, set, tier, suite, cluster, "sha256:prompt"),
        model=ModelRef(model, answered, settings or {}),
        draw=draw,
        outcome=outcome,
        score=score,
        metrics=fields.pop("metrics", {}),
        failed_checks=fields.pop("failed_checks", []),
        violations=fields.pop("violations", []),
        protocol=ProtocolRecord(protocol, 1, fields.pop("labels_seen", 0)),
        usage=usage,
        cost_usd=cost,
        isolation=isolation,
        device=device,
        data=DataRef("set", data, 10, True) if data else None,
        environment="sha256:environment",
        started=started,
        seconds=0.1,
        files={},
        rounds=list(rounds),
        benchmark="kernels 0.1.0",
        **fields,
    )


def round_of(score, labels=0, outcome=None) -> Round:
    return Round(score, score == 1, labels, outcome or ("solved" if score == 1 else "unsolved"))


def tokens(input=1000, output=2000) -> Usage:
    return Usage(input, output)


def write(root: Path, attempts, *, run="20261101-100000-aaaa", by="somebody", purpose="board", prices=None) -> Path:
    """An entries file in `root`/attempts."""
    header = entries.Header(
        run=run,
        by=by,
        plan_digest=PLAN,
        attempts_sha256="sha256:" + hashlib.sha256(run.encode()).hexdigest(),
        count=0,
        tasks=[],
        models=[],
        circumstances=[],
        versions={"benchwright": "0.1.0"},
        prices=prices or {},
        purpose=purpose,
    )
    (root / "attempts").mkdir(parents=True, exist_ok=True)
    path = root / "attempts" / f"{run}.jsonl"
    path.write_bytes(entries.encode(header, attempts))
    return path


def files(root: Path) -> list[EntriesFile]:
    return entries.read_all(root / "attempts")


def plain(record: msgspec.Struct) -> dict:
    return msgspec.to_builtins(record)
