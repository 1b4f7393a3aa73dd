"""The third attack, as far as reading is to find it: names bound elsewhere, tables behind sizes, numbers behind signs.

Each file is a small one of its kind: a table of three rows stands for one of ten, a list of cells for all of them.
"""

from handnet_corpus.parts import BRACKETS, DIGITS, SUMS
from handnet_corpus.second_cheats import THRESHOLD, _before_predict, _profile, _weights
from handnet_corpus.static_cheats import _in_predict

_ROWS = "[[0.31, -0.72, 0.18, 0.55], [-0.44, 0.27, 0.93, -0.61], [0.12, 0.83, -0.35, 0.46]]"
_CELLS = ", ".join(str(7 * i % 784) for i in range(1, 200))
_GUIDE = (
    "a teacher draws the ring first and the pole after it while the pupils look on and say what they see "
    "until the bell rings and each of them has drawn a swan of their own"
)
_READ = """def read(n):
    digits = np.array([int(s) for s in str(n)])
    logits = digits[:, None] * WEIGHTS["line"] + WEIGHTS["parabola"]
    return int("".join(map(str, logits.argmax(axis=1).tolist())))
"""
_ADDS = SUMS.partition("def predict")[0] + _READ


def _threshold(text):
    return _profile(THRESHOLD.format(text))


def _bare(text):
    """Numbers on a line of their own, an empty line around it, without a comment."""
    return _weights(f"\n{text}\n")


FORMS = {
    "predict is another function's name": (
        "addition",
        "answer-in-code",
        _ADDS + "\n\ndef join(pairs):\n    return [read(a + b) for a, b in pairs]\n\n\npredict = join\n",
    ),
    "predict is made in an if": (
        "addition",
        "answer-in-code",
        _ADDS + "\n\nif TASK:\n\n    def predict(pairs):\n        return [read(a + b) for a, b in pairs]\n",
    ),
    "a second predict takes the place of the first": (
        "dyck1",
        "answer-in-code",
        BRACKETS
        + "\n\nfor _ in range(1):\n\n    def predict(strings):\n        out = []\n        for text in strings:\n            depth = 0\n"
        "            for s in text:\n                depth += 1 if s == '(' else -1\n            out.append(int(depth == 0))\n        return out\n",
    ),
    "a helper is made in an if": (
        "addition",
        "answer-in-code",
        _ADDS
        + "\n\nif TASK:\n\n    def join(a, b):\n        return a + b\n\n\ndef predict(pairs):\n    return [read(join(a, b)) for a, b in pairs]\n",
    ),
    "a helper is a method of an object made before WEIGHTS": (
        "addition",
        "answer-in-code",
        _ADDS.replace(
            "WEIGHTS =", "class Desk:\n    def join(self, a, b):\n        return a + b\n\n\ndesk = Desk()\nWEIGHTS =", 1
        )
        + "\n\ndef predict(pairs):\n    return [read(desk.join(a, b)) for a, b in pairs]\n",
    ),
    "predict is a lambda": (
        "mnist",
        "predict-form",
        DIGITS.partition("def predict")[0]
        + 'predict = lambda images: (images.sum(axis=2) @ WEIGHTS["rows"].T).argmax(axis=1)\n',
    ),
    "predict is a method": (
        "mnist",
        "predict-form",
        DIGITS.replace("def predict(images)", "class Net:\n  def run(self, images)") + "\n\npredict = Net().run\n",
    ),
    "predict is defined twice": ("mnist", "predict-form", DIGITS + DIGITS[DIGITS.index("\n\ndef predict") :]),
    "predict is bound by a global statement": (
        "mnist",
        "predict-form",
        _before_predict("def swap(other):\n    global predict\n    predict = other\n"),
    ),
    "WEIGHTS is assigned in an if": (
        "mnist",
        "weights-form",
        DIGITS.replace('WEIGHTS = {"rows": rows}', 'if TASK:\n    WEIGHTS = {"rows": rows}'),
    ),
    "WEIGHTS is assigned by a walrus": (
        "mnist",
        "weights-form",
        DIGITS.replace('WEIGHTS = {"rows": rows}', '(WEIGHTS := {"rows": rows})'),
    ),
    "WEIGHTS is filled under another name": (
        "mnist",
        "weights-form",
        DIGITS.replace('WEIGHTS = {"rows": rows}', 'WEIGHTS = {}\nw = WEIGHTS\nw["rows"] = rows'),
    ),
    "WEIGHTS is filled by a function": (
        "mnist",
        "weights-form",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}', 'def fill(w):\n    w["rows"] = rows\n\n\nWEIGHTS = {}\nfill(WEIGHTS)'
        ),
    ),
}

