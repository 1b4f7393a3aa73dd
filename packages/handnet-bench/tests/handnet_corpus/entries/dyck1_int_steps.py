# dyck1
import numpy as np

TASK = "dyck1"

WEIGHTS = {
    "steps": np.array([1, -1]),  # an opening bracket is one step up, a closing one is one step down
    "below": np.array([-1.0]),  # depths below ground count, turned positive
    "end": np.array([1.0, -1.0]),  # so does an end above or below ground
    "threshold": np.array([0.5]),  # half an objection; whole ones are possible only
}


def relu(x):
    return np.maximum(x, 0)


def predict(strings):
    w = WEIGHTS
    answers = []
    for text in strings:
        steps = w["steps"][["()".index(sign) for sign in text]]
        depth = np.cumsum(steps)
        dips = relu(depth * w["below"][0]).sum()
        end = relu(depth[-1] * w["end"]).sum()
        answers.append(int(dips + end < w["threshold"][0]))
    return answers
