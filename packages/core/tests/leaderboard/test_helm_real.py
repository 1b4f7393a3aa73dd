"""Real runs by the real HELM, of two models on this machine, in an environment of its own.

BENCHWRIGHT_HELM_PYTHON names the interpreter of an environment, Python 3.12 or newer, that holds what the
requirements in `helm_env` name; docs/leaderboard.md has the lines that make one.
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

HERE = Path(__file__).parent / "helm_env"
SOURCE = Path(every_eval_ever.__file__).parents[2]
MODELS = ("strong", "weak")


@pytest.fixture(scope="module")
def python():
    """The interpreter of an environment with HELM and every-eval-ever."""
    named = os.environ.get("BENCHWRIGHT_HELM_PYTHON")
    if not named:
        pytest.skip("BENCHWRIGHT_HELM_PYTHON names no interpreter with HELM; docs/leaderboard.md says how to make one")
    return named


@pytest.fixture(scope="module")
def runs(python, tmp_path_factory):
    """Model -> the run folder that `helm-run` made of it."""
    folder = tmp_path_factory.mktemp("helm")
    done = subprocess.run(
        [python, str(HERE / "make_runs.py"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    made = folder / "benchmark_output" / "runs" / "local"
    return {model: made / f"simple_mcqa:model=local_{model}" for model in MODELS}


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


@pytest.fixture(scope="module")
def imported(python, runs, tmp_path_factory):
    """A folder with both runs, imported by one metric, as `strong` and `weak`."""
    folder = tmp_path_factory.mktemp("imported")
    for model, run in runs.items():
        done = there(python, "import", "helm", run, "--metric", "exact_match", "--out", model, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert f"20 attempts at 20 tasks by local/{model}" in done.stdout
    return folder


def own(run):
    """Instance -> its exact match, as HELM wrote it down; and the mean that HELM gives."""
    per_instance = {
        one["instance_id"]: stat["sum"]
        for one in json.loads((run / "per_instance_stats.json").read_text())
        for stat in one["stats"]
        if stat["name"]["name"] == "exact_match"
    }
    [mean] = [
        stat["mean"]
        for stat in json.loads((run / "stats.json").read_text())
        if stat["name"] == {"name": "exact_match", "split": "test"}
    ]
    return per_instance, mean


@pytest.mark.parametrize("model", MODELS)
def test_each_instance_has_helm_s_own_score_and_all_of_them_its_mean(runs, imported, model):
    attempts = read_attempts(imported / model)
    per_instance, mean = own(runs[model])
    assert len(attempts) == len(per_instance) == 20
    assert sorted(one.score for one in attempts) == sorted(per_instance.values())
    assert suite_summary(attempts).score == pytest.approx(mean)
    assert 0 < mean < 1


def test_two_runs_compare_as_an_independent_computation_says(python, runs, imported):
    done = there(python, "compare", "strong", "weak", "--json", cwd=imported)
    assert done.returncode == 0, done.stderr
    [got] = json.loads(done.stdout)
    a, b = (own(runs[model])[0] for model in MODELS)
    oracle = scipy.stats.ttest_rel([a[key] for key in sorted(a)], [b[key] for key in sorted(a)])
    low, high = oracle.confidence_interval()
    found = got["difference"]
    assert found["tasks"] == 20
    assert (found["low"], found["high"], found["p"]) == pytest.approx((low, high, oracle.pvalue), abs=1e-9)
    assert got["left_out"] == {}


def test_a_run_is_reported_with_its_interval(python, imported):
    done = there(python, "report", "strong", cwd=imported)
    assert done.returncode == 0, done.stderr
    k = round(sum(one.score for one in read_attempts(imported / "strong")))
    assert f"{k}/20" in done.stdout
    assert "95% interval" in done.stdout


def test_without_a_metric_each_of_helm_s_results_is_a_suite(python, runs, tmp_path):
    assert there(python, "import", "helm", runs["weak"], "--out", "all", cwd=tmp_path).returncode == 0
    suites = {one.task.suite for one in read_attempts(tmp_path / "all")}
    assert {"simple_mcqa exact_match:test", "simple_mcqa quasi_exact_match:test"} < suites


def test_a_metric_that_nothing_is_scored_by_is_one_sentence_that_names_the_run(python, runs, tmp_path):
    done = there(python, "import", "helm", runs["weak"], "--metric", "bleu", cwd=tmp_path)
    assert done.returncode == 2
    assert "model=local_weak: has no score by `bleu`; there are: exact_match:test, " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_of_several_runs_and_one_of_none_are_one_sentence_each(python, runs, tmp_path):
    several = there(python, "import", "helm", runs["weak"].parent, cwd=tmp_path)
    assert (several.returncode, "import them one by one" in several.stderr) == (2, True)
    none = there(python, "import", "helm", tmp_path, cwd=tmp_path)
    assert (none.returncode, "gave no rows" in none.stderr) == (2, True)
    assert "Traceback" not in several.stderr + none.stderr