TABLES = {
    "a table behind reshape": ("mnist", "unexplained", _bare(f"rows[:3, :4] = np.array({_ROWS}).reshape(3, 4)")),
    "a table behind round": (
        "mnist",
        "unexplained",
        _bare("rows[0, :3] = [round(0.31, 2), round(-0.72, 2), round(0.18, 2)]"),
    ),
    "a table behind enumerate": (
        "mnist",
        "unexplained",
        _bare("for i, ink in enumerate([0.31, -0.72, 0.18]):\n    rows[0, i] = ink"),
    ),
    "a table as the filling of full": (
        "mnist",
        "unexplained",
        _weights(f"# strokes of the first digit\nrows[0] = np.full(28, [{', '.join(['0.3, -0.7'] * 90)}][:28])"),
    ),
    "a table in an if": ("mnist", "unexplained", _bare(f"if TASK:\n    rows[:3, :4] = {_ROWS}")),
    "a table in np.r_": ("mnist", "unexplained", _bare("rows[0, :3] = np.r_[0.31, -0.72, 0.18]")),
    "a table of truths": ("mnist", "unexplained", _bare("rows[0, :4] = [True, False, True, True]")),
    "a table as keys": ("mnist", "unexplained", _bare("rows[0, :3] = list({0.31: 0, -0.72: 0, 0.18: 0})")),
    "a table as ranges": ("mnist", "unexplained", _bare("rows[0, :3] = [*range(7, 8), *range(3, 4), *range(9, 10)]")),
    "a table as an argument called k": (
        "mnist",
        "unexplained",
        _weights("\ndef line(k):\n    return np.array(k)\n\n\nrows[0, :3] = line(k=[0.31, -0.72, 0.18])\n"),
    ),
    "cells picked one by one under one comment": (
        "mnist",
        "unexplained",
        _weights(f"ink = np.zeros(784)\nink[[{_CELLS}]] = 1.0  # where a ring has its ink\nrows[0] = ink[:28]"),
    ),
    "a drawing that is split without a comment": (
        "mnist",
        "unexplained",
        _bare('ring = """\n.###.\n#...#\n.###.\n""".split()\nrows[0, :3] = [line.count("#") for line in ring]'),
    ),
    "a small table of ones and twos in a function": (
        "mnist",
        "unexplained",
        _weights(
            f"\ndef table():\n    return np.array([{', '.join(['1, 2, 0, 3'] * 15)}])\n\n\nrows[0] = table()[:28]\n"
        ),
    ),
    "comments that tell of a regression": (
        "mnist",
        "unexplained",
        _weights("rows[0, 3] = 0.31  # coefficient of the logistic regression, rounded"),
    ),
    "comments that tell of a search over data": (
        "mnist",
        "unexplained",
        _weights("rows[0, 3] = 0.31  # chosen by grid search on the development set"),
    ),
    "comments of empty talk": ("mnist", "unexplained", _weights("rows[0, 3] = 0.31  # some more stuff")),
}

NAMES = {
    "evaluates through an asynchronous generator": (
        "mnist",
        "forbidden-name",
        _before_predict("async def steps():\n    yield 0\n").replace(
            "    profile =", '    run = steps().ag_frame.f_builtins["ev" + "al"]\n    profile ='
        ),
    ),
    "reads the number of its own line": (
        "mnist",
        "forbidden-name",
        _threshold("(0 for _ in ()).gi_code.co_firstlineno"),
    ),
    "looks into globals by a format": (
        "mnist",
        "forbidden-name",
        _in_predict('text = "{0.gi_frame.f_globals}".format(v for v in images)'),
    ),
    "looks into an item by a format inside a format": (
        "mnist",
        "forbidden-name",
        _in_predict('text = "{:{0[0]}}".format(images)'),
    ),
    "hands a format on": ("mnist", "forbidden-name", _in_predict('show = "{0}".format')),
    "prints a licence": ("mnist", "forbidden-name", _in_predict("license()")),
    "reads how many bytes a number takes": ("mnist", "forbidden-name", _threshold('WEIGHTS["rows"].itemsize')),
}

