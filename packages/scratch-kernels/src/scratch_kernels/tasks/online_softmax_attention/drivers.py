# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Runs the attention in the worker: with the peak of what it allocated, in bytes, and over more keys than any row holds."""

import tracemalloc

import numpy as np
import tiled_attention


def attention_with_peak(q, k, v, block_size, causal):
    # What the first call allocates once and for all is not counted.
    few = q.shape[2] + 2 * block_size
    tiled_attention.attention_tiled(q, k[:, :, :few], v[:, :, :few], block_size, causal)
    tracemalloc.start()
    try:
        output, lse = tiled_attention.attention_tiled(q, k, v, block_size, causal)
        return tracemalloc.get_traced_memory()[1], output, lse
    finally:
        tracemalloc.stop()


def attention_to_one_key(query, key, value, n_keys, block_size):
    """Attention of one query to one key that is there `n_keys` times over, all of them in the same eight bytes."""
    q = np.full((1, 1, 1, 1), query)
    k, v = (np.broadcast_to(np.float64(number), (1, 1, n_keys, 1)) for number in (key, value))
    return tiled_attention.attention_tiled(q, k, v, block_size)
