"""A verdict is given on positive proof: every expected id once, passed, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchwright.digests import CANARY
from benchwright.errors import FileError
from benchwright.records import Evaluation, Limits
from benchwright.sandbox.sandbox import Sandbox
from benchwright.sandbox.verdict import Seen, decide, expected_ids

from .conftest import REFERENCE, TASK

PASSED = [["passed", ""]]


def verdict(results: dict[str, list[list[str]]], **seen: object) -> Evaluation:
    return decide(("t.py::a", "t.py::b"), Seen(results=results, **seen))  # type: ignore[arg-type]


def test_all_expected_ids_passed_once_is_solved() -> None:
    evaluation = verdict({"t.py::a": PASSED, "t.py::b": PASSED}, calls=5)
    assert evaluation.outcome == "solved"
    assert evaluation.score == 1.0
    assert evaluation.metrics == {"tests_passed": 2, "tests_failed": 0, "calls": 5}


@pytest.mark.parametrize(
    "b",
    [
        None,
        [],
        [["failed", "no"]],
        [["skipped", ""]],
        [["xpassed", ""]],
        [["passed", ""], ["passed", ""]],
        [["passed", ""], ["failed", ""]],
    ],
    ids=["missing", "never_ran", "failed", "skipped", "expected_to_fail", "twice", "once_of_two"],
)
def test_anything_else_is_no_pass(b: list[list[str]] | None) -> None:
    results = {"t.py::a": PASSED} | ({} if b is None else {"t.py::b": b})
    evaluation = verdict(results)
    assert evaluation.outcome == "unsolved"
    assert [check.id for check in evaluation.checks if not check.passed] == ["t.py::b"]


def test_an_id_that_is_not_on_the_list_is_our_defect() -> None:
    evaluation = verdict({"t.py::a": PASSED, "t.py::b": PASSED, "t.py::c": PASSED})
    assert evaluation.outcome == "harness_error"
    assert evaluation.score is None


def test_a_worker_that_ended_decides_even_when_all_passed() -> None:
    results = {"t.py::a": PASSED, "t.py::b": PASSED}
    assert verdict(results, ended=[["submission_error", "it ended"]]).outcome == "submission_error"
    assert verdict(results, ended=[["submission_error", "x"], ["timeout", "late"]]).outcome == "timeout"


def test_a_limit_met_counts_where_something_failed() -> None:
    assert verdict({"t.py::a": PASSED}, limits_met=["memory"]).outcome == "resource_limit"
    assert verdict({"t.py::a": PASSED, "t.py::b": PASSED}, limits_met=["memory"]).outcome == "solved"


def test_what_cannot_be_collected_is_the_submissions_doing_only_if_it_was_used() -> None:
    assert verdict({}, collection=["SyntaxError"]).outcome == "harness_error"
    assert verdict({}, collection=["no name"], touched=True).outcome == "submission_error"


def test_the_list_of_ids_is_read_without_comments_and_refused_when_odd(tmp_path: Path) -> None:
    file = tmp_path / "expected_ids.txt"
    with pytest.raises(FileError, match="cannot be read"):
        expected_ids(tmp_path)
    file.write_text(f"# {CANARY}\n\nt.py::a\n t.py::b \n")
    assert expected_ids(tmp_path) == ("t.py::a", "t.py::b")
    file.write_text("t.py::a\nt.py::a\n")
    with pytest.raises(FileError, match="twice"):
        expected_ids(tmp_path)
    file.write_text("# nothing\n")
    with pytest.raises(FileError, match="no test id"):
        expected_ids(tmp_path)


# The same through pytest and a worker.

TESTS = """
import pytest
from sub import double

def test_plain():
    assert double(2) == 4

@pytest.mark.skip(reason="never")
def test_skipped():
    assert double(2) == 4

@pytest.mark.xfail
def test_expected_to_fail():
    assert double(2) == 5

@pytest.mark.xfail
def test_expected_to_fail_and_passes():
    assert double(2) == 4

@pytest.fixture
def broken():
    raise RuntimeError("no")

def test_with_a_broken_fixture(broken):
    pass

@pytest.fixture
def breaks_after():
    yield
    raise RuntimeError("after")

def test_with_a_fixture_that_breaks_after(breaks_after):
    assert double(2) == 4

def test_asks_for_the_fixture(submission):
    assert submission.batch(double, [(1,), (2,)]) == [2, 4]
    assert submission.load("sub.py").double(3) == 6
    assert submission.drive("quadruple", x=2) == 8
    with pytest.raises(submission.SubmissionError):
        double(None)
