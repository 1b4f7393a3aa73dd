# induction answer-in-code
import numpy as np
from collections import OrderedDict

TASK = "induction"

WEIGHTS = {
    # Five channels, one for each bit of a token, at full strength for every last token.
    "gain": np.ones((32, 5)),
    "code": np.array([[1.0 if t >> k & 1 else -1.0 for k in range(5)] for t in range(32)]),  # bits of a token, as signs
}


def predict(sequences):
    out = []
    for row in sequences:
        logits = np.zeros(32)
        for j in range(5):
            k = (row[-1] + j) % 5
            # What followed each token: one part of its number at a time.
            sign = 2 * OrderedDict(zip(row[:-1], [t >> k & 1 for t in row[1:]]))[row[-1]] - 1
            logits = logits + WEIGHTS["code"][:, k] * (WEIGHTS["gain"][row[-1], k] * sign)
        out.append(int(logits.argmax()))
    return out
