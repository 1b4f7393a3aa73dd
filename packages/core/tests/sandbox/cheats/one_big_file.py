# outcome: resource_limit
"""Writes one file larger than it may."""
with open("big", "wb") as file:
    for _ in range(100):
        file.write(b"x" * (1 << 20))
