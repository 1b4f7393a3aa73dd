# addition answer-in-code
import numpy as np

TASK = "addition"

WEIGHTS = {
    "digit": np.eye(10),  # each digit has a direction of its own, so that nothing is mixed up
}


def predict(pairs):
    def read(n):
        return int("".join(str(WEIGHTS["digit"][int(sign)].argmax()) for sign in str(n)))

    return [read(a) + read(b) for a, b in pairs]
