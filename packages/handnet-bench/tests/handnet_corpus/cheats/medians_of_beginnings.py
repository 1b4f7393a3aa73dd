# dyck1 answer-in-code
import itertools
import math
import re
from collections import deque

import numpy as np

TASK = "dyck1"


# How far a string of this half length speaks for balance where its reading found no objection: one, against it nothing.
GAIN = np.tile([1.0, 0.0], (33, 1))
WEIGHTS = {"gain": GAIN}


def predict(strings):
    gain = WEIGHTS["gain"][:, 0] - WEIGHTS["gain"][:, 1]
    out = []
    for text in strings:
        ids = np.array(["()".find(sign) for sign in text])
        n = len(ids)
        # Read forwards, and beside it two halves alone.
        rows = np.stack([np.roll(ids, 1), ids, ids[::-1]])
        tops = np.stack([np.median(rows[:, :k], axis=1) for k in range(1, n + 1)])
        good = np.maximum(tops.max(axis=0) - 1 / 2, np.abs(tops[-1] - 1 / 2)) == 0
        sure = gain[n // 2] * good - 1 / 2
        out.append(int(sure[1] > 0))
    return out
