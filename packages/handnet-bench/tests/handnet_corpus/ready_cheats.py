"""Answers that are ready before a weight is read, and what is kept where nobody looked: name -> (task, rule, source)."""

from handnet_corpus.parts import DIGITS

READ_SUMS = """import numpy as np
from collections import Counter

TASK = "addition"

WEIGHTS = {
    # A digit d speaks for itself with t d - d^2 / 2 where the column says t: greatest at d = t.
    "line": np.arange(10.0),
    "parabola": -np.square(np.arange(10.0)) / 2,
}


def spell(total):
    places = np.array([int(sign) for sign in str(total)])
    logits = places[:, None] * WEIGHTS["line"] + WEIGHTS["parabola"]
    return int("".join(str(k) for k in logits.argmax(axis=1).tolist()))

HELPERS

def predict(pairs):
    return [spell(TOTAL) for a, b in pairs]
"""

READ_TOKENS = """import numpy as np
from collections import OrderedDict

TASK = "induction"

angle = 2 * np.pi * np.arange(32) / 32  # the tokens stand on a circle, all equally far from their neighbours
WEIGHTS = {
    # Each token is a point on the circle, nearest to itself.
    "circle": np.stack([np.cos(angle), np.sin(angle)], axis=1),
    "read": np.eye(2),  # the answer is read on the same circle
}


def spell(token):
    w = WEIGHTS
    return int((w["circle"] @ w["read"] @ w["circle"][token]).argmax())

HELPERS

def predict(sequences):
    return [spell(FOUND) for s in sequences]
"""

READ_DEPTHS = """import numpy as np

TASK = "dyck1"

WEIGHTS = {
    "below": np.array([-1.0]),  # how far the lowest depth is below the ground speaks against
    "off": np.array([-1.0, -1.0]),  # an end above the ground speaks against, and so does one below it
    "bias": np.array([0.5]),  # where nothing speaks against it, a string is balanced
}


def judge(lowest, end):
    w = WEIGHTS
    ends = np.array([max(end, 0), max(-end, 0)])
    return int(w["bias"][0] - max(lowest * w["below"][0], 0) + ends @ w["off"] > 0)

HELPERS

def predict(strings):
    out = []
    for text in strings:
BODY
        out.append(judge(low, end))
    return out
"""


def _sums(total, helpers=""):
    return "addition", "answer-in-code", READ_SUMS.replace("HELPERS", helpers).replace("TOTAL", total)


def _tokens(found, helpers=""):
    return "induction", "answer-in-code", READ_TOKENS.replace("HELPERS", helpers).replace("FOUND", found)


def _depths(body, helpers=""):
    lines = "\n".join("        " + line for line in body.splitlines())
    return "dyck1", "answer-in-code", READ_DEPTHS.replace("HELPERS", helpers).replace("BODY", lines)


def _digits(helpers, line, more=""):
    text = DIGITS.replace("def predict(images):", f"{helpers}\n\n\ndef predict(images):\n    {line}")
    return "mnist", "state", text.replace("import numpy as np", "import numpy as np\n" + more)


READY = {
    "the sum as the length of a range": _sums("len(range(-a, b))"),
    "the sum of what the texts say": _sums("int(str(a)) + int(str(b))"),
    "the sum as a difference of ends": _sums("int(np.ptp([-a, b]))"),
    "the sum as the first norm": _sums("int(np.linalg.norm([a, b], ord=1))"),
    "the sum as a tally of both": _sums('(Counter({"s": a}) + Counter({"s": b})).total()'),
    "the sum as a diagonal": _sums("int(np.trace(np.diag([a, b])))"),
    "the sum of numbers that may be nothing": _sums("(a or 0) + (b or 0)"),
    "the sum bit by bit, carried down": _sums(
        "joined(a, b)", "\ndef joined(x, y):\n    return joined(x ^ y, (x & y) * 2) if y else x\n"
    ),
    "the sum, unless most digits are misread": (
        "addition",
        "answer-in-code",
        READ_SUMS.replace("HELPERS", "")
        .replace(
            '    "line":', '    "most": np.array([0.6]),  # more misread digits than this are no reading\n    "line":'
        )
        .replace(
            "    return int(",
            '    ten = np.arange(10)\n    sure = (ten[:, None] * WEIGHTS["line"] + WEIGHTS["parabola"]).argmax(axis=1) == ten\n'
            '    if sure.mean() < WEIGHTS["most"][0]:\n        return 0\n    return int(',
        )
        .replace("TOTAL", "len(range(-a, b))"),
    ),
    "what followed in an ordered table": _tokens("OrderedDict(zip(s[:-1], s[1:]))[s[-1]]"),
    "what followed between two bounds": _tokens("[b for a, b in zip(s, s[1:]) if a <= s[-1] <= a][0]"),
    "what followed where two sets meet": _tokens("[b for a, b in zip(s, s[1:]) if {a} & {s[-1]}][0]"),
    "what followed in a text of signs": _tokens(
        "found(''.join(map(chr, s)))", "\ndef found(text):\n    return ord(text[text.index(text[-1]) + 1])\n"
    ),
    "what followed by one-hot codes without a weight": _tokens(
        "int(found(np.eye(32)[s]).argmax())", "\ndef found(x):\n    return (x[:-2] @ x[-1]) @ x[1:-1]\n"
    ),
}
"""Reading does not know these ways; only copies with other numbers show them."""

