# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""An honest merge beside an attention that builds every score at once and never looks at `block_size`."""

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
    s = (q / np.sqrt(q.shape[-1])) @ k.swapaxes(-1, -2)
    n_q, n_k = s.shape[-2:]
    if causal:
        s = np.where(np.tri(n_q, n_k, n_k - n_q, dtype=bool), s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    w = np.exp(s - m)
    l = w.sum(axis=-1, keepdims=True)
    return (w @ v) / l, (m + np.log(l))[..., 0]
