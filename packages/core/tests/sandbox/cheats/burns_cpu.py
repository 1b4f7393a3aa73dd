# outcome: timeout
"""Never returns, and catches what would end it."""
import signal

signal.signal(signal.SIGXCPU, lambda *_: None)


def softmax(x, axis=-1):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


log_softmax = logsumexp = softmax
