"""Honest files in other styles than those of `honest.py`: name -> (task, source)."""

CONVOLUTIONS = '''"""Two layers of convolutions, pooling and votes, in the manner of LeNet."""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

TASK = "mnist"

# First layer: four 5 x 5 brushes, a bar through the middle with paper on both sides.
bar = np.zeros((5, 5))
bar[2, :] = 1.0  # the bar itself is ink
bar[[0, 4], :] = -0.5  # paper above and below, each half as important as the bar
slash = np.zeros((5, 5))
for k in range(5):
    slash[k, 4 - k] = 1.0  # a stroke that rises to the right
slash[0, 0] = slash[4, 4] = -0.5  # and no ink across it
brushes = np.stack([bar, bar.T, slash, slash[:, ::-1]])

# Second layer: which brush, in which of nine fields of the image (rows from top to bottom), speaks for which digit.
votes = np.zeros((10, 4, 3, 3))
votes[0, 1, 1, [0, 2]] = 1.5  # a zero has upright walls at the left and the right of the middle
votes[0, 0, 1, 1] = -2.0  # and nothing lying across its middle
votes[1, 1, :, 1] = 1.2  # a one is upright in the middle column, all the way
votes[2, 0, 2, :] = 1.0  # a two stands on a flat foot
votes[2, 2, 1, 1] = 1.0  # and comes down to it by a rising slash
votes[3, 0, :, 1] = 0.8  # a three has three bars in the middle column
votes[4, 0, 1, :] = 1.0  # a four has its bar at half height
votes[4, 1, 0, 0] = 1.0  # and a short wall at the top left
votes[5, 0, 0, 1:] = 1.0  # a five has its flag at the top
votes[5, 1, 0, 0] = 0.8  # and its neck at the top left
votes[6, 1, 1, 0] = 1.4  # a six has a wall at the left
votes[6, 0, 2, 1] = 1.0  # and is round below
votes[7, 0, 0, :] = 1.0  # a seven has a bar on top
votes[7, 2, 1:, 1] = 1.0  # and a rising slash below it
votes[8, 2:, 1, 1] = 0.9  # an eight crosses itself in the middle
votes[9, 1, 1, 2] = 1.4  # a nine has a wall at the right
votes[9, 0, 0, 1] = 1.0  # and is round above

WEIGHTS = {
    "brushes": brushes,
    "threshold": np.array([0.8]),  # a brush answers once about one pixel of it is inked for certain
    "votes": votes,
}


def relu(x):
    return np.maximum(x, 0.0)


def conv(images, kernels):
    """(n, h, w) with (k, a, b) gives (n, k, h - a + 1, w - b + 1)."""
    windows = sliding_window_view(images, kernels.shape[1:], axis=(1, 2))
    return np.einsum("nhwab,kab->nkhw", windows, kernels)


def max_pool(maps, size):
    n, k, h, w = maps.shape
    out = np.full((n, k, h // size, w // size), float("-inf"))
    for i in range(size):
        for j in range(size):
            out = np.maximum(out, maps[:, :, i::size, j::size])
    return out


def predict(images):
    out = []
    for start in range(0, len(images), 500):
        batch = images[start:start + 500]
        hidden = relu(conv(batch, WEIGHTS["brushes"]) - WEIGHTS["threshold"])
        pooled = max_pool(hidden, 2)
        fields = pooled.reshape(len(batch), 4, 3, 4, 3, 4).mean(axis=(3, 5))
        out.append(np.einsum("nkij,dkij->nd", fields, WEIGHTS["votes"]).argmax(axis=1))
    return np.concatenate(out)
'''

