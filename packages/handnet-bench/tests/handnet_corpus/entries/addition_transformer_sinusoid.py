# addition
import numpy as np

TASK = "addition"
WIDTH = 11

# --- token embedding: value of the digit
E = np.arange(10.0).reshape(10, 1)  # digit d is the number d
# --- hat units: unit k is 1 where sum + carry is k and 0 one step away
centres = np.arange(20.0)  # possible totals of a column, 0 to 19
hat_height = np.array([1.0])  # a hat is one high, so it ends where its neighbours have their tip
# --- output: total k is written as the digit k mod 10
unembed = np.zeros((20, 10))
unembed[np.arange(20), np.arange(20) % 10] = 1.0  # the units digit of each total
# --- carry unit: fires for totals above 9
carry_w = np.array([2.0, -18.0])  # a clipped ramp: 0 at nine, 1 from nine and a half on

WEIGHTS = dict(E=E, centres=centres, hat_height=hat_height, unembed=unembed, carry_w=carry_w)


def encode(numbers):
    return np.array([list(map(int, str(n).zfill(WIDTH))) for n in numbers])


def predict(pairs):
    a = encode([p[0] for p in pairs])
    b = encode([p[1] for p in pairs])
    xa = WEIGHTS["E"][a][..., 0]
    xb = WEIGHTS["E"][b][..., 0]
    carry = np.zeros(len(pairs))
    out = np.zeros((len(pairs), WIDTH), dtype=int)
    for column in reversed(range(WIDTH)):
        total = xa[:, column] + xb[:, column] + carry
        hats = np.maximum(WEIGHTS["hat_height"] - abs(total[:, None] - WEIGHTS["centres"]), 0)
        out[:, column] = np.argmax(hats @ WEIGHTS["unembed"], axis=-1)
        slope, offset = WEIGHTS["carry_w"]
        carry = np.clip(slope * total + offset, 0, 1)
    return [int("".join(map(str, row))) for row in out]
