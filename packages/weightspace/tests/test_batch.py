"""The numpy path gives what the scalar path gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weightspace.corruption import break_network
from weightspace.functions import FUNCTIONS, Function
from weightspace.rewrites import hide
from weightspace.streams import below, draw, field, stream_key

np = pytest.importorskip("numpy", reason="numpy is not installed: pip install weightspace[fast]")
from weightspace import batch  # noqa: E402

each_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)


@given(st.lists(st.integers(0, 2**53), min_size=1, max_size=5), st.integers(0, 4096), st.integers(1, 3))
@settings(deadline=None)
def test_keys_and_draws_are_the_same(seeds: list[int], attempt: int, purpose: int) -> None:
    keys = batch.stream_keys(np.array(seeds, dtype=np.int64), np.full(len(seeds), attempt), purpose)
    expected = [stream_key(seed, attempt, purpose) for seed in seeds]
    assert keys.tolist() == expected
    z = batch.draws(keys, [0, 7, 300])
    assert z.tolist() == [[draw(key, i) for i in (0, 7, 300)] for key in expected]
    assert batch.below(z, 2101).tolist() == [[below(draw(key, i), 2101) for i in (0, 7, 300)] for key in expected]
    assert batch.field(z, 5, 21).tolist() == [[field(draw(key, i), 5, 21) for i in (0, 7, 300)] for key in expected]


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
@settings(deadline=None)
def test_rounding_is_the_same(numerator: int, denominator: int) -> None:
    from weightspace.rewrites import rounded

    assert batch.rounded(np.array([numerator]), denominator).tolist() == [rounded(numerator, denominator)]
    assert rounded(-numerator, denominator) == -rounded(numerator, denominator)


@each_function
@pytest.mark.parametrize("hidden", [8, 16, 33])
def test_both_paths_make_the_same_networks(function: Function, hidden: int) -> None:
    seeds = [*range(30), 2**53, 20261103]
    assert batch.hide_many(function, hidden, seeds) == [hide(function, hidden, seed) for seed in seeds]


@each_function
@pytest.mark.parametrize("hidden", [8, 16, 33])
def test_both_paths_break_the_same_networks_the_same_way(function: Function, hidden: int) -> None:
    seeds = [*range(30), 2**53, 20261103]
    assert batch.break_many(function, hidden, seeds) == [break_network(function, hidden, seed) for seed in seeds]


def test_more_seeds_than_a_chunk_keep_their_order() -> None:
    seeds = list(range(batch.CHUNK + 5))
    made = batch.hide_many(FUNCTIONS[1], 16, seeds)
    assert made[-5:] == [hide(FUNCTIONS[1], 16, seed) for seed in seeds[-5:]]


@pytest.mark.proof
@each_function
def test_both_paths_agree_on_a_thousand_seeds(function: Function) -> None:
    seeds = list(range(10_000, 11_000))
    assert batch.hide_many(function, 16, seeds) == [hide(function, 16, seed) for seed in seeds]
    assert batch.break_many(function, 16, seeds) == [break_network(function, 16, seed) for seed in seeds]


def test_an_impossible_function_is_an_error_here_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "ATTEMPTS", 50)
    never = FUNCTIONS[0]._replace(rule=lambda x: False)
    with pytest.raises(ArithmeticError, match="no network"):
        batch.hide_many(never, 16, [5])
