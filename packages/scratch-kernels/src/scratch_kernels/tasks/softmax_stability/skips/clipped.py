# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Clips the input to where exp is safe: never infinite, never NaN, and wrong for whatever was clipped."""

import numpy as np


def _clipped(x):
    x = np.asarray(x, dtype=np.float64)
    return np.where(np.isneginf(x), x, np.clip(x, -700.0, 700.0))


def logsumexp(x, axis=-1, keepdims=False):
    with np.errstate(divide="ignore"):
        return np.log(np.sum(np.exp(_clipped(x)), axis=axis, keepdims=keepdims))


def softmax(x, axis=-1):
    weights = np.exp(_clipped(x))
    total = np.sum(weights, axis=axis, keepdims=True)
    return weights / np.where(total == 0.0, 1.0, total)


def log_softmax(x, axis=-1):
    total = logsumexp(x, axis, keepdims=True)
    return _clipped(x) - np.where(np.isneginf(total), 0.0, total)
