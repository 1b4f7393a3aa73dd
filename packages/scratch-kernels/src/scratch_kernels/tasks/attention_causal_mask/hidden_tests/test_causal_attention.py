# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden tests of attention_causal_mask.

The oracle lists the keys that a query sees by counting from the end and works on Python floats with `math.fsum`; a hidden key
is never read. RTOL and ATOL are those of the prompt.
"""

import math

import causal_attention
import numpy as np
import pytest

# A call that writes into what it is handed fails, and what is handed over stays on this side as it was.
pytestmark = pytest.mark.inputs_unchanged

RTOL, ATOL = 1e-9, 1e-10
SINGLE = 1e-6


def seen(i, n_queries, n_keys, padded):
    """The keys that query `i` sees; the queries behind it hide as many keys at the end."""
    return [j for j in range(n_keys - (n_queries - 1 - i)) if not padded[j]]


def one_row(query, keys, values, value_dim):
    if not keys:
        return [0.0] * value_dim
    scores = [math.fsum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query)) for key in keys]
    weights = [math.exp(s - max(scores)) for s in scores]
    total = math.fsum(weights)
    return [math.fsum(w * value[c] for w, value in zip(weights, values, strict=True)) / total for c in range(value_dim)]


def oracle(q, k, v, key_padding_mask=None):
    result = np.zeros((*q.shape[:-1], v.shape[-1]))
    for where in np.ndindex(q.shape[:-1]):
        lead, i = where[:-1], where[-1]
        padded = [False] * k.shape[-2] if key_padding_mask is None else key_padding_mask[lead[:1]]
        keys = seen(i, q.shape[-2], k.shape[-2], padded)
        query = [float(x) for x in q[where]]
        rows = [[[float(x) for x in a[(*lead, j)]] for j in keys] for a in (k, v)]
        result[where] = one_row(query, *rows, v.shape[-1])
    return result


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=RTOL, atol=ATOL)


def close_single(got, want):
    np.testing.assert_allclose(got, want, rtol=SINGLE, atol=SINGLE)


def drawn(lead, n_queries, n_keys, head_dim=4, value_dim=3, scale=1.0, seed=0):
    rng = np.random.default_rng([23, seed])
    q, k, v = (
        rng.normal(size=(*lead, *shape))
        for shape in ((n_queries, head_dim), (n_keys, head_dim), (n_keys, value_dim))
    )
    return q * scale, k, np.clip(v, -10.0, 10.0)


SEEN = {
    "square": (3, 3, ["x..", "xx.", "xxx"]),
    "two_of_five": (2, 5, ["xxxx.", "xxxxx"]),
    "three_of_four": (3, 4, ["xx..", "xxx.", "xxxx"]),
    "one_query": (1, 4, ["xxxx"]),
    "one_key": (1, 1, ["x"]),
    "more_queries": (4, 2, ["..", "..", "x.", "xx"]),
    "many_before_one_key": (3, 1, [".", ".", "x"]),
}


@pytest.mark.parametrize("name", ["square", "two_of_five", "one_query"])
def test_the_mask_is_zero_or_minus_infinity_in_float64(name):
    """[P1]"""
    n_queries, n_keys, _ = SEEN[name]
    got = causal_attention.causal_mask(n_queries, n_keys)
    assert type(got) is np.ndarray
    assert got.dtype == np.float64
    assert got.shape == (n_queries, n_keys)
    assert ((got == 0.0) | (got == -np.inf)).all()


def drawn_mask(rows):
    return np.array([[0.0 if c == "x" else -np.inf for c in row] for row in rows])


@pytest.mark.parametrize("name", ["square", "two_of_five", "three_of_four", "one_query", "one_key"])
def test_the_mask_puts_the_queries_at_the_end_of_the_keys(name):
    """[P1] [P2]"""
    n_queries, n_keys, rows = SEEN[name]
    np.testing.assert_array_equal(causal_attention.causal_mask(n_queries, n_keys), drawn_mask(rows))


@pytest.mark.parametrize("name", ["more_queries", "many_before_one_key"])
def test_the_mask_of_more_queries_than_keys_begins_with_rows_that_see_nothing(name):
    """[P3]"""
    n_queries, n_keys, rows = SEEN[name]
    np.testing.assert_array_equal(causal_attention.causal_mask(n_queries, n_keys), drawn_mask(rows))


EMPTY = {"no_queries": (0, 3), "no_keys": (3, 0), "neither": (0, 0)}


@pytest.mark.parametrize("name", EMPTY)
def test_the_mask_of_nothing_is_empty(name):
    """[P4]"""
    got = causal_attention.causal_mask(*EMPTY[name])
    assert got.shape == EMPTY[name]
    assert got.dtype == np.float64


LEADS = {"none": (), "batch": (3,), "batch_and_heads": (2, 3), "single_batch": (1, 2), "single_head": (2, 1)}


@pytest.mark.parametrize("name", LEADS)
def test_leading_dimensions_pass_through(name):
    """[P5] [P6]"""
    q, k, v = drawn(LEADS[name], 3, 5)
    got = causal_attention.attention(q, k, v)
    assert type(got) is np.ndarray
    assert got.shape == (*LEADS[name], 3, 3)
    close(got, oracle(q, k, v))


WIDTHS = {"wider_values": (2, 6), "narrower_values": (6, 1), "one_of_each": (1, 1), "the_same": (4, 4)}


@pytest.mark.parametrize("name", WIDTHS)
def test_values_have_a_width_of_their_own(name):
    """[P5] [P6]"""
    head_dim, value_dim = WIDTHS[name]
    q, k, v = drawn((2,), 4, 4, head_dim, value_dim, seed=1)
    got = causal_attention.attention(q, k, v)
    assert got.shape == (2, 4, value_dim)
    close(got, oracle(q, k, v))


def test_scores_are_divided_by_the_root_of_the_head_dimension():
    """[P6]"""
    q = np.zeros((1, 16))
    k = np.zeros((2, 16))
    q[0, 0], k[1, 0] = 4.0, math.log(3.0)
    close(causal_attention.attention(q, k, np.array([[0.0], [1.0]])), [[0.75]])


def test_equal_scores_give_the_mean_of_what_is_seen():
    """[P6]"""
    v = np.array([[1.0], [3.0], [8.0]])
    close(causal_attention.attention(np.zeros((3, 2)), np.ones((3, 2)), v), [[1.0], [2.0], [4.0]])


def test_the_first_of_as_many_queries_as_keys_gets_the_first_value():
    """[P6] [P7]"""
    q, k, v = drawn((2, 2), 4, 4, seed=2)
    close(causal_attention.attention(q, k, v)[..., 0, :], v[..., 0, :])


SIZES = {"square": (5, 5), "a_few_of_many": (3, 9), "one_query": (1, 6), "all_but_one": (5, 6)}


@pytest.mark.parametrize("name", SIZES)
def test_queries_stand_at_the_end_of_the_keys(name):
    """[P7]"""
    q, k, v = drawn((2,), *SIZES[name], scale=3.0, seed=3)
    close(causal_attention.attention(q, k, v), oracle(q, k, v))


@pytest.mark.parametrize("last", [1, 2, 5])
def test_the_last_queries_alone_come_out_as_within_the_whole(last):
    """[P7]"""
    q, k, v = drawn((2, 2), 6, 6, scale=2.0, seed=4)
    whole = oracle(q, k, v)
    close(causal_attention.attention(q[..., -last:, :], k, v), whole[..., -last:, :])


def test_batch_entries_and_heads_do_not_see_each_other():
    """[P8]"""
    q, k, v = drawn((2, 2), 3, 4, seed=5)
    want = oracle(q, k, v)
    k[1, 0], v[1, 0] = np.nan, np.nan
    got = causal_attention.attention(q, k, v)
    close(got[0], want[0])
    close(got[1, 1], want[1, 1])


def test_a_head_with_small_scores_beside_one_with_large_scores_is_exact():
    """[P8] [P17]"""
    q, k, v = drawn((1, 3), 4, 4, seed=6)
    q[0, 1] *= 1e4
    q[0, 2] *= 1e-4
    close(causal_attention.attention(q, k, v), oracle(q, k, v))


def padding(*rows):
    """A mask from strings: p is padding."""
    mask = np.array([[c == "p" for c in row] for row in rows])
    return mask[0] if len(rows) == 1 else mask


PADDED = {
    "none": ((), padding("..pp..")),
    "batch": ((2,), padding("....pp", "p...p.")),
    "batch_and_heads": ((2, 3), padding("....pp", "pp....")),
    "as_many_heads_as_batches": ((2, 2), padding(".p..p.", "...pp.")),
    "one_batch": ((1, 2), padding("p..p..")[None]),
}


@pytest.mark.parametrize("name", PADDED)
def test_true_hides_a_key_from_all_heads_of_its_batch_entry(name):
    """[P9]"""
    lead, mask = PADDED[name]
    q, k, v = drawn(lead, 2, 6, seed=7)
    close(causal_attention.attention(q, k, v, mask), oracle(q, k, v, mask))


def test_the_padding_mask_may_be_named():
    """[P9]"""
    q, k, v = drawn((), 2, 3, seed=8)
    mask = padding(".p.")
    close(causal_attention.attention(q, k, v, key_padding_mask=mask), oracle(q, k, v, mask))


def test_a_mask_without_padding_changes_nothing():
    """[P9]"""
    q, k, v = drawn((2, 2), 4, 4, seed=9)
    close(causal_attention.attention(q, k, v, np.zeros((2, 4), dtype=bool)), oracle(q, k, v))


PLACES = {"left": padding("pp...", ".p..."), "right": padding("...pp", "....p"), "scattered": padding("p.p.p", ".p.p.")}


@pytest.mark.parametrize("name", PLACES)
def test_padding_and_causality_hold_together(name):
    """[P10] [P11]"""
    q, k, v = drawn((2, 2), 5, 5, scale=2.0, seed=10)
    close(causal_attention.attention(q, k, v, PLACES[name]), oracle(q, k, v, PLACES[name]))


def test_padding_moves_no_position():
    """[P10]"""
    q, k, v = drawn((), 3, 6, seed=11)
    mask = padding("....pp")
    got = causal_attention.attention(q, k, v, mask)
    close(got, oracle(q, k, v, mask))
    close(got[0], causal_attention.attention(q[:1], k[:4], v[:4])[0])


def test_queries_before_all_keys_give_zeros():
    """[P3] [P11]"""
    q, k, v = drawn((2,), 5, 3, seed=12)
    got = causal_attention.attention(q, k, v)
    np.testing.assert_array_equal(got[:, :2], np.zeros((2, 2, 3)))
    close(got, oracle(q, k, v))


def test_queries_that_see_padding_alone_give_zeros():
    """[P11]"""
    q, k, v = drawn((2, 2), 4, 4, seed=13)
    mask = padding("pp..", "pppp")
    got = causal_attention.attention(q, k, v, mask)
    np.testing.assert_array_equal(got[0, :, :2], np.zeros((2, 2, 3)))
    np.testing.assert_array_equal(got[1], np.zeros((2, 4, 3)))
    close(got, oracle(q, k, v, mask))


@pytest.mark.parametrize("number", ["nan", "huge"])
def test_a_query_that_sees_nothing_gives_zeros_whatever_it_holds(number):
    """[P11]"""
    q, k, v = drawn((), 4, 3, seed=14)
    want = oracle(q, k, v)
    q[0] = {"nan": np.nan, "huge": 1e300}[number]
    close(causal_attention.attention(q, k, v), want)


@pytest.mark.parametrize("masked", ["with_mask", "without_mask"])
def test_without_keys_every_row_is_zero(masked):
    """[P11]"""
    q, k, v = drawn((2, 2), 3, 0, seed=15)
    mask = np.zeros((2, 0), dtype=bool) if masked == "with_mask" else None
    np.testing.assert_array_equal(causal_attention.attention(q, k, v, mask), np.zeros((2, 2, 3, 3)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_without_queries_the_result_is_empty(dtype):
    """[P12] [P15]"""
    q, k, v = (a.astype(dtype) for a in drawn((2,), 0, 4, seed=16))
    got = causal_attention.attention(q, k, v)
    assert got.shape == (2, 0, 3)
    assert got.dtype == dtype


NUMBERS = {"nan": np.nan, "infinity": np.inf, "minus_infinity": -np.inf, "largest_float": 1.7e308, "million": 1e6}


@pytest.mark.parametrize("place", ["key", "value", "both"])
@pytest.mark.parametrize("number", NUMBERS)
def test_padding_holds_any_number(number, place):
    """[P13]"""
    q, k, v = drawn((2, 2), 3, 5, seed=17)
    mask = padding(".p..p", "p.p..")
    want = oracle(q, k, v, mask)
    for b, j in np.argwhere(mask):
        if place != "value":
            k[b, :, j] = NUMBERS[number]
        if place != "key":
            v[b, :, j] = NUMBERS[number]
    close(causal_attention.attention(q, k, v, mask), want)


@pytest.mark.parametrize("place", ["key", "value", "both"])
@pytest.mark.parametrize("number", NUMBERS)
def test_the_future_holds_any_number(number, place):
    """[P13]"""
    q, k, v = drawn((2,), 4, 6, seed=18)
    want = oracle(q, k, v)
    if place != "value":
        k[:, -1] = NUMBERS[number]
    if place != "key":
        v[:, -1] = NUMBERS[number]
    got = causal_attention.attention(q, k, v)
    close(got[:, :-1], want[:, :-1])


@pytest.mark.parametrize("number", ["nan", "infinity", "largest_float"])
def test_numbers_behind_the_mask_do_not_reach_a_row_of_zeros(number):
    """[P11] [P13]"""
    q, k, v = drawn((), 3, 3, seed=19)
    k[0], v[0] = NUMBERS[number], NUMBERS[number]
    np.testing.assert_array_equal(causal_attention.attention(q, k, v, padding("p.."))[0], np.zeros(3))


@pytest.mark.parametrize("number", ["nan", "largest_float"])
def test_numbers_behind_the_mask_do_not_reach_float32_results(number):
    """[P13] [P15]"""
    q, k, v = (a.astype(np.float32) for a in drawn((2,), 3, 4, seed=20))
    want = oracle(q, k, v)
    k[:, -1] = v[:, -1] = {"nan": np.nan, "largest_float": 3e38}[number]
    got = causal_attention.attention(q, k, v)
    assert got.dtype == np.float32
    close_single(got[:, :-1], want[:, :-1])


def test_a_hidden_score_far_above_the_visible_ones_takes_no_weight_and_no_accuracy():
    """[P13] [P16]"""
    q, k, v = drawn((), 3, 3, seed=21)
    q[:, 0], k[:, 0], k[2, 0] = 1.0, 0.0, 2000.0
    close(causal_attention.attention(q, k, v)[:2], oracle(q, k, v)[:2])


def test_visible_scores_far_below_zero_are_weighted_beside_hidden_ones_near_zero():
    """[P13] [P17]"""
    q, k, v = drawn((), 3, 3, head_dim=1, seed=22)
    q[:], k[:, 0] = 1.0, [-3e10, -3e10, 0.0]
    close(causal_attention.attention(q, k, v)[:2], [v[0], (v[0] + v[1]) / 2.0])


def test_a_nan_in_a_visible_key_makes_the_row_nan():
    """[P13] [P14]"""
    q, k, v = drawn((), 4, 4, seed=23)
    want = oracle(q, k, v)
    k[2, 1] = np.nan
    got = causal_attention.attention(q, k, v)
    assert np.isnan(got[2:]).all()
    close(got[:2], want[:2])


def test_a_nan_in_a_query_makes_its_row_nan():
    """[P14]"""
    q, k, v = drawn((), 4, 4, seed=24)
    want = oracle(q, k, v)
    q[1, 0] = np.nan
    got = causal_attention.attention(q, k, v)
    assert np.isnan(got[1]).all()
    close(got[[0, 2, 3]], want[[0, 2, 3]])


def test_a_nan_in_a_visible_value_stays_in_its_column():
    """[P13] [P14]"""
    q, k, v = drawn((2,), 4, 4, seed=25)
    want = oracle(q, k, v)
    v[1, 2, 1] = np.nan
    got = causal_attention.attention(q, k, v)
    assert np.isnan(got[1, 2:, 1]).all()
    close(got[0], want[0])
    close(got[1, :2], want[1, :2])
    close(got[1, :, [0, 2]], want[1, :, [0, 2]])


MIXTURES = {
    "all_single": ("float32", "float32", "float32", "float32"),
    "all_double": ("float64", "float64", "float64", "float64"),
    "double_query": ("float64", "float32", "float32", "float64"),
    "double_key": ("float32", "float64", "float32", "float64"),
    "double_value": ("float32", "float32", "float64", "float64"),
}


@pytest.mark.parametrize("masked", ["with_mask", "without_mask"])
@pytest.mark.parametrize("name", MIXTURES)
def test_the_type_of_the_result_follows_the_inputs(name, masked):
    """[P15]"""
    q, k, v = (a.astype(t) for a, t in zip(drawn((2,), 3, 4, seed=26), MIXTURES[name], strict=False))
    mask = padding(".p..", "..p.") if masked == "with_mask" else None
    got = causal_attention.attention(q, k, v, mask)
    assert got.dtype == MIXTURES[name][3]
    (close_single if got.dtype == np.float32 else close)(got, oracle(q, k, v, mask))


def near_ties(scale, seed):
    """Scores of about `scale`, which differ from one another by about one."""
    q, k, v = drawn((2,), 6, 20, 8, 3, seed=seed)
    return scale * (1.0 + q / 4.0), 1.0 + k / scale, v


SCALES = {"unit": 1.0, "hundred": 100.0, "thousand": 1e3, "ten_thousand": 1e4}


@pytest.mark.parametrize("name", SCALES)
def test_float64_results_agree_with_exact_sums(name):
    """[P16]"""
    q, k, v = near_ties(SCALES[name], 27)
    close(causal_attention.attention(q, k, v), oracle(q, k, v))


@pytest.mark.parametrize("name", SCALES)
def test_float32_inputs_are_worked_on_in_float64(name):
    """[P16]"""
    q, k, v = (a.astype(np.float32) for a in near_ties(SCALES[name], 28))
    close_single(causal_attention.attention(q, k, v), oracle(q, k, v))


def test_large_scores_that_nearly_tie_share_the_weight():
    """[P16] [P17]"""
    q, k, v = np.full((3, 1), 1e5), np.array([[1.0], [1.0 - 2.0**-17], [1.0 - 2.0**-16]]), np.eye(3)
    close(causal_attention.attention(q, k, v), oracle(q, k, v))
    close(causal_attention.attention(-q, k, v), oracle(-q, k, v))


def test_scores_that_are_far_apart_agree_with_exact_sums():
    """[P16] [P17]"""
    q, k, v = drawn((2,), 6, 20, 8, 3, scale=300.0, seed=31)
    close(causal_attention.attention(q, k, v), oracle(q, k, v))


SIGNS = {"positive": 1.0, "negative": -1.0}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("size", ["large", "huge"])
def test_no_score_overflows(size, sign):
    """[P17]"""
    q, k, v = drawn((2,), 4, 4, head_dim=1, seed=29)
    q[:] = {"large": 1e6, "huge": 1e150}[size] * SIGNS[sign]
    k[:, :, 0] = np.array([3.0, 1.0, 4.0, 2.0]) * {"large": 1.0, "huge": 1e150}[size]
    first = [0, 0, 2, 2] if sign == "positive" else [0, 1, 1, 1]
    close(causal_attention.attention(q, k, v), v[:, first])


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_dot_product_beyond_the_largest_number_has_a_finite_score(dtype, sign):
    """[P17]"""
    q, k, v = (a.astype(dtype) for a in drawn((2,), 4, 4, head_dim=16, seed=32))
    # Half of the largest number, once it is divided by the root of 16.
    q[:], k[:] = 0.0, 0.0
    q[..., 5] = SIGNS[sign] * np.sqrt(np.finfo(dtype).max)
    k[..., 5] = np.sqrt(np.finfo(dtype).max) * np.array([1.5, 0.5, 2.0, 1.0], dtype=dtype)
    first = [0, 0, 2, 2] if sign == "positive" else [0, 1, 1, 1]
    close(causal_attention.attention(q, k, v), v[:, first])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_inputs_are_left_as_they_were(dtype):
    """[P18]"""
    q, k, v = (a.astype(dtype) for a in drawn((2, 2), 3, 4, scale=50.0, seed=30))
    v[0, 0, 3], k[1, 1, 3] = np.nan, np.inf
    mask = padding("...p", ".p.p")
    # The mark of this file is what looks at them.
    causal_attention.attention(q, k, v, mask)
    causal_attention.attention(q, k, v)
