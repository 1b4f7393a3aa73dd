"""Intervals of tasks, suites and sets of suites."""

from __future__ import annotations

import math

import pytest
import scipy.stats
import statsmodels.api
from benchwright import stats
from benchwright.stats.intervals import Cell, effective_size, moments
from hypothesis import given
from hypothesis import strategies as st
from stats_attempts import attempt
from statsmodels.stats.proportion import proportion_confint


@given(st.integers(1, 200), st.data())
def test_a_task_interval_is_the_jeffreys_interval_of_statsmodels_with_the_ends_closed(n, data):
    k = data.draw(st.integers(0, n))
    got = stats.task_interval(k, n)
    low, high = proportion_confint(k, n, method="jeffreys")
    assert got.low == pytest.approx(0.0 if k == 0 else low, abs=1e-9)
    assert got.high == pytest.approx(1.0 if k == n else high, abs=1e-9)


def test_a_rate_over_no_draw_has_no_interval():
    assert stats.task_interval(0, 0) is None
    assert stats.suite_interval([], [], 0) is None


def test_more_successes_than_draws_are_refused():
    with pytest.raises(ValueError, match="k lies between"):
        stats.task_interval(4, 3)


def test_a_suite_interval_follows_the_formula():
    rates = [0.0, 0.2, 0.4, 0.4, 0.8, 1.0, 1.0, 0.6]
    score = sum(rates) / 8
    se2 = sum((rate - score) ** 2 for rate in rates) / 7 / 8
    n_eff = min(40, max(0.7 * 8, score * (1 - score) / se2))
    size = max(1, n_eff * (scipy.stats.norm.ppf(0.975) / scipy.stats.t.ppf(0.975, 7)) ** 2)
    expected = scipy.stats.beta.ppf([0.025, 0.975], score * size + 0.5, (1 - score) * size + 0.5)
    got = stats.suite_interval(rates, [str(i) for i in range(8)], 40)
    assert (got.low, got.high) == pytest.approx(tuple(expected), abs=1e-9)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcdef")), min_size=3, max_size=40))
def test_the_standard_error_is_the_cluster_robust_one_of_statsmodels(rows):
    values, clusters = [value for value, _ in rows], [cluster for _, cluster in rows]
    if len(set(clusters)) < 2:
        return
    fit = statsmodels.api.OLS(values, [1.0] * len(values)).fit(
        cov_type="cluster",
        cov_kwds={"groups": [ord(c) for c in clusters], "use_correction": True, "df_correction": False},
    )
    # statsmodels also multiplies by (N - 1) / (N - 1 parameter), which is 1 here.
    assert moments(values, clusters).se == pytest.approx(fit.bse[0], abs=1e-9)


def test_families_widen_an_interval_that_single_tasks_would_narrow():
    rates = [1.0] * 5 + [0.0] * 5 + [1.0] * 5 + [0.2] * 5
    alone = stats.suite_interval(rates, [str(i) for i in range(20)], 100)
    family = stats.suite_interval(rates, [str(i // 5) for i in range(20)], 100)
    assert family.high - family.low > 1.5 * (alone.high - alone.low)


def test_one_large_family_counts_as_few_clusters():
    assert moments([0.5] * 20, ["large"] * 18 + ["b", "c"]).clusters < 1.3


def test_one_cluster_tells_almost_nothing():
    got = stats.suite_interval([0.5, 0.5], ["a", "a"], 1000)
    assert got.low < 0.05
    assert got.high > 0.95


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.sampled_from([0.8, 0.95, 0.99]))
def test_an_interval_holds_the_score_and_stays_within_zero_and_one(successes, level):
    rates = [k / 5 for k in successes]
    got = stats.suite_interval(rates, [str(i) for i in range(len(rates))], 5 * len(rates), level)
    assert 0 <= got.low <= sum(rates) / len(rates) + 1e-12
    assert sum(rates) / len(rates) - 1e-12 <= got.high <= 1


def test_all_solved_is_not_certainty():
    got = stats.suite_interval([1.0] * 12, [str(i) for i in range(12)], 60)
    assert got.high == 1.0
    assert 0.75 < got.low < 0.9


def test_effective_size_never_passes_the_draws_made():
    got = moments([0.5, 0.5, 0.5], ["a", "b", "c"])
    assert effective_size(got, 15) == 15


def test_no_evidence_leaves_numerator_and_denominator_and_is_counted():
    summary = stats.suite_summary(
        [
            attempt("a", 1, "solved"),
            attempt("a", 2, "provider_error"),
            attempt("b", 1, "unsolved"),
            attempt("b", 2, "refused"),
            attempt("c", 1, "truncated"),
            attempt("d", 1, "no_submission", parse_failure=True),
        ]
    )
    assert (summary.k, summary.n, summary.attempts) == (1, 3, 6)
    assert summary.score == pytest.approx(1 / 3)
    assert summary.missing == {"provider_error": 1, "refused": 1, "truncated": 1}
    assert (summary.tasks, summary.tasks_missing, summary.draws) == (3, 1, 2)
    assert summary.evidence_rate == 0.5
    assert summary.parse_failure_rate == pytest.approx(1 / 3)
    assert summary.strict_score == pytest.approx((1 + 0 + 0 + 0) / 4)


def test_a_suite_without_evidence_is_not_run_rather_than_zero():
    summary = stats.suite_summary([attempt("a", 1, "harness_error")])
    assert summary.score is summary.low is summary.high is summary.strict_score is None
    assert summary.parse_failure_rate is None
    assert summary.evidence_rate == 0.0
    assert stats.suite_summary([]).evidence_rate is None


def test_a_graded_score_stands_beside_the_count_of_solved():
    summary = stats.suite_summary([attempt("a", 1, "unsolved", score=0.25), attempt("a", 2, "solved", score=0.75)])
    assert (summary.score, summary.k, summary.n) == (0.5, 1, 2)


def test_tasks_weigh_the_same_however_many_draws_each_has():
    summary = stats.suite_summary(
        [attempt("a", draw, "solved") for draw in range(1, 9)] + [attempt("b", 1, "unsolved")]
    )
    assert summary.score == 0.5


def suite(rates):
    return stats.summarize([Cell(str(i), str(i), tuple([1.0] * k + [0.0] * (5 - k)), k) for i, k in enumerate(rates)])


def test_overall_weighs_suites_and_has_welch_satterthwaite_degrees_of_freedom():
    a, b = suite([5, 3, 0, 2, 4, 1]), suite([1, 0, 2, 5, 3, 3, 4, 0])
    got = stats.overall({"a": a, "b": b}, {"a": 1, "b": 3})
    se = math.sqrt((0.25 * a.se) ** 2 + (0.75 * b.se) ** 2)
    df = se**4 / ((0.25 * a.se) ** 4 / 5 + (0.75 * b.se) ** 4 / 7)
    assert got.score == pytest.approx(0.25 * a.score + 0.75 * b.score)
    assert got.high - got.score == pytest.approx(scipy.stats.t.ppf(0.975, df) * se)


def test_overall_needs_every_suite_and_names_the_missing():
    got = stats.overall({"a": suite([5, 3])}, {"a": 1, "b": 1})
    assert got == stats.Overall(None, None, None, ("b",))
    none = stats.suite_summary([attempt("a", 1, "refused")])
    assert stats.overall({"a": none}, {"a": 1}).missing == ("a",)


def test_overall_of_perfect_suites_is_still_an_interval():
    got = stats.overall({"a": suite([5] * 10), "b": suite([5] * 12)}, {"a": 1, "b": 1})
    assert got.high == 1.0
    assert 0.8 < got.low < 0.98