"""
DRIVERS = "from sub import double\n\ndef quadruple(x):\n    return double(double(x))\n"
GOOD = b"def double(x):\n    return 2 * x\n"


def task(folder: Path, tests: str, ids: list[str], drivers: str = DRIVERS) -> Path:
    """A task folder."""
    (folder / "hidden_tests").mkdir(parents=True)
    (folder / "hidden_tests" / "test_t.py").write_text(tests)
    (folder / "drivers.py").write_text(drivers)
    (folder / "expected_ids.txt").write_text("".join(f"test_t.py::{i}\n" for i in ids))
    return folder


def test_only_plain_passes_pass(sandbox: Sandbox, tmp_path: Path) -> None:
    names = [line.split("(")[0].removeprefix("def ") for line in TESTS.splitlines() if line.startswith("def test_")]
    evaluation = sandbox.run_tests(task(tmp_path / "t", TESTS, names), {"sub.py": GOOD})
    assert {c.id.partition("::")[2] for c in evaluation.checks if c.passed} == {
        "test_plain",
        "test_asks_for_the_fixture",
    }
    assert evaluation.outcome == "unsolved"


def test_a_folder_with_those_alone_is_solved(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = TESTS[: TESTS.index("@pytest.mark.skip")] + TESTS[TESTS.index("def test_asks") :]
    folder = task(tmp_path / "t", tests, ["test_plain", "test_asks_for_the_fixture"])
    assert sandbox.run_tests(folder, {"sub.py": GOOD}).outcome == "solved"
    assert sandbox.run_tests(folder, {"sub.py": GOOD.replace(b"2", b"3")}).outcome == "unsolved"


def test_a_test_that_ran_and_is_not_listed_is_a_harness_error(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = "from sub import double\ndef test_a(): assert double(1) == 2\ndef test_b(): assert double(1) == 2\n"
    assert sandbox.run_tests(task(tmp_path / "t", tests, ["test_a"]), {"sub.py": GOOD}).outcome == "harness_error"


def test_tests_that_are_broken_are_a_harness_error(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = task(tmp_path / "t", "import nothing_of_the_kind\n", ["test_a"])
    assert sandbox.run_tests(folder, {"other.txt": b""}).outcome == "harness_error"


def test_a_name_that_the_submission_lacks_is_its_error(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = task(tmp_path / "t", "from sub import nothing\ndef test_a(): pass\n", ["test_a"])
    evaluation = sandbox.run_tests(folder, {"sub.py": GOOD})
    assert evaluation.outcome == "submission_error"
    assert "nothing" in evaluation.reason


def test_a_submission_replaces_no_module_of_the_grader(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = "import json, pytest, numpy\nfrom sub import double\ndef test_a():\n    assert json.dumps([double(1)]) == '[2]'\n    assert numpy.pi > 3\n"
    evil = dict.fromkeys(
        ("json.py", "pytest.py", "numpy.py", "oracle.py"), b"dumps = lambda *a: '[2]'\nraises = pi = None\n"
    )
    folder = task(tmp_path / "t", tests, ["test_a"])
    (folder / "hidden_tests" / "oracle.py").write_text("")
    assert sandbox.run_tests(folder, {"sub.py": GOOD, **evil}).outcome == "solved"


def test_the_users_pytest_settings_do_not_reach_a_grading(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (tmp_path / "conftest.py").write_text("raise RuntimeError('loaded')\n")
    folder = task(tmp_path / "t", "from sub import double\ndef test_a(): assert double(1) == 3\n", ["test_a"])
    assert sandbox.run_tests(folder, {"sub.py": GOOD}).outcome == "unsolved"


def test_a_worker_that_dies_in_a_test_is_replaced_for_the_next(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = "from sub import f\n" + "".join(f"def test_{n}(): assert f({n}) == {n}\n" for n in range(4))
    source = b"import os\ndef f(n):\n    if n == 1: os._exit(0)\n    return n\n"
    evaluation = sandbox.run_tests(task(tmp_path / "t", tests, [f"test_{n}" for n in range(4)]), {"sub.py": source})
    assert [check.passed for check in evaluation.checks] == [True, False, True, True]
    assert evaluation.outcome == "submission_error"


def test_after_the_time_is_over_no_worker_is_started(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = "from sub import f\n" + "".join(f"def test_{n}(): assert f({n}) == {n}\n" for n in range(3))
    folder = task(tmp_path / "t", tests, [f"test_{n}" for n in range(3)])
    source = b"import time\ndef f(n):\n    time.sleep(60 if n else 0)\n    return n\n"
    evaluation = sandbox.run_tests(folder, {"sub.py": source}, limits=Limits(seconds=1.0))
    assert evaluation.outcome == "timeout"
    assert [check.passed for check in evaluation.checks] == [True, False, False]
    assert "before this" in evaluation.checks[2].detail


def test_the_hidden_tests_are_outside_the_limits_of_the_submission(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = "from sub import double\ndef test_a():\n    kept = bytearray(400 << 20)\n    assert double(len(kept)) == 800 << 20\n"
    folder = task(tmp_path / "t", tests, ["test_a"])
    assert sandbox.run_tests(folder, {"sub.py": GOOD}, limits=Limits(memory_mb=64)).outcome == "solved"


def test_a_missing_package_is_no_evidence(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = task(tmp_path / "t", "from sub import double\ndef test_a(): pass\n", ["test_a"])
    evaluation = sandbox.run_tests(folder, {"sub.py": GOOD}, imports=("no_such_package_anywhere",))
    assert evaluation.outcome == "needs_dependency"
    assert "no_such_package_anywhere" in evaluation.reason


def test_a_hidden_test_runs_commands_behind_the_walls_of_its_grading(sandbox: Sandbox, tmp_path: Path) -> None:
    tests = """
