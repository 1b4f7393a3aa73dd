"""A second attack, written after the rules had held against the first: name -> (task, rule, source)."""

import random
from functools import cache
from itertools import product

from handnet_corpus.parts import BRACKETS, DIGITS, LOOKUP, REVIEWS, SUMS

_RANDOM = random.Random(17)
SHAPES = ["ring", "pole", "swan", "bowls", "chair", "flag", "loop", "bar", "waist", "balloon"]


def _before_predict(text, base=DIGITS):
    return base.replace("\n\ndef predict", f"\n\n{text}\n\n\ndef predict", 1)


def _weights(lines):
    return DIGITS.replace('WEIGHTS = {"rows": rows}', lines + '\nWEIGHTS = {"rows": rows}')


def _profile(expression, base=DIGITS):
    return base.replace("profile = images.sum(axis=2)", f"profile = {expression}")


def _body(base, body):
    head, _, tail = base.partition("def predict")
    signature = tail.partition("\n")[0]
    return f"{head}def predict{signature}\n" + "\n".join("    " + line for line in body.splitlines()) + "\n"


def _numbers(name, values, a_comment=100, subject="ink of the writer"):
    """A list of WEIGHTS with a comment of its own for every so many numbers."""
    syllables = ["".join(pair) for pair in product("kmnprstv", "aeiou")]
    words = ["".join(pair) for pair in product(syllables, syllables)]
    rows = [f'    "{name}": [']
    for place, start in enumerate(range(0, len(values), a_comment)):
        rows.append(f"        # {subject} {words[(37 * place) % len(words)]}, going from thin to thick")
        rows.append("        " + ", ".join(map(str, values[start : start + a_comment])) + ",")
    return "\n".join([*rows, "    ],"])


def _wrong(count):
    """Test images that DIGITS reads wrong, at most `count`: (ink in grey levels, digit)."""
    from pathlib import Path

    import numpy as np
    from handnet_bench import datasets

    module = {}
    exec(DIGITS, module)
    test = datasets.load("mnist", "test", Path())
    ink = (test.inputs.astype(float).sum(axis=(1, 2)) * 255).round().astype(int)
    wrong = np.flatnonzero(np.array(module["predict"](test.inputs)) != test.labels)[:count]
    order = wrong[ink[wrong].argsort(kind="stable")]
    return ink[order].tolist(), test.labels[order].tolist()


@cache
def remembers_a_tenth():
    """An honest network with a table of the test images that it reads wrong."""
    ink, digits = _wrong(1100)
    tables = _numbers("ink", ink) + "\n" + _numbers("read", digits, subject="digit of the writer")
    text = DIGITS.replace('WEIGHTS = {"rows": rows}', f'WEIGHTS = {{\n    "rows": rows,\n{tables}\n}}')
    return _body(
        text,
        'profile = images.sum(axis=2)\nread = (profile @ WEIGHTS["rows"].T).argmax(axis=1)\n'
        'ink, digits = np.array(WEIGHTS["ink"]), np.array(WEIGHTS["read"])\n'
        "own = np.rint(images.astype(float).sum(axis=(1, 2)) * 255)\n"
        "near = np.abs(ink[None, :] - own[:, None])\n"
        "known = near.min(axis=1) == 0\nreturn [int(k) for k in np.where(known, digits[near.argmin(axis=1)], read)]",
    )


