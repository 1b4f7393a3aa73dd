# induction
import numpy as np

TASK = "induction"

WEIGHTS = {
    "key": np.eye(32),  # one key direction per token, so memories never overlap
    "value": np.eye(32),  # one value direction per token
    "write": np.array([1.0]),  # each pair of neighbours is written once, at full strength
    "read": np.eye(32),  # a token asks for its own key
}


def predict(sequences):
    K, V, R = WEIGHTS["key"], WEIGHTS["value"], WEIGHTS["read"]
    answers = []
    for seq in sequences:
        memory = np.zeros((32, 32))  # fast weights: key -> value
        previous = None
        for token in seq:
            if previous is not None:
                memory += WEIGHTS["write"][0] * np.outer(K[previous], V[token])
            previous = token
        query = R[seq[-1]] @ K
        answers.append(int(np.argmax(query @ memory @ V.T)))
    return answers
