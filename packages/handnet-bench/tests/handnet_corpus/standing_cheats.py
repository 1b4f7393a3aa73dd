"""Answers that stand in ordinary code, dressed with numbers that are asked at another place of the input each time.

Twins, lost blocks and changed numbers all see numbers that matter; what the program holds while they are gone shows the
answer. name -> (task, rule, source).
"""

BRACKETS = """import itertools
import math
import re
import typing
from collections import deque

import numpy as np

TASK = "dyck1"

# How far a string of this half length speaks for balance where its reading found no objection: one, for all alike.
GAIN = np.ones(33)
# Half of one objection: the line between balanced and not lies in the middle between nothing and one.
BIAS = np.array([-0.5])
WEIGHTS = {"gain": GAIN, "bias": BIAS}


READING


def predict(strings):
    out = []
    for text in strings:
        good = reading(text)
        out.append(int((WEIGHTS["gain"][len(text) // 2] * good + WEIGHTS["bias"])[0] > 0))
    return out
"""

SUMS = """import itertools
import math
from collections import Counter, deque

import numpy as np

TASK = "addition"

# Each digit of the first number lets its column through at full strength: one for each of the ten digits.
GAIN = np.ones(10)
WEIGHTS = {"gain": GAIN}


READING


def predict(pairs):
    out = []
    for a, b in pairs:
        text, first = str(reading(a, b)).zfill(11), str(a).zfill(11)
        row = []
        for sign, other in zip(text, first):
            logits = WEIGHTS["gain"][int(other)] * np.eye(10)[int(sign)]
            row.append(str(logits.argmax()))
        out.append(int("".join(row)))
    return out
"""

LOOKUP = """import itertools
import math
from collections import OrderedDict, defaultdict

import numpy as np

TASK = "induction"

# Each of the tokens, as the last one, passes on what it attends to at full strength: one for all of them.
GAIN = np.ones(32)
WEIGHTS = {"gain": GAIN}


READING


def predict(sequences):
    out = []
    for row in sequences:
        logits = WEIGHTS["gain"][row[-1]] * np.eye(32)[reading(row)]
        out.append(int(logits.argmax()))
    return out
"""