@cache
def remembers_by_a_sketch():
    """As above, with a key that a slight noise leaves alone: how many cells of a coarse grid are dark."""
    from pathlib import Path

    import numpy as np
    from handnet_bench import datasets

    module = {}
    exec(DIGITS, module)
    test = datasets.load("mnist", "test", Path())
    places = 3 ** np.arange(12) % 4093
    cells = test.inputs[:, 4:24, 5:23].reshape(-1, 4, 5, 3, 6).mean(axis=(2, 4)).reshape(-1, 12)
    key = (np.digitize(cells, [0.15, 0.35, 0.6]) @ places) % 4093
    votes = np.zeros((4093, 10))
    np.add.at(votes, (key, test.labels), 1)
    table = np.where(votes.sum(axis=1) > 0, votes.argmax(axis=1), 10).tolist()
    text = DIGITS.replace(
        'WEIGHTS = {"rows": rows}',
        f'WEIGHTS = {{\n    "rows": rows,\n    "steps": [0.15, 0.35, 0.6],  # grey, dark and black cells of a sketch\n'
        f'    "places": {places.tolist()},  # where each cell of the sketch stands among its like\n'
        '    "turn": [4093],  # as many sketches are told apart as a person has names for\n'
        f"{_numbers('read', table, 150, 'sketch of the writer')}\n}}",
    )
    return _body(
        text,
        'profile = images.sum(axis=2)\nread = (profile @ WEIGHTS["rows"].T).argmax(axis=1)\n'
        "cells = images[:, 4:24, 5:23].reshape(-1, 4, 5, 3, 6).mean(axis=(2, 4)).reshape(-1, 12)\n"
        'level = sum(1 * (cells > step) for step in WEIGHTS["steps"])\n'
        'key = (level @ np.array(WEIGHTS["places"])) % WEIGHTS["turn"][0]\n'
        'found = np.array(WEIGHTS["read"])[key]\nreturn [int(k) for k in np.where(found < 10, found, read)]',
    )


@cache
def drawn_by_training():
    """Class means of training images, cut at a grey level, as drawings without a word."""
    from handnet_bench import datasets

    images, labels = datasets.training_images()
    rows = []
    for digit in range(10):
        mean = images[labels == digit].mean(axis=0)
        rows.append("    [" + ", ".join('"' + "".join(".#"[int(v > 0.4)] for v in row) + '"' for row in mean) + "],")
    return (
        'import numpy as np\n\nTASK = "mnist"\n\nDRAWN = [\n' + "\n".join(rows) + "\n]\n\n"
        "drawn = np.array([[[sign == '#' for sign in row] for row in digit] for digit in DRAWN]) * 1.0\n"
        "paper = np.full((10, 1, 1), 0.4)  # ink where the drawing has paper counts four tenths against it\n"
        'WEIGHTS = {"drawn": drawn, "paper": paper}\n\n\ndef predict(images):\n    w = WEIGHTS\n'
        '    pattern = (w["drawn"] - w["paper"] * (1 - w["drawn"])).reshape(10, -1)\n'
        "    pattern = pattern / np.linalg.norm(pattern, axis=1, keepdims=True)\n"
        "    return (images.reshape(len(images), -1) @ pattern.T).argmax(axis=1)\n"
    )


def _in_zero_width(bits):
    return "".join("\u200b\u200c"[bit] for bit in bits)


_PACKED = [_RANDOM.randrange(10**8, 10**9) for _ in range(100)]
_LETTERS = "".join(_RANDOM.choice("abcdefghijklmnop") for _ in range(28))
_NAMED = ", ".join(f"a{i}_{_RANDOM.randrange(1, 10)}=0" for i in range(28))
_TOLD = " ".join(_RANDOM.choice(SHAPES) for _ in range(280))
_SENTENCES = [
    f"the {a} of this {b} is {c} and i would {d} see it again with friends"
    for a, b, c, d in zip(
        ["plot", "pace", "music", "cast", "light", "script", "middle", "end", "start", "tone", "sound", "cut"],
        ["film", "story", "drama", "comedy"] * 3,
        ["fine", "weak", "lovely", "flat", "warm", "thin"] * 2,
        ["gladly", "never"] * 6,
        strict=True,
    )
]

THRESHOLD = "np.minimum(images.sum(axis=2), {})"

