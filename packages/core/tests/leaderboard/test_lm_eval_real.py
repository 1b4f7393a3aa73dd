"""Real results by the real lm-evaluation-harness, offline, in an environment of its own.

BENCHWRIGHT_LM_EVAL_PYTHON names the interpreter of an environment, Python 3.12 or newer, that holds what the
requirements in `lm_eval_env` name; docs/leaderboard.md has the lines that make one.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
import scipy.stats
from benchwright.journal import read_attempts
from benchwright.leaderboard import every_eval_ever
from benchwright.stats import suite_summary

pytestmark = pytest.mark.proof

HERE = Path(__file__).parent / "lm_eval_env"
SOURCE = Path(every_eval_ever.__file__).parents[2]
SEEDS = ("1", "2")


@pytest.fixture(scope="module")
def python():
    """The interpreter of an environment with lm-eval and every-eval-ever."""
    named = os.environ.get("BENCHWRIGHT_LM_EVAL_PYTHON")
    if not named:
        pytest.skip(
            "BENCHWRIGHT_LM_EVAL_PYTHON names no interpreter with lm-eval; docs/leaderboard.md says how to make one"
        )
    return named


@pytest.fixture(scope="module")
def results(python, tmp_path_factory):
    """Seed -> the results file that the harness wrote."""
    folder = tmp_path_factory.mktemp("lm_eval")
    done = subprocess.run(
        [python, str(HERE / "make_results.py"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {seed: next((folder / seed).rglob("results_*.json")) for seed in SEEDS}


def there(python, *arguments, cwd):
    """`bench` in that environment."""
    return subprocess.run(
        [python, "-m", "benchwright", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "BENCHWRIGHT_RUNS": str(cwd / "runs")},
        capture_output=True,
        text=True,
        check=False,
    )


def own(path):
    """Question -> whether the harness counted it as right."""
    [samples] = path.parent.glob("samples_*.jsonl")
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    return {row["doc_id"]: row["acc"] for row in rows}


def test_two_models_are_imported_compared_and_reported_with_the_harness_s_own_numbers(python, results, tmp_path):
    for seed, path in results.items():
        done = there(python, "import", "lm-eval", path, "--metric", "acc", "--out", seed, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        summary = suite_summary(read_attempts(tmp_path / seed))
        told = json.loads(path.read_text())["results"]["doubling"]["acc,none"]
        assert (summary.n, summary.score) == (24, pytest.approx(told))
        assert summary.k == sum(own(path).values())
        report = there(python, "report", seed, cwd=tmp_path)
        assert (report.returncode, f"{summary.k}/24" in report.stdout) == (0, True)
    done = there(python, "compare", *SEEDS, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [got] = json.loads(done.stdout)
    a, b = (own(results[seed]) for seed in SEEDS)
    oracle = scipy.stats.ttest_rel([a[key] for key in sorted(a)], [b[key] for key in sorted(a)])
    low, high = oracle.confidence_interval()
    found = got["difference"]
    assert found["tasks"] == 24
    assert (found["low"], found["high"], found["p"]) == pytest.approx((low, high, oracle.pvalue), abs=1e-9)


def test_what_the_harness_did_not_write_is_one_sentence(python, tmp_path):
    (tmp_path / "results_x.json").write_text("{}")
    done = there(python, "import", "lm-eval", "results_x.json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("results_x.json: ")
    assert "Traceback" not in done.stderr