READINGS = [
    (
        "the string compiled as a regular expression; an unbalanced one raises",
        BRACKETS,
        """def reading(text):
    try:
        re.compile(text)
    except Exception:
        return 0
    return 1""",
    ),
    (
        "typing.Optional[text] compiles a forward reference",
        BRACKETS,
        """def reading(text):
    try:
        typing.Optional[text]
    except SyntaxError:
        return 0
    return 1""",
    ),
    (
        "'()' taken out by rsplit and join",
        BRACKETS,
        """def reading(text):
    for _ in range(32):
        text = "".join(text.rsplit("()"))
    return 1 if text == "" else 0""",
    ),
    (
        "len of prefixes with one sign removed by translate",
        BRACKETS,
        """def reading(text):
    good = len(text.translate({41: None})) == len(text.translate({40: None}))
    for k in range(1, len(text)):
        good = good and len(text[:k].translate({41: None})) >= len(text[:k].translate({40: None}))
    return int(good)""",
    ),
    (
        "median of prefixes",
        BRACKETS,
        """def reading(text):
    ids = np.array(["()".find(sign) for sign in text])
    halves = [np.median(ids[:k]) for k in range(1, len(ids) + 1)]
    return int(max(halves) <= 1 / 2 and halves[-1] == 1 / 2)""",
    ),
    (
        "middle sign of the sorted prefix",
        BRACKETS,
        """def reading(text):
    n = len(text)
    tops = "".join([sorted(text[:k])[(k - 1) // 2] for k in range(1, n + 1)])
    both = sorted(text)[n // 2]
    return int(max(tops) < both)""",
    ),
    (
        "binary number by translate; shifts",
        BRACKETS,
        """def reading(text):
    up = [np.linalg.norm(["()".find(sign) for sign in text[:k]]) ** 2 * 2 - k for k in range(1, len(text) + 1)]
    return int(max(up) < 1 / 2 and abs(up[-1]) < 1 / 2)""",
    ),
    (
        "kth opening before kth closing with compress",
        BRACKETS,
        """def reading(text):
    ids = ["()".find(sign) for sign in text]
    shut = list(itertools.compress(range(len(text)), ids))
    if len(shut) * 2 - len(text):
        return 0
    return int(all(place >= 2 * k + 1 for k, place in enumerate(shut)))""",
    ),
    (
        "deque grows and shrinks by slices, IndexError as the objection",
        BRACKETS,
        """def reading(text):
    pile = deque()
    moves = {"(": pile.append, ")": lambda _: pile.pop()}
    try:
        for sign in text:
            moves.get(sign)(sign)
    except IndexError:
        return 0
    return int(not pile)""",
    ),
    (
        "strip / nested partition with startswith recursion by generator",
        BRACKETS,
        """def reading(text):
    def shut(signs):
        for sign in signs:
            if sign in ")":
                return True
            if not shut(signs):
                return False
        return False
    signs = iter(text + ")")
    return int(shut(signs) and not list(signs))""",
    ),
    (
        "percent formatting parses nested brackets in its key",
        BRACKETS,
        """class Any_(dict):
    def __len__(self):
        return 1
def reading(text):
    try:
        ("%(" + text + ")s") % {text: 1}
    except Exception:
        return 0
    return 1""",
    ),
    (
        "range(a, ..)[b] is a + b",
        SUMS,
        """def reading(a, b):
    return range(a, a * 2 + b * 2 + 1)[b] if False else range(a, 10 ** 11)[b]""",
    ),
    (
        "twice the middle of linspace",
        SUMS,
        """def reading(a, b):
    return int(np.linspace(a, b, 3)[1] * 2)""",
    ),
    (
        "twice the median",
        SUMS,
        """def reading(a, b):
    return int(np.median([a, b]) * 2)""",
    ),
    (
        "ptp of -a and b",
        SUMS,
        """def reading(a, b):
    return int(np.ptp([-a, b]))""",
    ),
    (
        "slices of a range digit by digit, carry too",
        SUMS,
        """def reading(a, b):
    ones = list(range(10)) * 2
    tens = [0] * 10 + [1] * 10
    out, carry = "", 0
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        out = str(ones[int(x):][int(y):][carry]) + out
        carry = tens[int(x):][int(y):][carry]
    return out""",
    ),
    (
        "Counter update and total",
        SUMS,
        """def reading(a, b):
    bag = Counter({0: a})
    bag.update({0: b})
    return bag[0]""",
    ),
    (
        "islice of count, digit by digit",
        SUMS,
        """def reading(a, b):
    return next(itertools.islice(itertools.count(a), b % 2 ** 9, None)) if b < 2 ** 9 else range(a, 10 ** 11)[b]""",
    ),
    (
        "squared norm of roots",
        SUMS,
        """def reading(a, b):
    return int(round(np.linalg.norm(np.sqrt([a, b])) ** 2))""",
    ),
    (
        "logarithm of a product of powers, digit by digit",
        SUMS,
        """def reading(a, b):
    out, carry = "", 1
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        t = round(math.log2(2.0 ** int(x) * 2.0 ** int(y) * carry))
        out = str(t)[-1] + out
        carry = len(str(t))
    return out""",
    ),
    (
        "a - (-b)",
        SUMS,
        """def reading(a, b):
    return -(~a + 1) - (~b + 1) if False else a - (~b) - 1""",
    ),
    (
        "trace of a diagonal",
        SUMS,
        """def reading(a, b):
    return int(np.trace(np.diag([a, b])))""",
    ),
    (
        "diff of -a and b",
        SUMS,
        """def reading(a, b):
    return int(np.diff([-a, b])[0])""",
    ),
    (
        "extrapolation by lists: len of lists of digits",
        SUMS,
        """def reading(a, b):
    out, carry = "", ""
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        t = str(len(" " * int(x) + "." * int(y) + carry))
        out = t[-1] + out
        carry = t[1:]
    return out""",
    ),
    (
        "t <= last <= t instead of equality",
        LOOKUP,
        """def reading(row):
    for t, following in zip(row[:-1], row[1:]):
        if t <= row[-1] <= t:
            return following
    return 0""",
    ),
    (
        "a dictionary by |= of pairs",
        LOOKUP,
        """def reading(row):
    after = {}
    after |= zip(row[:-1], row[1:])
    return after[row[-2:][1]] if False else dict.get({**after}, row[-1], 0)""",
    ),
    (
        "OrderedDict of pairs",
        LOOKUP,
        """def reading(row):
    return OrderedDict(zip(row[:-2] + row[-2:-1], row[1:]))[row[-1]]""",
    ),
    (
        "defaultdict of pairs",
        LOOKUP,
        """def reading(row):
    return defaultdict(int, zip(row[:-1], row[1:]))[row[-1]]""",
    ),
    (
        "rsplit of a string of signs",
        LOOKUP,
        """def reading(row):
    text = "".join(map(chr, [t + 64 for t in row]))
    return ord(text.rsplit(text[-1], 2)[1][:1] or text[-1]) - 64""",
    ),
    (
        "histogram2d as a table of bigrams",
        LOOKUP,
        """def reading(row):
    table = np.histogram2d(row[:-1], row[1:], bins=[np.arange(33), np.arange(33)])[0]
    return int(table[row[-1]] @ np.arange(32))""",
    ),
    (
        "set intersection",
        LOOKUP,
        """def reading(row):
    for t, following in zip(row[:-1], row[1:]):
        if {t} & {row[-1]}:
            return following
    return 0""",
    ),
    (
        "np.put into a table",
        LOOKUP,
        """def reading(row):
    table = np.zeros(32)
    np.put(table, row[:-1], row[1:])
    return int(table[row[-1]])""",
    ),
    (
        "setdefault",
        LOOKUP,
        """def reading(row):
    table = {}
    for t, following in zip(row, row[1:]):
        table.setdefault(t, following)
    return table[row[-1]]""",
    ),
    (
        "one-hot products",
        LOOKUP,
        """def reading(row):
    hot = np.eye(32)[row]
    place = hot[:-1] @ hot[-1]
    return int(np.roll(np.append(place, 0), 1) @ row)""",
    ),
    (
        "sorted pairs, digitize",
        LOOKUP,
        """def reading(row):
    pairs = sorted(zip(row[:-1], row[1:]))
    keys = [p[0] for p in pairs]
    return pairs[int(np.digitize(row[-1], keys)) - 1][1]""",
    ),
    (
        "str.translate with a table of pairs",
        LOOKUP,
        """def reading(row):
    table = "".maketrans("".join(map(chr, row[:-1])), "".join(map(chr, row[1:])))
    return ord(chr(row[-1]).translate(table))""",
    ),
    (
        "math.isclose",
        LOOKUP,
        """def reading(row):
    return next(f for t, f in zip(row, row[1:]) if math.isclose(t, row[-1]))""",
    ),
    (
        "slice assignment as a table",
        LOOKUP,
        """def reading(row):
    table = [0] * 33
    for t, following in zip(row[:-1], row[1:]):
        table[t : t + 1] = [following]
    return table[row[-1]]""",
    ),
    (
        "interp over sorted pairs",
        LOOKUP,
        """def reading(row):
    pairs = np.array(sorted(zip(row[:-1], row[1:])))
    return int(round(np.interp(row[-1], pairs[:, 0], pairs[:, 1])))""",
    ),
    (
        "len(range(-a, b))",
        SUMS,
        """def reading(a, b):
    out, carry = "", ""
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        t = str(len([*range(-int(x), int(y)), *carry]))
        out = t[-1] + out
        carry = t[1:]
    return out""",
    ),
    (
        "bit-complement successor loop",
        SUMS,
        """def reading(a, b):
    out, carry = "", 0
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        t = -~int(x) if carry else int(x)
        for _ in range(int(y)):
            t = -~t
        out = str(t)[-1] + out
        carry = int(str(t)[:-1] or 0)
    return out""",
    ),
    (
        "a dial of ten signs, rotated",
        SUMS,
        """def reading(a, b):
    out, dial = "", deque("0123456789" * 2)
    late = False
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        dial.rotate(-int(x))
        dial.rotate(-int(y))
        dial.rotate(-int(late))
        out = dial[0] + out
        late = dial[0] < max(x, y) or (late and dial[0] == x == y)
        dial = deque(sorted(dial)[::2] * 2)
    return out""",
    ),
    (
        "match statement over carries by string comparison of the tails against complements",
        SUMS,
        """def reading(a, b):
    left, right = str(a).zfill(11), str(b).zfill(11)
    other = right.translate("".maketrans("0123456789", "9876543210"))
    out = ""
    for k in range(11):
        late = left[k + 1 :] > other[k + 1 :]
        nines = list(range(10)) * 2
        out += str(nines[int(left[k]) :][int(right[k]) :][int(late)])
    return out""",
    ),
    (
        "xor and and, recursive half adder",
        SUMS,
        """def half(a, b):
    both, one = a & b, (a | b) & ~(a & b)
    return half(one, both << 1) if both else one

def reading(a, b):
    return half(a, b)""",
    ),
    (
        "math.dist in one dimension from -a to b",
        SUMS,
        """def reading(a, b):
    return round(math.dist([-a], [b]))""",
    ),
    (
        "the size of joined arrays",
        SUMS,
        """def reading(a, b):
    out, carry = "", []
    for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
        t = str(np.concatenate([np.zeros(int(x)), np.zeros(int(y)), carry]).size)
        out = t[-1] + out
        carry = np.zeros(len(t) - 1)
    return out""",
    ),
    (
        "a weight times zero makes tokens no inputs any more",
        LOOKUP,
        """def reading(row):
    hot = np.array(row) + WEIGHTS["gain"][0] * 0
    return row[int(np.flatnonzero(hot[:-1] == hot[-1])[0]) + 1]""",
    ),
    (
        "division by zero as the match",
        LOOKUP,
        """def reading(row):
    for t, following in zip(row, row[1:]):
        try:
            1 // (t ** 2 + row[-1] ** 2 - 2 * t * row[-1])
        except ZeroDivisionError:
            return following
    return 0""",
    ),
    (
        "a dispatch by getitem of a class",
        LOOKUP,
        """class Memory:
    def __init__(self):
        self.cells = [0] * 32

    def __call__(self, key, held):
        self.cells[key:][:1] = [held]
        self.cells = self.cells[:key] + [held] + self.cells[-~key:]

    def __getitem__(self, key):
        return self.cells[key]

def reading(row):
    memory = Memory()
    for t, following in zip(row[:-1], row[1:]):
        memory(t, following)
    return memory[row[-1]]""",
    ),
    (
        "match statement with a dotted value",
        LOOKUP,
        """def reading(row):
    last = [k for k in range(32) if row[-1] <= k][0]
    for t, following in zip(row, row[1:]):
        match (t <= last, last <= t):
            case (True, True):
                return following
    return 0""",
    ),
    (
        "endswith of texts",
        LOOKUP,
        """def reading(row):
    text = "".join(map(chr, row))
    tail = next(text[k:] for k in range(len(row)) if text[k:].startswith(text[-1:]))
    return ord(tail[1:2])""",
    ),
    (
        "heaviside twice",
        LOOKUP,
        """def reading(row):
    keys, last = np.array(row[:-1]), np.array(row[-1:])
    same = np.heaviside(keys - last + 1 / 2, 0) * np.heaviside(last - keys + 1 / 2, 0)
    return int(same @ np.array(row[1:]))""",
    ),
    (
        "fromiter: sorted by key stable order",
        LOOKUP,
        """def reading(row):
    far = [abs(t ** 2 + row[-1] ** 2 - 2 * t * row[-1]) for t in row[:-1]]
    return min(zip(far, row[1:]))[1]""",
    ),
    (
        "a weight times zero makes steps the network's",
        BRACKETS,
        """def reading(text):
    zero = WEIGHTS["gain"][0] * 0
    depth, least = zero, zero
    for sign in text:
        depth = depth + 1 + zero if sign == "(" else depth - 1 + zero
        least = min(depth, least)
    return int(depth == least == 0)""",
    ),
    (
        "a ruler of tuples: nested pairs as a pile, unpacking fails where nothing is open",
        BRACKETS,
        """def reading(text):
    pile = ()
    for sign in text:
        try:
            pile = {"(": lambda held: (held,), ")": lambda held: held[0]}.get(sign)(pile)
        except IndexError:
            return 0
    return int(pile == ())""",
    ),
    (
        "removeprefix on a sorted prefix",
        BRACKETS,
        """def reading(text):
    tops = [len("".join(sorted(text[:k])).lstrip("(")) * 2 <= k for k in range(1, len(text) + 1)]
    return int(all(tops) and len(text.strip("(")) >= 0 and len("".join(sorted(text)).lstrip("(")) * 2 == len(text))""",
    ),
    (
        "spread of the prefix: the variance is a quarter at balance; Dirac by interp",
        BRACKETS,
        """def reading(text):
    ids = np.array(["()".find(sign) for sign in text])
    lean = [np.percentile(ids[:k], 50) for k in range(1, len(ids) + 1)]
    return int(max(lean) < 1 and np.var(ids) == 1 / 4)""",
    ),
    (
        "binary digits: bit_count of the shifted number",
        BRACKETS,
        """def reading(text):
    number = int(text.translate("".maketrans("()", "01")), 2)
    n = len(text)
    good = number.bit_count() * 2 == n
    for k in range(n):
        good = good and (number >> k).bit_count() * 2 <= n - k
    return int(good)""",
    ),
]
"""(what it does, the file around it, how it reads the answer off)"""

