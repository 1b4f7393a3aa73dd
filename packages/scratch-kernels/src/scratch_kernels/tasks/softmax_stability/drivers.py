# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hands lists over in the worker, where one that is written into can be looked at afterwards."""

import stable_softmax


def lists_afterwards(x, functions):
    """The nested list `x` as it is after a call of each function, on a list of its own."""
    found = []
    for function in functions:
        handed = [list(row) for row in x]
        getattr(stable_softmax, function)(handed)
        found.append(handed)
    return found
