# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
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

    def _heads(self, y):
        """(batch, tokens, d_model) as (batch, heads, tokens, head_dim)."""
        batch, tokens, width = y.shape
        return y.reshape(batch, tokens, self.n_heads, width // self.n_heads).transpose(0, 2, 1, 3)

    def _rotate(self, y, first):
        """Each pair (i, i + half) of `y` turned by the angle of its position; the first token stands at `first`."""
        half = y.shape[-1] // 2
        positions = first + np.arange(y.shape[-2])
        angles = positions[:, None] * self.rope_base ** (-np.arange(half) / half)
        cos, sin = np.cos(angles), np.sin(angles)
        a, b = y[..., :half], y[..., half:]
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)

    def _append(self, old, new):
        n, m = old.shape[2], new.shape[2]
        base = old.base
        if not (isinstance(base, np.ndarray) and base.ndim == 4 and base.shape[2] >= n + m and base.flags.writeable and base.dtype==np.float64 and old.ctypes.data == base.ctypes.data and base.strides == old.strides):
            base = np.empty((old.shape[0], old.shape[1], 2 * (n + m), old.shape[3]))
            base[:, :, :n] = old
        base[:, :, n : n + m] = new
        return base[:, :, : n + m]

    def forward(self, x, cache=None):
        """(output, (keys, values)) for the new tokens `x` behind those of `cache`."""
        x = np.asarray(x, dtype=np.float64)
        batch, new, width = x.shape
        past = 0 if cache is None else cache[0].shape[2]
        queries = self._rotate(self._heads(x @ self.wq), past)
        keys = self._rotate(self._heads(x @ self.wk), past)
        values = self._heads(x @ self.wv)
        if cache is not None:
            keys = self._append(cache[0], keys)
            values = self._append(cache[1], values)
        else:
            keys = self._append(keys[:, :, :0], keys)
            values = self._append(values[:, :, :0], values)
        scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(width // self.n_heads)
        visible = np.arange(past + new)[None, :] <= past + np.arange(new)[:, None]
        scores = np.where(visible, scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ values).transpose(0, 2, 1, 3).reshape(batch, new, width)
        return mixed @ self.wo, (keys, values)
