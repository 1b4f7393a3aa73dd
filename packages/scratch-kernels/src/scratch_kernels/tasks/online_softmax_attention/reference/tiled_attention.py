# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Attention over blocks of keys with an online softmax (Milakov and Gimelshein 2018; Rabe and Staats 2021)."""

import numpy as np


def combine_states(left, right):
    """The state (m, l, o) of the union of two groups of keys."""
    (ml, ll, ol), (mr, lr, orr) = ([np.asarray(part, dtype=np.float64) for part in side] for side in (left, right))
    m = np.maximum(ml, mr)
    anchor = np.where(np.isneginf(m), 0.0, m)
    with np.errstate(over="ignore"):
        scale_left, scale_right = np.exp(ml - anchor), np.exp(mr - anchor)
    total = ll * scale_left + lr * scale_right
    o = ol * scale_left[..., None] + orr * scale_right[..., None]
    return m, total, o


def _block_state(scores, values):
    """The state of one block; `scores` is (…, queries, keys), masked entries being -inf."""
    m = scores.max(axis=-1)
    anchor = np.where(np.isneginf(m), 0.0, m)
    weights = np.exp(scores - anchor[..., None])
    return m, weights.sum(axis=-1), weights @ values


def attention_tiled(q, k, v, block_size, causal=False):
    """(output, lse) of attention, with at most `block_size` keys looked at at a time."""
    q = np.asarray(q, dtype=np.float64)
    k, v = np.asarray(k), np.asarray(v)
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    q = q / np.sqrt(q.shape[-1])
    shape = q.shape[:-1]
    state = np.full(shape, -np.inf), np.zeros(shape), np.zeros((*shape, v.shape[-1]))
    first = n_keys - n_queries
    for start in range(0, n_keys, block_size):
        stop = min(start + block_size, n_keys)
        keys = k[..., start:stop, :].astype(np.float64)
        values = v[..., start:stop, :].astype(np.float64)
        scores = q @ keys.swapaxes(-1, -2)
        if causal and stop - 1 > first:
            future = np.arange(start, stop)[None, :] > first + np.arange(n_queries)[:, None]
            scores = np.where(future, -np.inf, scores)
        state = combine_states(state, _block_state(scores, values))
    m, total, o = state
    return o / total[..., None], m + np.log(total)
