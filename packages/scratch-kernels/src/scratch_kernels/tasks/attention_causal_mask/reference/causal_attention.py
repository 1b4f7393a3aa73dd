# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Causal attention (Vaswani et al. 2017, section 3.2) in which masked keys are selected away, never added to."""

import numpy as np


def causal_mask(n_queries, n_keys):
    """(n_queries, n_keys) float64: 0 where a query sees a key, -inf where it does not."""
    position = np.arange(n_queries)[:, None] + (n_keys - n_queries)
    return np.where(np.arange(n_keys) <= position, 0.0, -np.inf)


def attention(q, k, v, key_padding_mask=None):
    """The values of each query's visible keys, averaged under the softmax of its scaled scores."""
    dtype = np.result_type(q, k, v)
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    visible = causal_mask(q.shape[-2], k.shape[-2]) == 0.0
    if key_padding_mask is not None:
        padded = np.asarray(key_padding_mask)
        heads = (1,) * (q.ndim - padded.ndim)
        visible = visible & ~padded.reshape(*padded.shape[:-1], *heads, padded.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):
        scores = (q / np.sqrt(q.shape[-1])) @ k.swapaxes(-1, -2)
        scores = np.where(visible, scores, -np.inf)
        largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
        weights = np.exp(scores - np.where(np.isneginf(largest), 0.0, largest))
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total == 0.0, 1.0, total)
    # A weight of zero times NaN is NaN: numbers that are not finite stay out of the product.
    broken = ~np.isfinite(v)
    output = weights @ np.where(broken, 0.0, v)
    sees_broken = visible.astype(np.float64) @ broken.astype(np.float64) > 0.0
    return np.where(sees_broken, np.nan, output).astype(dtype)