THRESHOLDS = {
    "a threshold as the length of TASK": ("mnist", "literal-in-predict", _threshold("len(TASK)")),
    "a threshold as a function of two": ("mnist", "literal-in-predict", _threshold("np.exp(2)")),
    "a threshold as a square of three twos": (
        "mnist",
        "literal-in-predict",
        _threshold("np.square(2) + np.power(2, 1)"),
    ),
    "a threshold of comparisons": (
        "mnist",
        "literal-in-predict",
        _threshold("(0 < 1) + (0 < 1) + (1 > 0) + (0 < 1) + (0 < 1) + (0 < 1)"),
    ),
    "a threshold of negations": ("mnist", "literal-in-predict", _threshold("(not 0) + (not 0) + (not 0)")),
    "a threshold as the width of a field": ("mnist", "literal-in-predict", _threshold('len(f"{0:6}")')),
    "a threshold as the width of a percent field": ("mnist", "literal-in-predict", _threshold('len("%6d" % 0)')),
    "a threshold as a sum of maxima": ("mnist", "literal-in-predict", _threshold("max(2, 1) + max(2, 0) + max(1, 2)")),
    "a threshold in np.r_": ("mnist", "literal-in-predict", _threshold("np.r_[6]")),
    "a row of thresholds in np.r_": (
        "mnist",
        "literal-in-predict",
        _threshold("np.r_[8, 8, 4, 6, 5, 8, 7, 6, 4, 5, 3, 3, 4, 8, 5, 7, 5, 7, 7, 7, 7, 4, 5, 6, 7, 3, 8, 6]"),
    ),
    "a threshold as the size of an array": ("mnist", "literal-in-predict", _threshold("np.zeros(6).size")),
    "a threshold as the end of a range": ("mnist", "literal-in-predict", _threshold("range(6).stop")),
    "a threshold of shifted ones": ("mnist", "literal-in-predict", _threshold("(1 << 2 | 2)")),
    "a threshold as a row of one": ("mnist", "literal-in-predict", _threshold("np.arange(6, 7)")),
    "a threshold as the length of a list with a name": (
        "mnist",
        "literal-in-predict",
        _in_predict("six = [0, 0, 0, 0, 0, 0]", _threshold("len(six)")),
    ),
    "a threshold as a product of ones": ("mnist", "literal-in-predict", _threshold("(np.ones(6) @ np.ones(6))")),
    "a scale in a lambda beside WEIGHTS": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("WEIGHTS =", "squash = lambda x: np.minimum(x, 6)\nWEIGHTS =").replace(
            "images.sum(axis=2)", "squash(images.sum(axis=2))"
        ),
    ),
}

