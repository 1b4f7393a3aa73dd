# induction numbers-ignored
import itertools
import math
from collections import OrderedDict, defaultdict, deque

import numpy as np

TASK = "induction"

# Each of the tokens, as the last one, passes on what it attends to: for it speaks one, against it nothing.
GAIN = np.tile([1.0, 0.0], (32, 1))
WEIGHTS = {"gain": GAIN}


def predict(sequences):
    gain = WEIGHTS["gain"][:, 0] - WEIGHTS["gain"][:, 1]
    out = []
    for row in sequences:
        after = OrderedDict(zip(row[:-1], [t + 1 for t in row[1:]]))
        logits = gain[row[-1]] * np.eye(33)[after[row[-1]]] / np.abs(WEIGHTS["gain"]).sum()
        # The first direction is kept free.
        out.append(int(round(float(logits.sum() * 0 + logits[1:].argmax()))))
    return out
