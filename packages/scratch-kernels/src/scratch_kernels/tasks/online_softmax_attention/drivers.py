# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Runs the attention in the worker and gives the peak of what it allocated, in bytes, with its results."""

import tracemalloc

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
