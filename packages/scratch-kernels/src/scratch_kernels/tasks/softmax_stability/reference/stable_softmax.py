# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Softmax, log-softmax and logsumexp by one shifted sum."""

import numpy as np


def _shifted(x, axis):
    """(x - m, log of the sum of exp(x - m), m) with m the slice's maximum, or 0 where that is -inf."""
    x = np.asarray(x, dtype=np.float64)
    largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isneginf(largest), 0.0, largest)
    with np.errstate(over="ignore"):
        centred = x - shift
    with np.errstate(divide="ignore"):
        log_total = np.log(np.sum(np.exp(centred), axis=axis, keepdims=True))
    return centred, log_total, shift


def logsumexp(x, axis=-1, keepdims=False):
    """log(sum(exp(x))) along `axis`."""
    _, log_total, shift = _shifted(x, axis)
    result = log_total + shift
    return result if keepdims else np.squeeze(result, axis=axis)[()]


def softmax(x, axis=-1):
    """exp(x) / sum(exp(x)) along `axis`; a fully masked slice is zero."""
    centred, _, _ = _shifted(x, axis)
    weights = np.exp(centred)
    total = np.sum(weights, axis=axis, keepdims=True)
    return weights / np.where(total == 0.0, 1.0, total)


def log_softmax(x, axis=-1):
    """The logarithm of `softmax(x, axis)`; a fully masked slice is -inf."""
    centred, log_total, _ = _shifted(x, axis)
    return centred - np.where(np.isneginf(log_total), 0.0, log_total)
