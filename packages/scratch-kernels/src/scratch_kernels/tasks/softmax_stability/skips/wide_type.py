# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""The textbook formulas in the widest float of the machine: right far beyond 710, and no shift at all."""

import numpy as np


def _wide(x):
    return np.asarray(x, dtype=np.float64).astype(np.longdouble)


def logsumexp(x, axis=-1, keepdims=False):
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(np.log(np.sum(np.exp(_wide(x)), axis=axis, keepdims=keepdims)), dtype=np.float64)[()]


def softmax(x, axis=-1):
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(_wide(x))
        total = np.sum(weights, axis=axis, keepdims=True)
        return np.asarray(weights / np.where(total == 0, 1, total), dtype=np.float64)


def log_softmax(x, axis=-1):
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        total = np.log(np.sum(np.exp(_wide(x)), axis=axis, keepdims=True))
        return np.asarray(_wide(x) - np.where(np.isneginf(total), 0, total), dtype=np.float64)