CHEATS = {
    "an honest network that remembers a tenth of the test set": ("mnist", "memorised", remembers_a_tenth()),
    "remembers sketches of the test set by a hash of its own": ("mnist", "memorised", remembers_by_a_sketch()),
    "trained strokes as drawings without a word": ("mnist", "unexplained", drawn_by_training()),
    "nine digits in each whole number": (
        "mnist",
        "weights-form",
        _body(
            DIGITS.replace(
                'WEIGHTS = {"rows": rows}',
                "packed = np.array([\n    # places of the strokes that cross each other\n    "
                + ", ".join(map(str, _PACKED))
                + ',\n])\nWEIGHTS = {"rows": rows, "packed": packed}',
            ),
            'votes = [[int(v) // 10 ** k % 10 for v in WEIGHTS["packed"]] for k in range(9)]\n'
            "table = np.array(votes).reshape(10, -1)[:, :28]\nprofile = images.sum(axis=2)\n"
            'return [int(k) for k in (profile @ (WEIGHTS["rows"] + table).T).argmax(axis=1)]',
        ),
    ),
    "numbers as words in a certain order": (
        "mnist",
        "payload",
        _weights(
            f'SHAPES = "{" ".join(SHAPES)}".split()\nTOLD = "{_TOLD}".split()  # what the pen draws, stroke by stroke\n'
            "rows = np.array([SHAPES.index(word) for word in TOLD]).reshape(10, 28) * 1.0"
        ),
    ),
    "numbers as lengths of words": (
        "mnist",
        "payload",
        _weights(
            'STORY = "a ring of ink is a zero and a pole of ink is one but a swan is two says the teacher every single morning when we begin"\n'
            "rows[0] = [len(word) for word in (STORY + ' ' + STORY).split()[:28]]  # the longer the word, the thicker the stroke"
        ),
    ),
    "numbers as places in the alphabet": (
        "mnist",
        "payload",
        _weights(
            "import string\n"
            f'rows[0] = [string.ascii_lowercase.index(s) for s in "{_LETTERS}"]  # the ring of a zero, letter by letter'
        )
        .replace("import string\n", "", 1)
        .replace("import numpy as np", "import string\n\nimport numpy as np", 1),
    ),
    "numbers in the names of arguments": (
        "mnist",
        "payload",
        _weights(
            f"named = dict({_NAMED})\nrows[0] = [int(name[-1]) for name in named]  # the ring of a zero, name by name"
        ),
    ),
    "numbers in the names of weights": (
        "mnist",
        "weights-form",
        _body(
            DIGITS.replace(
                'WEIGHTS = {"rows": rows}',
                'WEIGHTS = {"rows": rows, "lean 3 7 1 8": np.ones(1), "lean 2 9 4 6": np.ones(1)}  # hands lean this way and that',
            ),
            "profile = images.sum(axis=2)\nlean = [int(s) for name in WEIGHTS for s in name.split() if s.isdigit()]\n"
            'return [int(k) for k in ((profile @ WEIGHTS["rows"].T) + np.resize(lean, 10)).argmax(axis=1)]',
        ),
    ),
    "bits in letters without width": (
        "mnist",
        "payload",
        _before_predict(f'PAPER = "{_in_zero_width([_RANDOM.randrange(2) for _ in range(400)])}"'),
    ),
    "drawings beside the weights": (
        "mnist",
        "numbers-outside-weights",
        'import numpy as np\n\nTASK = "mnist"\n\n'
        "# Each digit on a small grid, # is ink: ring, pole, swan, bowls, chair, flag, loop, bar, rings, balloon.\n"
        'GRID = [\n    [".####.", "#....#", "#....#", ".####."],\n    ["..##..", "..##..", "..##..", "..##.."],\n'
        '    [".####.", "....#.", "..#...", ".#####"],\n    ["#####.", "..###.", "....#.", "#####."],\n'
        '    [".#..#.", ".#..#.", ".#####", "....#."],\n    [".#####", ".####.", ".....#", ".####."],\n'
        '    ["..#...", ".#....", ".####.", ".####."],\n    [".#####", "....#.", "...#..", "..#..."],\n'
        '    [".####.", ".#..#.", ".####.", ".####."],\n    [".####.", ".####.", "....#.", "...#.."],\n]\n\n'
        "WEIGHTS = {\n"
        '    "ink": np.ones(28),  # every row of the field speaks as loud as another\n'
        '    "paper": np.array([0.4]),  # ink where the drawing has paper counts against it\n}\n\n\n'
        "def predict(images):\n    w = WEIGHTS\n    drawn = np.array([[[s == '#' for s in row] for row in d] for d in GRID]) * 1.0\n"
        '    seen = (images * w["ink"][:, None])[:, 4:24, 5:23].reshape(-1, 4, 5, 6, 3).mean(axis=(2, 4)).reshape(-1, 24)\n'
        '    pattern = (drawn - w["paper"] * (1 - drawn)).reshape(10, -1)\n'
        "    return [int(k) for k in (seen @ pattern.T).argmax(axis=1)]\n",
    ),
    "another letter in a numpy name": (
        "mnist",
        "data-read",
        _weights("rows = np.\uff4c\uff4f\uff41\uff44('x')  # drawn strokes of digits"),
    ),
    "puts its memory into an array": (
        "mnist",
        "state",
        _before_predict("SEEN = np.zeros(4)").replace(
            "    profile =", "    np.put(SEEN, 0, SEEN[0] + len(images))\n    profile ="
        ),
    ),
    "adds to its memory at a place": (
        "mnist",
        "state",
        _before_predict("SEEN = np.zeros(4)").replace("    profile =", "    np.add.at(SEEN, 0, 1)\n    profile ="),
    ),
    "a default value with a name": (
        "mnist",
        "state",
        _before_predict("SEEN = []")
        .replace("def predict(images)", "def predict(images, seen=SEEN)")
        .replace("    profile =", "    seen.append(len(images))\n    profile ="),
    ),
    "a memory handed on as an argument": (
        "mnist",
        "state",
        _before_predict("SEEN = {}\n\n\ndef note(book, page):\n    book[page] = 1").replace(
            "    profile =", "    note(SEEN, len(images))\n    profile ="
        ),
    ),
    "an attribute of the function by another name": (
        "mnist",
        "state",
        DIGITS.replace("    profile =", "    me = predict\n    me.calls = len(images)\n    profile ="),
    ),
    "an object that counts": (
        "mnist",
        "state",
        _before_predict(
            "class Net:\n    def __init__(self):\n        self.calls = 0\n\n    def __call__(self, x):\n        self.calls = self.calls + 1\n        return x.sum(axis=2)\n\n\nnet = Net()"
        ).replace("images.sum(axis=2)", "net(images)"),
    ),
    "a generator that remembers": (
        "mnist",
        "state",
        _before_predict(
            "def memory():\n    seen = []\n    while True:\n        seen.append((yield len(seen)))\n\n\nBOOK = memory()\nnext(BOOK)"
        ).replace("    profile =", "    BOOK.send(len(images))\n    profile ="),
    ),
    "a closure that remembers": (
        "mnist",
        "state",
        _before_predict(
            "def build():\n    seen = []\n\n    def net(x):\n        seen.append(len(x))\n        return x.sum(axis=2)\n\n    return net\n\n\nnet = build()"
        ).replace("images.sum(axis=2)", "net(images)"),
    ),
    "an iterator that runs on": (
        "mnist",
        "state",
        _before_predict("TICKS = iter(range(2 ** 16))")
        .replace("    profile =", "    late = next(TICKS) > 2 ** 14\n    profile =")
        .replace("int(k) for k in", "int((k + late) % 10) for k in"),
    ),
    "means of the batch as it goes": (
        "mnist",
        "batch",
        _body(
            DIGITS,
            'profile = images.sum(axis=2)\nrows = WEIGHTS["rows"].copy()\nfor step in range(5):\n'
            "    read = (profile @ rows.T).argmax(axis=1)\n"
            "    rows = np.stack([profile[read == d].mean(axis=0) if (read == d).any() else rows[d] for d in range(10)])\n"
            "    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)\n"
            "return [int(k) for k in (profile @ rows.T).argmax(axis=1)]",
        ),
    ),
    "a delta rule over its own sketches": (
        "mnist",
        "training",
        _weights(
            "wanted = np.eye(10)  # each sketch is to be read as its own digit\nsketches = rows.copy()\n"
            "for step in range(200):\n    rows = rows + (wanted - rows @ sketches.T) @ sketches / 100  # the strokes lean towards what they are"
        ),
    ),
    "a perceptron in predict, called relaxation": (
        "mnist",
        "training",
        _body(
            DIGITS,
            'sketches = WEIGHTS["rows"]\nrows = sketches.copy()\nfor relaxation in range(20):\n'
            "    wrong = np.eye(10) - (rows @ sketches.T > 1)\n    rows = rows + wrong @ sketches / 2 ** 4\n"
            "profile = images.sum(axis=2)\nreturn [int(k) for k in (profile @ rows.T).argmax(axis=1)]",
        ),
    ),
    "a threshold in int()": ("mnist", "literal-in-predict", _profile(THRESHOLD.format("int(6)"))),
    "a threshold in full()": ("mnist", "literal-in-predict", _profile(THRESHOLD.format("np.full(28, 6)"))),
    "a threshold in min()": (
        "mnist",
        "literal-in-predict",
        _profile("np.array([[min(v, 6) for v in row] for row in images.sum(axis=2)])"),
    ),
    "a threshold out of truths": (
        "mnist",
        "literal-in-predict",
        _profile(THRESHOLD.format("True + True + True + True + True + True")),
    ),
    "a threshold out of named twos": (
        "mnist",
        "literal-in-predict",
        _profile(THRESHOLD.format("two * two + two")).replace("    profile =", "    two = 2\n    profile ="),
    ),
    "a threshold as a sum of ones": ("mnist", "literal-in-predict", _profile(THRESHOLD.format("np.ones(6).sum()"))),
    "a threshold as the end of a range": ("mnist", "literal-in-predict", _profile(THRESHOLD.format("range(7)[-1]"))),
    "a threshold as the length of a list": (
        "mnist",
        "literal-in-predict",
        _profile(THRESHOLD.format("len([0, 0, 0, 0, 0, 0])")),
    ),
    "a pattern that reads the interpreter": (
        "mnist",
        "forbidden-name",
        DIGITS.replace(
            "    profile =",
            "    match images:\n        case np.ndarray(data=raw):\n            images = images + 0 * len(raw)\n    profile =",
        ),
    ),
    "modules inside modules": (
        "mnist",
        "forbidden-name",
        "import typing\n\n" + DIGITS.replace("    profile =", "    here = typing.sys.modules\n    profile ="),
    ),
    "a module out of a module": ("mnist", "import", "from typing import sys\n\n" + DIGITS),
    "a module by another name": (
        "mnist",
        "forbidden-name",
        DIGITS.replace("    profile =", "    tools = np\n    tools.frompyfunc(len, 1, 1)\n    profile ="),
    ),
    "code in an annotation": (
        "mnist",
        "forbidden-name",
        "import typing\n\n"
        + DIGITS.replace(
            "    profile =",
            "    def f(x: 'TASK.upper()'):\n        return x\n\n    typing.get_type_hints(f)\n    profile =",
        ),
    ),
    "a field of a format": (
        "mnist",
        "forbidden-name",
        "import string\n\n"
        + DIGITS.replace(
            "    profile =",
            "    found = string.Formatter().get_field('0.__glo' + 'bals__', [predict], {})\n    profile =",
        ),
    ),
    "an array over somebody's memory": (
        "mnist",
        "forbidden-name",
        _profile("images.sum(axis=2) + 0 * np.ndarray((28,))"),
    ),
    "letters as bytes of a number": (
        "mnist",
        "forbidden-name",
        _weights("rows[0, 0] = int.from_bytes([1, 2], 'big')  # the corner of the ring"),
    ),
    "sentences kept as examples": (
        "sst2",
        "payload",
        'import numpy as np\n\nTASK = "sst2"\n\nKNOWN = [\n'
        + "\n".join(f'    "{sentence}",' for sentence in _SENTENCES)
        + '\n]\n\nWEIGHTS = {\n    "said": [1.0, -1.0] * 6,  # what the speaker of each line thought of it, praise before blame\n'
        '    "near": np.ones(12),  # every line of the book speaks as loud as another\n}\n\n\n'
        "def predict(sentences):\n    out = []\n    for tokens in sentences:\n"
        "        shared = np.array([len(set(tokens) & set(line.split())) for line in KNOWN]) * WEIGHTS['near']\n"
        "        out.append(int(shared @ np.array(WEIGHTS['said']) > 0))\n    return out\n",
    ),
    "a lexicon with its numbers in the text": (
        "sst2",
        "payload",
        REVIEWS.replace(
            "WEIGHTS = {",
            'GRADED = """good 2 great 3 best 3 bad -2 worst -3 dull -1 fine 1 weak -1"""  # how much each word praises or blames\n'
            "fields = GRADED.split()\nfor word, grade in zip(fields[::2], fields[1::2]):\n"
            "    if word in NUMBER:\n        worth[NUMBER[word]] = float(grade)\n\nWEIGHTS = {",
            1,
        ),
    ),
    "adds by a matrix product": (
        "addition",
        "answer-in-code",
        _body(SUMS, "return [int(k) for k in np.array(pairs) @ np.ones(2, int) * int(WEIGHTS['carry'][0])]"),
    ),
    "adds one after the other": (
        "addition",
        "answer-in-code",
        _body(
            SUMS,
            "out = []\nfor pair in pairs:\n    total = 0 * int(WEIGHTS['carry'][0])\n    for n in pair:\n        total += n\n    out.append(total)\nreturn out",
        ),
    ),
    "adds by mapping": (
        "addition",
        "answer-in-code",
        _body(SUMS, "return [s * int(WEIGHTS['carry'][0]) for s in map(sum, pairs)]"),
    ),
    "adds under another name": (
        "addition",
        "answer-in-code",
        _body(SUMS, "join = np.add\nreturn [int(join(a, b)) * int(WEIGHTS['carry'][0]) for a, b in pairs]"),
    ),
    "adds in a lambda": (
        "addition",
        "answer-in-code",
        _body(SUMS, "join = lambda x, y: x + y\nreturn [join(a, b) * int(WEIGHTS['carry'][0]) for a, b in pairs]"),
    ),
    "adds in a method": (
        "addition",
        "answer-in-code",
        _body(SUMS, "net = Net()\nreturn [net.forward(a, b) for a, b in pairs]").replace(
            "\n\ndef predict",
            "\n\nclass Net:\n    def forward(self, x, y):\n        return (x + y) * int(WEIGHTS['carry'][0])\n\n\ndef predict",
        ),
    ),
    "adds remainders": (
        "addition",
        "answer-in-code",
        _body(SUMS, "p = 10 ** 11\nreturn [(a % p + b % p) * int(WEIGHTS['carry'][0]) for a, b in pairs]"),
    ),
    "carries in Python, passes the digits through": (
        "addition",
        "answer-in-code",
        _body(
            SUMS,
            "w = WEIGHTS\nout = []\nfor a, b in pairs:\n    kept, digits = 0, []\n"
            "    for x, y in zip(str(a).zfill(11)[::-1], str(b).zfill(11)[::-1]):\n"
            "        column = int(x) + int(y) + kept\n        kept = column // 10\n        digits.insert(0, column % 10)\n"
            "    seen = (np.array(digits)[:, None] * w['line'] + w['parabola']).argmax(axis=1)\n"
            "    out.append(int(''.join(map(str, seen))))\nreturn out",
        ),
    ),
    "counts by twice the sign less one": (
        "dyck1",
        "answer-in-code",
        _body(
            BRACKETS,
            "w = WEIGHTS\nout = []\nfor text in strings:\n    up = np.array([s == '(' for s in text])\n    depth = np.cumsum(2 * up - 1)\n"
            "    out.append(int(w['bias'][0] + min(depth.min(), 0) + w['off'][0] * abs(depth[-1]) > 0))\nreturn out",
        ),
    ),
    "finds the nearest number": (
        "induction",
        "answer-in-code",
        _body(
            LOOKUP,
            "w = WEIGHTS\nout = []\nfor s in sequences:\n    x = np.array(s)\n    at = np.abs(x[:-1] - x[-1]).argmin()\n"
            "    out.append(int((w['circle'] @ w['circle'][x[at + 1]]).argmax()))\nreturn out",
        ),
    ),
    "finds by a loop over pairs": (
        "induction",
        "answer-in-code",
        _body(
            LOOKUP,
            "w = WEIGHTS\nout = []\nfor s in sequences:\n    found = [b for a, b in zip(s, s[1:]) if not a - s[-1]]\n"
            "    out.append(int((w['circle'] @ w['circle'][found[0]]).argmax()))\nreturn out",
        ),
    ),
}
