"""Real logs by the real Inspect AI, in an environment of its own, against a model server on this machine.

BENCHWRIGHT_INSPECT_PYTHON names the interpreter of an environment that holds `inspect_env/requirements.txt`
already; otherwise one is made.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import venv
from pathlib import Path

import board_files as b
import pytest
import scipy.stats
from benchwright.leaderboard import inspect_log
from benchwright.leaderboard.every_eval_ever import export
from benchwright.stats import suite_summary

pytestmark = pytest.mark.proof

HERE = Path(__file__).parent / "inspect_env"
SOURCE = Path(inspect_log.__file__).parents[2]
LOST = ("content_filter", "max_tokens")


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment with Inspect AI and every-eval-ever."""
    named = os.environ.get("BENCHWRIGHT_INSPECT_PYTHON")
    if named:
        return named
    folder = tmp_path_factory.mktemp("inspect")
    venv.create(folder, with_pip=True)
    found = str(folder / "bin" / "python")
    pip = [found, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-U", "pip"], check=True)
    subprocess.run([*pip, "-r", str(HERE / "requirements.txt")], check=True)
    subprocess.run(
        [*pip, "--no-deps", "--ignore-requires-python", "-r", str(HERE / "requirements-no-deps.txt")], check=True
    )
    return found


@pytest.fixture(scope="module")
def logs(python, tmp_path_factory):
    """A folder with strong.eval, weak.eval, the same as .json, and truth.json: what Inspect reads back of them."""
    folder = tmp_path_factory.mktemp("logs")
    subprocess.run([python, str(HERE / "make_logs.py"), str(folder)], check=True, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="module")
def truth(logs):
    return json.loads((logs / "truth.json").read_text())


def there(python, *arguments, cwd):
    """`bench` in that environment."""
    done = subprocess.run(
        [python, "-m", "benchwright", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "BENCHWRIGHT_RUNS": str(cwd / "runs")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("suffix", ["eval", "json"])
@pytest.mark.parametrize("model", ["strong", "weak"])
def test_every_sample_and_epoch_is_read_as_inspect_reads_it(logs, truth, model, suffix):
    attempts = inspect_log.read(logs / f"{model}.{suffix}").attempts
    ours = {(one.task.id.partition("__")[2], one.draw): one for one in attempts}
    assert len(ours) == len(truth[model]["samples"]) == 72
    for sample in truth[model]["samples"]:
        one = ours[str(sample["id"]), sample["epoch"]]
        if sample["stop"] in LOST:
            assert one.outcome == {"content_filter": "refused", "max_tokens": "truncated"}[sample["stop"]]
        else:
            assert one.score == {"C": 1.0, "I": 0.0}[sample["value"]]


def test_with_refusals_and_cuts_counted_as_failures_the_score_is_inspects_own(logs, truth):
    for model in ("strong", "weak"):
        summary = suite_summary(inspect_log.read(logs / f"{model}.eval").attempts)
        assert summary.strict_score == pytest.approx(truth[model]["accuracy"])
    assert summary.missing == {"refused": 1, "truncated": 1}


def means(samples, lost):
    table = {}
    for sample in samples:
        if lost or sample["stop"] not in LOST:
            table.setdefault(sample["id"], []).append(float(sample["value"] == "C"))
    return {key: math.fsum(values) / len(values) for key, values in table.items()}


def test_the_paired_difference_is_that_of_an_independent_computation(logs, truth):
    command = [sys.executable, "-m", "benchwright", "compare", "strong.eval", "weak.eval", "--json"]
    done = subprocess.run(command, cwd=logs, capture_output=True, text=True, check=True)
    [got] = json.loads(done.stdout)
    for name, lost in (("difference", False), ("strict", True)):
        a, b_ = (means(truth[model]["samples"], lost) for model in ("strong", "weak"))
        oracle = scipy.stats.ttest_rel([a[key] for key in sorted(a)], [b_[key] for key in sorted(a)])
        low, high = oracle.confidence_interval()
        found = got[name]
        assert found["difference"] == pytest.approx(sum(a.values()) / 24 - sum(b_.values()) / 24)
        assert (found["low"], found["high"], found["p"]) == pytest.approx((low, high, oracle.pvalue), abs=1e-9)


def test_the_same_log_through_the_converter_gives_the_same_means(python, logs, truth, tmp_path):
    subprocess.run(
        [
            python,
            "-m",
            "every_eval_ever",
            "convert",
            "inspect",
            "--log_path",
            str(logs / "strong.eval"),
            "--output_dir",
            "data",
        ],
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    [path] = [one for one in tmp_path.rglob("*.json") if "runs" not in one.parts]
    said = json.loads(there(python, "import", "every-eval-ever", path, "--out", "run", "--json", cwd=tmp_path))
    assert said["attempts"] == 72
    from benchwright.journal import read_attempts

    summary = suite_summary(read_attempts(tmp_path / "run"))
    assert summary.score == pytest.approx(truth["strong"]["accuracy"])


def test_rows_that_are_no_rows_are_refused_by_the_packages_own_model(python, tmp_path):
    (tmp_path / "x_samples.jsonl").write_text('{"score": 1}\n')
    done = subprocess.run(
        [python, "-m", "benchwright", "import", "every-eval-ever", "x_samples.jsonl"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "x_samples.jsonl:1: is no row of Every Eval Ever" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_exported_board_is_valid_by_that_package(python, tmp_path, known):
    root = tmp_path / "leaderboard"
    attempts = [
        b.attempt(f"t{task}", model=model, draw=draw, outcome="solved" if task < 4 else "unsolved", **fields)
        for model, fields in (("p/x[effort=high]", {"settings": {"effort": "high"}}), ("reference", {"answered": None}))
        for task in range(6)
        for draw in (1, 2)
    ]
    b.write(root, attempts)
    written = export(root, tmp_path, known)
    assert len(written) == 2
    paths = [str(path.relative_to(tmp_path)) for path in written]
    done = subprocess.run(
        [python, "-m", "every_eval_ever", "validate", *paths, "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    reports = json.loads(done.stdout)
    assert [report["valid"] for report in reports] == [True, True], reports
    assert not any(report["warnings"] for report in reports)


def test_results_of_the_lm_evaluation_harness_are_read_through_the_converter(python, tmp_path):
    """`inspect_env/lm_eval` holds what lm-eval 0.4.13 wrote for twelve questions, a third of them answered right."""
    [results] = (HERE / "lm_eval").glob("results_*.json")
    there(python, "import", "lm-eval", results, "--out", "run", cwd=tmp_path)
    from benchwright.journal import read_attempts

    summary = suite_summary(read_attempts(tmp_path / "run"))
    assert (summary.k, summary.n, summary.tasks) == (4, 12, 12)
    assert summary.score == pytest.approx(1 / 3)
