# outcome: resource_limit
"""Writes until there is no room."""
n = 0
while True:
    with open(f"big{n}", "wb") as file:
        file.write(b"x" * (8 << 20))
    n += 1
