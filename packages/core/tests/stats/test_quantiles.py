"""The plain-Python quantiles against scipy."""

from __future__ import annotations

import math

import pytest
import scipy.stats
from benchwright.stats.quantiles import beta_cdf, beta_quantile, t_cdf, t_quantile
from hypothesis import given
from hypothesis import strategies as st

shapes = st.floats(0.5, 20_000)
probabilities = st.floats(0.0005, 0.9995)


@given(probabilities, shapes, shapes)
def test_beta_quantiles_equal_those_of_scipy(p, a, b):
    assert beta_quantile(p, a, b) == pytest.approx(scipy.stats.beta.ppf(p, a, b), rel=1e-7, abs=1e-9)


@given(st.floats(0, 1), shapes, shapes)
def test_beta_probabilities_equal_those_of_scipy(x, a, b):
    assert beta_cdf(x, a, b) == pytest.approx(scipy.stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-9)


@given(probabilities, st.floats(0.3, 5000))
def test_t_quantiles_equal_those_of_scipy(p, df):
    assert t_quantile(p, df) == pytest.approx(scipy.stats.t.ppf(p, df), rel=1e-7, abs=1e-9)


@given(st.floats(-60, 60), st.floats(0.3, 5000))
def test_t_probabilities_equal_those_of_scipy(t, df):
    assert t_cdf(t, df) == pytest.approx(scipy.stats.t.cdf(t, df), rel=1e-8, abs=1e-12)


def test_no_degrees_of_freedom_give_an_infinite_quantile():
    assert t_quantile(0.975, 0) == math.inf
    assert t_quantile(0.025, 0) == -math.inf


@pytest.mark.parametrize(
    "call",
    [lambda: beta_quantile(1.1, 1, 1), lambda: beta_cdf(0.5, 0, 1), lambda: t_quantile(0, 3), lambda: t_cdf(1, 0)],
)
def test_a_value_outside_its_range_is_refused(call):
    with pytest.raises(ValueError, match=r"lies? in|above"):
        call()
