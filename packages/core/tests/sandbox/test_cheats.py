"""Submissions that cheat: none is solved, none reads a secret, none harms what comes after, none outlives its attempt."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from benchwright.records import Evaluation, Limits
from benchwright.sandbox import open_sandbox, walls
from benchwright.sandbox.sandbox import Sandbox

from .conftest import QUICK, REFERENCE, TASK, grade

HERE = Path(__file__).parent
CHEATS = sorted((HERE / "cheats").glob("*.py"))
GIVEN = Path(os.environ.get("BENCHWRIGHT_SHARED", "/nonexistent")) / "cases" / "exploits"
SECRET = "a-secret-that-was-planted"
IN_THE_ORACLE = "expected-values-live-here"

NAIVE = b"""
import numpy as _np


def softmax(x, axis=-1):
    e = _np.exp(_np.asarray(x, dtype=_np.float64))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(x, axis=-1):
    return _np.log(softmax(x, axis))


def logsumexp(x, axis=-1, keepdims=False):
    return _np.log(_np.exp(_np.asarray(x, dtype=_np.float64)).sum(axis=axis, keepdims=keepdims))
"""


class Range:
    """A sandbox with secrets planted round it: in the environment, in a home folder, in the checkout."""

    def __init__(self, sandbox: Sandbox, home: Path, task: Path) -> None:
        self.sandbox = sandbox
        self.home = home
        # A copy, because a cheat that gets out would be cheating on the checkout.
        self.task = task
        shutil.copytree(TASK, task)

    def source(self, file: Path) -> bytes:
        """A cheat with the paths filled in that a thorough cheat would know, and a naive solution behind it."""
        text = file.read_text().replace("@TASK@", str(self.task)).replace("@HOME@", str(self.home))
        text = text.replace("@CHECKOUT@", str(HERE / "conftest.py"))
        whole = text.encode()
        return whole if "def softmax" in text else whole + NAIVE

    def attack(self, file: Path, limits: Limits = QUICK) -> Evaluation:
        """Grades a cheat and checks what holds whatever the cheat: nothing told, nothing left, nobody harmed."""
        evaluation = grade(self.sandbox, self.source(file), limits, self.task)
        told = repr(evaluation)
        assert SECRET not in told
        assert IN_THE_ORACLE not in told
        assert "FOUND" not in told
        assert evaluation.outcome != "solved"
        assert evaluation.score == 0.0
        assert self.left() == []
        assert sorted(p.name for p in self.home.iterdir()) == ["planted_secret"]
        assert (self.home / "planted_secret").read_text() == SECRET
        return evaluation

    def left(self) -> list[str]:
        """What the attempts so far have left: processes below the keepers, folders of workers."""
        processes = [
            child.name()
            for keeper in (*self.sandbox._keepers.values(), *self.sandbox._graders.values())
            for child in psutil.Process(keeper.process.pid).children(recursive=True)
            if child.status() != psutil.STATUS_ZOMBIE
        ]
        return [*processes, *os.listdir(self.sandbox._work())]


@pytest.fixture(scope="module")
def firing_range(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Range]:
    home = tmp_path_factory.mktemp("home")
    (home / "planted_secret").write_text(SECRET)
    patch = pytest.MonkeyPatch()
    patch.setenv("PLANTED_KEY", SECRET)
    patch.setenv("ANTHROPIC_API_KEY", SECRET)
    patch.setenv("HOME", str(home))
    with open_sandbox() as sandbox:
        yield Range(sandbox, home, tmp_path_factory.mktemp("tasks") / "softmax")
        assert grade(sandbox, REFERENCE).outcome == "solved"
    patch.undo()


def expected(file: Path) -> list[str]:
    """The outcomes that a cheat's first line names."""
    return file.read_text().splitlines()[0].removeprefix("# outcome:").split()


@pytest.mark.parametrize("file", CHEATS, ids=lambda f: f.stem)
def test_a_cheat_fails_in_the_right_way(firing_range: Range, file: Path) -> None:
    quick = Limits(seconds=3.0, cpu_seconds=2.0, memory_mb=256, file_mb=4) if "timeout" in expected(file) else QUICK
    evaluation = firing_range.attack(file, quick)
    assert evaluation.outcome in expected(file), evaluation.reason