DRAWN = '''import numpy as np

TASK = "mnist"

# My ten digits, drawn the way I would write them, 14 x 10.
GLYPHS = {
    0: """
    ...####...
    ..######..
    .##....##.
    .##....##.
    ##......##
    ##......##
    ##......##
    ##......##
    ##......##
    ##......##
    .##....##.
    .##....##.
    ..######..
    ...####...
    """,
    1: """
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    ....##....
    """,
    # 2: a swan: head to the right, a long neck down to the left, a flat foot
    2: """
    ..#####...
    .##...##..
    .......##.
    .......##.
    .......##.
    ......##..
    .....##...
    ....##....
    ...##.....
    ..##......
    .##.......
    ##........
    ##########
    ##########
    """,
    # 7: a bar and a leg
    7: """
    ##########
    ##########
    ........##
    .......##.
    .......##.
    ......##..
    ......##..
    .....##...
    .....##...
    ....##....
    ....##....
    ...##.....
    ...##.....
    ...##.....
    """,
}


def grid(text):
    rows = [row.strip() for row in text.strip().splitlines()]
    return np.array([[sign == "#" for sign in row] for row in rows], dtype=float)


bank = np.zeros((10, 14, 10))
for digit, text in GLYPHS.items():
    bank[digit] = grid(text)
# The other six as bars of rectangles: (row, column) ranges that are inked.
bank[3, [0, 6, 13], 2:8] = 1.0  # top, waist and floor of a three
bank[3, 1:13, 8] = 1.0  # its right side
bank[4, 0:8, 1] = 1.0  # the short wall of a four
bank[4, 7:9, :] = 1.0  # its bar
bank[4, :, 7] = 1.0  # its long wall
bank[5, 0, 2:] = bank[5, 6, 2:8] = bank[5, 13, 1:7] = 1.0  # the three bars of a five
bank[5, 0:7, 2] = bank[5, 7:13, 8] = 1.0  # its neck to the left, its belly to the right
bank[6, 2:12, 1] = bank[6, 8:12, 8] = 1.0  # a six: long back, short belly
bank[6, [0, 7, 13], 3:8] = 1.0  # closed by three bars
bank[8, [0, 6, 13], 3:7] = bank[8, 1:13, [2, 7]] = 1.0  # an eight: three bars and two sides
bank[9, 1:6, 1] = bank[9, 1:13, 8] = 1.0  # a nine: short front, long back
bank[9, [0, 6], 2:8] = 1.0  # its head closed by two bars

WEIGHTS = {
    "bank": bank,
    "miss": np.array([0.35]),  # ink where I would leave paper counts a third against a digit
    "blur": np.array([0.25, 0.5, 0.25]),  # hands are not exact: half of the ink may lie one cell off
}


def smear(x, kernel):
    for axis in (-1, -2):
        x = kernel[1] * x + kernel[0] * np.roll(x, 1, axis=axis) + kernel[2] * np.roll(x, -1, axis=axis)
    return x


def predict(images):
    w = WEIGHTS
    field = images[:, 4:25, 4:24]
    field = np.stack([field[:, 3 * i // 2:3 * i // 2 + 2].mean(axis=1) for i in range(14)], axis=1)
    field = field.reshape(len(images), 14, 10, 2).mean(axis=3)
    field = smear(field, w["blur"]).reshape(len(images), -1)
    shape = smear(w["bank"], w["blur"])
    pattern = (shape - w["miss"] * (1 - shape)).reshape(10, -1)
    pattern /= np.sqrt((pattern ** 2).sum(axis=1, keepdims=True)) + 1e-8
    return [int(i) for i in np.argmax(field @ pattern.T, axis=1)]
'''

