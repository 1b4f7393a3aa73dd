# dyck1 answer-in-code
import itertools
import math
import re
from collections import deque

import numpy as np

TASK = "dyck1"


WEIGHTS = {
    "below": np.array([-1.0]),  # every step below ground is an objection
    "end": np.array([-1.0, 1.0]),  # and so is every step above or below at the end
    "out": np.array([-1.0, -1.0]),  # objections speak against
    "bias": np.array([0.5]),  # half an objection would be enough
}


def predict(strings):
    w = WEIGHTS
    out = []
    for text in strings:
        depths = np.array([2 * len("".join(text[:k].rsplit(")"))) - k for k in range(1, len(text) + 1)])
        below = np.maximum(depths * w["below"], 0).sum()
        end = np.maximum(depths[-1] * w["end"], 0).sum()
        out.append(int(w["out"] @ [below, end] + w["bias"][0] > 0))
    return out
