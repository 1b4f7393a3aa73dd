# dyck1 answer-in-code
import numpy as np

TASK = "dyck1"

WEIGHTS = {
    "embed": np.eye(2),  # an opening bracket and a closing one have a direction each
    "unembed": np.eye(2),  # no and yes
}


def predict(strings):
    out = []
    for text in strings:
        depth, low = 0, 0
        for sign in text:
            k = int(WEIGHTS["embed"]["()".find(sign)].argmax())
            depth = depth - 1 if k else depth + 1
            low = min(low, depth)
        out.append(int(WEIGHTS["unembed"][int(depth == 0 and low == 0)].argmax()))
    return out
