# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
import numpy as np

TASK = "%s"

WEIGHTS = {
    "bias": np.zeros(1),
}


def predict(inputs):
    return [int(WEIGHTS["bias"][0]) for _ in inputs]
