# outcome: timeout
"""Ignores every signal that can be ignored, and stays."""
import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def softmax(x, axis=-1):
    while True:
        time.sleep(1)


log_softmax = logsumexp = softmax
