"""Quantiles of the beta and of Student's t distribution, without scipy.

The regularised incomplete beta function is the continued fraction of DLMF 8.17.22, summed by the
modified Lentz method (Lentz 1976; Thompson and Barnett 1986); a quantile is its root, by Newton steps
kept inside a bracket.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_EPS = 1e-15


def beta_cdf(x: float, a: float, b: float) -> float:
    """P(X <= x) for X ~ Beta(a, b), a and b above 0."""
    if a <= 0 or b <= 0:
        raise ValueError(f"a beta distribution needs a, b above 0, got {a}, {b}")
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(_log_density(x, a, b) + math.log(x) + math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1 - x, b, a) / b


@lru_cache(maxsize=65536)
def beta_quantile(p: float, a: float, b: float) -> float:
    """The x with P(X <= x) = p for X ~ Beta(a, b)."""
    if not 0 <= p <= 1:
        raise ValueError(f"a probability lies in [0, 1], got {p}")
    if p in (0.0, 1.0):
        return p
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(200):
        error = beta_cdf(x, a, b) - p
        if error > 0:
            high = x
        else:
            low = x
        if high - low <= _EPS * high:
            break
        density = math.exp(_log_density(x, a, b)) if 0 < x < 1 else 0.0
        step = x - error / density if density > _TINY else -1.0
        if not low < step < high:
            # Halving the logarithm's range finds quantiles near 0 that halving the range would crawl to.
            step = math.sqrt(low * high) if low > 0 and high > 4 * low else (low + high) / 2
        if abs(step - x) <= _EPS * abs(x):
            x = step
            break
        x = step
    return x


def t_cdf(t: float, df: float) -> float:
    """P(X <= t) for Student's t with `df` degrees of freedom (any real number above 0)."""
    if df <= 0:
        raise ValueError(f"degrees of freedom lie above 0, got {df}")
    if math.isinf(t):
        return 1.0 if t > 0 else 0.0
    square = t * t
    if square < df:  # near the middle, where df / (df + t^2) would lose its digits to 1
        middle = beta_cdf(square / (df + square), 0.5, df / 2) / 2
        return 0.5 + math.copysign(middle, t)
    tail = beta_cdf(df / (df + square), df / 2, 0.5) / 2
    return 1.0 - tail if t > 0 else tail


@lru_cache(maxsize=65536)
def t_quantile(p: float, df: float) -> float:
    """The t with P(X <= t) = p; infinite for `df` of 0 or less, where no spread was observed."""
    if not 0 < p < 1:
        raise ValueError(f"a probability lies in (0, 1), got {p}")
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1 - p, df)
    if df <= 0:
        return math.inf
    # T^2 / (df + T^2) ~ Beta(1/2, df/2); the smaller of y and 1 - y keeps its digits.
    y = beta_quantile(2 * (1 - p), df / 2, 0.5)
    return math.sqrt(df * (1 - y) / y) if y > 0 else math.inf


def _log_density(x: float, a: float, b: float) -> float:
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return (a - 1) * math.log(x) + (b - 1) * math.log1p(-x) - log_beta


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            c = 1 + numerator / c
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            value *= d * c
        if abs(d * c - 1) < _EPS:
            return value
    raise ArithmeticError(f"the incomplete beta fraction did not settle at x={x}, a={a}, b={b}")
