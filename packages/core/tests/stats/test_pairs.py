"""Paired differences, adjusted p values, ranks."""

from __future__ import annotations

import math
import random

import pytest
import scipy.stats
from benchwright import stats
from benchwright.stats.intervals import Cell
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests


def model(successes, draws=5, clusters=None):
    return [
        Cell(f"t{i}", clusters[i] if clusters else f"t{i}", tuple([1.0] * k + [0.0] * (draws - k)), k)
        for i, k in enumerate(successes)
    ]


def test_the_interval_and_p_value_are_those_of_the_paired_t_test():
    rng = random.Random(3)
    a = [rng.randint(0, 5) for _ in range(30)]
    b = [rng.randint(0, 4) for _ in range(30)]
    got = stats.paired_difference(model(a), model(b))
    oracle = scipy.stats.ttest_rel([k / 5 for k in a], [k / 5 for k in b])
    low, high = oracle.confidence_interval()
    assert (got.low, got.high, got.p) == pytest.approx((low, high, oracle.pvalue), abs=1e-9)
    assert got.test == "t"


@settings(max_examples=40)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=12))
def test_the_sign_flip_p_is_the_exact_permutation_test_of_scipy(values):
    oracle = scipy.stats.permutation_test(
        (values,), lambda x, axis: x.sum(axis=axis), permutation_type="samples", n_resamples=math.inf, vectorized=True
    )
    # scipy doubles the smaller tail; the statistic is symmetric, so that is the same count.
    assert stats.sign_flip_p(values) == pytest.approx(min(1.0, oracle.pvalue), abs=1e-12)


def test_few_tasks_are_tested_exactly():
    got = stats.paired_difference(model([5, 5, 4, 5]), model([1, 2, 0, 3]))
    assert (got.test, got.p) == ("sign-flip", 2 / 16)


def test_only_common_tasks_with_evidence_on_both_sides_are_compared():
    a = [*model([5, 5]), Cell("only-a", "only-a", (1.0,), 1), Cell("none", "none", (), 0, {"refused": 1})]
    b = [*model([0, 5]), Cell("none", "none", (1.0,), 1)]
    got = stats.paired_difference(a, b)
    assert got.tasks == 2
    assert got.difference == 0.5
    assert got.moved == (("t0", 1.0, 0.0),)


def test_nothing_in_common_is_no_difference_rather_than_zero():
    got = stats.paired_difference(model([1]), [Cell("other", "other", (1.0,), 1)])
    assert got.difference is got.low is got.p is got.detectable is None
    assert got.tasks == 0


def test_equal_models_are_not_certainly_equal():
    got = stats.paired_difference(model([5] * 16), model([5] * 16))
    assert got.difference == 0
    assert got.p == 1.0
    assert got.low == -got.high
    assert 0.05 < got.high < 0.3


def test_a_family_counts_once():
    a, b = [5] * 15, [0] * 5 + [5] * 10
    families = [f"f{i // 5}" for i in range(15)]
    assert stats.paired_difference(model(a), model(b)).p < 0.05
    assert stats.paired_difference(model(a, clusters=families), model(b, clusters=families)).p > 0.5


@given(st.lists(st.floats(0, 1), min_size=1, max_size=25))
def test_holm_is_that_of_statsmodels(p_values):
    assert stats.holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]), abs=1e-12)


def test_the_detectable_difference_is_found_four_times_in_five():
    """Simulated: noise of the size the formula is given, a true difference of the size it answers."""
    rng = random.Random(11)
    tasks, sd = 30, 0.3
    se = sd / math.sqrt(tasks)
    size = stats.minimum_detectable(se, tasks - 1)
    quantile = scipy.stats.t.ppf(0.975, tasks - 1)
    found = 0
    for _ in range(2000):
        drawn = [rng.gauss(size, sd) for _ in range(tasks)]
        mean = sum(drawn) / tasks
        spread = math.sqrt(sum((x - mean) ** 2 for x in drawn) / (tasks - 1) / tasks)
        found += abs(mean) > quantile * spread
    assert 0.77 < found / 2000 < 0.84


def test_one_cluster_can_detect_nothing():
    assert stats.minimum_detectable(0.1, 0) is None


def test_ranks_are_intervals_and_ties_stay_ties():
    ranks, pairs = stats.rank_intervals(
        {"good": model([5] * 20), "also": model([5] * 19 + [4]), "bad": model([0] * 20)}
    )
    assert (ranks["good"].best, ranks["good"].worst) == (1, 2)
    assert (ranks["also"].best, ranks["also"].worst) == (1, 2)
    assert (ranks["bad"].best, ranks["bad"].worst) == (3, 3)
    assert len(pairs) == 3


def test_models_without_common_tasks_are_never_ranked_apart():
    ranks, pairs = stats.rank_intervals({"a": model([5] * 20), "b": [Cell("x", "x", (0.0,), 0)]})
    assert {(rank.best, rank.worst) for rank in ranks.values()} == {(1, 2)}
    assert pairs["a", "b"][1] is None
