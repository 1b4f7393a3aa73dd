# addition
"""Addition as a recurrent net with plain Python lists: one carry neuron, one digit neuron."""

TASK = "addition"

WEIGHTS = {
    "w_sum": [1.0, 1.0, 1.0],   # first digit, second digit and carry count the same
    "carry_w": [1.0],           # the carry neuron looks at the sum ...
    "carry_b": [-9.5],          # ... and fires from ten on (9.5 is midway between nine and ten)
    "digit_w": [1.0, -10.0],    # digit = sum, minus ten if the carry neuron fires
}


def neuron(inputs, weights, bias=0.0):
    total = bias
    for value, weight in zip(inputs, weights):
        total += value * weight
    return total


def step(x):
    return 1.0 if x > 0 else 0.0


def digits_of(n):
    return [int(c) for c in reversed(str(n))]


def predict(pairs):
    results = []
    for a, b in pairs:
        da, db = digits_of(a), digits_of(b)
        length = max(len(da), len(db)) + 1
        da = da + [0] * (length - len(da))
        db = db + [0] * (length - len(db))
        carry = 0.0
        answer = []
        for x, y in zip(da, db):
            s = neuron([x, y, carry], WEIGHTS["w_sum"])
            carry = step(neuron([s], WEIGHTS["carry_w"], WEIGHTS["carry_b"][0]))
            answer.append(neuron([s, carry], WEIGHTS["digit_w"]))
        text = "".join(str(max(0, min(9, round(d)))) for d in reversed(answer))
        results.append(int(text))
    return results
