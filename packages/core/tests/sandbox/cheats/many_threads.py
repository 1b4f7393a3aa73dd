# outcome: submission_error
"""Starts threads until the machine is full."""
import threading
import time

for _ in range(100_000):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
