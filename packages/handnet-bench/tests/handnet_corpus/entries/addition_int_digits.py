# addition
import numpy as np

TASK = "addition"

WEIGHTS = {
    "value": np.arange(10),  # a digit is worth its value
    "over": np.array([1.0, -9.5]),  # the carry unit is on from ten on
    "ten": np.array([-10.0]),  # what a carry takes away
    "slope": np.arange(10.0),  # logit of a digit d for a total t: t d - d d / 2 ...
    "parabola": -np.arange(10.0) ** 2 / 2,  # ... has its peak at d = t
}


def predict(pairs):
    w = WEIGHTS
    answers = []
    for a, b in pairs:
        carry, row = 0.0, []
        for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
            total = w["value"][int(x)] + w["value"][int(y)] + carry
            carry = float(w["over"][0] * total + w["over"][1] > 0)
            rest = total + carry * w["ten"][0]
            row.append(str(np.argmax(rest * w["slope"] + w["parabola"])))
        answers.append(int("".join(reversed(row))))
    return answers