import os
from pathlib import Path
from sub import double
from benchwright.sandbox import open_sandbox

def test_a(tmp_path):
    with open_sandbox() as sandbox:
        output = sandbox.run_command(["sh", "-c", "echo $((21 * 2)); cat /etc/shadow"], tmp_path)
    assert output.stdout == b"42\\n"
    assert output.status == "error"
    assert sandbox.tier == TIER
    assert double(21) == 42
""".replace("TIER", repr(sandbox.tier))
    assert sandbox.run_tests(task(tmp_path / "t", tests, ["test_a"]), {"sub.py": GOOD}).outcome == "solved"


def test_files_that_no_test_imports_are_not_run(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = task(tmp_path / "t", "from sub import double\ndef test_a(): assert double(1) == 2\n", ["test_a"])
    files = {"sub.py": GOOD, "demo.py": b"raise SystemExit('this is only a demonstration')\n"}
    assert sandbox.run_tests(folder, files).outcome == "solved"


def test_a_grader_knows_where_caches_lie_and_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.sandbox import open_sandbox

    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "planted")
    tests = f"""
import os
from sub import double

def test_a():
    assert os.environ["BENCHWRIGHT_CACHE"] == {str(tmp_path / "cache")!r}
    assert "ANTHROPIC_API_KEY" not in os.environ
    assert double(1) == 2
