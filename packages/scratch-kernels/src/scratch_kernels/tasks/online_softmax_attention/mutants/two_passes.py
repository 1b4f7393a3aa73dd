# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Attention over blocks of keys that are read twice: for the maxima, and then for the sums."""

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


def _scores(q, k, start, stop, causal):
    """The scaled scores of one block; what a query may not see is -inf."""
    scores = q @ k[..., start:stop, :].astype(np.float64).swapaxes(-1, -2)
    if causal:
        first = k.shape[-2] - q.shape[-2]
        future = np.arange(start, stop)[None, :] > first + np.arange(q.shape[-2])[:, None]
        scores = np.where(future, -np.inf, scores)
    return scores


def attention_tiled(q, k, v, block_size, causal=False):
    """(output, lse) of attention: one pass over the blocks for the maxima, and a second for the sums."""
    q = np.asarray(q, dtype=np.float64)
    q = q / np.sqrt(q.shape[-1])
    k, v = np.asarray(k), np.asarray(v)
    n_keys = k.shape[-2]
    m = np.full(q.shape[:-1], -np.inf)
    for start in range(0, n_keys, block_size):
        stop = min(start + block_size, n_keys)
        m = np.maximum(m, _scores(q, k, start, stop, causal).max(axis=-1))
    total, o = np.zeros(q.shape[:-1]), np.zeros((*q.shape[:-1], v.shape[-1]))
    for start in range(0, n_keys, block_size):
        stop = min(start + block_size, n_keys)
        weights = np.exp(_scores(q, k, start, stop, causal) - m[..., None])
        total += weights.sum(axis=-1)
        o += weights @ v[..., start:stop, :].astype(np.float64)
    return o / total[..., None], m + np.log(total)
