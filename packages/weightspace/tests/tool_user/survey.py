"""What the network does: y on every input, and what each unit adds to it, in thousandths and millionths."""

import json
from decimal import Decimal
from pathlib import Path

network = json.loads(Path("network.json").read_text(), parse_float=Decimal)
W1 = [[int(w * 1000) for w in row] for row in network["W1"]]
b1, v = ([int(value * 1000) for value in network[name]] for name in ("b1", "v"))
c, bits = int(network["c"] * 1000), len(W1[0])
z = [
    [sum(w for i, w in enumerate(row) if n >> i & 1) + b for n in range(2**bits)] for row, b in zip(W1, b1, strict=True)
]
y = [1000 * c + sum(o * max(0, unit[n]) for o, unit in zip(v, z, strict=True)) for n in range(2**bits)]
Path("survey.json").write_text(json.dumps({"W1": W1, "b1": b1, "v": v, "z": z, "y": y, "bits": bits}))
print(sum(value > 0 for value in y), "of", len(y), "outputs are 1")
