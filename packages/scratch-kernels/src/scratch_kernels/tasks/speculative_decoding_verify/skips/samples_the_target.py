# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Samples the large model and keeps the proposal where it happens to agree: the right distribution, too few kept."""

import numpy as np


def verify_draft(draft_tokens, draft_probs, target_probs, rng):
    target = np.cumsum(np.asarray(target_probs, dtype=np.float64), axis=-1)
    out = []
    for i in range(len(target)):
        out.append(int(np.searchsorted(target[i], rng.random() * target[i, -1], side="right")))
        if i == len(draft_tokens) or out[-1] != draft_tokens[i]:
            break
    return np.array(out, dtype=np.int64)
