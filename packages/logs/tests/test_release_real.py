"""Real suites by three protocols, answered by a server on this machine, published, and verified where nothing else is.

The server answers every second task with its reference and the others with their starter, so that the release holds
solved and unsolved attempts, and one that a rule refuses. The second environment is made from the wheels of the core and of this package alone: no
benchmark, no run, no key.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import log_runs as l
import pytest
import reference_server as references
from benchwright.errors import ModelError
from benchwright_logs.publish import Wishes, publish

pytestmark = pytest.mark.proof

PACKAGES = Path(__file__).parents[2]
RUNS = {
    "single": ("anthropic", ("weightspace/read_*", "weightspace/fix_div_by_*"), 1),
    "tools": ("openai", ("weightspace/tools_*",), 2),
    "revise": ("openai-compatible", ("handnet/addition", "handnet/dyck1", "handnet/induction"), 1),
}
"""Protocol -> provider, tasks, draws."""
MODULES = {"single": "weightspace", "tools": "weightspace", "revise": "handnet_bench"}


def answers(plan):
    """First message -> what is known of the tasks that begin with it: reference or starter, turn about."""
    from benchwright.models.hosted import text_of
    from benchwright.models.reference import reference_of, starter_of

    found = {}
    for number, place in enumerate(plan.places):
        try:
            submission = (starter_of if number % 2 else reference_of)(place.spec, place.task)
        except ModelError:
            submission = reference_of(place.spec, place.task)
        files = tuple(hashlib.sha256(data).hexdigest() for data in place.task.workspace.values())
        known = references.Known(place.spec, references.composed(place.spec, submission), files)
        found.setdefault(text_of(place.messages[0]), []).append(known)
    return found


def play(protocol, out, patch):
    """A run of that protocol against the server. Skips where a suite or walls are absent."""
    from benchwright import engine
    from benchwright.engine.workbench import Workbench
    from benchwright.sandbox import NoWalls

    provider, tasks, draws = RUNS[protocol]
    pytest.importorskip(MODULES[protocol], reason="the benchmark of this run is not installed")
    for variable in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        patch.delenv(variable, raising=False)
    for variable in l.VARIABLES.values():
        patch.setenv(variable, l.KEY)
    with l.FaultServer() as server, Workbench() as bench:
        base = server.origin if provider == "anthropic" else f"{server.origin}/v1"
        request = engine.Request(tasks=tasks, models=(f"{provider}/x",), draws=draws, options={"base_url": base})
        plan = engine.make_plan(bench.plugins, bench.registry, request)
        known = answers(plan)
        server.reply = lambda body: references.answer(known, body)
        try:
            done = engine.run(
                plan, bench.plugins, bench.registry, bench.sandbox,
                begin=engine.Begin(out=out), settings=engine.Settings(), watcher=engine.Watcher(), prices=engine.Prices(),
            )  # fmt: skip
        except NoWalls as error:
            pytest.skip(f"these suites need walls: {error}")
    assert done.status == "finished"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Protocol -> run folder."""
    folder = tmp_path_factory.mktemp("real")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "RUNS"):
            patch.setenv(f"BENCHWRIGHT_{name}", str(folder / f"own-{name.lower()}"))
        for protocol in RUNS:
            play(protocol, folder / protocol, patch)
    return {protocol: folder / protocol for protocol in RUNS}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The interpreter of a new environment with the wheels of the core and of this package in it, and no benchmark."""
    folder = tmp_path_factory.mktemp("elsewhere")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--disable-pip-version-check",
        "-w",
        folder / "wheels",
    ]
    subprocess.run([*pip, PACKAGES / "core", PACKAGES / "logs"], check=True)
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    wheels = sorted((folder / "wheels").glob("*.whl"))
    assert len(wheels) == 2
    subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *wheels], check=True)
    return python


def test_solved_and_unsolved_attempts_of_each_protocol_are_verified_in_a_fresh_environment(runs, elsewhere, tmp_path):
    lines = {protocol: l.attempts(run) for protocol, run in runs.items()}
    for protocol, attempts in lines.items():
        assert {one["protocol"]["kind"] for one in attempts} == {protocol}
        outcomes = {one["outcome"] for one in attempts}
        assert "solved" in outcomes, protocol
        assert outcomes & {"unsolved", "rule_violation"}, protocol
        assert outcomes <= {"solved", "unsolved", "rule_violation"}, protocol
    publish(list(runs.values()), tmp_path / "release", tmp_path / "key", Wishes(), tmp_path / "release.zip")
    figures = json.loads((tmp_path / "release" / "figures.json").read_text())
    assert sum(len(row["attempts"]) for row in figures) == sum(map(len, lines.values()))
    (tmp_path / "home").mkdir()
    said = {}
    for what in ("release", "release.zip"):
        done = subprocess.run(
            [elsewhere, "-m", "benchwright", "logs", "verify", str(tmp_path / what), "--json"],
            cwd=tmp_path / "home", env={"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        said[what] = json.loads(done.stdout)
    found = said["release"]
    assert found == said["release.zip"]
    assert found["problems"] == []
    assert found["runs"] == 3
    assert found["attempts"] == sum(map(len, lines.values()))
    assert found["verdicts"] == {"tool_free": sum(one["protocol"]["turns"] for of in lines.values() for one in of)}
    assert found["withheld"] == found["trusted"] == 0
    counts = {
        protocol: {outcome: sum(one["outcome"] == outcome for one in of) for outcome in {one["outcome"] for one in of}}
        for protocol, of in lines.items()
    }
    print(json.dumps({"outcomes": counts, "verified": found}))


def test_a_verdict_that_was_turned_round_in_the_release_is_found_there(runs, elsewhere, tmp_path):
    publish(list(runs.values()), tmp_path / "release", tmp_path / "key", Wishes())
    [path] = (tmp_path / "release" / "runs").glob(f"{json.loads((runs['tools'] / 'manifest.json').read_text())['run']}")
    number = next(at for at, one in enumerate(l.attempts(path)) if one["outcome"] == "unsolved")
    l.change_line(path, lambda line: line.update(outcome="solved", score=1.0), number)
    l.rehash(path)
    l.repin(tmp_path / "release")
    done = subprocess.run(
        [elsewhere, "-m", "benchwright", "logs", "verify", str(tmp_path / "release")],
        cwd=tmp_path, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "outcome solved on record, unsolved derived" in done.stderr + done.stdout
