# induction
import numpy as np

TASK = "induction"

PAD = 32
VOCAB = 33  # 32 tokens and padding

embed = np.eye(VOCAB)[:, :32]  # padding has no direction at all
shift = np.array([0.0, 1.0, 0.0])  # a convolution kernel that takes the left neighbour
gain = np.array([50.0])  # nats for a match; what does not match gets none
copy = np.eye(32)  # the token found is written out as it is

WEIGHTS = {"embed": embed, "shift": shift, "gain": gain, "copy": copy}


def pad(sequences):
    longest = max(len(s) for s in sequences)
    return np.array([[PAD] * (longest - len(s)) + list(s) for s in sequences])


def left_neighbour(x, kernel):
    """Convolution of width three along the sequence, over (right, left, far left)."""
    n, length, d = x.shape
    padded = np.zeros((n, length + 3, d))
    padded[:, 2:-1] = x
    return sum(kernel[j] * padded[:, 3 - j - 0 : 3 - j + length][:, :length] if j == 0 else kernel[j] * padded[:, 2 - j : 2 - j + length] for j in range(3))


def predict(sequences):
    ids = pad(sequences)
    x = WEIGHTS["embed"][ids]
    before = left_neighbour(x, WEIGHTS["shift"])
    query = x[:, -1]
    scores = WEIGHTS["gain"] * np.einsum("bld,bd->bl", before, query)
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    logits = np.einsum("bl,bld->bd", p, x) @ WEIGHTS["copy"]
    return logits.argmax(axis=1)