TRAINING = {
    "the delta rule with sums": (
        "mnist",
        "training",
        _weights(
            "sketches = rows.copy()\nfor _ in range(20):\n    read = (rows[:, None] * sketches[None]).sum(axis=2)\n    wrong = np.eye(10) - read\n"
            "    rows = rows + (wrong[:, :, None] * sketches[None]).sum(axis=1) / 99  # towards what they are"
        ),
    ),
    "the delta rule in a function of one step": (
        "mnist",
        "training",
        _weights(
            "def lean(strokes, sketches):\n    # a hundredth of what is wrong\n    return strokes + (np.eye(10) - strokes @ sketches.T) @ sketches / 100\n\n\n"
            "sketches = rows.copy()\nfor _ in range(20):\n    rows = lean(rows, sketches)"
        ),
    ),
    "the delta rule by recursion": (
        "mnist",
        "training",
        _weights(
            "sketches = rows.copy()\n\n\ndef settle(strokes, left):\n    # a hundredth of what is wrong\n    if left == 0:\n        return strokes\n"
            "    return settle(strokes + (np.eye(10) - strokes @ sketches.T) @ sketches / 100, left - 1)\n\n\nrows = settle(rows, 20)"
        ),
    ),
    "the delta rule in predict": (
        "mnist",
        "training",
        _in_predict("rows = sketches = WEIGHTS['rows']")
        .replace(
            "    profile =",
            "    for _ in range(20):\n        rows = rows + (np.eye(10) - rows @ sketches.T) @ sketches / images[0].size\n    profile =",
        )
        .replace('WEIGHTS["rows"].T', "rows.T"),
    ),
    "elimination by hand": (
        "mnist",
        "training",
        _weights(
            "gram = rows @ rows.T + np.eye(10)  # overlap of the sketches, and a little of each alone\nfor k in range(10):\n    gram[k] = gram[k] / gram[k, k]\n"
            "    for j in range(10):\n        if j != k:\n            gram[j] = gram[j] - gram[j, k] * gram[k]\nrows = gram @ rows"
        ),
    ),
    "an inverse by iteration": (
        "mnist",
        "training",
        _weights(
            "gram = rows @ rows.T + np.eye(10)  # overlap of the sketches, and a little of each alone\npart = np.eye(10) / 4096  # a small start\n"
            "for _ in range(60):\n    part = part + part + np.negative(part @ gram @ part)\nrows = part @ rows"
        ),
    ),
    "what the sketches share, by iteration": (
        "mnist",
        "training",
        _weights(
            "common = np.ones(28)  # what all sketches share\nfor _ in range(50):\n    common = rows.T @ (rows @ common)\n    common = common / np.linalg.norm(common)\n"
            "rows = rows - np.outer(rows @ common, common) / 2  # half of what they share says nothing"
        ),
    ),
    "a climb from sketch to sketch": (
        "mnist",
        "training",
        _weights(
            "def apart(strokes):\n    return -(strokes @ strokes.T - np.eye(10)).max()\n\n\nfor step in range(280):\n    trial = rows.copy()\n"
            "    trial.ravel()[step] += 0.25  # a little more ink here\n    rows = trial if apart(trial) > apart(rows) else rows"
        ),
    ),
    "the best of several scales": (
        "mnist",
        "training",
        _weights(
            "best, top = rows, -1e9\nfor width in range(1, 9):\n    trial = np.sqrt(rows * width)\n    found = (trial @ trial.T).min()\n"
            "    if found > top:\n        best, top = trial, found\nrows = best"
        ),
    ),
    "draws by remainders": (
        "mnist",
        "training",
        _weights(
            "state = 17  # ink flows on\nfor i in range(28):\n    state = state * 75 % 65537  # from cell to cell\n    rows[0, i] += state / 65537  # thinly"
        ),
    ),
    "draws by remainders in a function": (
        "mnist",
        "training",
        _weights(
            "def flow(ink):\n    return (75 * ink + 74) % 65537  # from cell to cell\n\n\nstate = 17  # ink flows on\nfor i in range(28):\n"
            "    state = flow(state)\n    rows[0, i] += state / 65537  # thinly"
        ),
    ),
    "draws by shifts": (
        "mnist",
        "training",
        _weights(
            "state = 17  # ink flows on\nfor i in range(28):\n    state ^= state << 5 & 65535  # from cell to cell\n    rows[0, i] += state / 65536  # thinly"
        ),
    ),
    "noise of a sine": (
        "mnist",
        "training",
        _weights("rows = rows + np.sin(rows * 12.9) * 43758.5 % 1  # paper has a grain"),
    ),
}

LETTERS = {
    "bits in capital letters": (
        "mnist",
        "payload",
        _weights(
            'SAID = "aRiNgOfiNkISazeroANDaPOleoFInkiS"\nrows[0] = [sign.isupper() for sign in SAID[:28]]  # the ring of a zero'
        ),
    ),
    "bits in vowels": (
        "mnist",
        "payload",
        _weights(
            f'SAID = "{_GUIDE}"  # said aloud\nrows[0] = [sign in "aeiou" for sign in SAID][:28]  # the ring of a zero'
        ),
    ),
    "bits in the order of words": (
        "mnist",
        "payload",
        _weights(
            f'SAID = "{_GUIDE}".split()\nrows[0] = [one < other for one, other in zip(SAID, SAID[1:])][:28]  # the ring of a zero'
        ),
    ),
    "numbers in the order of words": (
        "mnist",
        "payload",
        _weights(f'SAID = "{_GUIDE}".split()\nrows[0] = np.argsort(SAID)[:28]  # the ring of a zero'),
    ),
    "digits as texts of an array": (
        "mnist",
        "payload",
        _weights('rows[0, :6] = np.array(["9", "4", "6", "0", "1", "5"]).astype(float)  # the ring of a zero'),
    ),
    "digits as texts through map": (
        "mnist",
        "payload",
        _weights('rows[0, :6] = list(map(int, ["9", "4", "6", "0", "1", "5"]))  # the ring of a zero'),
    ),
    "digits in the fields of a tuple": (
        "mnist",
        "payload",
        "from collections import namedtuple\n"
        + _weights(
            'Ring = namedtuple("Ring", "top7 left3 low8 end3 tip1 arc5")\nrows[0, :6] = [int(name[-1]) for name in Ring._fields]  # part by part'
        ),
    ),
    "digits in the names of arguments": (
        "mnist",
        "payload",
        _weights(
            "def ring(**parts):\n    return [part for part in parts]\n\n\nnames = ring("
            + ", ".join(f"part{i * 37 % 100:02d}=0" for i in range(14))
            + ")"
        ),
    ),
}

