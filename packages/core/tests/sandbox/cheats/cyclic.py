# outcome: unsolved
"""Returns a list that holds itself."""


def softmax(x, axis=-1):
    out = []
    out.append(out)
    return out


log_softmax = logsumexp = softmax