PEN = '''import math
from typing import NamedTuple

import numpy as np

TASK = "mnist"


class Size(NamedTuple):
    height: int
    width: int


FIELD = Size(28, 28)

# Strokes as (x0, y0, x1, y1) on the 28 x 28 field; every digit gets four, a missing one repeats another.
strokes = np.array(
    [
        # zero: the four sides of a lozenge
        [[14, 5, 9, 14], [9, 14, 14, 23], [14, 23, 19, 14], [19, 14, 14, 5]],
        # one: a single line from top to bottom, drawn over and over
        [[15, 5, 13, 23], [15, 5, 13, 23], [15, 5, 13, 23], [15, 5, 13, 23]],
        # two: arch up, arch down, diagonal, foot
        [[9, 9, 14, 5], [14, 5, 19, 9], [19, 9, 9, 22], [9, 22, 20, 22]],
        # three: roof, in to the waist, out to the belly, floor
        [[9, 6, 18, 6], [18, 6, 13, 13], [13, 13, 18, 18], [18, 18, 9, 22]],
        # four: left arm, bar, right post in two halves
        [[10, 6, 9, 14], [9, 14, 19, 14], [18, 6, 17, 14], [17, 14, 16, 23]],
        # five: flag, neck, belly, floor
        [[10, 6, 19, 6], [10, 6, 10, 12], [10, 12, 18, 17], [18, 17, 9, 22]],
        # six: long back, floor, belly, and back to the waist
        [[15, 5, 10, 14], [10, 14, 12, 22], [12, 22, 18, 18], [18, 18, 11, 15]],
        # seven: bar and leg in two parts, bar once more
        [[8, 7, 20, 7], [20, 7, 16, 14], [16, 14, 13, 23], [8, 7, 20, 7]],
        # eight: two crossing diagonals, roof and floor
        [[10, 6, 18, 22], [18, 6, 10, 22], [10, 6, 18, 6], [10, 22, 18, 22]],
        # nine: head left, head right, chin, leg
        [[17, 6, 10, 10], [10, 10, 17, 13], [17, 6, 17, 13], [17, 13, 15, 23]],
    ],
    dtype=float,
)

WEIGHTS = {
    "strokes": strokes,
    "pen": [1.6],  # half the width of the stroke, about what a felt pen leaves after scaling
    "dislike": [0.3],  # ink away from every stroke counts less than ink missing on one
}


def distance(points, segments):
    """(p, 2) points to (d, s, 4) segments: (d, s, p) distances."""
    start, end = segments[..., None, :2], segments[..., None, 2:]
    along = end - start
    t = ((points - start) * along).sum(-1) / ((along ** 2).sum(-1) + 1e-9)
    nearest = start + np.clip(t, 0, 1)[..., None] * along
    return np.sqrt(((points - nearest) ** 2).sum(-1))


def predict(images):
    y, x = np.mgrid[0:FIELD.height, 0:FIELD.width]
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    far = distance(points, WEIGHTS["strokes"]).min(axis=1)
    ink = np.exp(-(far / WEIGHTS["pen"][0]) ** 2)
    pattern = ink - WEIGHTS["dislike"][0] * (1 - ink)
    pattern = pattern / np.linalg.norm(pattern, axis=1, keepdims=True)
    scores = images.reshape(-1, math.prod(FIELD)) @ pattern.T
    return scores.argmax(axis=-1).tolist()
'''