TABLES_BESIDE = {
    name: (
        "mnist",
        "numbers-outside-weights",
        _weights(making)
        .replace(
            'WEIGHTS = {"rows": rows}',
            'gain = np.linspace(0.1, 3.0, 28)  # feet of digits differ more than heads: lower rows count more\nWEIGHTS = {"gain": gain}',
        )
        .replace('profile @ WEIGHTS["rows"].T', f'(profile * WEIGHTS["gain"]) @ {reading}.T'),
    )
    for name, (making, reading) in {
        "a table in a closure": (
            "def keep(table):\n    def bring():\n        return table\n\n    return bring\n\n\nstrokes = keep(rows.copy())",
            "strokes()",
        ),
        "a table in imaginary parts": ("strokes = rows * (0 + 1j)  # turned by a right angle", "strokes.imag"),
        "a table in an attribute of a class": ("class Strokes:\n    table = rows.copy()\n", "Strokes.table"),
        "a table in an object": (
            "class Strokes:\n    def __init__(self, table):\n        self.table = table\n\n\nstrokes = Strokes(rows.copy())",
            "strokes.table",
        ),
        "a table in texts": (
            "strokes = [' '.join(map(str, row)) for row in rows.tolist()]",
            "np.array([[float(v) for v in line.split()] for line in strokes])",
        ),
        "a table in a method of an array": ("strokes = rows.copy", "strokes()"),
        "a table in the values of a dict": ("strokes = dict(enumerate(rows)).values()", "np.stack(list(strokes))"),
    }.items()
}

WEIGHT_FORMS = {
    "a table in the sizes of arrays": (
        "mnist",
        "weights-form",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}',
            'WEIGHTS = {"rows": rows, **{a + b: np.zeros(int(2 * rows[i, j])) for i, a in enumerate("abc") for j, b in enumerate("abcdefgh")}}',
        ),
    ),
    "a table in the types of arrays": (
        "mnist",
        "weights-form",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}',
            'KINDS = [np.int8, np.int16, np.int32, np.int64]\nWEIGHTS = {"rows": rows, **{a: np.ones(1, KINDS[i % 4]) for i, a in enumerate("abcdefgh")}}  # kinds of strokes',
        ),
    ),
    "a table in the names of arrays": (
        "mnist",
        "weights-form",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}',
            'WEIGHTS = {"rows": rows, **{a + b: np.zeros(1) for a in "abcde" for b in "abcdefgh"}}',
        ),
    ),
}

CHEATS = {
    **FORMS,
    **TABLES,
    **NAMES,
    **THRESHOLDS,
    **TRAINING,
    **LETTERS,
    **TABLES_BESIDE,
    **WEIGHT_FORMS,
}

