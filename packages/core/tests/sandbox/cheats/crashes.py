# outcome: submission_error
"""Reads address zero."""
import ctypes


def softmax(x, axis=-1):
    return ctypes.string_at(0)


log_softmax = logsumexp = softmax