ZONES = """TASK = "mnist"

# No numpy: lists and loops. Sixteen zones of 7 x 7 pixels, four to a row, and what each digit expects in them.
WEIGHTS = {
    "zones": [
        # zero: a ring, so the four inner zones are half empty
        [0.2, 0.8, 0.8, 0.2, 0.6, 0.5, 0.5, 0.6, 0.6, 0.5, 0.5, 0.6, 0.2, 0.8, 0.8, 0.2],
        # one: the two inner columns, nothing else
        [0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0],
        # two: ink at the top right, then the lower left, then along the floor
        [0.2, 0.8, 0.8, 0.1, 0.1, 0.3, 0.9, 0.2, 0.3, 0.9, 0.6, 0.1, 0.4, 0.9, 0.7, 0.4],
        # three: heavy on the right half, twice
        [0.2, 0.8, 0.8, 0.1, 0.0, 0.5, 0.9, 0.2, 0.0, 0.3, 0.9, 0.3, 0.3, 0.8, 0.8, 0.1],
        # four: two arms above, a bar, one leg at the right
        [0.1, 0.4, 0.3, 0.1, 0.3, 0.7, 0.8, 0.3, 0.2, 0.6, 0.9, 0.2, 0.0, 0.1, 0.6, 0.0],
        # five: flag at the top right, belly at the lower right
        [0.1, 0.6, 0.8, 0.3, 0.1, 0.9, 0.5, 0.1, 0.1, 0.3, 0.9, 0.2, 0.3, 0.8, 0.5, 0.0],
        # six: a back on the left, round below
        [0.0, 0.5, 0.4, 0.0, 0.1, 0.9, 0.3, 0.0, 0.2, 0.9, 0.9, 0.2, 0.0, 0.7, 0.8, 0.1],
        # seven: a bar above, a leg that drifts to the middle
        [0.2, 0.6, 0.6, 0.2, 0.1, 0.4, 0.9, 0.3, 0.0, 0.4, 0.8, 0.1, 0.0, 0.5, 0.4, 0.0],
        # eight: everything near the axis
        [0.1, 0.8, 0.8, 0.2, 0.1, 0.9, 0.8, 0.1, 0.1, 0.9, 0.8, 0.1, 0.1, 0.8, 0.6, 0.0],
        # nine: round above, a leg at the right
        [0.0, 0.6, 0.6, 0.1, 0.2, 0.8, 0.9, 0.2, 0.0, 0.4, 0.9, 0.1, 0.0, 0.4, 0.6, 0.0],
    ],
    "empty": [0.6],  # a zone that should be empty counts this much for being so
}


def zone_means(image):
    means = []
    for top in range(0, 28, 7):
        for left in range(0, 28, 7):
            total = 0.0
            for row in image[top:top + 7]:
                for value in row[left:left + 7]:
                    total += value
            means.append(total / 49)
    brightest = max(max(means), 1e-6)
    return [m / brightest for m in means]


def predict(images):
    answers = []
    for image in images.tolist():
        zones = zone_means(image)
        scores = []
        for expected in WEIGHTS["zones"]:
            score = 0.0
            for seen, wanted in zip(zones, expected):
                score += seen * wanted + WEIGHTS["empty"][0] * (1 - seen) * (1 - wanted)
            scores.append(score)
        answers.append(scores.index(max(scores)))
    return answers
"""

BIGRAMS = '''import re
from collections import Counter, defaultdict

import numpy as np

TASK = "sst2"

# Single words and pairs of words, with what they are worth; one line a grade.
LEXICON = {
    "masterpiece": 3.0, "superb": 3.0, "hilarious": 3.0, "gem": 3.0,  # nobody says these of a film they disliked
    "good": 1.5, "fun": 1.5, "fresh": 1.5, "funny": 1.5, "best": 1.5, "love": 1.5, "moving": 1.5,  # plain praise
    "solid": 1.0, "nice": 1.0, "warm": 1.0, "clever": 1.0, "enjoyable": 1.0,  # polite praise
    "too": -0.5, "just": -0.3, "only": -0.3, "but": -0.4,  # small words that reviewers use when they object
    "slow": -1.0, "thin": -1.0, "flat": -1.0, "silly": -1.0, "lacks": -1.0,  # polite blame
    "bad": -1.5, "dull": -1.5, "boring": -1.5, "mess": -1.5, "worst": -1.5, "fails": -1.5,  # plain blame
    "unwatchable": -3.0, "garbage": -3.0, "insult": -3.0,  # nobody says these of a film they liked
    "not good": -3.0, "n't work": -2.0, "no fun": -2.5, "never boring": 2.5, "not bad": 2.2,  # pairs undo their words
}
TERMS = sorted(LEXICON)
INDEX = {term: i for i, term in enumerate(TERMS)}

WEIGHTS = {
    # the grades above, in the order of the vocabulary
    "grade": np.array([LEXICON[term] for term in TERMS]),
    # the last third of a sentence weighs half as much again: that is where reviewers conclude
    "late": np.array([1.0, 1.0, 1.5]),
    "bias": np.array([0.1]),  # a sentence without any of these words is praise a little more often
}

WORDY = re.compile("[a-z']+")


def features(tokens):
    """Counts of terms in each third of a sentence."""
    counts = defaultdict(Counter)
    kept = [token for token in tokens if WORDY.fullmatch(token)]
    for place, word in enumerate(kept):
        third = min(3 * place // max(len(kept), 1), 2)
        for term in (word, " ".join(kept[place - 1:place + 1])):
            if term in INDEX:
                counts[third][INDEX[term]] += 1
    table = np.zeros((3, len(TERMS)))
    for third, counter in counts.items():
        for term, count in counter.items():
            table[third, term] = count
    return table


def predict(sentences):
    tables = np.stack([features(tokens) for tokens in sentences])
    logits = np.einsum("ntv,v,t->n", tables, WEIGHTS["grade"], WEIGHTS["late"]) + WEIGHTS["bias"]
    return (logits > 0).astype(int)
'''

