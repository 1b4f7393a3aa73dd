# dyck1 answer-in-code
import itertools
import math
import re
from collections import deque

import numpy as np

TASK = "dyck1"


WEIGHTS = {
    # Ground that is still there speaks for balance, an open bracket on it against.
    "kind": np.append(np.ones(64), -1.0),
    # All layers of ground have to be there, but for a half: as many as the string is long.
    "least": 0.5 - np.arange(65.0),
}


def predict(strings):
    w = WEIGHTS
    out = []
    for text in strings:
        pile = deque(range(len(text)))
        moves = {"(": lambda _: pile.append(-1), ")": lambda _: pile.pop()}
        for sign in text:
            moves.get(sign)(sign)
        out.append(int(w["kind"].take(pile).sum() + w["least"][len(text)] > 0))
    return out
