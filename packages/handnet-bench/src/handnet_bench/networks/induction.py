# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Induction, "what came after this token last time?", as a two-layer attention-only transformer.

The residual stream is three blocks: the token (one-hot, 32), the token before it (32), the place (one-hot,
48). Head one looks one place back and writes what it finds into the middle block. Head two, at the last
token, looks for the place whose *previous* token is the last one, and copies the token there to the output.
"""

import numpy as np

TASK = "induction"

T, P = 32, 48  # tokens in the vocabulary, places in a sequence
token, before, where = slice(0, T), slice(T, T + T), slice(T + T, T + T + P)
D = T + T + P

embed = np.zeros((T, D))
embed[:, token] = np.eye(T)  # a token writes its own number, one-hot
place = np.zeros((P, D))
place[:, where] = np.eye(P)  # a place writes its own number, one-hot

qk1 = np.zeros((P, P))
qk1[np.arange(1, P), np.arange(P - 1)] = 60.0  # place i asks for place i - 1; 60 nats leave e^-60 for the others
ov1 = np.zeros((T, T))
ov1 += np.eye(T)  # head one copies the token it found, into the block "before"

qk2 = np.zeros((T, T))
qk2 += 60.0 * np.eye(T)  # the last token asks for a place whose "before" block holds the same token
ov2 = np.zeros((T, T))
ov2 += np.eye(T)  # head two copies the token at that place to the logits

WEIGHTS = {"embed": embed, "place": place, "qk1": qk1, "ov1": ov1, "qk2": qk2, "ov2": ov2}


def softmax(scores, allowed):
    """Softmax over the last axis among the allowed keys."""
    scores = np.where(allowed, scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def attention(sequences):
    """(logits (N, 32), attention of head two (N, longest), tokens (N, longest))."""
    w = WEIGHTS
    lengths = np.array([len(row) for row in sequences])
    ids = np.array([list(row) + [0] * (lengths.max() - len(row)) for row in sequences])
    n, longest = ids.shape
    x = w["embed"][ids] + w["place"][:longest]
    here = x[:, :, where]
    look = softmax(here @ w["qk1"] @ np.swapaxes(here, 1, 2), np.tri(longest) > 0)
    x = np.concatenate([x[:, :, token], x[:, :, before] + look @ x[:, :, token] @ w["ov1"], here], axis=-1)
    # The first place has nobody before it: head one sees itself there, so head two may not look at it.
    key = np.arange(longest)
    allowed = (key[None, :] > 0) & (key[None, :] < lengths[:, None])
    last = x[np.arange(n), lengths - 1][:, token]
    pick = softmax(np.einsum("nq,nkq->nk", last @ w["qk2"], x[:, :, before]), allowed)
    found = np.einsum("nk,nkt->nt", pick, x[:, :, token])
    return found @ w["ov2"], pick, ids


def predict(sequences):
    """The token that is to come next in each sequence."""
    return [int(k) for k in attention(sequences)[0].argmax(axis=-1)]


def explain(sequence):
    """The logit of the predicted token, and what each place of the sequence adds to it."""
    logits, pick, ids = attention([sequence])
    best = int(logits[0].argmax())
    adds = pick[0] * (WEIGHTS["embed"][ids[0]][:, token] @ WEIGHTS["ov2"])[:, best]
    return {"token": best, "logit": float(logits[0, best]), "parts": {i: float(v) for i, v in enumerate(adds)}}
