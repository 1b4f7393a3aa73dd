# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Runs one step behind a long cache in the worker and gives the peak of what it allocated, in bytes."""

import tracemalloc

import kv_cache


def step_peak_bytes(weights, n_heads, x, keys, values):
    layer = kv_cache.CachedAttention(*weights, n_heads)
    layer.forward(x, (keys[:, :, :2], values[:, :, :2]))
    tracemalloc.start()
    try:
        layer.forward(x, (keys, values))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