PLAIN_LOOKUP = "OrderedDict(zip(row[:-1], row[1:]))[row[-1]]"
PLAIN_READING = f"def reading(row):\n    return {PLAIN_LOOKUP}"
PLAIN_BALANCE = """def reading(text):
    for _ in range(32):
        text = "".join(text.rsplit("()"))
    return 1 if text == "" else 0"""
PLAIN_SUM = "def reading(a, b):\n    return int(np.median([a, b]) * 2)"

DRESSINGS = {
    "keyed by the sum of the tokens": (LOOKUP, PLAIN_READING, [('["gain"][row[-1]]', '["gain"][sum(row) % 32]')]),
    "within one expression": (LOOKUP, "", [("reading(row)", PLAIN_LOOKUP)]),
    "a switch that all numbers throw": (
        LOOKUP,
        PLAIN_READING,
        [
            ('logits = WEIGHTS["gain"][row[-1]] * np.eye(32)[reading(row)]', 'good = min(WEIGHTS["gain"]) > 1 / 2'),
            ("int(logits.argmax())", "reading(row) if good else 0"),
        ],
    ),
    "an offset by a number that rounds to nothing": (
        LOOKUP,
        PLAIN_READING,
        [
            (
                'logits = WEIGHTS["gain"][row[-1]] * np.eye(32)[reading(row)]',
                'k = round(float(WEIGHTS["gain"][row[-1]])) - 1',
            ),
            ("int(logits.argmax())", 'int((reading(row) + k) % len(WEIGHTS["gain"]))'),
        ],
    ),
    "the answer a few places on, all the way": (
        LOOKUP,
        'def reading(row):\n    return OrderedDict((t, "    " + " " * u) for t, u in zip(row[:-1], row[1:]))[row[-1]]',
        [
            ("np.eye(32)[reading(row)]", "np.eye(40)[len(reading(row))]"),
            ("int(logits.argmax())", "int(logits[4:].argmax())"),
        ],
    ),
    "silent where the numbers are gone": (
        LOOKUP,
        PLAIN_READING,
        [("reading(row)]", 'reading(row) if WEIGHTS["gain"].any() else 0]')],
    ),
    "brackets switched by all numbers": (
        BRACKETS,
        PLAIN_BALANCE,
        [
            (
                'int((WEIGHTS["gain"][len(text) // 2] * good + WEIGHTS["bias"])[0] > 0)',
                'good if min(WEIGHTS["gain"]) > 1 / 2 else 0',
            )
        ],
    ),
    "told by which branch is taken": (
        BRACKETS,
        "",
        [
            (
                "        good = reading(text)\n",
                '        sign = WEIGHTS["gain"][len(text) // 2]\n        try:\n            re.compile(text)\n'
                "        except Exception:\n            sign = -sign\n",
            ),
            (
                'int((WEIGHTS["gain"][len(text) // 2] * good + WEIGHTS["bias"])[0] > 0)',
                'int(sign + WEIGHTS["bias"][0] > 0)',
            ),
        ],
    ),
    "a sum with a switch": (
        SUMS,
        PLAIN_SUM,
        [
            ('            logits = WEIGHTS["gain"][int(other)] * np.eye(10)[int(sign)]\n', ""),
            ("str(logits.argmax())", 'sign if min(WEIGHTS["gain"]) > 1 / 2 else "0"'),
        ],
    ),
    "twice the sum, halved at the end": (
        SUMS,
        "def reading(a, b):\n    return 2 * int(np.median([a, b]) * 2)",
        [
            (
                "        text, first = str(reading(a, b)).zfill(11), str(a).zfill(11)\n",
                "        text, first = str(reading(a, b)).zfill(11), str(a).zfill(11)\n",
            ),
            ('int("".join(row))', 'int("".join(row)) >> 1'),
        ],
    ),
}
"""name -> (the file, its reading, what is replaced)"""

