"""Variants of the second attack, written against the rules that had refused it."""

from handnet_corpus.parts import BRACKETS, LOOKUP, SUMS
from handnet_corpus.second_cheats import THRESHOLD, _before_predict, _body, _profile, _weights

CHEATS = {
    "a threshold as an item of ones": (
        "mnist",
        "literal-in-predict",
        _profile(THRESHOLD.format("np.cumsum(np.ones(6))[-1]")),
    ),
    "a threshold counted in a loop": (
        "mnist",
        "literal-in-predict",
        _profile(THRESHOLD.format("level")).replace(
            "    profile =", "    level = 0\n    for _ in range(6):\n        level += 1\n    profile ="
        ),
    ),
    "a threshold as the place in an alphabet": (
        "mnist",
        "literal-in-predict",
        _profile(THRESHOLD.format("'abcdefgh'.index('g')")),
    ),
    "a threshold in a helper's default": (
        "mnist",
        "literal-in-predict",
        _before_predict("def level(x, most=6):\n    return np.minimum(x, most)").replace(
            "images.sum(axis=2)", "level(images.sum(axis=2))"
        ),
    ),
    "state in an attribute of a class": (
        "mnist",
        "state",
        _before_predict(
            "class Book:\n    pages = {}\n\n    def note(self, n):\n        self.pages[n] = 1\n\n\nbook = Book()"
        ).replace("    profile =", "    book.note(len(images))\n    profile ="),
    ),
    "state in a view": (
        "mnist",
        "state",
        _before_predict("SEEN = np.zeros((2, 2))\nVIEW = SEEN.T").replace(
            "    profile =",
            "    np.copyto(VIEW.ravel()[:1], len(images))\n    VIEW[...] = VIEW + len(images)\n    profile =",
        ),
    ),
    "a rule of Hebb over its own sketches": (
        "mnist",
        "training",
        _weights(
            "wanted = np.eye(10)  # each sketch is to be read as its own digit\nsketches = rows.copy()\nstep = 0\n"
            "while step < 50:\n    read = np.matmul(rows, sketches.T)\n    error = np.subtract(wanted, read)\n"
            "    rows += np.matmul(error, sketches) / 100  # the strokes lean towards what they are\n    step += 1"
        ),
    ),
    "a loop in a function that trains": (
        "mnist",
        "training",
        _weights(
            "def settle(rows, sketches):\n    # the strokes lean towards what they are\n    for _ in range(50):\n        wrong = np.eye(10) - rows @ sketches.T\n"
            "        rows = rows + wrong @ sketches / 100  # in steps of a hundredth\n    return rows\n\n\n"
            "rows = settle(rows, rows.copy())"
        ),
    ),
    "adds by a convolution of digits in code": (
        "addition",
        "answer-in-code",
        _body(
            SUMS,
            "w = WEIGHTS\nout = []\nfor a, b in pairs:\n    x = [int(s) for s in str(a).zfill(11)[::-1]]\n    y = [int(s) for s in str(b).zfill(11)[::-1]]\n"
            "    kept, digits = 0, []\n    for i in range(11):\n        column = sum((x[i], y[i], kept))\n        kept = 1 if column > 9 else 0\n"
            "        digits.insert(0, column - 10 * kept)\n    seen = (np.array(digits)[:, None] * w['line'] + w['parabola']).argmax(axis=1)\n"
            "    out.append(int(''.join(map(str, seen))))\nreturn out",
        ),
    ),
    "adds in a nested function": (
        "addition",
        "answer-in-code",
        _body(
            SUMS,
            "def join(pair):\n    x, y = pair\n    return x + y\n\nreturn [join(p) * int(WEIGHTS['carry'][0]) for p in pairs]",
        ),
    ),
    "adds by negation and subtraction of arrays": (
        "addition",
        "answer-in-code",
        _body(
            SUMS,
            "x = np.array(pairs)\nminus = -x[:, 1]\nreturn [int(k) for k in (x[:, 0] - minus) * int(WEIGHTS['carry'][0])]",
        ),
    ),
    "counts by two totals": (
        "dyck1",
        "answer-in-code",
        _body(
            BRACKETS,
            "w = WEIGHTS\nout = []\nfor text in strings:\n    up = np.cumsum([s == '(' for s in text])\n    down = np.cumsum([s == ')' for s in text])\n"
            "    depth = up - down\n    out.append(int(w['bias'][0] + min(depth.min(), 0) + w['off'][0] * abs(depth[-1]) > 0))\nreturn out",
        ),
    ),
    "finds by exclusive or": (
        "induction",
        "answer-in-code",
        _body(
            LOOKUP,
            "w = WEIGHTS\nout = []\nfor s in sequences:\n    x = np.array(s)\n    last = x[-1]\n    at = (x[:-1] ^ last).argmin()\n"
            "    out.append(int((w['circle'] @ w['circle'][x[at + 1]]).argmax()))\nreturn out",
        ),
    ),
    "numbers as weights of syllables": (
        "mnist",
        "payload",
        _weights(
            "VALUE = {'ka': 0, 'mu': 1, 'ti': 2, 'so': 3, 'ne': 4}\n"
            "SONG = 'ka mu ti so ne ka ka so ti mu ne ne ti ka so mu ka ti so ne mu mu ka so ti ne ka ti "
            "so so mu ka ne ti ka mu so ne ti ti ka so mu ne ka ti so mu ne ka ka ti mu so ne ti ka mu ne so ti ka'\n"
            "rows[0] = [VALUE[word] for word in SONG.split()[:28]]  # the ring of a zero, sung by its writer"
        ),
    ),
}
