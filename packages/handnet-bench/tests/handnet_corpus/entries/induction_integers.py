# induction
import numpy as np

TASK = "induction"

WEIGHTS = {
    "embed": np.eye(32, dtype=int),  # a direction for each token
    "match": np.array([1]),  # one point where the token before agrees with the last one
    "unembed": np.eye(32, dtype=int),  # every direction is read by its own token
}


def predict(sequences):
    answers = []
    for tokens in sequences:
        x = WEIGHTS["embed"][tokens]
        agree = WEIGHTS["match"][0] * (x[:-1] @ x[-1])
        answers.append(int((agree @ x[1:] @ WEIGHTS["unembed"]).argmax()))
    return answers
