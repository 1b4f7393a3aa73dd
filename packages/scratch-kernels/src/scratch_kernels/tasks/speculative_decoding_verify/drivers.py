# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Verifies many proposals in a row with one generator; row r of the result is round r, filled up with -1."""

import numpy as np
from speculative_decoding import verify_draft


def rounds(proposals, draft_probs, target_probs, seed):
    rng = np.random.default_rng(seed)
    rounds = np.full((len(proposals), target_probs.shape[0] + 1), -1, dtype=np.int64)
    for r, proposal in enumerate(proposals):
        tokens = verify_draft(proposal, draft_probs, target_probs, rng)
        rounds[r, : len(tokens)] = tokens
    return rounds