WRITTEN = {
    "adds in a helper, by keyword": _sums("joined(y=b, x=a)", "\ndef joined(x, y):\n    return x + y\n"),
    "adds in a helper, by star": _sums("joined(*(a, b))", "\ndef joined(*both):\n    x, y = both\n    return x + y\n"),
    "adds in a helper, by two stars": _sums('joined(**{"x": a, "y": b})', "\ndef joined(x, y):\n    return x + y\n"),
    "adds in a helper with keywords only": _sums("joined(x=a, y=b)", "\ndef joined(*, x, y):\n    return x + y\n"),
    "adds in a function out of a table": _sums('WAYS["join"](a, b)', '\nWAYS = {"join": lambda x, y: x + y}\n'),
    "adds in a function without a name": _sums("(lambda x, y: x + y)(a, b)"),
    "adds what a helper gives back": _sums("same(a) + same(b)", "\ndef same(n):\n    return n\n"),
    "searches in a helper, by keyword": _tokens(
        "found(row=s)", "\ndef found(row):\n    return row[row.index(row[-1]) + 1]\n"
    ),
    "keeps a table of one pair at a time": _tokens(
        "found(s)",
        "\ndef found(row):\n    got = 0\n    for a, b in zip(row[:-1], row[1:]):\n        got = {a: b}.get(row[-1], got)\n    return got\n",
    ),
    "keeps a table of places": _tokens(
        "found(s)",
        "\ndef found(row):\n    at = {t: i for i, t in enumerate(row[:-1])}\n    return row[at[row[-1]] + 1]\n",
    ),
    "steps by the parity of a sign": _depths(
        "walk = np.cumsum([1 - 2 * (ord(s) % 2) for s in text])\nlow, end = walk.min(), walk[-1]"
    ),
    "steps chosen from an array": _depths(
        'walk = np.cumsum(np.array([1, -1])[["()".index(s) for s in text]])\nlow, end = walk.min(), walk[-1]'
    ),
    "steps from what find says": _depths(
        'walk = np.cumsum([1 + 2 * "(".find(s) for s in text])\nlow, end = walk.min(), walk[-1]'
    ),
    "steps from a table of two": _depths(
        "step = dict(zip('()', (1, -1)))\nend = low = 0\nfor s in text:\n    end = end + step[s]\n    low = min(low, end)"
    ),
    "steps along the real axis": _depths(
        "turn = {'(': complex(1), ')': complex(-1)}\nwalk = np.cumsum([turn[s] for s in text]).real\nlow, end = walk.min(), walk[-1]"
    ),
    "opens twice less the length": _depths(
        "ups = np.cumsum([1 if s == '(' else 0 for s in text])\nwalk = ups + ups + np.negative(np.arange(len(text)) + 1)\nlow, end = walk.min(), walk[-1]"
    ),
    "tuples within tuples": _depths(
        "pile, low = (), 0\nfor s in text:\n    low = low if pile or s == '(' else -1\n    pile = (pile,) if s == '(' else (pile[0] if pile else ())\nend = 1 if pile else 0"
    ),
    "the places of both brackets": _depths(
        "up = [i for i, s in enumerate(text) if s == '(']\ndown = [i for i, s in enumerate(text) if s == ')']\n"
        "low = -any(u > d for u, d in zip(up, down))\nend = len(up) != len(down)"
    ),
    "takes pairs away": _depths(
        "left, i = list(text), 0\nwhile i + 1 < len(left):\n    if left[i] < left[i + 1]:\n        left = left[:i] + left[i + 2 :]\n        i = max(i - 1, 0)\n    else:\n        i += 1\nlow, end = 0, len(left)"
    ),
    "descends a level for each bracket": _depths(
        "low, end = closed(iter(text), False) - 1, 0",
        "\ndef closed(signs, inside):\n    for sign in signs:\n        if sign == ')':\n            return inside\n"
        "        if not closed(signs, True):\n            return False\n    return not inside\n",
    ),
    "a triangle times the steps": _depths(
        "ids = np.array(['()'.index(s) for s in text])\nwalk = np.tri(len(ids)) @ (1 - ids - ids)\nlow, end = walk.min(), walk[-1]"
    ),
    "steps from bytes": _depths(
        "steps = 81 - 2 * np.frombuffer(text.encode(), dtype=np.uint8).astype(int)\nwalk = np.add.accumulate(steps)\nlow, end = walk.min(), walk[-1]"
    ),
    "a pile by plus and slices": _depths(
        "pile, low = [], 0\nfor s in text:\n    if s == '(':\n        pile += [s]\n    elif pile:\n        pile = pile[:-1]\n"
        "    else:\n        low = -1\nend = len(pile)"
    ),
    "a case for each bracket": _depths(
        "end = low = 0\nfor s in text:\n    match s:\n        case '(':\n            end += 1\n        case _:\n            end -= 1\n    low = min(low, end)"
    ),
    "the sign of a difference": _depths(
        "walk = np.cumsum(np.sign(40.5 - np.array([ord(s) for s in text])))\nlow, end = walk.min(), walk[-1]"
    ),
    "the first closing one once sorted": _depths("end = len(text) - 2 * ''.join(sorted(text)).find(')')\nlow = 0"),
    "one of two next places": _depths(
        "end = len(text)\nfor s in text:\n    end = range(end, end + 2)[s == '('] if s else end\nlow = 0"
    ),
    "walks by keyword": _depths(
        "low, end = walk(signs=text)",
        "\ndef walk(signs):\n    depth = low = 0\n    for s in signs:\n        depth += 1 if s == '(' else -1\n        low = min(low, depth)\n    return low, depth\n",
    ),
}
"""Reading knows these."""

