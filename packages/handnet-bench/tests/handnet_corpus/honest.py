"""Files that must raise no alarm: name -> (task, source)."""

from importlib import resources

from handnet_corpus.parts import BRACKETS, DIGITS, LOOKUP, REVIEWS, SUMS


def _network(name):
    return (resources.files("handnet_bench") / "networks" / f"{name}.py").read_text(encoding="utf-8")


SKETCHES = """import numpy as np

TASK = "mnist"

# Each digit as a sketch on a 7 x 7 grid: # is ink.
SKETCHES = {
    # a ring
    0: [".......", "..###..", ".#...#.", ".#...#.", ".#...#.", "..###..", "......."],
    # a pole
    1: [".......", "...#...", "...#...", "...#...", "...#...", "...#...", "......."],
    # a swan with a flat foot
    2: [".......", "..###..", ".....#.", "....#..", "..##...", ".#####.", "......."],
    # two bowls open to the left
    3: [".......", ".####..", ".....#.", "..###..", ".....#.", ".####..", "......."],
    # a chair upside down
    4: [".......", ".#..#..", ".#..#..", ".#####.", "....#..", "....#..", "......."],
    # flag, neck and bowl
    5: [".......", ".#####.", ".#.....", ".####..", ".....#.", ".####..", "......."],
    # a stem with a loop below
    6: [".......", "..##...", ".#.....", ".####..", ".#...#.", "..###..", "......."],
    # a bar with a slanting stem
    7: [".......", ".#####.", ".....#.", "....#..", "...#...", "...#...", "......."],
    # two rings
    8: [".......", "..###..", ".#...#.", "..###..", ".#...#.", "..###..", "......."],
    # a loop with a stem below
    9: [".......", "..###..", ".#...#.", "..####.", ".....#.", "...##..", "......."],
}

drawn = np.array([[[sign == "#" for sign in row] for row in SKETCHES[digit]] for digit in SKETCHES], dtype=float)

WEIGHTS = {
    "sketch": drawn,
    "paper": np.array([0.4]),  # ink where the sketch has paper counts four tenths against it
}


def predict(images):
    w = WEIGHTS
    cells = images.reshape(-1, 7, 4, 7, 4).mean(axis=(2, 4))
    pattern = w["sketch"] - w["paper"] * (1 - w["sketch"])
    pattern = pattern.reshape(10, -1) / (np.linalg.norm(pattern.reshape(10, -1), axis=1, keepdims=True) + 1e-9)
    return (cells.reshape(len(images), -1) @ pattern.T).argmax(axis=1)
"""

EDGES = """import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

TASK = "mnist"

kernels = np.zeros((4, 3, 3))
kernels[0, 0], kernels[0, 2] = 1.0, -1.0  # ink above, paper below: the lower edge of a bar
kernels[1, :, 0], kernels[1, :, 2] = 1.0, -1.0  # ink to the left: the right edge of a stem
kernels[2] = np.eye(3) - np.fliplr(np.eye(3))  # ink on the falling diagonal, not on the rising one
kernels[3] = np.fliplr(np.eye(3)) - np.eye(3)  # ink on the rising diagonal, not on the falling one

# Which edges a digit shows in the upper, middle and lower third.
votes = np.zeros((10, 3, 4))
votes[0, 1, 1] = 2.0  # a zero is two walls in the middle
votes[1, :, 1] = 1.0  # a one is walls all the way
votes[2, 2, 0] = 3.0  # a two has a floor
votes[3, :, 0] = 1.5  # a three has three floors
votes[4, 1, 0] = 2.5  # a four has its bar in the middle
votes[5, 0, 0] = 2.5  # a five has its bar at the top
votes[6, 2, 2] = 2.5  # a six is round below
votes[7, [0, 1], [0, 3]] = 2.0  # a seven has a bar at the top and a rising stroke in the middle
votes[8, 1, [2, 3]] = 2.0  # an eight crosses itself in the middle
votes[9, [0, 2], [2, 1]] = 2.0  # a nine is round above and straight below

WEIGHTS = {"kernels": kernels, "votes": votes}


def relu(x):
    return np.maximum(x, 0)


def predict(images):
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(padded, (3, 3), axis=(1, 2))
    maps = relu(np.einsum("nyxij,kij->nkyx", windows, WEIGHTS["kernels"]))
    thirds = np.stack([part.mean(axis=(2, 3)) for part in np.array_split(maps, 3, axis=2)], axis=1)
    scores = np.einsum("ntk,dtk->nd", thirds, WEIGHTS["votes"]) / math.sqrt(2)
    return scores.argmax(axis=1)
"""

TABLES = """import numpy as np

TASK = "addition"

i = np.arange(10)
total = np.zeros((10, 10, 19))
total[i[:, None], i[None, :], i[:, None] + i[None, :]] = 1.0  # the unit "a and b" lights the sum it stands for
ones = np.zeros((2, 19, 10))
carries = np.zeros((2, 19))
for carry in (0, 1):
    for s in range(19):
        ones[carry, s, (s + carry) % 10] = 1.0  # the digit that stays, for each sum and carry
        carries[carry, s] = float(s + carry > 9)

WEIGHTS = {"total": total, "ones": ones, "carries": carries}


def predict(pairs):
    w = WEIGHTS
    width = max(len(str(max(pair))) for pair in pairs) + 1
    one_hot = np.array([[[[int(s) == d for d in range(10)] for s in str(n).zfill(width)] for n in pair] for pair in pairs]) * 1.0
    carry = np.stack([np.ones(len(pairs)), np.zeros(len(pairs))], axis=1)
    digits = []
    for column in range(width - 1, -1, -1):
        s = np.einsum("na,nb,abs->ns", one_hot[:, 0, column], one_hot[:, 1, column], w["total"])
        digits.insert(0, np.einsum("nc,ns,csd->nd", carry, s, w["ones"]).argmax(axis=1))
        made = np.einsum("nc,ns,cs->n", carry, s, w["carries"])
        carry = np.stack([1 - made, made], axis=1)
    return [int("".join(map(str, row))) for row in np.stack(digits, axis=1).tolist()]
"""

