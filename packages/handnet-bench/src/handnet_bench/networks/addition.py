# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Addition as a one-layer causal transformer over digit columns, least significant first.

A column's token is its pair of digits. The residual stream has five channels: the digit sum, whether that
sum passes a carry on (it is 9), whether it makes one (it is 10 or more), the column's place, and the carry
coming in. One attention head asks "which is the nearest lower column that is not a 9?"; that column decides
the carry. An MLP reduces sum plus carry modulo ten, and the unembedding reads the digit off.
"""

import numpy as np

TASK = "addition"

# Channels of the residual stream, in this order.
SUM, PASSES, MAKES, PLACE, CARRY = range(5)

digit = np.zeros((10, 5))
digit[:, SUM] = np.arange(10)  # a digit is worth its value; a column's token is the sum of two digits

place = np.zeros((12, 5))
place[:, PLACE] = np.arange(12)  # column i stands at height i: the start token is 0, units are 1

# First MLP, two ReLU layers, on the digit sum s = 0..18.
mlp1_in = np.zeros((5, 3))
mlp1_in[SUM] = [1.0, -1.0, 2.0]  # s above 9, s below 9, and a ramp of half a unit for "10 or more"
mlp1_bias = np.array([-9.0, 9.0, -18.8])  # the ramp is 0 up to s = 9 and at least 1.2 from s = 10 on
mlp1_mid = np.zeros((3, 2))
mlp1_mid[:2, 0] = -2.0  # both distances from 9 speak against "it is a 9": at s = 8 or 10 it is gone
mlp1_mid[2, 1] = -1.0  # the ramp speaks against "below 10"
mlp1_mid_bias = np.array([1.0, 1.0])  # undisturbed, "it is a 9" and "it is below 10" both hold
mlp1_out = np.zeros((2, 5))
mlp1_out[0, PASSES] = 1.0  # the first flag goes to its channel
mlp1_out[1, MAKES] = -1.0  # a carry is made where "below 10" is not true ...
mlp1_out_bias = np.zeros(5)
mlp1_out_bias[MAKES] = 1.0  # ... so the flag starts at true and "below 10" takes it away

# The head. The query is a constant one; a key is a column's place, minus a lot where the column is a 9.
query = np.array([[1.0]])  # every column asks the same question
key = np.zeros((5, 1))
key[PLACE] = 40.0  # nearer columns win: one place is 40 nats, which softmax turns into certainty
key[PASSES] = -2000.0  # a column that only passes a carry on is out, however near (12 places are 480)
value = np.zeros((5, 5))
value[MAKES, CARRY] = 1.0  # what the chosen column hands over: did it make a carry?

# Second MLP: t = sum + carry, and minus ten where t is 10 or more.
mlp2_in = np.zeros((5, 1))
mlp2_in[SUM] = 2.0  # the same ramp as before, on the sum ...
mlp2_in[CARRY] = 2.0  # ... with the carry counting like a unit of it
mlp2_bias = np.array([-18.8])  # 0 up to t = 9, at least 1.2 from t = 10 on
mlp2_mid = np.array([[-1.0]])  # the ramp takes "below 10" away
mlp2_mid_bias = np.array([1.0])  # which is true otherwise
mlp2_out = np.array([10.0])  # below ten: give the ten back that the next number takes
mlp2_out_bias = np.array([-10.0])  # the ten that is carried away

# Unembedding: the logit of digit d is t d - d^2 / 2, greatest at d = t.
unembed_slope = np.arange(10.0)  # d times the residual value
unembed_bias = -np.square(np.arange(10.0)) / 2  # the parabola that makes d = t the peak

WEIGHTS = {
    "digit": digit,
    "place": place,
    "mlp1_in": mlp1_in,
    "mlp1_bias": mlp1_bias,
    "mlp1_mid": mlp1_mid,
    "mlp1_mid_bias": mlp1_mid_bias,
    "mlp1_out": mlp1_out,
    "mlp1_out_bias": mlp1_out_bias,
    "query": query,
    "key": key,
    "value": value,
    "mlp2_in": mlp2_in,
    "mlp2_bias": mlp2_bias,
    "mlp2_mid": mlp2_mid,
    "mlp2_mid_bias": mlp2_mid_bias,
    "mlp2_out": mlp2_out,
    "mlp2_out_bias": mlp2_out_bias,
    "unembed_slope": unembed_slope,
    "unembed_bias": unembed_bias,
}


def columns(pairs):
    """(N, columns, 2) digits, least significant first, behind a start column of zeros."""
    width = max(len(str(max(pair))) for pair in pairs) + 1
    rows = [[(0, *map(int, reversed(str(n).zfill(width)))) for n in pair] for pair in pairs]
    return np.swapaxes(np.array(rows), 1, 2)


def forward(digits):
    """(N, columns, 10) logits of the digits of the sum."""
    w = WEIGHTS
    length = digits.shape[1]
    x = w["digit"][digits].sum(axis=2) + w["place"][:length]
    hidden = np.maximum(x @ w["mlp1_in"] + w["mlp1_bias"], 0)
    hidden = np.maximum(hidden @ w["mlp1_mid"] + w["mlp1_mid_bias"], 0)
    x = x + hidden @ w["mlp1_out"] + w["mlp1_out_bias"]
    # Attention to strictly lower columns; the start column sees itself.
    scores = (w["query"] * (x @ w["key"])[:, :, 0][:, None, :]) + np.zeros((length, 1))
    below = np.tri(length, k=-1)
    below[0, 0] = 1
    scores = np.where(below > 0, scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    x = x + (scores / scores.sum(axis=-1, keepdims=True)) @ (x @ w["value"])
    hidden = np.maximum(x @ w["mlp2_in"] + w["mlp2_bias"], 0)
    hidden = np.maximum(hidden @ w["mlp2_mid"] + w["mlp2_mid_bias"], 0)
    total = x[..., SUM] + x[..., CARRY] + hidden @ w["mlp2_out"] + w["mlp2_out_bias"]
    return total[..., None] * w["unembed_slope"] + w["unembed_bias"]


def predict(pairs):
    """The sums of (a, b) pairs, read off digit by digit."""
    pairs = [(int(a), int(b)) for a, b in pairs]
    digits = forward(columns(pairs)).argmax(axis=-1)[:, 1:]
    return [int("".join(map(str, row[::-1]))) for row in digits.tolist()]


def explain(pair):
    """Each column of one pair: (digits, digit read off, logit of that digit as slope part plus bias part)."""
    digits = columns([pair])
    logits = forward(digits)[0]
    best = logits.argmax(axis=-1)
    bias = WEIGHTS["unembed_bias"][best]
    return [
        {
            "digits": d.tolist(),
            "digit": int(k),
            "logit": float(row[k]),
            "parts": {"sum": float(row[k] - b), "bias": float(b)},
        }
        for d, k, row, b in zip(digits[0][1:], best[1:], logits[1:], bias[1:], strict=True)
    ]
