# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
import numpy as np


def logsumexp(x, axis=-1, keepdims=False):
    x = np.asarray(x, dtype=np.float64)
    top = x.max(axis=axis, keepdims=True)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total = safe + np.log(np.exp(x - safe).sum(axis=axis, keepdims=True))
    total = np.where(np.isposinf(top), np.inf, total)
    return total if keepdims else np.squeeze(total, axis=axis)


def log_softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    total = logsumexp(x, axis, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(total), -np.inf, x - total)


def softmax(x, axis=-1):
    return np.exp(log_softmax(x, axis))
