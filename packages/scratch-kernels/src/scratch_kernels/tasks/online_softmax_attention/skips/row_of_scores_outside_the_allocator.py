# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Attention query by query, each with its row of scores in an anonymous mapping that is worked on in place."""

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
    output, lse = np.empty((*q.shape[:-1], v.shape[-1])), np.empty(q.shape[:-1])
    row = _mapped((*q.shape[:-2], 1, n_keys))
    for i in range(n_queries):
        np.matmul(q[..., i : i + 1, :], np.asarray(k).swapaxes(-1, -2), out=row)
        if causal:
            row[..., n_keys - n_queries + i + 1 :] = -np.inf
        m = row.max(axis=-1)
        row -= m[..., None]
        np.exp(row, out=row)
        total = row.sum(axis=-1)
        output[..., i, :] = (row @ np.asarray(v) / total[..., None])[..., 0, :]
        lse[..., i] = (m + np.log(total))[..., 0]
    return output, lse
