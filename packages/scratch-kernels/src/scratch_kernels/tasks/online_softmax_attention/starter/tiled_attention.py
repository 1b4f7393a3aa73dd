"""Attention over blocks of keys with an online softmax."""

import numpy as np


def combine_states(left, right):
    """The state (m, l, o) of the union of two groups of keys."""
    raise NotImplementedError


def attention_tiled(q, k, v, block_size, causal=False):
    """(output, lse) of attention, with at most `block_size` keys looked at at a time."""
    raise NotImplementedError