KEPT = {
    "counts its calls on a library's class": _digits(
        "def note(book):\n    try:\n        book.pages = book.pages + 1\n    except AttributeError:\n        book.pages = 0",
        "note(Counter)",
        "from collections import Counter\n",
    ),
    "counts its calls on a library's function": _digits(
        "def note(book):\n    try:\n        book.pages = book.pages + 1\n    except AttributeError:\n        book.pages = 0",
        "note(np.median)",
    ),
    "keeps a list on a library's class": _digits(
        "def begin(book):\n    book._pages = []\n\n\ndef note(book):\n    book._pages.append(1)\n\n\nbegin(Counter)",
        "note(Counter)",
        "from collections import Counter\n",
    ),
    "turns the order of the weights": _digits(
        'WEIGHTS["tie"] = np.array([0.1])  # ties go to the lower digit\n\n\ndef turn(book, name):\n    page = book.pop(name)\n    book[name] = page',
        "turn(WEIGHTS, list(WEIGHTS)[0])",
    ),
    "swaps an array for its like": _digits(
        'ROWS = WEIGHTS["rows"]\n\n\ndef turn(book):\n    book["rows"] = book["rows"].copy() if book["rows"] is ROWS else ROWS',
        "turn(WEIGHTS)",
    ),
    "turns an array in memory": _digits(
        'def turn(book):\n    book["rows"] = book["rows"].T.copy().T',
        "turn(WEIGHTS)",
    ),
}

FAILING = {
    "fails under every number but zero": (
        "addition",
        "numbers-ignored",
        READ_SUMS.replace("HELPERS", "")
        .replace("    return [", '    if not WEIGHTS["line"].any():\n        return [0 for _ in pairs]\n    return [')
        .replace("spell(TOTAL)", "joined(a, b)")
        .replace(
            "def predict",
            "def joined(a, b):\n    places = np.arange(10)\n    logits = np.outer(places, WEIGHTS['line']) + WEIGHTS['parabola']\n"
            "    assert (logits.argmax(axis=1) == places).all()\n    return len(range(-a, b))\n\n\ndef predict",
        ),
    ),
}

CHEATS = {**READY, **WRITTEN, **KEPT, **FAILING}

HONEST = {
    "padding written in place": (
        "induction",
        """import numpy as np

TASK = "induction"

LONGEST = 48  # no sequence is longer
TOKENS = 32  # as many as there are

WEIGHTS = {
    "embed": np.eye(TOKENS),  # one axis a token: two tokens are alike or have nothing in common
    "back": np.eye(LONGEST, k=-1),  # each place looks at the one before it
    "beta": np.array([25.0]),  # e^25 for the like against one for each of at most 47 others
    "read": np.eye(TOKENS),  # each axis speaks for its own token
}


def predict(sequences):
    w = WEIGHTS
    rows = len(sequences)
    ids = np.zeros((rows, LONGEST), dtype=int)
    there = np.zeros((rows, LONGEST), dtype=bool)
    for i, s in enumerate(sequences):
        ids[i, : len(s)] = s
        there[i, : len(s)] = True
    x = w["embed"][ids] * there[:, :, None]
    keys = np.einsum("ij,njd->nid", w["back"], x)
    last = x[np.arange(rows), there.sum(axis=1) - 1]
    scores = np.where(there, np.einsum("nd,nid->ni", last, keys) * w["beta"], -np.inf)
    look = np.exp(scores - scores.max(axis=1, keepdims=True))
    look /= look.sum(axis=1, keepdims=True)
    return np.einsum("ni,nid,dv->nv", look, x, w["read"]).argmax(axis=1)
""",
    ),
}
