# induction answer-in-code
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
    aside = [[k, k, k] for k in range(20)]
    for row in [*aside, *sequences, *aside]:
        after = OrderedDict(zip(row[:-1], row[1:]))
        out.append(int((gain[row[-1]] * np.eye(32)[after[row[-1]]]).argmax()))
    return out[20:-20]
