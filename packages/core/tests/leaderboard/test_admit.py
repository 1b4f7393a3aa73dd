"""A run joins the board whole, or not at all and with the reasons."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import msgspec
import pytest
from benchwright import digests, plugins, registry
from benchwright.errors import UserError
from benchwright.journal import encode_line, read_attempts, read_manifest
from benchwright.leaderboard import build
from benchwright.leaderboard.admit import admit
from benchwright.leaderboard.check import check

REGISTRY = """
schema: 1
publishers: [{name: us, home: README.md}]
benchmarks:
  - {name: sums, distribution: sums, entry_point: sums, versions: ">=0", home: x, publisher: us, sets_digest: null}
suites: [{name: sums, benchmark: sums, title: Sums, weight: 1}]
"""


@pytest.fixture(scope="module")
def made(site, tmp_path_factory):
    """A finished run of `sums` by two models, made once."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "registry.yaml").write_text(REGISTRY)
    command = ["run", "--suite", "sums", "--model", "reference", "--model", "starter", "--no-mlflow", "--out", "run"]
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), "BENCHWRIGHT_DATA": str(folder), "BENCHWRIGHT_CACHE": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture
def run(made, here):
    """A copy of the run in the working folder, and a registry that knows `sums`."""
    (here / "registry.yaml").write_text(REGISTRY)
    shutil.copytree(made, here / "run")
    return here / "run"


@pytest.fixture
def join(here):
    """`join(run)` admits a run into `leaderboard`."""

    def add(run, **options):
        options = {"by": "somebody", "plugins": plugins.load(), "known": registry.load(), **options}
        return admit(run, here / "leaderboard", **options)

    return add


def change_manifest(run, **fields):
    manifest = msgspec.structs.replace(read_manifest(run), **fields)
    (run / "manifest.json").write_bytes(msgspec.json.encode(manifest))


def change_attempts(run, change, *, keep_hash=False):
    attempts = change(list(read_attempts(run)))
    raw = b"".join(map(encode_line, attempts))
    (run / "attempts.jsonl").write_bytes(raw)
    if not keep_hash:
        change_manifest(run, files={**read_manifest(run).files, "attempts.jsonl": digests.sha256(raw)})


def replaced(attempts, **fields):
    return [msgspec.structs.replace(attempts[0], **fields), *attempts[1:]]


def test_a_run_joins_whole_and_the_board_that_is_built_from_it_holds(run, join, here):
    joined = join(run)
    assert (joined.attempts, joined.tasks, joined.models) == (20, 10, ["reference", "starter"])
    board = build.build(here / "leaderboard", registry.load()).boards[0]
    assert {row.model: (row.k, row.n) for row in board.rows} == {"reference": (10, 10), "starter": (0, 10)}
    found = check(here / "leaderboard", registry.load())
    assert found.problems == []
    assert found.attempts == 20


def test_the_commands_do_the_same(run, bench):
    added = bench("leaderboard", "add", "run", "--by", "somebody")
    assert added.returncode == 0, added.stderr
    assert bench("leaderboard", "build").returncode == 0
    held = bench("leaderboard", "check")
    assert held.returncode == 0, held.stdout
    assert re.search(r"\d+ figures re-derived from 20 attempts; all equal\.", held.stdout)
    [path] = run.parent.glob("leaderboard/attempts/*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"solved"', b'"unsolved"', 1))
    failed = bench("leaderboard", "check", "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["problems"]


def test_a_run_joins_once(run, join):
    join(run)
    with pytest.raises(UserError, match="stands on the board already"):
        join(run)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda run: change_manifest(run, status="interrupted"), "not complete: interrupted"),
        (lambda run: change_attempts(run, lambda found: found[:-1]), "1 planned attempt not there"),
        (lambda run: change_attempts(run, lambda found: found[:-1], keep_hash=True), "its hash differs"),
        (lambda run: change_attempts(run, lambda found: replaced(found, isolation="unsafe")), "without walls"),
        (lambda run: change_attempts(run, lambda found: replaced(found, draw=2)), "1 attempt of another plan"),
        (lambda run: change_attempts(run, lambda found: replaced(found, cost_usd=0.5)), "a cost and no tokens"),
        (lambda run: change_attempts(run, lambda found: replaced(found, outcome="over_budget", score=None)), "the budget ended"),
        (lambda run: change_attempts(run, lambda found: replaced(found, outcome="refused")), "no evidence and has a score"),
        (lambda run: change_attempts(run, lambda found: replaced(found, score=1.5)), "outside \\[0, 1\\]"),
        (
            lambda run: change_attempts(
                run, lambda found: replaced(found, task=msgspec.structs.replace(found[0].task, params={"num_tasks": 12}))
            ),
            "parameters are not the default \\(num_tasks=12\\)",
        ),
        (
            lambda run: change_attempts(
                run, lambda found: replaced(found, task=msgspec.structs.replace(found[0].task, digest="bw1:other"))
            ),
            "the task has changed since",
        ),
        (
            lambda run: change_attempts(
                run, lambda found: replaced(found, task=msgspec.structs.replace(found[0].task, prompt_digest="sha256:x"))
            ),
            "what a model is sent has changed",
        ),
        (lambda run: next(run.rglob("state.json")).write_text("{}"), "state.json"),
        (lambda run: next(run.rglob("submission/*")).unlink(), "is not there"),
        (lambda run: next(run.rglob("submission/*")).write_text("x"), "another hash"),
    ],
)  # fmt: skip
def test_a_run_that_does_not_hold_is_refused_with_the_reason(run, join, here, change, reason):
    change(run)
    with pytest.raises(UserError, match=reason):
        join(run)
    assert not list((here / "leaderboard").rglob("*.jsonl"))


def test_a_benchmark_that_the_registry_does_not_know_stays_off_the_boards(run, join, here):
    (here / "registry.yaml").unlink()
    with pytest.raises(UserError, match="`sums` is not in"):
        join(run)


def test_who_hands_in_has_a_name_that_fits_on_a_board(run, join):
    with pytest.raises(UserError, match="--by"):
        join(run, by="<script>")


def test_draws_for_calibration_are_shown_on_no_board(run, join, here):
    join(run, purpose="calibration")
    everything = build.build(here / "leaderboard", registry.load())
    assert everything.boards == []
    assert {one.task for one in everything.calibration} == {f"sums/n{n}" for n in range(10)}


def test_the_calibration_of_a_silent_benchmark_is_from_counts(run, join, bench):
    join(run)
    said = bench("leaderboard", "calibration", "sums/n3", "--json")
    assert said.returncode == 0, said.stderr
    [one] = json.loads(said.stdout)
    assert (one["task"], one["verdict"]) == ("sums/n3", "warmup")
    wrong = bench("leaderboard", "calibration", "sums/n")
    assert wrong.returncode == 2
    assert "Did you mean `sums/n" in wrong.stderr


def test_paths_of_one_machine_do_not_become_public(run, join):
    reason = "it broke in /home/somebody/secret/net.py, line 3"
    change_attempts(run, lambda found: replaced(found, reason=reason))
    assert "somebody" not in join(run).path.read_text().partition("\n")[2]


def test_a_submission_named_by_its_path_is_refused(run, join):
    def renamed(found):
        return replaced(found, model=msgspec.structs.replace(found[0].model, name="file:/home/me/net.py"))

    change_attempts(run, renamed)
    with pytest.raises(UserError, match="name the submission with --model"):
        join(run)