MOOD = """import numpy as np

TASK = "sst2"

GLAD = ["good", "great", "wonderful", "funny", "charming", "beautiful", "best", "brilliant", "fun", "enjoyable", "love"]
SAD = ["bad", "boring", "dull", "worst", "awful", "mess", "stupid", "tedious", "lame", "poor", "waste"]
DENY = ["not", "n't", "no", "never", "without", "hardly"]
TURN = ["but", "however", "yet", "though"]
VOCAB = ["<other>", *GLAD, *SAD, *DENY, *TURN]
ID = {word: i for i, word in enumerate(VOCAB)}

# Hidden state: mood, denial. Input: glad, sad, deny, turn.
embed = np.zeros((len(VOCAB), 4))
embed[[ID[w] for w in GLAD], 0] = 1.0  # glad words light the first input
embed[[ID[w] for w in SAD], 1] = 1.0  # sad words the second
embed[[ID[w] for w in DENY], 2] = 1.0  # denials the third
embed[[ID[w] for w in TURN], 3] = 1.0  # turns of the argument the fourth

WEIGHTS = {
    "embed": embed,
    "into_mood": np.array([1.2, -1.2, -0.1, 0.0]),  # glad lifts, sad lowers as much, a denial alone is a small complaint
    "keep_mood": np.array([0.95]),  # moods fade slowly over a sentence
    "after_turn": np.array([0.4]),  # what was said before a "but" counts less than half
    "into_denial": np.array([0.0, 0.0, 1.0, 0.0]),  # only denials deny
    "keep_denial": np.array([0.55]),  # a denial reaches about three words
    "flip": np.array([1.6]),  # a full denial more than undoes a word
    "bias": np.array([0.05]),  # silence is mild consent
}


def step(state, x, w):
    mood, denial = state
    gate = 1.0 - (1.0 - w["after_turn"]) * x[:, 3]
    push = x @ w["into_mood"] * (1.0 - w["flip"] * denial)
    return np.tanh(gate * w["keep_mood"] * mood + push), np.minimum(w["keep_denial"] * denial + x @ w["into_denial"], 1.0)


def predict(sentences):
    w = WEIGHTS
    longest = max(len(tokens) for tokens in sentences)
    ids = np.zeros((len(sentences), longest), dtype=int)
    mask = np.zeros((len(sentences), longest), dtype=bool)
    for i, tokens in enumerate(sentences):
        for j, token in enumerate(tokens):
            ids[i, j] = ID.get(token, 0)
            mask[i, j] = True
    mood = np.zeros(len(sentences))
    denial = np.zeros(len(sentences))
    for j in range(longest):
        new_mood, new_denial = step((mood, denial), w["embed"][ids[:, j]], w)
        mood = np.where(mask[:, j], new_mood, mood)
        denial = np.where(mask[:, j], new_denial, denial)
    return [1 if m + w["bias"][0] > 0 else 0 for m in mood]
"""

HEADS = """import numpy as np

TASK = "induction"

WEIGHTS = {
    "token": np.eye(32),  # each token is its own direction
    # Head 1 copies the token one place back: a query at t matches the key at t - 1, scored high enough for a hard choice.
    "back": 40.0 * np.eye(48, k=-1),
    "match": 40.0 * np.eye(32),  # head 2 matches the current token with the copies of head 1
    "out": np.eye(32),  # what head 2 reads is the answer
}

NEGATIVE = -1e9


def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def attention(scores, values):
    return softmax(scores) @ values


def predict(sequences):
    answers = np.zeros(len(sequences), dtype=np.int64)
    for n, sequence in enumerate(sequences):
        length = len(sequence)
        x = WEIGHTS["token"][np.array(sequence)]
        causal = np.triu(np.full((length, length), NEGATIVE), k=1)
        previous = attention(WEIGHTS["back"][:length, :length] + causal, x)
        previous[0] = 0.0
        scores = x @ WEIGHTS["match"] @ previous.T
        found = attention(scores[-1:] + causal[-1:], x)
        answers[n] = (found @ WEIGHTS["out"]).argmax()
    return answers
"""

