# outcome: timeout
"""Stops its own process."""
import os
import signal


def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x


log_softmax = logsumexp = softmax
