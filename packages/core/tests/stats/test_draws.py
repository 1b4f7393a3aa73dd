"""Success within k draws, and the split of variance into tasks and draws."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest
from benchwright import stats
from benchwright.stats.intervals import Cell
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_success(n, data):
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    subsets = list(combinations([1] * c + [0] * (n - c), k))
    assert stats.pass_at_k(n, c, k) == pytest.approx(float(Fraction(sum(map(any, subsets)), len(subsets))))
    assert stats.pass_hat_k(n, c, k) == pytest.approx(float(Fraction(sum(map(all, subsets)), len(subsets))))


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 1), (3, -1, 1)])
def test_more_draws_than_were_made_are_refused(n, c, k):
    with pytest.raises(ValueError, match="needs 1 <= k <= n"):
        stats.pass_at_k(n, c, k)


def drawn(rates, draws, rng):
    table = []
    for i, rate in enumerate(rates):
        scores = tuple(float(rng.random() < rate) for _ in range(draws))
        table.append(Cell(str(i), str(i), scores, int(sum(scores))))
    return table


def test_tasks_that_differ_ask_for_tasks_and_coins_ask_for_draws():
    rng = random.Random(5)
    tasks = stats.spread(drawn([0.0, 1.0] * 40, 5, rng))
    coins = stats.spread(drawn([0.5] * 80, 5, rng))
    assert tasks.draw_share == 0.0
    assert coins.draw_share > 0.5
    assert "draws hardly" in tasks.advice
    assert "as well as" in coins.advice
    assert coins.more_draws == pytest.approx(coins.more_tasks, rel=0.25)


def test_one_draw_a_task_cannot_be_split():
    assert stats.spread(drawn([0.5] * 10, 1, random.Random(1))).draw_share is None


def test_tasks_that_all_agree_have_no_spread_to_split():
    assert stats.spread(drawn([1.0] * 10, 5, random.Random(1))).draw_share is None
