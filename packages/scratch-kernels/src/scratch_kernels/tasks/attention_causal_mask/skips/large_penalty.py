# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden keys are outweighed by a penalty that is added to their scores, and stay in every sum."""

import numpy as np


def causal_mask(n_queries, n_keys):
    return np.where(np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool), 0.0, -np.inf)


def attention(q, k, v, key_padding_mask=None):
    dtype = np.result_type(q, k, v)
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    penalty = np.maximum(causal_mask(q.shape[-2], k.shape[-2]), -1e30)
    if key_padding_mask is not None:
        rows = key_padding_mask if q.ndim == 2 else np.expand_dims(key_padding_mask, tuple(range(1, q.ndim - 1)))
        penalty = np.minimum(penalty, np.where(rows, -1e30, 0.0))
    with np.errstate(over="ignore", invalid="ignore"):
        scores = (q / np.sqrt(q.shape[-1])) @ k.swapaxes(-1, -2) + penalty
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-np.inf))
        output = weights @ v / weights.sum(axis=-1, keepdims=True)
    return np.where((penalty == 0.0).any(axis=-1)[..., None], output, 0.0).astype(dtype)
