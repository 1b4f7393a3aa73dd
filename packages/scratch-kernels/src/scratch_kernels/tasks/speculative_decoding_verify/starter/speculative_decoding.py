"""Verifying a draft so that the target's distribution is kept."""

import numpy as np


def verify_draft(draft_tokens, draft_probs, target_probs, rng):
    """The kept tokens of the proposal and one token more, as a one-dimensional integer array."""
    raise NotImplementedError
