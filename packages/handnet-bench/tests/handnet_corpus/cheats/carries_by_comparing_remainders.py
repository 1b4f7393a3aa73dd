# addition answer-in-code
import numpy as np

TASK = "addition"

WEIGHTS = {
    "digit": np.arange(10.0),  # a digit is worth its value, in either number
    "late": np.array([1.0]),  # a carry counts like a unit
    "centre": np.arange(20.0),  # where each total from none to nineteen stands
    "fold": np.concatenate([np.eye(10), np.eye(10)]),  # eleven is read as one: the ten is gone
}


def predict(pairs):
    w = WEIGHTS
    out = []
    for a, b in pairs:
        row = []
        for k in range(11):
            p = 10**k
            late = float(a % p >= p - b % p)
            x, y = a // p % 10, b // p % 10
            total = w["digit"][x] + w["digit"][y] + w["late"][0] * late
            hat = np.maximum(1 - np.abs(total - w["centre"]), 0)
            row.append(str((hat @ w["fold"]).argmax()))
        out.append(int("".join(reversed(row))))
    return out
