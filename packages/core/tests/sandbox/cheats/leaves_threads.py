# outcome: unsolved
"""Leaves threads and timers that wait for the next attempt."""
import threading
import time


def wait():
    while True:
        time.sleep(0.01)


for _ in range(3):
    threading.Thread(target=wait, daemon=False).start()
threading.Timer(3600, wait).start()
