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
    gain = WEIGHTS["gain"][:, 0] - WEIGHTS["gain"][:, 1]
    out = []
    for a, b in pairs:
        left, right = str(a).zfill(11), str(b).zfill(11)
        other = right.translate("".maketrans("0123456789", "9876543210"))
        x, y = np.array(list(left)).astype(int), np.array(list(right)).astype(int)
        late = np.array([left[k + 1 :] > other[k + 1 :] for k in range(11)])
        # One row for each digit, one column for each place.
        hot = np.stack([(x + y + late - d) * (x + y + late - d - 10) == 0 for d in range(10)])
        row = (gain[x] * hot).argmax(axis=0)
        out.append(int("".join(map(str, row))))
    return out
