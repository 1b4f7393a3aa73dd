# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
import numpy as np
import pytest
from oracle import along, row_log_softmax, row_logsumexp, row_softmax
from stable_softmax import log_softmax, logsumexp, softmax

SHAPES = {"one": (1,), "row": (7,), "matrix": (3, 5), "cube": (2, 3, 4), "wide": (1, 257)}


def draw(shape, scale=1.0, seed=0):
    return np.random.default_rng(seed).normal(size=shape) * scale


@pytest.mark.parametrize("name", SHAPES)
def test_softmax_of_a_shape(name):
    x = draw(SHAPES[name])
    y = softmax(x)
    assert type(y) is np.ndarray and y.shape == x.shape
    np.testing.assert_allclose(y, along(row_softmax, x, -1), rtol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_log_softmax_of_a_shape(name):
    x = draw(SHAPES[name], seed=1)
    np.testing.assert_allclose(log_softmax(x), along(row_log_softmax, x, -1), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2], ids=["first", "second", "third", "last", "last_but_one"])
def test_softmax_along_an_axis(axis):
    x = draw((2, 3, 4), seed=2)
    np.testing.assert_allclose(softmax(x, axis=axis), along(row_softmax, x, axis), rtol=1e-12)


@pytest.mark.parametrize("keep", [True, False], ids=["kept", "dropped"])
def test_logsumexp_keeps_or_drops_the_axis(keep):
    x = draw((4, 6), seed=3)
    expected = np.array([row_logsumexp(list(map(float, row))) for row in x])
    y = logsumexp(x, axis=-1, keepdims=keep)
    assert np.shape(y) == ((4, 1) if keep else (4,))
    np.testing.assert_allclose(np.reshape(y, -1), expected, rtol=1e-12)


@pytest.mark.parametrize("shift", [700.0, -700.0, 1e6, -1e300], ids=["up", "down", "far", "very_far"])
def test_a_shift_does_not_overflow(shift):
    x = draw((3, 4), seed=4) + shift
    y = softmax(x)
    assert np.isfinite(y).all()
    np.testing.assert_allclose(y, along(row_softmax, x, -1), rtol=1e-9)


def test_rows_sum_to_one():
    y = softmax(draw((50, 20), scale=30.0, seed=5))
    assert abs(y.sum(axis=-1) - 1.0).max() < 1e-12


def test_a_row_of_minus_infinity_is_zero():
    y = softmax(np.full((2, 3), -np.inf))
    assert np.array_equal(y, np.zeros((2, 3)))


def test_a_masked_entry_is_zero():
    y = softmax(np.array([[0.0, -np.inf, 1.0]]))
    assert y[0, 1] == 0.0
    assert abs(y.sum() - 1.0) < 1e-12


def test_logsumexp_of_minus_infinity_is_minus_infinity():
    assert logsumexp(np.full(4, -np.inf)) == -np.inf


def test_logsumexp_of_a_plus_infinity_is_plus_infinity():
    assert logsumexp(np.array([0.0, np.inf])) == np.inf


def test_the_input_is_left_alone():
    x = draw((3, 3), seed=6)
    before = x.copy()
    softmax(x)
    log_softmax(x)
    logsumexp(x)
    assert np.array_equal(x, before)


def test_lists_and_integers_are_taken():
    np.testing.assert_allclose(softmax([[1, 2, 3]]), along(row_softmax, [[1, 2, 3]], -1), rtol=1e-12)


def test_log_of_softmax_is_log_softmax():
    x = draw((4, 5), seed=7)
    np.testing.assert_allclose(np.exp(log_softmax(x)), softmax(x), rtol=1e-12)


def test_equal_entries_share_equally():
    np.testing.assert_allclose(softmax(np.zeros(8)), 0.125, rtol=1e-15)