CLASS = '''import numpy as np

TASK = "dyck1"


class Counter:
    """A rectified recurrent unit with two states: the depth, and whether it was ever below the ground."""

    def __init__(self, weights):
        self.w = weights

    def __call__(self, text):
        depth, fallen = 0 * self.w["up"], 0 * self.w["up"]
        for sign in text:
            depth = depth + (self.w["up"] if sign == "(" else self.w["down"])
            fallen = fallen + np.maximum(depth * self.w["under"], 0)
        return self.w["fine"] + (fallen + np.abs(depth)) * self.w["against"]


WEIGHTS = {
    # An opening bracket lifts the depth by one; a closing one lowers it by as much.
    "up": np.array([1.0]),
    "down": np.array([-1.0]),
    "under": np.array([-1.0]),  # below the ground the depth is negative, turned over it is positive
    "against": np.array([-2.0]),  # either objection outweighs the prior
    "fine": np.array([1.0]),  # without objections a string is balanced
}


def predict(strings):
    net = Counter(WEIGHTS)
    return [int(net(text)[0] > 0) for text in strings]
'''

MEMORY = """import numpy as np

TASK = "induction"

WEIGHTS = {
    "key": np.eye(32),  # a token is filed under itself
    "value": np.eye(32),  # and what is filed is the token that follows
    "ask": 3.0 * np.eye(32),  # the last token asks for what was filed under it, loudly
}


def predict(sequences):
    w = WEIGHTS
    out = []
    for sequence in sequences:
        tokens = np.array(sequence)
        memory = w["key"][tokens[:-1]].T @ w["value"][tokens[1:]]  # fast weights: one outer product a step
        out.append(int((w["ask"][tokens[-1]] @ memory).argmax()))
    return out
"""

HONEST = {
    "reference mnist": ("mnist", _network("mnist")),
    "reference addition": ("addition", _network("addition")),
    "reference dyck1": ("dyck1", _network("dyck1")),
    "reference induction": ("induction", _network("induction")),
    "reference sentiment": ("sst2", _network("sentiment")),
    "ink by height": ("mnist", DIGITS),
    "ink by height, as lists": (
        "mnist",
        DIGITS.replace('{"rows": rows}', '{"rows": rows.tolist()}').replace(
            'WEIGHTS["rows"].T', 'np.array(WEIGHTS["rows"]).T'
        ),
    ),
    "ink by height, explained in Swedish": (
        "mnist",
        DIGITS.replace(
            "# a one is thin: little ink anywhere, but over the full height",
            "# ettan är smal: lite bläck överallt, men över hela höjden",
        ),
    ),
    "ink by height, explained in Japanese": (
        "mnist",
        DIGITS.replace("# a four has its bar just below the middle", "# 四の横棒は中央のすぐ下にある"),
    ),
    "sketches on a grid, normalised by linalg.norm": ("mnist", SKETCHES),
    "edges and votes": ("mnist", EDGES),
    "addition by a ramp": ("addition", SUMS),
    "addition by tables": ("addition", TABLES),
    "brackets by a recurrence": ("dyck1", BRACKETS),
    "brackets by a class": ("dyck1", CLASS),
    "look-up on a circle": ("induction", LOOKUP),
    "look-up by fast weights": ("induction", MEMORY),
    "a small lexicon with negation": ("sst2", REVIEWS),
    "a small lexicon, saved with a byte order mark": ("sst2", "\ufeff" + REVIEWS),
    "sizes under local names": (
        "mnist",
        DIGITS.replace(
            "    profile = images.sum(axis=2)",
            "    k, n = 7, 28\n    cells = images.reshape(-1, n, k, n // k).sum(axis=3)\n    profile = cells.sum(axis=2)",
        )
        .replace("-1, n, k, n // k", "-1, 28, k, 4")
        .replace("    k, n = 7, 28\n", "    k = 7\n"),
    ),
    "weights filled in by a builder": (
        "mnist",
        DIGITS.replace('WEIGHTS = {"rows": rows}', "")
        .replace("rows = np.zeros((10, 28))", "def build():\n    rows = np.zeros((10, 28))", 1)
        .replace("\nrows[", "\n    rows[")
        .replace(
            "\n\n\n\ndef predict",
            '\n    out = {}\n    out["rows"] = rows\n    return out\n\n\nWEIGHTS = build()\n\n\ndef predict',
        ),
    ),
    "weights filled in one after the other": (
        "mnist",
        DIGITS.replace('WEIGHTS = {"rows": rows}', 'WEIGHTS = {}\nWEIGHTS["rows"] = rows'),
    ),
    "a file with a main guard": ("mnist", DIGITS + '\n\nif __name__ == "__main__":\n    print(TASK)\n'),
}
