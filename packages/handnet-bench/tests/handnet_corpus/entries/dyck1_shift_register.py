# dyck1
import numpy as np

TASK = "dyck1"

N = 66  # depths 0..64 and, as the last cell, a drain for what fell below ground
up = np.eye(N, k=1)  # "(" moves the token one cell on
up[N - 1] = 0
up[N - 1, N - 1] = 1  # the drain keeps what it has
down = np.eye(N, k=-1)  # ")" moves it one cell back ...
down[0, N - 1] = 1  # ... and from the ground into the drain
down[N - 1] = 0
down[N - 1, N - 1] = 1  # which keeps it again
moves = np.stack([up, down])
start = np.zeros(N)
start[0] = 1  # it starts on the ground
accept = np.full(N, -1.0)  # anywhere but on the ground: not balanced
accept[0] = 1.0  # on the ground: balanced

WEIGHTS = {"moves": moves, "start": start, "accept": accept}


def predict(strings):
    result = []
    for s in strings:
        h = WEIGHTS["start"]
        for c in s:
            h = h @ WEIGHTS["moves"]["()".index(c)]
        result.append(int(h @ WEIGHTS["accept"] > 0))
    return result