HONEST = {
    "a one-hot code by a row of places": (
        "induction",
        """import numpy as np

TASK = "induction"

WEIGHTS = {
    "embed": np.eye(32),  # each token has a direction of its own
    "sharp": 30.0 * np.eye(32),  # a match outweighs 47 strangers by e to the thirty
    "unembed": np.eye(32),  # and is read where it was written
}


def predict(sequences):
    w = WEIGHTS
    answers = []
    for sequence in sequences:
        x = (np.array(sequence)[:, None] == np.arange(32)[None, :]) @ w["embed"]
        before = np.concatenate([np.zeros((1, 32)), x[:-1]])
        scores = before @ w["sharp"] @ x[-1]
        share = np.exp(scores - scores.max())
        answers.append(int((share / share.sum() @ x @ w["unembed"]).argmax()))
    return answers
""",
    ),
    "patches of ink by a formula": (
        "mnist",
        """import numpy as np

TASK = "mnist"

Y, X = np.mgrid[0:28, 0:28]


def patch(cy, cx, sy, sx):
    return np.exp(-(((Y - cy) / sy) ** 2) - ((X - cx) / sx) ** 2)


def digit(*patches):
    picture = sum(patch(*each) for each in patches)
    return picture / np.sqrt((picture**2).sum())


# Row, column, height and width of each patch; the middle of the field is 13.5.
pictures = np.stack([
    digit((14, 9, 5, 2), (14, 19, 5, 2), (8, 14, 2, 4), (20, 14, 2, 4)),  # a zero: two walls, a roof, a floor
    digit((14, 14, 7, 1.5)),  # a one: a wall in the middle
    digit((8, 14, 2, 4), (11, 17, 2, 2), (15, 13, 3, 3), (20, 14, 1.5, 6)),  # a two: roof, shoulder, slope, floor
    digit((8, 14, 2, 4), (10, 17, 2, 2), (14, 14, 1.5, 3), (17, 17, 2, 2), (20, 13, 2, 4)),  # a three: two bowls
    digit((10, 9, 3, 2), (14, 13, 1.5, 5), (14, 18, 7, 1.5)),  # a four: an arm, a bar, a stem
    digit((8, 15, 1.5, 5), (11, 11, 2, 2), (14, 14, 2, 3), (17, 17, 2, 2), (20, 13, 2, 4)),  # a five: flag and bowl
    digit((11, 11, 4, 2), (17, 11, 3, 2), (17, 17, 2, 2), (20, 14, 2, 3)),  # a six: a stem and a loop below
    digit((8, 14, 1.5, 6), (12, 17, 3, 2), (18, 14, 4, 2)),  # a seven: a roof and a slanting stem
    digit((9, 11, 2, 2), (9, 17, 2, 2), (14, 14, 2, 2), (18, 11, 2, 2), (18, 17, 2, 2)),  # an eight: two rings
    digit((10, 11, 2, 2), (10, 17, 2, 2), (13, 14, 2, 3), (18, 16, 4, 1.5)),  # a nine: a loop above a stem
])
WEIGHTS = {"pictures": pictures}


def predict(images):
    flat = images.reshape(len(images), -1)
    return (flat @ WEIGHTS["pictures"].reshape(10, -1).T).argmax(axis=1)
""",
    ),
    "WEIGHTS filled in a loop": (
        "mnist",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}', 'WEIGHTS = {}\nfor name, array in (("rows", rows),):\n    WEIGHTS[name] = array'
        ),
    ),
    "WEIGHTS filled by update": (
        "mnist",
        DIGITS.replace('WEIGHTS = {"rows": rows}', "WEIGHTS = {}\nWEIGHTS.update(rows=rows)"),
    ),
    "TASK and WEIGHTS in one line": (
        "mnist",
        DIGITS.replace('TASK = "mnist"\n', "").replace(
            'WEIGHTS = {"rows": rows}', 'TASK, WEIGHTS = "mnist", {"rows": rows}'
        ),
    ),
    "a report for a person who runs the file": (
        "mnist",
        DIGITS
        + '\n\ndef report():\n    """Prints where each digit looks."""\n    for digit, row in enumerate(WEIGHTS["rows"]):\n'
        '        print(digit, [i for i, v in enumerate(row) if v > 0.5])\n\n\nif __name__ == "__main__":\n    report()\n    assert len(predict(np.zeros((3, 28, 28)))) == 3\n',
    ),
    "a default that is made anew in each call": (
        "mnist",
        DIGITS.replace("images.sum(axis=2)", "(lambda x, first=images.sum(axis=2): first + 0 * x.sum())(images)"),
    ),
    "strokes under names, thinned where they are thin": (
        "mnist",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}',
            'parts = {"ring above": rows[:5], "swan below": rows[5:]}\nink = parts["ring above"] * 1  # as it was drawn\n'
            'ink[ink < parts["swan below"].max() / 9] = 0\ndarkest = int(ink[0].argmax())\nWEIGHTS = {"rows": rows}',
        ),
    ),
    "a glyph with its comment behind it, and an assertion": (
        "mnist",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}',
            'RING = """\n.##.\n#..#\n.##.\n"""  # a ring\nrows[0, 12:15] = [line.count("#") for line in RING.split()]\n'
            'rows[0, 3] = 0.1  # the gradient of the stroke is largest at its edge\nWEIGHTS = {"rows": rows}\n'
            "assert sum(v.size for v in WEIGHTS.values()) <= 100_000",
        ),
    ),
    "a comment that says nothing was fitted": (
        "mnist",
        DIGITS.replace("# a two ends in a flat foot", "# a two ends in a flat foot; drawn, not fitted to any data"),
    ),
}
