# outcome: timeout
"""Starts a message and never ends it."""
import os
import time


def softmax(x, axis=-1):
    for fd in range(3, 64):
        try:
            os.write(fd, b"\xff\x00\x00\x00\x92")
        except OSError:
            pass
    time.sleep(600)


log_softmax = logsumexp = softmax
