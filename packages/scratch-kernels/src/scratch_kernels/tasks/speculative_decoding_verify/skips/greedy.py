# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""The greedy check: keeps a proposal where it is the large model's favourite, and otherwise puts the favourite in."""

import numpy as np


def verify_draft(draft_tokens, draft_probs, target_probs, rng):
    best = np.argmax(target_probs, axis=-1)
    out = []
    for i, token in enumerate(draft_tokens):
        out.append(int(best[i]))
        if token != best[i]:
            return np.array(out, dtype=np.int64)
    return np.array([*out, int(best[-1])], dtype=np.int64)