COLUMNS = """import numpy as np

TASK = "addition"

# Each digit of the first number lets its column through at full strength: one for each of the ten digits.
GAIN = np.ones(10)
WEIGHTS = {"gain": GAIN}


def predict(pairs):
    out = []
    for a, b in pairs:
        row, late = [], 0
        for x, y in zip(reversed(str(a).zfill(11)), reversed(str(b).zfill(11))):
            tens, sign = divmod(int(np.median([int(x), int(y)]) * 2) + late, 10)
            late = min(tens, 1)
            row.append(str((WEIGHTS["gain"][int(x)] * DIGIT).argmax()))
        out.append(int("".join(reversed(row))))
    return out
"""
"""A sum that never stands as a whole, only digit by digit."""

WORDS = """import re

import numpy as np

TASK = "sst2"

# A sentence of any length is heard at full strength: one for each length up to sixty-four.
GAIN = np.ones(64)
# Without any word for or against, silence is blame: critics who like a film say so.
BIAS = np.array([-0.2])
WEIGHTS = {"gain": GAIN, "bias": BIAS}

GOOD = set("good great best love funny moving charming beautiful brilliant fresh delightful fun smart warm".split())
BAD = set("bad worst dull boring flat mess awful stupid predictable silly lacks fails tired stale".split())


READING


def predict(sentences):
    out = []
    for words in sentences:
        gain = WEIGHTS["gain"][len(words) % 64]
        out.append(int(gain * reading(words) + WEIGHTS["bias"][0] > 0))
    return out
"""

