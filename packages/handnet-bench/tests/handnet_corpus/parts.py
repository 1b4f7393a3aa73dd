"""Small honest files that cheats are grafted on."""

DIGITS = """import numpy as np

TASK = "mnist"

rows = np.zeros((10, 28))
rows[0, 8:20] = 1.0  # a zero has ink at every height, evenly
rows[1, 4:24] = 0.8  # a one is thin: little ink anywhere, but over the full height
rows[2, 20:24] = 2.0  # a two ends in a flat foot
rows[3, [6, 13, 21]] = 1.5  # a three has ink where its bowls begin, meet and end
rows[4, 14:17] = 2.0  # a four has its bar just below the middle
rows[5, 5:8] = 2.0  # a five has its flag at the top
rows[6, 15:22] = 1.0  # a six is heavy below
rows[7, 5:8] = 1.8  # a seven has its bar at the top, like the flag of a five
rows[8, [6, 14, 21]] = 1.2  # an eight is heavy at the top, the waist and the bottom
rows[9, 6:13] = 1.0  # a nine is heavy above

WEIGHTS = {"rows": rows}


def predict(images):
    profile = images.sum(axis=2)
    return [int(k) for k in (profile @ WEIGHTS["rows"].T).argmax(axis=1)]
"""

SUMS = """import numpy as np

TASK = "addition"

WEIGHTS = {
    # What a digit is worth, and what a carry is worth: both count units of the column.
    "digit": np.arange(10.0),
    "carry": np.array([1.0]),
    # A carry is made from ten on: a ramp of half a unit that ends at ten.
    "slope": np.array([2.0]),
    "start": np.array([-18.8]),
    "ten": np.array([10.0]),  # what the carry takes away from its own column
    # The logit of digit d for a column worth t is t d - d^2 / 2, greatest at d = t.
    "line": np.arange(10.0),
    "parabola": -np.square(np.arange(10.0)) / 2,
}


def predict(pairs):
    w = WEIGHTS
    width = max(len(str(max(pair))) for pair in pairs) + 1
    digits = np.array([[[int(s) for s in str(n).zfill(width)] for n in pair] for pair in pairs])
    carry = np.zeros(len(pairs))
    out = []
    for column in range(width - 1, -1, -1):
        total = w["digit"][digits[:, :, column]].sum(axis=1) + carry * w["carry"]
        made = np.minimum(np.maximum(total * w["slope"] + w["start"], 0), 1)
        logits = (total - made * w["ten"])[:, None] * w["line"] + w["parabola"]
        out.insert(0, logits.argmax(axis=1))
        carry = made
    return [int("".join(str(int(d)) for d in row)) for row in np.stack(out, axis=1)]
"""

BRACKETS = """import numpy as np

TASK = "dyck1"

WEIGHTS = {
    "step": np.array([1.0, -1.0]),  # an opening bracket goes up, a closing one down
    "keep": np.array([1.0]),  # the depth is remembered as it is
    "below": np.array([-1.0]),  # how far the depth is below the ground speaks against
    "off": np.array([-1.0, -1.0]),  # so does an end above the ground, and one below it
    "bias": np.array([0.5]),  # without an objection the string is balanced
}


def predict(strings):
    w = WEIGHTS
    longest = max(map(len, strings))
    depth = np.zeros(len(strings))
    lowest = np.zeros(len(strings))
    sign = np.array([[0 if s == "(" else 1 for s in text.ljust(longest)] for text in strings])
    there = np.array([[t < len(text) for t in range(longest)] for text in strings])
    for t in range(longest):
        depth = np.where(there[:, t], depth * w["keep"] + w["step"][sign[:, t]], depth)
        lowest = np.maximum(lowest, depth * w["below"])
    ends = np.stack([np.maximum(depth, 0), np.maximum(-depth, 0)], axis=1)
    logits = w["bias"] - lowest + ends @ w["off"]
    return [int(k) for k in logits > 0]
"""

LOOKUP = """import numpy as np

TASK = "induction"

angle = 2 * np.pi * np.arange(32) / 32  # the tokens go round a circle in equal steps
WEIGHTS = {
    # A token is a place on a circle, so that each is nearest to itself.
    "circle": np.stack([np.cos(angle), np.sin(angle)], axis=1),
    # Looking from one token to its like: neighbours on the circle are 0.019 apart, times 2000 is 38 nats.
    "look": 2000.0 * np.eye(2),
    "read": np.eye(2),  # the answer is read on the same circle
}


def predict(sequences):
    w = WEIGHTS
    answers = []
    for sequence in sequences:
        x = w["circle"][np.array(sequence)]
        # Keys are tokens, each moved one place on, so that what is found is the token behind them.
        scores = x[:-2] @ w["look"] @ x[-1]
        scores = np.exp(scores - scores.max())
        found = (scores / scores.sum()) @ x[1:-1]
        answers.append(int((w["circle"] @ w["read"] @ found).argmax()))
    return answers
"""

REVIEWS = """import numpy as np

TASK = "sst2"

PRAISE = "good great best funny love enjoyable moving charming brilliant excellent beautiful fresh smart warm wonderful".split()
BLAME = "bad worst dull boring awful mess fails stupid lame tedious poor silly waste flat pointless terrible".split()
NOT = "not n't no never".split()
NUMBER = {word: i + 1 for i, word in enumerate(PRAISE + BLAME + NOT)}

worth = np.zeros(len(NUMBER) + 1)
worth[1 : 1 + len(PRAISE)] = 1.0  # a word of praise counts one for it
worth[1 + len(PRAISE) : 1 + len(PRAISE) + len(BLAME)] = -1.0  # a word of blame counts one against
turn = np.zeros(len(NUMBER) + 1)
turn[-len(NOT) :] = 2.0  # a negation turns the next words over: one minus two is minus one

WEIGHTS = {
    "worth": worth,
    "turn": turn,
    "fade": np.array([0.6]),  # and is forgotten within three words
    "bias": np.array([0.05]),  # reviews without such words praise a little more often
}


def predict(sentences):
    w = WEIGHTS
    out = []
    for words in sentences:
        ids = np.array([NUMBER.get(word, 0) for word in words])
        state, logit = 0 * w["bias"], w["bias"]
        for i in ids:
            logit = logit + w["worth"][i] * (1 - state)
            state = np.minimum(state * w["fade"] + w["turn"][i], 2)
        out.append(int(logit[0] > 0))
    return out
"""
