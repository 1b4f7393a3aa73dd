# dyck1
import numpy as np

TASK = "dyck1"

# All numbers are whole: brackets are counted, and counts need no fractions.
WEIGHTS = {
    "embed": np.array([1, -1]),  # "(" climbs a step, ")" climbs down
    "dip": np.array([-1]),  # a depth below ground, turned positive
    "verdict": np.array([-1, -1]),  # dips and a wrong end speak against
    "bias": np.array([1]),  # one objection is enough to take this away
}


def predict(strings):
    w = WEIGHTS
    answers = []
    for text in strings:
        depth, dips = 0, 0
        for bracket in text:
            depth = depth + w["embed"]["()".index(bracket)]
            dips = dips + max(depth * w["dip"][0], 0)
        logit = dips * w["verdict"][0] + abs(depth) * w["verdict"][1] + w["bias"][0]
        answers.append(int(logit > 0))
    return answers