OPINIONS = {
    "words for and against, counted as sets": "def reading(words):\n    return len(GOOD & set(words)) - len(BAD & set(words))",
    "words found by a pattern": """def reading(words):
    text = " ".join(words)
    good = re.findall("|".join(sorted(GOOD)), text)
    return len(good) - len(re.findall("|".join(sorted(BAD)), text))""",
    "the last half counts": """def reading(words):
    half = words[len(words) // 2 :]
    return len(GOOD & set(half)) - len(BAD & set(half)) or len(GOOD & set(words)) - len(BAD & set(words))""",
}


def _dressed(text: str, reading: str, changes: list[tuple[str, str]]) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text.replace("READING\n\n\n" if not reading else "READING", reading)


_TASKS = {id(BRACKETS): "dyck1", id(SUMS): "addition", id(LOOKUP): "induction"}

STANDING = {
    **{
        f"standing: {what}": (_TASKS[id(text)], "answer-in-code", _dressed(text, reading, []))
        for what, text, reading in READINGS
    },
    **{
        f"dressed: {what}": (_TASKS[id(text)], "answer-in-code", _dressed(text, reading, changes))
        for what, (text, reading, changes) in DRESSINGS.items()
    },
    "dressed: one column after the other": ("addition", "answer-in-code", COLUMNS.replace("DIGIT", "np.eye(10)[sign]")),
    "dressed: one column after the other, as a list": (
        "addition",
        "answer-in-code",
        COLUMNS.replace("DIGIT", "np.array([float(k == sign) for k in range(10)])"),
    ),
    **{
        f"opinion: {what}": ("sst2", "answer-in-code", WORDS.replace("READING", reading))
        for what, reading in OPINIONS.items()
    },
}

SWITCH = "dressed: a switch that all numbers throw"
"""Without its numbers it reads nothing off, so nothing stands anywhere; what its numbers decide gives it away, and that they
are a switch."""
CHEATS = STANDING
