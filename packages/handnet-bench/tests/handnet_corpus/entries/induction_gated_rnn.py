# induction
import numpy as np

TASK = "induction"

WEIGHTS = {
    "embed": np.eye(32),  # tokens as one-hot vectors
    "match": 2.0 * np.eye(32),  # compares the token before with the last one: two if they agree, else nothing
    "gate_bias": np.array([-1.0]),  # only an agreement opens the gate, by one
    "remember": np.array([1.0]),  # what was let in stays
    "unembed": np.eye(32),  # and is read off channel by channel
}


def relu(z):
    return np.maximum(z, 0.0)


def predict(sequences):
    w = WEIGHTS
    answers = []
    for seq in sequences:
        x = [w["embed"][t] for t in seq]
        goal = w["match"] @ x[-1]
        state = np.zeros(32)
        before = np.zeros(32)
        for now in x:
            gate = relu(before @ goal + w["gate_bias"][0])
            state = w["remember"][0] * state + gate * now
            before = now
        answers.append(int((w["unembed"] @ state).argmax()))
    return answers
