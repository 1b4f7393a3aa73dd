# induction answer-in-code
import numpy as np

TASK = "induction"

WEIGHTS = {
    "score": np.full(48, 9.0),  # what may be looked at is looked at, wherever it stands
    "embed": np.eye(32),  # each token has a direction of its own
    "unembed": np.eye(32),  # and is read where it was written
}


def predict(sequences):
    w = WEIGHTS
    out = []
    for row in sequences:
        # A place may be looked at when the one before it is the last token's.
        allowed = np.array([False] + [t <= row[-1] <= t for t in row[:-1]])
        scores = w["score"][: len(row)] * allowed
        share = np.exp(scores - scores.max())
        out.append(int((share / share.sum() @ w["embed"][row] @ w["unembed"]).argmax()))
    return out
