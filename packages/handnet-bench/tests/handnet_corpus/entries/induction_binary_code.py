# induction
import numpy as np

TASK = "induction"

BITS = 5
code = np.array([[1.0 if (t >> k) & 1 else -1.0 for k in range(BITS)] for t in range(32)])  # tokens as five signs
WEIGHTS = {
    "code": code,
    "sharpness": np.array([20.0]),  # agreeing in all five bits beats agreeing in four by forty nats
}


def predict(sequences):
    code = WEIGHTS["code"]
    answers = []
    for seq in sequences:
        x = code[np.array(seq)]
        prev, here = x[:-1], x[1:]
        scores = WEIGHTS["sharpness"] * (prev @ x[-1])
        weights = np.exp(scores - np.max(scores))
        weights /= weights.sum()
        mix = weights @ here
        answers.append(int(np.argmax(code @ mix)))
    return answers
