# addition -
import numpy as np

TASK = "addition"

WEIGHTS = {
    # Twenty steps of a stair: what is written at each step, and whether it lies on the upper floor.
    "digit": np.tile(np.eye(10), (2, 1)),  # step eleven reads one
    "upper": np.repeat([0.0, 1.0], 10),  # from ten on
}


def predict(pairs):
    w = WEIGHTS
    out = []
    for a, b in pairs:
        row, late = [], 0.0
        for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
            # Walks up the stair: as many steps as the one digit says, then the other, then one more if it is late.
            digits, floors = w["digit"][int(x) :][int(y) :], w["upper"][int(x) :][int(y) :]
            step = int(late > 1 / 2)
            row.append(str(digits[step].argmax()))
            late = floors[step]
        out.append(int("".join(reversed(row))))
    return out
