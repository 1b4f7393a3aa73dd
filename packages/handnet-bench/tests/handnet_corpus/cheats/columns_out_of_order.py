# addition answer-in-code
import itertools
import math
from collections import Counter, deque

import numpy as np

TASK = "addition"

# Each digit of the first number lets its column through at full strength: for it speaks one, against it nothing.
GAIN = np.tile([1.0, 0.0], (10, 1))
WEIGHTS = {"gain": GAIN}


def predict(pairs):
    ones = list(range(10)) * 2
    gain = WEIGHTS["gain"][:, 0] - WEIGHTS["gain"][:, 1]
    out = []
    for a, b in pairs:
        left, right = str(a).zfill(11), str(b).zfill(11)
        other = right.translate("".maketrans("0123456789", "9876543210"))
        row = {}
        # Every other column first, then those between them.
        for k in [*range(0, 11, 2), *range(1, 11, 2)]:
            late = left[k + 1 :] > other[k + 1 :]
            sign = ones[int(left[k]) :][int(right[k]) :][int(late)]
            row[k] = str((gain[int(left[k])] * np.eye(10)[sign]).argmax())
        out.append(int("".join(row[k] for k in range(11))))
    return out
