# outcome: timeout submission_error unsolved resource_limit
"""Recurses until the process dies, in Python, in C, and in what shows its error."""
import sys

sys.setrecursionlimit(10**8)
sys.set_int_max_str_digits(0)


class Deep:
    def __repr__(self):
        return repr(self) + "x"


def softmax(x, axis=-1):
    return softmax(x, axis)


def log_softmax(x, axis=-1):
    raise ValueError(Deep())


def logsumexp(x, axis=-1, keepdims=False):
    nested = []
    for _ in range(10**6):
        nested = [nested]
    return nested
