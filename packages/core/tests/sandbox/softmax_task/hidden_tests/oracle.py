# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Softmax by exact sums of Python floats, row by row: nothing shared with the code under test."""

import math

import numpy as np


def along(function, x, axis):
    x = np.asarray(x, dtype=np.float64)
    moved = np.moveaxis(x, axis, -1)
    rows = [function([float(v) for v in row]) for row in moved.reshape(-1, moved.shape[-1])]
    return np.moveaxis(np.array(rows).reshape(moved.shape), -1, axis)


def row_logsumexp(row):
    top = max(row)
    if math.isinf(top):
        return top
    return top + math.log(math.fsum(math.exp(v - top) for v in row))


def row_softmax(row):
    total = row_logsumexp(row)
    if total == -math.inf:
        return [0.0 for _ in row]
    return [math.exp(v - total) for v in row]


def row_log_softmax(row):
    total = row_logsumexp(row)
    if total == -math.inf:
        return [-math.inf for _ in row]
    return [v - total for v in row]


SECRET_OF_THE_ORACLE = "expected-values-live-here"
