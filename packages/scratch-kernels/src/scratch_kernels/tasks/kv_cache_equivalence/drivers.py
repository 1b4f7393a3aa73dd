# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Runs in the worker what depends on the memory there: how much a step allocates, and whether caches share any."""

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


def two_steps(weights, n_heads, x, keys, values):
    """Two steps of a layer that is made of the weights as they lie here, with and without a cache."""
    layer = kv_cache.CachedAttention(*weights, n_heads)
    layer.forward(x)
    layer.forward(x, (keys, values))


def branches(weights, n_heads, pieces, left, right):
    """Continues the cache of `pieces` by `left` and by `right` and both again; all outputs and caches, looked at last."""
    layer = kv_cache.CachedAttention(*weights, n_heads)
    cache = None
    for piece in pieces:
        _, cache = layer.forward(piece, cache)
    one, other = layer.forward(left, cache), layer.forward(right, cache)
    one_more, other_more = layer.forward(right, one[1]), layer.forward(left, other[1])
    return [
        {"output": output.copy(), "keys": keys.copy(), "values": values.copy()}
        for output, (keys, values) in (one, other, one_more, other_more)
    ]
