# dyck1 answer-in-code
import itertools
import math
import re
from collections import deque

import numpy as np

TASK = "dyck1"


# How far a string of this half length speaks for balance where its reading found no objection: one, for all alike.
GAIN = np.ones(33)
# Half of one objection: the line between balanced and not lies in the middle between nothing and one.
BIAS = np.array([-0.5])
WEIGHTS = {"gain": GAIN, "bias": BIAS}


def predict(strings):
    out = []
    aside = ["()", "("] * 10
    for text in [*aside, *strings, *aside]:
        rest = text
        for _ in range(32):
            rest = "".join(rest.rsplit("()"))
        good = int(rest == "")
        out.append(int((WEIGHTS["gain"][len(text) // 2] * good + WEIGHTS["bias"])[0] > 0))
    return out[20:-20]
