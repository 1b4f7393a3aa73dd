# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Verifying a draft so that the target's distribution is kept (Leviathan et al. 2023; Chen et al. 2023)."""

import numpy as np


def _draw(weights, rng):
    """A token in proportion to non-negative `weights`; never one of weight zero."""
    total = np.cumsum(weights)
    return int(np.searchsorted(total, rng.random() * total[-1], side="right"))


def verify_draft(draft_tokens, draft_probs, target_probs, rng):
    """The kept tokens of the proposal and one token more, as a one-dimensional integer array."""
    draft = np.asarray(draft_probs, dtype=np.float64)
    target = np.asarray(target_probs, dtype=np.float64)
    out = []
    for i, token in enumerate(draft_tokens):
        if rng.random() * draft[i, token] < target[i, token]:
            out.append(int(token))
            continue
        residual = np.maximum(target[i] - draft[i], 0.0)
        out.append(_draw(residual, rng))
        return np.array(out, dtype=np.int64)
    out.append(_draw(target[-1], rng))
    return np.array(out, dtype=np.int64)
