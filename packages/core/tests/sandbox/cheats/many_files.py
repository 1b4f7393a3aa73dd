# outcome: resource_limit
"""Makes files until there is no room for their names."""
n = 0
while True:
    open(f"f{n}", "w").close()
    n += 1
