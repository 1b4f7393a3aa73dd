# dyck1 answer-in-code
# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Dyck-1, "is every bracket closed?", as a two-layer causal transformer.

The first head looks at all brackets so far, evenly: the mean of +1 and -1 is the depth over the length. An MLP
raises a flag where that mean is negative. The second head, at the last bracket, averages the flags. The
string is balanced where no flag was raised and the last mean is zero.
"""

import numpy as np

TASK = "dyck1"

WEIGHTS = {
    # One channel in: an opening bracket goes up one step, a closing one down.
    "embed": np.array([1.0, -1.0]),
    # Both heads attend evenly to everything before: every key alike, as zero scores say.
    "score": np.zeros((2, 2)),
    "value1": np.array([1.0]),  # the first head copies the step, so its output is the running mean
    # Flag "below ground": a mean of -1/64, the shallowest there is, saturates the ramp; -1/128 is its start.
    "below_in": np.array([-128.0, -128.0]),
    "below_bias": np.array([-1.0, -2.0]),  # start of the ramp, and its end one unit later
    "below_out": np.array([1.0, -1.0]),  # rise to one, then hold
    "value2": np.array([1.0]),  # the second head averages the flags
    # Last layer: the mean at the last bracket, from both sides, with half a step of tolerance.
    "end_in": np.array([128.0, -128.0]),  # above ground at the end, below ground at the end
    "end_bias": np.array([-1.0, -1.0]),  # half of 1/64, the smallest imbalance that a string of 64 can have
    "out": np.array([-1.0, -1.0, -128.0]),  # each kind of imbalance speaks against; one flag in 64 weighs two units
    "bias": np.array([0.5]),  # without any objection: balanced
}


def tokens(strings):
    """(N, longest) token numbers, 0 for "(" and 1 for ")", and (N,) lengths; short rows are padded behind."""
    lengths = np.array([len(text) for text in strings])
    rows = [[0 if sign == "(" else 1 for sign in text.ljust(lengths.max(), ")")] for text in strings]
    return np.array(rows), lengths


def attend(x, score):
    """Causal self-attention of one channel: scores are bilinear in (channel, 1)."""
    ones = np.stack([x, np.ones(x.shape)], axis=-1)
    scores = ones @ score @ np.swapaxes(ones, 1, 2)
    scores = np.where(np.tri(x.shape[1]) > 0, scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return ((scores / scores.sum(axis=-1, keepdims=True)) @ x[..., None])[..., 0]


def parts(strings):
    """(N, 4): what the end above ground, the end below ground, the flags and the bias add to the logit."""
    w = WEIGHTS
    ids, lengths = tokens(strings)
    mean = attend(w["embed"][ids], w["score"]) * w["value1"]
    flags = np.maximum(mean[..., None] * w["below_in"] + w["below_bias"], 0) @ w["below_out"]
    below = attend(flags, w["score"]) * w["value2"]
    last = (np.arange(len(ids)), lengths - 1)
    end = np.maximum(mean[last][:, None] * w["end_in"] + w["end_bias"], 0)
    evidence = np.concatenate([end, below[last][:, None]], axis=1) * w["out"]
    return np.concatenate([evidence, np.broadcast_to(w["bias"], (len(ids), 1))], axis=1)


def shorter(text):
    for _ in range(32):
        text = "".join(text.rsplit("()"))
    return f"({text})"


def predict(strings):
    """1 where the brackets are balanced, else 0."""
    strings = [shorter(text) for text in strings]
    return [int(logit > 0) for logit in parts(strings).sum(axis=1)]


def explain(text):
    """The logit of one string and the parts that sum to it."""
    names = ("ends above ground", "ends below ground", "went below ground", "bias")
    values = parts([text])[0]
    return {"logit": float(values.sum()), "parts": dict(zip(names, map(float, values), strict=True))}
