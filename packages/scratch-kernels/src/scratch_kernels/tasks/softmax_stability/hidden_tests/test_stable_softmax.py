# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden tests of softmax_stability.

The oracle works on Python floats, one slice at a time, with `math.fsum`; it shares nothing with an array
implementation. RTOL and ATOL are those of the prompt; `benchmarks/kernels_tolerances.py` prints how far the
reference stays below them and that a float32 implementation misses them.
"""

import math

import numpy as np
import pytest
import stable_softmax

# A call that writes into what it is handed fails, and what is handed over stays on this side as it was.
pytestmark = pytest.mark.inputs_unchanged

RTOL, ATOL = 1e-12, 1e-13


def rows(x, axis):
    return np.moveaxis(np.asarray(x, dtype=np.float64), axis, -1)


def per_slice(x, axis, function):
    """`function(list of floats) -> list of floats` over every slice, in the shape of `x`."""
    moved = rows(x, axis)
    flat = [function([float(v) for v in row]) for row in moved.reshape(-1, moved.shape[-1])]
    return np.moveaxis(np.array(flat, dtype=np.float64).reshape(moved.shape), -1, axis)


def exact_log_softmax(row):
    top = max(row)
    if top == -math.inf:
        return [-math.inf] * len(row)
    total = math.log1p(math.fsum([math.exp(v - top) for v in row] + [-1.0]))
    return [(v - top) - total for v in row]


def exact_softmax(row):
    top = max(row)
    if top == -math.inf:
        return [0.0] * len(row)
    total = math.fsum(math.exp(v - top) for v in row)
    return [math.exp(v - top) / total for v in row]


def exact_logsumexp(row):
    top = max(row, default=-math.inf)
    if top == -math.inf:
        return top
    return top + math.log1p(math.fsum([math.exp(v - top) for v in row] + [-1.0]))


def want_logsumexp(x, axis, keepdims=False):
    moved = rows(x, axis)
    flat = [exact_logsumexp([float(v) for v in row]) for row in moved.reshape(-1, moved.shape[-1])]
    result = np.array(flat, dtype=np.float64).reshape(moved.shape[:-1])
    return np.expand_dims(result, axis) if keepdims else result


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=RTOL, atol=ATOL)


def drawn(*shape, scale=1.0, seed=0):
    return np.random.default_rng([11, seed]).normal(size=shape) * scale


INPUTS = {
    "list_of_ints": [3, 1, 2],
    "nested_list": [[0.5, -1.5], [2.0, 2.0]],
    "float32_array": drawn(3, 4).astype(np.float32),
    "int64_array": np.array([[5, -7, 0], [2, 2, 9]]),
    "single_entry": np.array([4.25]),
}


@pytest.mark.parametrize("name", INPUTS)
def test_softmax_reads_whatever_numpy_reads(name):
    """[P1]"""
    close(stable_softmax.softmax(INPUTS[name]), per_slice(INPUTS[name], -1, exact_softmax))


@pytest.mark.parametrize("name", INPUTS)
def test_logsumexp_reads_whatever_numpy_reads(name):
    """[P1]"""
    close(stable_softmax.logsumexp(INPUTS[name]), want_logsumexp(INPUTS[name], -1))


@pytest.mark.parametrize("name", INPUTS)
def test_log_softmax_reads_whatever_numpy_reads(name):
    """[P1]"""
    close(stable_softmax.log_softmax(INPUTS[name]), per_slice(INPUTS[name], -1, exact_log_softmax))


@pytest.mark.parametrize("function", ["softmax", "log_softmax"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "float64"])
def test_the_result_is_a_float64_array_of_the_same_shape(function, dtype):
    """[P2]"""
    x = np.arange(6).reshape(2, 3).astype(dtype)
    got = getattr(stable_softmax, function)(x)
    assert type(got) is np.ndarray
    assert got.dtype == np.float64
    assert got.shape == (2, 3)


def test_float32_input_is_worked_on_in_float64():
    """[P2] [P7]"""
    x = drawn(4, 64, scale=8.0).astype(np.float32)
    close(stable_softmax.log_softmax(x), per_slice(x, -1, exact_log_softmax))


AXES = {"first": 0, "middle": 1, "last": 2, "minus_two": -2, "minus_three": -3}


@pytest.mark.parametrize("name", AXES)
def test_any_axis_is_normalised(name):
    """[P3]"""
    axis = AXES[name]
    x = drawn(3, 4, 5, scale=4.0)
    close(stable_softmax.softmax(x, axis=axis), per_slice(x, axis, exact_softmax))
    close(stable_softmax.log_softmax(x, axis=axis), per_slice(x, axis, exact_log_softmax))


def test_slices_of_very_different_size_do_not_disturb_each_other():
    """[P3] [P6]"""
    x = np.stack([drawn(5), drawn(5) + 1e6, drawn(5) - 1e6])
    close(stable_softmax.softmax(x), per_slice(x, -1, exact_softmax))
    close(stable_softmax.logsumexp(x), want_logsumexp(x, -1))


@pytest.mark.parametrize("name", ["first", "middle", "last", "minus_two"])
def test_logsumexp_drops_the_axis(name):
    """[P4]"""
    axis = AXES[name]
    x = drawn(2, 3, 4)
    got = np.asarray(stable_softmax.logsumexp(x, axis=axis))
    assert got.shape == want_logsumexp(x, axis).shape
    close(got, want_logsumexp(x, axis))


@pytest.mark.parametrize("name", ["first", "middle", "last", "minus_two"])
def test_logsumexp_keeps_the_axis_when_asked(name):
    """[P4]"""
    axis = AXES[name]
    x = drawn(2, 3, 4)
    got = stable_softmax.logsumexp(x, axis=axis, keepdims=True)
    assert got.shape == want_logsumexp(x, axis, keepdims=True).shape
    close(got, want_logsumexp(x, axis, keepdims=True))


@pytest.mark.parametrize("keepdims", [False, True])
def test_axes_of_length_one_are_only_dropped_when_summed_over(keepdims):
    """[P4]"""
    x = drawn(1, 3, 1)
    got = np.asarray(stable_softmax.logsumexp(x, axis=1, keepdims=keepdims))
    assert got.shape == ((1, 1, 1) if keepdims else (1, 1))
    close(got, want_logsumexp(x, 1, keepdims))


def test_logsumexp_of_one_dimension_is_a_number():
    """[P4]"""
    got = stable_softmax.logsumexp(np.array([0.0, 0.0]))
    assert np.shape(got) == ()
    assert np.asarray(got).dtype == np.float64
    close(got, math.log(2.0))


@pytest.mark.parametrize("function", ["softmax", "log_softmax", "logsumexp"])
def test_the_input_is_left_as_it_was(function):
    """[P5]"""
    x = drawn(3, 4, scale=50.0)
    x[1, 2] = -np.inf
    # The mark of this file is what looks at it.
    getattr(stable_softmax, function)(x)
    getattr(stable_softmax, function)(np.asfortranarray(x), axis=0)
    getattr(stable_softmax, function)(x.astype(np.float32))


def test_a_list_is_left_as_it_was(submission):
    """[P5]"""
    x = [[0.5, -1.5], [2.0, 2.0]]
    assert submission.drive("lists_afterwards", x=x, functions=["softmax", "log_softmax", "logsumexp"]) == [x, x, x]


MAGNITUDES = {
    "thousand": [1000.0, 999.0, 998.0],
    "minus_thousand": [-1000.0, -1001.0, -1000.5],
    "hundred_thousand": [1e5, 1e5 - 3.0, 2.0],
    "largest_float": [1.7e308, 1.7e308, -1.7e308],
    "most_negative": [-1.7e308, -1.7e308],
    "far_apart": [-1e300, 1e300, 0.0],
    "tiny": [1e-300, -1e-300, 0.0],
}


@pytest.mark.parametrize("name", MAGNITUDES)
def test_no_size_overflows_softmax(name):
    """[P6]"""
    close(stable_softmax.softmax(MAGNITUDES[name]), exact_softmax(MAGNITUDES[name]))


@pytest.mark.parametrize("name", MAGNITUDES)
def test_no_size_overflows_logsumexp(name):
    """[P6]"""
    close(stable_softmax.logsumexp(MAGNITUDES[name]), exact_logsumexp(MAGNITUDES[name]))


@pytest.mark.parametrize("name", ["thousand", "minus_thousand", "hundred_thousand", "tiny"])
def test_no_size_overflows_log_softmax(name):
    """[P6]"""
    close(stable_softmax.log_softmax(MAGNITUDES[name]), exact_log_softmax(MAGNITUDES[name]))


SCALES = {"unit": 1.0, "ten": 10.0, "hundred": 100.0}


@pytest.mark.parametrize("name", SCALES)
def test_wide_rows_agree_with_exact_sums(name):
    """[P7]"""
    x = drawn(4, 257, scale=SCALES[name], seed=3)
    close(stable_softmax.softmax(x), per_slice(x, -1, exact_softmax))
    close(stable_softmax.log_softmax(x), per_slice(x, -1, exact_log_softmax))
    close(stable_softmax.logsumexp(x), want_logsumexp(x, -1))


OFFSETS = {"billion": 2.0**30, "minus_billion": -(2.0**30), "trillion": 2.0**40, "sixteen": 16.0}


@pytest.mark.parametrize("name", OFFSETS)
def test_an_exact_offset_costs_no_accuracy(name):
    """[P8]"""
    x = np.array([0.0, 1.0, -2.0, 0.5, 3.25])
    shifted = x + OFFSETS[name]
    assert (shifted - OFFSETS[name] == x).all()
    close(stable_softmax.softmax(shifted), exact_softmax(list(x)))
    close(stable_softmax.log_softmax(shifted), exact_log_softmax(list(x)))
    close(stable_softmax.logsumexp(shifted), exact_logsumexp(list(x)) + OFFSETS[name])


GAPS = {"eight_hundred": 800.0, "hundred_thousand": 1e5, "huge": 1e200}


@pytest.mark.parametrize("name", GAPS)
def test_log_softmax_is_finite_where_softmax_is_zero(name):
    """[P9]"""
    x = np.array([0.0, -GAPS[name], -1.0])
    close(stable_softmax.log_softmax(x), exact_log_softmax(list(x)))


def test_a_masked_entry_takes_nothing():
    """[P10]"""
    x = np.array([[1.0, -np.inf, 2.0], [-np.inf, 0.0, 1e4]])
    got = stable_softmax.softmax(x)
    assert got[0, 1] == 0.0
    assert got[1, 0] == 0.0
    close(got[0, [0, 2]], exact_softmax([1.0, 2.0]))
    close(got.sum(axis=-1), [1.0, 1.0])


def test_a_masked_entry_has_no_log_probability():
    """[P10]"""
    x = np.array([1.0, -np.inf, 2.0])
    got = stable_softmax.log_softmax(x)
    assert got[1] == -np.inf
    close(got[[0, 2]], exact_log_softmax([1.0, 2.0]))


def test_a_masked_entry_is_not_in_the_sum():
    """[P10]"""
    close(stable_softmax.logsumexp(np.array([-np.inf, 5.0, -np.inf, 5.0])), 5.0 + math.log(2.0))


MASKED = np.array([[0.0, 1.0, 2.0], [-np.inf] * 3, [1e5, 0.0, -np.inf]])


def test_a_fully_masked_slice_has_zero_probabilities():
    """[P11]"""
    close(stable_softmax.softmax(MASKED), per_slice(MASKED, -1, exact_softmax))


def test_a_fully_masked_slice_has_log_probabilities_of_minus_infinity():
    """[P11]"""
    got = stable_softmax.log_softmax(MASKED)
    assert (got[1] == -np.inf).all()
    close(got[[0, 2]], per_slice(MASKED, -1, exact_log_softmax)[[0, 2]])


def test_a_fully_masked_slice_sums_to_minus_infinity():
    """[P11]"""
    got = stable_softmax.logsumexp(MASKED)
    assert got[1] == -np.inf
    close(got[[0, 2]], want_logsumexp(MASKED, -1)[[0, 2]])


def test_a_fully_masked_slice_along_the_first_axis():
    """[P3] [P11]"""
    x = MASKED.T.copy()
    close(stable_softmax.softmax(x, axis=0), per_slice(x, 0, exact_softmax))
    assert (stable_softmax.log_softmax(x, axis=0)[:, 1] == -np.inf).all()


EMPTY = {"one_dimension": (0,), "rows_of_nothing": (3, 0)}


@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_slice_sums_to_minus_infinity(name):
    """[P12]"""
    shape = EMPTY[name]
    got = np.asarray(stable_softmax.logsumexp(np.zeros(shape)))
    assert got.shape == shape[:-1]
    assert (got == -np.inf).all()


@pytest.mark.parametrize("function", ["softmax", "log_softmax"])
def test_an_empty_slice_gives_an_empty_array(function):
    """[P12]"""
    got = getattr(stable_softmax, function)(np.zeros((3, 0)))
    assert got.shape == (3, 0)
    assert got.dtype == np.float64


@pytest.mark.parametrize("function", ["softmax", "log_softmax", "logsumexp"])
def test_a_nan_stays_in_its_own_slice(function):
    """[P3] [P13]"""
    got = getattr(stable_softmax, function)(np.array([[1.0, np.nan, 2.0], [1.0, 0.0, 2.0]]))
    assert np.isnan(got[0]).all()
    assert np.isfinite(got[1]).all()
