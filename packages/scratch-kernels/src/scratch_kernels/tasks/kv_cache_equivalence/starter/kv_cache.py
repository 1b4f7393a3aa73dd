"""Causal attention with rotary positions and a key-value cache."""

import numpy as np


class CachedAttention:
    """One layer of causal multi-head self-attention that can be fed in pieces."""

    def __init__(self, wq, wk, wv, wo, n_heads, rope_base=1e4):
        self.wq = np.asarray(wq, dtype=np.float64)
        self.wk = np.asarray(wk, dtype=np.float64)
        self.wv = np.asarray(wv, dtype=np.float64)
        self.wo = np.asarray(wo, dtype=np.float64)
        self.n_heads = n_heads
        self.rope_base = rope_base

    def forward(self, x, cache=None):
        """(output, (keys, values)) for the new tokens `x` behind those of `cache`."""
        raise NotImplementedError
