# addition
import numpy as np

TASK = "addition"

DIGITS = np.arange(10.0)  # a digit is worth itself
WEIGHTS = {"worth": DIGITS, "carry": np.array([0.0, 1.0])}  # a carry is worth one, none nothing


def predict(pairs):
    w, out = WEIGHTS, []
    for a, b in pairs:
        carry, total = np.eye(2)[0], 0
        for place, (x, y) in enumerate(zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11)))):
            seen = w["worth"][int(x)] + w["worth"][int(y)] + carry @ w["carry"]
            over = np.heaviside(seen - w["worth"][9] - w["carry"][1] / 2, 0)
            total += int(round(seen - over * (w["worth"][9] + w["carry"][1]))) * 10**place
            carry = np.array([1 - over, over])
        out.append(total)
    return out
