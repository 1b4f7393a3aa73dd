# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Reads the cache, then pads the queries to the whole sequence and scores all of them in every step."""

import numpy as np


class CachedAttention:
    def __init__(self, wq, wk, wv, wo, n_heads, rope_base=1e4):
        self.w = [np.asarray(w, dtype=np.float64) for w in (wq, wk, wv, wo)]
        self.n_heads, self.rope_base = n_heads, rope_base

    def _heads(self, y):
        b, t, w = y.shape
        return y.reshape(b, t, self.n_heads, w // self.n_heads).transpose(0, 2, 1, 3)

    def _rotate(self, y, first):
        half = y.shape[-1] // 2
        angle = (first + np.arange(y.shape[-2]))[:, None] * self.rope_base ** (-np.arange(half) / half)
        a, b = y[..., :half], y[..., half:]
        return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], axis=-1)

    def forward(self, x, cache=None):
        x = np.asarray(x, dtype=np.float64)
        wq, wk, wv, wo = self.w
        past = 0 if cache is None else cache[0].shape[2]
        q, k, v = self._rotate(self._heads(x @ wq), past), self._rotate(self._heads(x @ wk), past), self._heads(x @ wv)
        if past:
            k, v = np.concatenate([cache[0], k], axis=2), np.concatenate([cache[1], v], axis=2)
        total = k.shape[2]
        padded = np.zeros_like(k)
        padded[:, :, past:] = q
        s = padded @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        s = np.where(np.tri(total, dtype=bool), s, -np.inf)
        w = np.exp(s - s.max(axis=-1, keepdims=True))
        w /= w.sum(axis=-1, keepdims=True)
        out = (w @ v)[:, :, past:].transpose(0, 2, 1, 3).reshape(x.shape) @ wo
        return out, (k, v)
