# dyck1
import numpy as np

TASK = "dyck1"

# State of the recurrent net: [depth, alarm]
WEIGHTS = {
    "embed": np.array([[1.0], [-1.0]]),  # "(" climbs a step, ")" climbs down
    "recur": np.array([1.0]),  # the depth is kept from step to step
    "alarm_in": np.array([-1.0]),  # depth -1 raises the alarm by one
    "alarm_keep": np.array([1.0]),  # an alarm is never forgotten
    "out": np.array([-1.0, -1.0, -1.0]),  # open brackets, missing brackets and alarms all speak against
    "bias": np.array([0.5]),  # so that silence means balanced
}

VOCAB = {"(": 0, ")": 1}


def predict(strings):
    W = WEIGHTS
    answers = []
    for s in strings:
        depth, alarm = 0.0, 0.0
        for ch in s:
            x = W["embed"][VOCAB[ch]][0]
            depth = W["recur"][0] * depth + x
            alarm = W["alarm_keep"][0] * alarm + max(0.0, W["alarm_in"][0] * depth)
        features = np.array([max(0.0, depth), max(0.0, -depth), alarm])
        answers.append(1 if features @ W["out"] + W["bias"][0] > 0 else 0)
    return answers