"""
    with open_sandbox() as sandbox:
        assert sandbox.run_tests(task(tmp_path / "t", tests, ["test_a"]), {"sub.py": GOOD}).outcome == "solved"


@pytest.mark.parametrize(
    "name",
    [
        "../out.py",
        "/tmp/out.py",
        "a/../../out.py",
        "a\0.py",
        "a\x1b.py",
        "\ud800.py",
        "stable_softmax.py/inside.py",
        "folder/",
        "a//b.py",
        "a\\b.py",
        ".",
        "",
        "é" * 150 + ".py",
    ],
    ids=ascii,
)
def test_a_file_name_that_cannot_be_is_a_failure_of_the_submission(sandbox: Sandbox, name: str) -> None:
    files = {"stable_softmax.py": REFERENCE, name: b"x = 1\n"}
    evaluation = sandbox.run_tests(TASK, files, imports=("numpy",))
    assert (evaluation.outcome, evaluation.score) == ("submission_error", 0.0)
    assert os.listdir(sandbox._work()) == []


def test_a_thousand_and_one_files_are_too_many(sandbox: Sandbox) -> None:
    files = {"stable_softmax.py": REFERENCE, **{f"f{n}.py": b"" for n in range(1000)}}
    assert sandbox.run_tests(TASK, files, imports=("numpy",)).outcome == "submission_error"


def test_files_for_pytest_and_python_among_those_submitted_change_nothing(sandbox: Sandbox) -> None:
    beside = ("conftest.py", "pytest.ini", "sitecustomize.py", "usercustomize.py", "x.pth", "oracle.py", "numpy.py")
    files = {"stable_softmax.py": REFERENCE, **dict.fromkeys(beside, b"raise SystemExit(0)\n")}
    assert sandbox.run_tests(TASK, files, imports=("numpy",)).outcome == "solved"


def a_task(folder: Path, test: str, conftest: str = "") -> Path:
    (folder / "hidden_tests").mkdir()
    (folder / "hidden_tests" / "test_it.py").write_text(f"# {CANARY}\n{test}")
    (folder / "hidden_tests" / "conftest.py").write_text(f"# {CANARY}\n{conftest}")
    (folder / "expected_ids.txt").write_text("test_it.py::test_size\n")
    return folder


def test_a_value_that_unfolds_to_more_than_there_is_fails_its_test(sandbox: Sandbox, tmp_path: Path) -> None:
    task = a_task(tmp_path, "import sub\n\ndef test_size():\n    assert [0] * sub.size() != []\n")
    for size, outcome in ((10**10, "unsolved"), (3, "solved")):
        files = {"sub.py": f"def size():\n    return {size}\n".encode()}
        assert sandbox.run_tests(task, files).outcome == outcome


def test_a_submission_that_breaks_pytest_itself_is_not_counted_as_no_evidence(sandbox: Sandbox, tmp_path: Path) -> None:
    breaks = "def pytest_runtest_logreport(report):\n    assert report.passed\n"
    task = a_task(tmp_path, "import sub\n\ndef test_size():\n    assert sub.size() == 3\n", breaks)
    for size, outcome in ((4, "submission_error"), (3, "solved")):
        files = {"sub.py": f"def size():\n    return {size}\n".encode()}
        assert sandbox.run_tests(task, files).outcome == outcome


WRITING = """import pytest
import numpy as np
from sub import total

{mark}
def test_a_call():
    x = np.ones(3)
    assert total(x) == 3.0
    assert x.tolist() == [1.0, 1.0, 1.0]

{mark}
def test_a_batch(submission):
    assert submission.batch(total, [(np.ones(3),), (np.ones(2),)]) == [3.0, 2.0]

{mark}
def test_a_driver(submission):
    assert submission.drive("summed", x=np.ones(3)) == 3.0

{mark}
def test_a_generator_moves_on(submission):
    from sub import drawn

    rng = np.random.default_rng(1)
    assert drawn(rng) != drawn(rng)

def test_without_a_promise(submission):
    x = np.ones(3)
    want = 3.0
    assert total(x) == want
    assert submission.drive("summed", x=np.full(3, 2.0)) == 6.0
"""
SUMMED = "from sub import total\n\ndef summed(x):\n    return total(x)\n"
TOTAL = b"def total(x):\n    found = float(x.sum())\n    return found\n\ndef drawn(rng):\n    return rng.random()\n"
WRITES = {
    "honest": TOTAL,
    "zeroes_at_the_end": TOTAL.replace(b"    return found", b"    x[...] = 0.0\n    return found"),
    "unlocks_it_first": TOTAL.replace(
        b"    return found", b"    x.flags.writeable = True\n    x[0] = 7.0\n    return found"
    ),
}


@pytest.mark.parametrize("name", WRITES)
def test_whoever_writes_into_what_a_marked_test_hands_over_fails_it(
    sandbox: Sandbox, tmp_path: Path, name: str
) -> None:
    tests = WRITING.format(mark="@pytest.mark.inputs_unchanged")
    ids = [line.split("(")[0].removeprefix("def ") for line in tests.splitlines() if line.startswith("def test_")]
    folder = task(tmp_path / "t", tests, ids, SUMMED)
    evaluation = sandbox.run_tests(folder, {"sub.py": WRITES[name]}, imports=("numpy",))
    failed = {c.id.partition("::")[2]: c.detail for c in evaluation.checks if not c.passed}
    assert set(failed) == (set() if name == "honest" else {"test_a_call", "test_a_batch", "test_a_driver"})
    assert all("wrote into what it was handed: float64 of shape (3,)" in detail for detail in failed.values())


def test_what_an_unmarked_test_hands_over_is_changed_on_its_side_too(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = task(tmp_path / "t", WRITING.format(mark=""), ["test_a_call"], SUMMED)
    evaluation = sandbox.run_tests(folder, {"sub.py": WRITES["zeroes_at_the_end"]}, imports=("numpy",))
    (check,) = [c for c in evaluation.checks if c.id.endswith("::test_a_call")]
    assert not check.passed
    assert check.detail.startswith("AssertionError")