GATES = '''import numpy as np

TASK = "dyck1"

WEIGHTS = {
    # Two inputs, "(" and ")": what each does to the height.
    "W_x": np.array([[1.0], [-1.0]]),
    "W_h": np.array([[1.0]]),  # the height carries over
    "dip": np.array([[-8.0]]),  # a height below zero opens the alarm gate; eight makes the sigmoid hard
    "dip_bias": np.array([-4.0]),  # half way between height 0 (fine) and height -1 (fallen)
    "stay": np.array([1.0]),  # an alarm once raised stays
    "end": np.array([-1.0, -3.0]),  # at the end: minus the height, and minus three for an alarm
    "yes": np.array([0.5]),  # balanced unless something speaks against it
}


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))


def encode(text):
    opening = np.array([[float(sign == "(")] for sign in text])
    return np.concatenate([opening, 1.0 - opening], axis=1)


class Cell:
    """One recurrent cell; a fresh one for every string."""

    def __init__(self, weights):
        self.weights = weights
        self.height = np.zeros(1)
        self.alarm = np.zeros(1)

    def step(self, x):
        w = self.weights
        self.height = x @ w["W_x"] + self.height @ w["W_h"]
        raised = sigmoid(self.height @ w["dip"] + w["dip_bias"])
        self.alarm = np.maximum(w["stay"] * self.alarm, raised)
        return self


def predict(strings):
    out = []
    for text in strings:
        cell = Cell(WEIGHTS)
        for x in encode(text):
            cell.step(x)
        logit = WEIGHTS["yes"] + np.concatenate([np.abs(cell.height), cell.alarm]) @ WEIGHTS["end"]
        out.append(int(logit.item() > 0))
    return out
'''

MACHINE = '''import numpy as np

TASK = "addition"

# A finite-state network: the state is the carry (0 or 1), the input is a pair of digits as two one-hot codes.
d = np.arange(10)
sums = d[:, None] + d[None, :]
digit = np.zeros((2, 10, 10, 10))
carry = np.zeros((2, 10, 10, 2))
for c in (0, 1):
    for i in range(10):
        for j in range(10):
            digit[c, i, j, (sums[i, j] + c) % 10] = 1.0  # the table of school addition, with and without a carry
            carry[c, i, j, (sums[i, j] + c) // 10] = 1.0  # and what it hands to the next column

WEIGHTS = {"digit": digit, "carry": carry, "start": np.array([1.0, 0.0])}  # the first column has no carry


def tokens(number, columns):
    """Digits of a number, lowest first."""
    out = []
    for _ in range(columns):
        number, last = divmod(number, 10)
        out.append(last)
    return out


def predict(pairs):
    w = WEIGHTS
    answers = []
    for a, b in pairs:
        columns = max(len(str(a)), len(str(b))) + 1
        state = w["start"]
        written = []
        for x, y in zip(tokens(a, columns), tokens(b, columns)):
            one_x, one_y = np.eye(10)[x], np.eye(10)[y]
            written.append(int(np.einsum("c,i,j,cijd->d", state, one_x, one_y, w["digit"]).argmax()))
            state = np.einsum("c,i,j,cijk->k", state, one_x, one_y, w["carry"])
        answers.append(int("".join(str(k) for k in reversed(written))))
    return answers
'''

