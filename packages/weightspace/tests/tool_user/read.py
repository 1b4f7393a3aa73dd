"""Which function of the menu agrees on every input, and which units change an output when they go."""

import json
from pathlib import Path

s = json.loads(Path("survey.json").read_text())
y, v, z = s["y"], s["v"], s["z"]


def ones(n: int) -> int:
    return bin(n).count("1")


menu = {
    "majority": lambda n: ones(n) > 5,
    "exactly_five": lambda n: ones(n) == 5,
    "parity_odd": lambda n: ones(n) % 2,
    "popcount_prime": lambda n: ones(n) in (2, 3, 5, 7),
    "popcount_mult3": lambda n: ones(n) % 3 == 0,
    "power_of_two": lambda n: n and n & (n - 1) == 0,
    "x0_xor_x9": lambda n: (n ^ n >> 9) & 1,
    "palindrome": lambda n: f"{n:010b}" == f"{n:010b}"[::-1],
    "high_eq_low": lambda n: n >> 5 == n & 31,
    "high_gt_low": lambda n: n >> 5 > n & 31,
    "halves_balanced": lambda n: ones(n >> 5) == ones(n & 31),
    "mux_x8_x9": lambda n: n >> (n >> 8) & 1,
    "adjacent_ones": lambda n: n & n >> 1,
    "three_in_a_row": lambda n: n & n >> 1 & n >> 2,
    "div_by_3": lambda n: n % 3 == 0,
    "div_by_5": lambda n: n % 5 == 0,
}
names = [name for name, rule in menu.items() if all(bool(rule(n)) == (out > 0) for n, out in enumerate(y))]
units = [j for j in range(len(v)) if any((out > 0) != (out - v[j] * max(0, z[j][n]) > 0) for n, out in enumerate(y))]
print(json.dumps({"function": names[0] if len(names) == 1 else str(names), "functional_units": units}))
