# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Saves memory the easy way, one query at a time over all keys: no online softmax, and a row of scores as long as the keys."""

import numpy as np


def combine_states(left, right):
    ml, ll, ol = (np.asarray(a, dtype=np.float64) for a in left)
    mr, lr, orr = (np.asarray(a, dtype=np.float64) for a in right)
    m = np.maximum(ml, mr)
    base = np.where(np.isneginf(m), 0.0, m)
    with np.errstate(over="ignore"):
        a, b = np.exp(ml - base), np.exp(mr - base)
    return m, ll * a + lr * b, ol * a[..., None] + orr * b[..., None]


def attention_tiled(q, k, v, block_size, causal=False):
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    n_q, n_k = q.shape[-2], k.shape[-2]
    output, lse = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(q.shape[:-1])
    for i in range(n_q):
        last = n_k - n_q + i + 1 if causal else n_k
        s = np.einsum("bhd,bhkd->bhk", q[:, :, i] / np.sqrt(q.shape[-1]), k[:, :, :last])
        m = s.max(axis=-1)
        w = np.exp(s - m[..., None])
        l = w.sum(axis=-1)
        output[:, :, i] = np.einsum("bhk,bhkd->bhd", w, v[:, :, :last]) / l[..., None]
        lse[:, :, i] = m + np.log(l)
    return output, lse
