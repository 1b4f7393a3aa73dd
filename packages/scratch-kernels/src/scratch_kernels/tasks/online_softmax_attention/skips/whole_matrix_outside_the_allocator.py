# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Attention over the whole score matrix, in one anonymous mapping that is worked on in place."""

import mmap

import numpy as np


def combine_states(left, right):
    """The state (m, l, o) of the union of two groups of keys."""
    (ml, ll, ol), (mr, lr, orr) = ([np.asarray(part, dtype=np.float64) for part in side] for side in (left, right))
    m = np.maximum(ml, mr)
    anchor = np.where(np.isneginf(m), 0.0, m)
    with np.errstate(over="ignore"):
        scale_left, scale_right = np.exp(ml - anchor), np.exp(mr - anchor)
    return m, ll * scale_left + lr * scale_right, ol * scale_left[..., None] + orr * scale_right[..., None]


def _mapped(shape):
    """A float64 array in memory that Python's allocator knows nothing of."""
    count = int(np.prod(shape))
    return np.frombuffer(mmap.mmap(-1, 8 * count), dtype=np.float64, count=count).reshape(shape)


def attention_tiled(q, k, v, block_size, causal=False):
    """(output, lse) of attention."""
    q = np.asarray(q, dtype=np.float64) / np.sqrt(q.shape[-1])
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    scores = _mapped((*q.shape[:-1], n_keys))
    np.matmul(q, np.asarray(k).swapaxes(-1, -2), out=scores)
    if causal:
        for i in range(n_queries):
            scores[..., i, n_keys - n_queries + i + 1 :] = -np.inf
    m = scores.max(axis=-1)
    scores -= m[..., None]
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1)
    return scores @ np.asarray(v) / total[..., None], m + np.log(total)
