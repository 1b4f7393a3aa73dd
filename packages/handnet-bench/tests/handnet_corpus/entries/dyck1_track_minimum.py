# dyck1
import numpy as np

TASK = "dyck1"

PARAMS = {
    "bracket": [1.0, -1.0],      # up for "(", down for ")"
    "keep": 1.0,                 # both memories forget nothing
    "floor": -1.0,               # how strongly a depth below the lowest one so far pulls that one down
    "tolerance": 0.5,            # half a bracket: depths are whole numbers
    "penalty": [-1.0, -1.0],     # for a low point and for a wrong end
}
WEIGHTS = {name: np.atleast_1d(value) for name, value in PARAMS.items()}


def relu(x):
    return x if x > 0 else 0.0


def run(text):
    depth = lowest = 0.0
    for c in text:
        depth = WEIGHTS["keep"][0] * depth + WEIGHTS["bracket"]["()".index(c)]
        lowest = WEIGHTS["keep"][0] * lowest + WEIGHTS["floor"][0] * relu(lowest - depth)
    return depth, lowest


def predict(strings):
    answers = []
    for text in strings:
        depth, lowest = run(text)
        p = WEIGHTS["penalty"]
        logit = WEIGHTS["tolerance"][0] + p[0] * relu(-lowest) + p[1] * abs(depth)
        answers.append(int(logit > 0))
    return answers
