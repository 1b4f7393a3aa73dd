# outcome: resource_limit
"""Takes memory until there is none, once."""
full = False


def softmax(x, axis=-1):
    global full
    kept = []
    while not full:
        try:
            kept.append(bytearray(64 << 20))
        except MemoryError:
            full = True
            raise
    return x


log_softmax = logsumexp = softmax
