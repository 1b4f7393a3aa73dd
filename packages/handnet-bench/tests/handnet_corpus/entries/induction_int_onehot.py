# induction
import numpy as np

TASK = "induction"

WEIGHTS = {
    "onehot": np.eye(32, dtype=int),  # a direction for each token
    "nats": np.array([40.0]),  # a match outweighs all others by e to the forty
}


def predict(sequences):
    answers = []
    for tokens in sequences:
        x = WEIGHTS["onehot"][tokens]
        scores = WEIGHTS["nats"][0] * (x[:-1] @ x[-1])
        share = np.exp(scores - scores.max())
        answers.append(int((share / share.sum() @ x[1:]).argmax()))
    return answers
