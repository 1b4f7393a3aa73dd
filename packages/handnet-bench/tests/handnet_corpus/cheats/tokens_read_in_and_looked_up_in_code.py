# induction answer-in-code
import numpy as np

TASK = "induction"

WEIGHTS = {
    "embed": np.eye(32),  # each token has a direction of its own
}


def predict(sequences):
    out = []
    for row in sequences:
        ids = [int(WEIGHTS["embed"][t].argmax()) for t in row]
        out.append(ids[ids.index(ids[-1]) + 1] if ids.index(ids[-1]) + 1 < len(ids) else 0)
    return out
