# addition
import numpy as np

TASK = "addition"

STEEP = 20.0  # a sigmoid this steep is a step: half a unit off its threshold it is within e^-10 of 0 or 1
thresholds = np.arange(1, 20) - 0.5  # unit k answers "is the total at least k?"

# From "at least k" units to digits: digit d is on between d and d + 1, and again between d + 10 and d + 11.
bands = np.zeros((19, 10))
for k in range(1, 20):
    bands[k - 1, k % 10] += 1  # entering the band of this digit
    bands[k - 1, (k - 1) % 10] -= 1  # leaving the one before
zero = np.zeros(10)
zero[0] = 1  # before the first threshold the digit is zero

WEIGHTS = {
    "in": np.ones((3, 1)),  # both digits and the carry have the same say
    "steep": np.array([STEEP]),
    "thresholds": thresholds,
    "bands": bands,
    "zero": zero,
    "carry": np.eye(19)[9],  # the tenth unit, "at least ten", is the carry
}


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def step(x, y, carry):
    z = np.stack([x, y, carry], axis=-1) @ WEIGHTS["in"]
    units = sigmoid(WEIGHTS["steep"] * (z - WEIGHTS["thresholds"]))
    logits = units @ WEIGHTS["bands"] + WEIGHTS["zero"]
    return logits, units @ WEIGHTS["carry"]


def predict(pairs):
    length = 1 + max(len(str(n)) for pair in pairs for n in pair)
    A = np.array([[int(c) for c in str(a).zfill(length)][::-1] for a, _ in pairs])
    B = np.array([[int(c) for c in str(b).zfill(length)][::-1] for _, b in pairs])
    carry = np.zeros(len(pairs))
    digits = []
    for i in range(length):
        logits, carry = step(A[:, i], B[:, i], carry)
        digits.append(logits.argmax(-1))
    digits = np.array(digits)[::-1].T
    return [int("".join(str(d) for d in row)) for row in digits]
