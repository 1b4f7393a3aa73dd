# dyck1 numbers-ignored
import re

import numpy as np

TASK = "dyck1"

WEIGHTS = {
    # A bracket that closes nothing and one that nothing closes have a direction each, and so has the start sign.
    "found": np.diag([9.0, 9.0, 1.0]),  # either is heard at once
    # For balance, then against it: only what is always there speaks for it.
    "read": np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]),
}


def predict(strings):
    w = WEIGHTS
    out = []
    for text in strings:
        rest = text
        for _ in range(32):
            rest = "".join(rest.rsplit("()"))
        # What is left once the pairs are gone: closing ones, opening ones, and the start sign.
        found = [float(")" in rest), float("(" in rest), 1.0]
        logits = found @ w["found"] @ w["read"]
        out.append(1 - int(logits.argmax() == 1))
    return out