def test_after_a_cheat_the_reference_is_solved_by_the_same_processes(firing_range: Range) -> None:
    firing_range.attack(HERE / "cheats" / "poison.py")
    assert grade(firing_range.sandbox, REFERENCE).outcome == "solved"


def test_the_naive_solution_that_cheats_fall_back_on_is_unsolved(firing_range: Range) -> None:
    evaluation = grade(firing_range.sandbox, NAIVE)
    assert evaluation.outcome == "unsolved"
    assert 0 < int(evaluation.metrics["tests_failed"] or 0) < 30


def test_without_walls_the_cheat_that_knows_every_path_succeeds(firing_range: Range) -> None:
    """The control: what is looked for is there to be found."""
    with open_sandbox(unsafe=True) as sandbox:
        source = firing_range.source(HERE / "cheats" / "guess_paths.py")
        told = repr(grade(sandbox, source, task=firing_range.task))
    assert "FOUND" in told
    assert IN_THE_ORACLE in told
    assert SECRET in told


def test_in_the_graders_process_the_cheat_that_scans_memory_succeeds() -> None:
    program = (
        "kept = ['expected-values-' + ''.join(['live', '-here'])]\n" + (HERE / "cheats" / "own_memory.py").read_text()
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "FOUND" in done.stdout


GIVEN_OUTCOMES = {
    "e01_os_exit_on_import": "submission_error",
    "e03_patch_numpy_and_builtins": "unsolved",
    "e04_agreeable_object": "unsolved",
    "e08_skip_inside_call": "submission_error",
    "e13_atexit_exit_zero": "unsolved",
    "e16_forged_summary_then_exit": "submission_error",
    "e18_use_forbidden_torch": "submission_error",
    "e21_poison_tempdir_ini_and_conftest": "unsolved",
    "e26_read_api_key_from_environment": "submission_error",
    "e27_leftover_process_holds_pipe": "submission_error",
}


@pytest.mark.skipif(not GIVEN.is_dir(), reason="BENCHWRIGHT_SHARED is not set: the exploits of the peer are not here")
@pytest.mark.parametrize("name", GIVEN_OUTCOMES)
def test_an_exploit_of_the_peer_fails_in_the_right_way(firing_range: Range, name: str) -> None:
    evaluation = firing_range.attack(GIVEN / f"{name}.py")
    assert evaluation.outcome == GIVEN_OUTCOMES[name], evaluation.reason
    if "forbidden" in name:
        assert "torch" in evaluation.reason


PAIRS = [
    (tier, file)
    for n, file in enumerate(CHEATS)
    for m, tier in enumerate((walls.LANDLOCK, walls.BUBBLEWRAP))
    if (n + m) % 2 == 0
]


@pytest.mark.proof
@pytest.mark.parametrize("tier", [walls.LANDLOCK, walls.BUBBLEWRAP])
def test_the_cheats_fail_behind_every_other_wall_too(
    tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairwise: each cheat behind one of the two further tiers; the best tier has them all."""
    from benchwright.sandbox import probe

    report = probe.run(tier)
    if not report.holds:
        pytest.skip(f"{tier} is not available here: {report.error}")
    home = tmp_path / "home"
    home.mkdir()
    (home / "planted_secret").write_text(SECRET)
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    wrong = {}
    with open_sandbox(tier=tier) as sandbox:
        field = Range(sandbox, home, tmp_path / "task")
        for pair, file in PAIRS:
            if pair == tier:
                limits = Limits(seconds=6.0, cpu_seconds=2.0, memory_mb=256, file_mb=4)
                outcome = field.attack(file, limits if "timeout" in expected(file) else QUICK).outcome
                if outcome not in expected(file):
                    wrong[file.stem] = outcome
        assert grade(sandbox, REFERENCE).outcome == "solved"
    assert wrong == {}
