"""Writes the golden run folder and `attempts.jsonl` beside this file. Only for a new schema: goldens are read, not remade.

PYTHONPATH=<a folder with the test plugins installed> python make.py
"""

import json
import shutil
import tempfile
from pathlib import Path

import msgspec
from benchwright import engine
from benchwright.engine.workbench import Workbench
from benchwright.journal import encode_line, read_attempts, read_manifest
from benchwright.outcomes import OUTCOMES

HERE = Path(__file__).parent
SEVEN = {"text": '```json\n{"value": 7}\n```', "answered": "one"}
REPLIES = {
    "*": SEVEN,
    "trials/no_submission": {"text": "I would rather not say."},
    "trials/provider_error": {"fail": "HTTP 500 after 3 tries"},
    "trials/refused": {"text": "No.", "stop": "refusal"},
    "trials/truncated": {"text": '```json\n{"value"', "stop": "length"},
    "trials/substituted_model": {**SEVEN, "answered": "another"},
    "trials/revise#1#1": {"text": '```json\n{"value": 3}\n```', "answered": "one"},
}


def run(out: Path, script: Path, **request: object) -> None:
    with Workbench() as bench:
        plan = engine.make_plan(
            bench.plugins, bench.registry, engine.Request(models=(f"scripted:{script}",), **request)
        )
        engine.run(
            plan, bench.plugins, bench.registry, bench.sandbox, begin=engine.Begin(out=out),
            settings=engine.Settings(), watcher=engine.Watcher(), prices=engine.Prices(),
        )  # fmt: skip
    shutil.rmtree(out / ".lock", ignore_errors=True)
    (out / ".lock").unlink(missing_ok=True)
    manifest = read_manifest(out)
    plain = {"implementation": "CPython", "python": "3.11.0", "system": "Linux", "machine": "x86_64", "cpus": 2}
    (out / "manifest.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(manifest, environment=plain)), indent=1) + b"\n"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        script = Path(place) / "one.script.json"
        script.write_text(json.dumps({"name": "one", "paid": True, "replies": REPLIES}))
        shutil.rmtree(HERE / "run", ignore_errors=True)
        run(HERE / "run", script, tasks=("trials/revise", "trials/unsolved"))
        run(Path(place) / "all", script, suites=("trials",))
        attempts = {attempt.outcome: attempt for attempt in read_attempts(Path(place) / "all")}
        solved = attempts["solved"]
        attempts["over_budget"] = msgspec.structs.replace(
            solved, attempt="0" * 16, outcome="over_budget", score=None, rounds=[], files={}, usage=None, calls=0
        )
        (HERE / "attempts.jsonl").write_bytes(b"".join(encode_line(attempts[name]) for name in OUTCOMES))


if __name__ == "__main__":
    main()
