"""Causal attention in which an unseen key has no part."""

import numpy as np


def causal_mask(n_queries, n_keys):
    """(n_queries, n_keys) float64: 0 where a query sees a key, -inf where it does not."""
    raise NotImplementedError


def attention(q, k, v, key_padding_mask=None):
    """Causal scaled dot-product attention; True in `key_padding_mask` hides a key."""
    raise NotImplementedError