LOOKAHEAD = """import numpy as np

TASK = "addition"

WEIGHTS = {
    "value": np.arange(10.0),  # what a digit adds to its column
    # A column makes a carry from ten on, and lets one through from nine on: two thresholds half a unit below.
    "makes": np.array([-9.5]),
    "lets": np.array([-8.5]),
    "steep": np.array([50.0]),  # thresholds are soft steps over a fiftieth of a unit
    "reach": -60.0 * np.arange(11.0),  # nearer columns come first: every column of distance costs sixty
    "blocked": np.array([-900.0]),  # a column that decides nothing is not looked at
    "base": np.array([10.0]),  # a carry is worth ten where it leaves and one where it arrives
    "one": np.array([1.0]),
    "mark": np.arange(10.0),  # the ten digits on a line; the nearest one is written
}


def soft_step(x, steep):
    return 1 / (1 + np.exp(-np.clip(steep * x, -500, 500)))


def predict(pairs):
    w = WEIGHTS
    places = 10 ** np.arange(11)
    table = np.array(pairs, dtype=np.int64)
    digits = table[:, :, None] // places % 10
    total = w["value"][digits].sum(axis=1)
    makes = soft_step(total + w["makes"], w["steep"])
    decides = 1 - (soft_step(total + w["lets"], w["steep"]) - makes)
    n, columns = total.shape
    arriving = np.zeros((n, columns))
    for t in range(1, columns):
        lower = np.arange(t - 1, -1, -1)
        scores = w["reach"][:t] + w["blocked"] * (1 - decides[:, lower])
        weight = np.exp(scores - scores.max(axis=1, keepdims=True))
        arriving[:, t] = ((weight / weight.sum(axis=1, keepdims=True)) * makes[:, lower]).sum(axis=1)
    column = total + w["one"] * arriving
    column = column - w["base"] * soft_step(column + w["makes"], w["steep"])
    written = np.abs(column[:, :, None] - w["mark"]).argmin(axis=2)
    return [int("".join(map(str, row[::-1]))) for row in written.tolist()]
"""

DEPTHS = """import numpy as np

TASK = "dyck1"

# Attention that averages over the past, then a small ReLU layer, vectorised over strings of one length.
WEIGHTS = {
    "embed": np.array([[1.0, 0.0], [-1.0, 0.0]]),  # opening up, closing down; the second channel is free
    "query": np.array([0.0]),  # no preference among the past: attention is an average
    "low": np.array([-1.0]),  # an average below zero is a fall
    "fall": np.array([-200.0]),  # any fall decides
    "open": np.array([-200.0]),  # so does whatever is left open
    "rest": np.array([1.0]),  # otherwise the string is balanced
}


def relu(x):
    return np.where(x > 0, x, 0)


def predict(strings):
    w = WEIGHTS
    answers = {}
    lengths = sorted({len(s) for s in strings})
    for length in lengths:
        chosen = [i for i, s in enumerate(strings) if len(s) == length]
        ids = np.array([["()".find(sign) for sign in strings[i]] for i in chosen])
        x = w["embed"][ids][..., 0]
        mask = np.tril(np.ones((length, length)))
        scores = np.exp(w["query"] * mask) * mask
        mean = x @ (scores / scores.sum(axis=1, keepdims=True)).T
        falls = relu(w["low"] * mean).max(axis=1)
        logit = w["rest"] + w["fall"] * falls + w["open"] * relu(mean[:, -1])
        answers.update(zip(chosen, (logit > 0).astype(int).tolist()))
    return [answers[i] for i in range(len(strings))]
"""

LEANING = """import numpy as np

from handnet_bench.networks import dyck1

TASK = "dyck1"

WEIGHTS = dyck1.WEIGHTS


def predict(strings):
    return dyck1.predict(strings)
"""

HONEST = {
    "a reference entry that imports its network": ("dyck1", LEANING),
    "two layers of convolutions": ("mnist", CONVOLUTIONS),
    "glyphs in triple quotes": ("mnist", DRAWN),
    "strokes and a pen": ("mnist", PEN),
    "zones without numpy": ("mnist", ZONES),
    "a lexicon of words and pairs": ("sst2", BIGRAMS),
    "a recurrent mood": ("sst2", MOOD),
    "two attention heads": ("induction", HEADS),
    "a cell with gates": ("dyck1", GATES),
    "averages over the past": ("dyck1", DEPTHS),
    "a finite-state network": ("addition", MACHINE),
    "carries by looking ahead": ("addition", LOOKAHEAD),
}
