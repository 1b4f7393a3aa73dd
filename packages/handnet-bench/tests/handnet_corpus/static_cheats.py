"""Files that reading is enough to refuse: name -> (task, rule, source)."""

import base64
import random

from handnet_corpus.parts import BRACKETS, DIGITS, LOOKUP, SUMS


def _before_predict(text, base=DIGITS):
    return base.replace("\n\ndef predict", f"\n\n{text}\n\n\ndef predict", 1)


def _in_predict(line, base=DIGITS):
    head, _, tail = base.partition("def predict")
    signature, _, body = tail.partition("\n")
    return f"{head}def predict{signature}\n    {line}\n{body}"


def _on_top(line, base=DIGITS):
    return line + "\n" + base


def _weights(lines):
    return DIGITS.replace('WEIGHTS = {"rows": rows}', lines + '\nWEIGHTS = {"rows": rows}')


def _body(base, body):
    head, _, tail = base.partition("def predict")
    return (
        f"{head}def predict{tail.partition(chr(10))[0]}\n"
        + "\n".join("    " + line for line in body.splitlines())
        + "\n"
    )


_RANDOM = random.Random(5)
BASE64 = base64.b64encode(_RANDOM.randbytes(300)).decode()
LABELS = "".join(str(_RANDOM.randrange(10)) for _ in range(400))
TABLE = "\n".join("    [" + ", ".join(f"{_RANDOM.uniform(-1, 1):.2f}" for _ in range(28)) + "]," for _ in range(10))
HANGUL = "".join(chr(0xAC00 + _RANDOM.randrange(11000)) for _ in range(300))
WORDS = [base64.b32encode(_RANDOM.randbytes(10)).decode().lower() for _ in range(120)]

CHEATS = {
    "imports torch": ("mnist", "import", _on_top("import torch")),
    "imports sklearn inside predict": ("mnist", "import", _in_predict("from sklearn import svm")),
    "imports os": ("mnist", "import", _on_top("import os")),
    "imports this benchmark": ("mnist", "import", _on_top("from handnet_bench import datasets")),
    "imports relatively": ("mnist", "import", _on_top("from . import data")),
    "imports everything of numpy": ("mnist", "import", _on_top("from numpy import *")),
    "imports a part of numpy that reads files": ("mnist", "import", _on_top("from numpy.lib import npyio")),
    "imports random from numpy": ("mnist", "training", _on_top("from numpy import random")),
    "draws random weights": (
        "mnist",
        "training",
        _weights("rows += np.random.normal(0, 0.1, rows.shape)  # noise breaks ties"),
    ),
    "solves least squares": (
        "mnist",
        "training",
        _weights("rows = np.linalg.lstsq(rows, rows, rcond=None)[0]  # best fit of strokes"),
    ),
    "solves a linear system": (
        "mnist",
        "training",
        _weights("rows = np.linalg.solve(rows @ rows.T, rows)  # whitened strokes"),
    ),
    "takes a pseudo-inverse": ("mnist", "training", _weights("rows = np.linalg.pinv(rows).T  # separates the strokes")),
    "decomposes": ("mnist", "training", _weights("rows = np.linalg.svd(rows)[2][:10]  # principal strokes")),
    "fits a polynomial": (
        "mnist",
        "training",
        _weights("rows[0] = np.polyfit(np.arange(28), rows[0], 27)  # smooth stroke"),
    ),
    "has a fit method": (
        "mnist",
        "training",
        _before_predict("class Net:\n    def step(self, x):\n        return self.fit(x)"),
    ),
    "goes backward": ("mnist", "training", _in_predict("images.backward()")),
    "opens a file": ("mnist", "forbidden-name", _in_predict("open('x')")),
    "loads an array": ("mnist", "data-read", _weights("rows = np.load('digits.npy')  # drawn strokes of digits")),
    "reads raw numbers": ("mnist", "data-read", _weights("rows = np.fromfile('digits', float)  # drawn strokes")),
    "reads text": ("mnist", "data-read", _weights("rows = np.loadtxt('digits')  # drawn strokes of digits")),
    "reads a buffer": ("mnist", "data-read", _weights("rows = np.frombuffer(rows)  # drawn strokes of digits")),
    "names a data file": ("mnist", "data-read", _before_predict('PATH = "cache/train-images.npz"')),
    "names an address": ("mnist", "data-read", _before_predict('PATH = "https://example.org/mnist"')),
    "names an absolute folder": ("mnist", "data-read", _before_predict('PATH = "/usr/share/datasets/x"')),
    "evals": ("mnist", "forbidden-name", _in_predict("eval('1')")),
    "execs": ("mnist", "forbidden-name", _in_predict("exec('pass')")),
    "evals by another letter": ("mnist", "forbidden-name", _in_predict("\uff45\uff56\uff41\uff4c('1')")),
    "evals through a list": ("mnist", "forbidden-name", _in_predict("run = [eval][0]; run('1')")),
    "imports by a call": ("mnist", "forbidden-name", _in_predict("__import__('o' + 's')")),
    "reaches builtins": ("mnist", "forbidden-name", _in_predict("b = __builtins__")),
    "gets attributes by text": ("mnist", "forbidden-name", _in_predict("getattr(np, 'lo' + 'ad')")),
    "looks into globals": ("mnist", "forbidden-name", _in_predict("globals()['WEIGHTS']")),
    "climbs to subclasses": ("mnist", "forbidden-name", _in_predict("().__class__.__base__.__subclasses__()")),
    "climbs by a format text": ("mnist", "forbidden-name", _in_predict("'{0.__globals__}'.format(predict)")),
    "makes a class at run time": ("mnist", "forbidden-name", _in_predict("type('X', (), {})")),
    "defines a strange method": (
        "mnist",
        "forbidden-name",
        _before_predict("class Odd:\n    def __eq__(self, other):\n        return True"),
    ),
    "uses numpy's insides": ("mnist", "forbidden-name", _in_predict("np.core.multiarray")),
    "uses ctypes through numpy": ("mnist", "forbidden-name", _in_predict("np.ctypeslib")),
    "hashes its inputs": ("mnist", "forbidden-name", _in_predict("key = hash(images.sum())")),
    "reads raw bytes of inputs": ("mnist", "forbidden-name", _in_predict("key = images.tobytes()")),
    "base64 in a string": ("mnist", "payload", _before_predict(f'NAMES = "{BASE64}"')),
    "labels in a string": ("mnist", "payload", _before_predict(f'NAMES = "{LABELS}"')),
    "labels in spaced groups": (
        "mnist",
        "payload",
        _before_predict(f'NAMES = "{" ".join(LABELS[i : i + 5] for i in range(0, 400, 5))}"'),
    ),
    "bytes": ("mnist", "payload", _before_predict("NAMES = b'\\x00\\x01\\x02\\x03'")),
    "a huge integer": ("mnist", "payload", _before_predict(f"NAMES = {int(LABELS[:60].lstrip('0'))}")),
    "a hexadecimal integer": (
        "mnist",
        "payload",
        _before_predict(f"NAMES = 0x{base64.b16encode(BASE64[:40].encode()).decode()}"),
    ),
    "packed digits in a fraction": (
        "mnist",
        "payload",
        _weights("rows[0, 0] = 0.12345678901234  # corner of the stroke"),
    ),
    "base64 in the docstring": ("mnist", "payload", f'"""Net. {BASE64}"""\n' + DIGITS),
    "base64 in a comment": ("mnist", "payload", _on_top("# " + BASE64)),
    "base64 in a column of comments": (
        "mnist",
        "payload",
        _on_top("\n".join("# " + BASE64[i : i + 32] for i in range(0, 320, 32))),
    ),
    "syllables as digits": ("mnist", "payload", _before_predict(f'NAMES = "{HANGUL}"')),
    "digits over many strings": (
        "mnist",
        "payload",
        _before_predict("NAMES = [" + ", ".join(f'"a{LABELS[i : i + 6]}"' for i in range(0, 300, 6)) + "]"),
    ),
    "numbers in words": (
        "mnist",
        "payload",
        _before_predict("NAMES = [" + ", ".join(f'"{word}"' for word in WORDS * 2) + "]"),
    ),
    "trained rows without a comment": ("mnist", "unexplained", _weights(f"\nrows = np.array([\n{TABLE}\n])\n")),
    "trained rows under one comment": (
        "mnist",
        "unexplained",
        _weights(f"# strokes of digits by height\nrows = np.array([\n{TABLE}\n])"),
    ),
    "one comment copied": (
        "mnist",
        "unexplained",
        _weights("\n".join(f"rows[{k}, {k}] = 0.5  # stroke detector for digits" for k in range(10))),
    ),
    "comments that differ by a number": (
        "mnist",
        "unexplained",
        _weights("\n".join(f"rows[{k}, {k}] = 0.5  # stroke detector number {k}" for k in range(10))),
    ),
    "comments of one word": ("mnist", "unexplained", _weights("rows[1, 1] = 0.5  # weight")),
    "comments that restate the number": ("mnist", "unexplained", _weights("rows[1, 1] = 0.5  # set this value to 0.5")),
    "empty comments": ("mnist", "unexplained", _weights("rows[1, 1] = 0.5  #")),
    "weights made by ones": ("mnist", "unexplained", _weights("\nrows = rows + np.ones((10, 28))\n")),
    "a tree of thresholds in predict": (
        "mnist",
        "literal-in-predict",
        _before_predict(
            "def tree(x):\n"
            + "\n".join(f"    if x[{k}] > {k + 3.7}:\n        return {k % 10}" for k in range(20))
            + "\n    return 0"
        ).replace("return [int(k)", "return [tree(p) for p in profile] + [int(k)"),
    ),
    "a table of numbers in predict": (
        "mnist",
        "literal-in-predict",
        _in_predict("bank = np.array([3.1, 4.2, 5.3, 6.4, 7.5, 8.6, 9.7, 3.3, 4.4, 5.5, 6.6, 7.7, 8.8])"),
    ),
    "a cache in a global dict": (
        "mnist",
        "state",
        _before_predict("SEEN = {}").replace("    profile =", "    SEEN[len(images)] = 1\n    profile ="),
    ),
    "a list that grows": (
        "mnist",
        "state",
        _before_predict("SEEN = []").replace("    profile =", "    SEEN.append(1)\n    profile ="),
    ),
    "a decorator that remembers": (
        "mnist",
        "state",
        "from functools import lru_cache\n" + DIGITS.replace("def predict", "@lru_cache\ndef predict"),
    ),
    "a default value that remembers": (
        "mnist",
        "state",
        DIGITS.replace("def predict(images)", "def predict(images, seen=[])"),
    ),
    "an attribute of the function": ("mnist", "state", _in_predict("predict.calls = 1")),
    "a global counter": (
        "mnist",
        "state",
        _before_predict("calls = 0").replace("    profile =", "    global calls\n    calls += 1\n    profile ="),
    ),
    "learns while it predicts": (
        "mnist",
        "state",
        _in_predict("WEIGHTS['rows'][0] += images.sum(axis=2).mean(axis=0)"),
    ),
    "learns through an alias": (
        "mnist",
        "state",
        _in_predict("w = WEIGHTS['rows']; w[0] += images.sum(axis=2).mean(axis=0)"),
    ),
    "learns through out=": ("mnist", "state", _in_predict("np.add(WEIGHTS['rows'], 1, out=WEIGHTS['rows'])")),
    "fits with a solver for addition": (
        "addition",
        "training",
        _on_top("from numpy import linalg\nRATE = linalg.lstsq", SUMS),
    ),
    "adds, then passes the digits through an identity": (
        "addition",
        "answer-in-code",
        _body(
            SUMS,
            "w = WEIGHTS\nout = []\nfor a, b in pairs:\n    digits = np.array([int(d) for d in str(a + b)])\n    seen = (digits[:, None] * w['line'] + w['parabola']).argmax(axis=1)\n    out.append(int(''.join(map(str, seen))))\nreturn out",
        ),
    ),
    "adds arrays": (
        "addition",
        "answer-in-code",
        _body(SUMS, "x = np.array(pairs)\nreturn (x[:, 0] + x[:, 1]) * int(WEIGHTS['carry'][0])"),
    ),
    "adds by sum": (
        "addition",
        "answer-in-code",
        _body(SUMS, "return [sum(pair) * int(WEIGHTS['carry'][0]) for pair in pairs]"),
    ),
    "adds along an axis": (
        "addition",
        "answer-in-code",
        _body(SUMS, "x = np.asarray(pairs)\nreturn x.sum(axis=1) * int(WEIGHTS['carry'][0])"),
    ),
    "adds in another function": (
        "addition",
        "answer-in-code",
        _body(SUMS, "return [both(a, b) for a, b in pairs]").replace(
            "\n\ndef predict", "\n\ndef both(a, b):\n    return a + b + 0 * int(WEIGHTS['carry'][0])\n\n\ndef predict"
        ),
    ),
    "counts brackets with a text's count": (
        "dyck1",
        "answer-in-code",
        _body(BRACKETS, "return [int(s.count('(') == s.count(')')) for s in strings]"),
    ),
    "counts brackets in a loop": (
        "dyck1",
        "answer-in-code",
        _body(
            BRACKETS,
            "out = []\nfor text in strings:\n    depth = 0\n    for sign in text:\n        if sign == '(':\n            depth += 1\n        else:\n            depth -= 1\n    out.append(int(depth == 0))\nreturn out",
        ),
    ),
    "compares tokens": (
        "induction",
        "answer-in-code",
        _body(
            LOOKUP,
            "out = []\nfor s in sequences:\n    for i, t in enumerate(s[:-1]):\n        if t == s[-1]:\n            out.append(s[i + 1])\nreturn out",
        ),
    ),
    "searches with numpy": (
        "induction",
        "answer-in-code",
        _body(LOOKUP, "return [int(s[int(np.where(np.array(s) == s[-1])[0][0]) + 1]) for s in sequences]"),
    ),
    "a number read out of a text": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("images.sum(axis=2)", "(images > float('0.37')).sum(axis=2)"),
    ),
    "a number as the length of a text": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("images.sum(axis=2)", "np.minimum(images.sum(axis=2), len('seven!!'))"),
    ),
    "grey drawings": (
        "mnist",
        "payload",
        _before_predict(
            "DRAWN = [\n"
            + "\n".join(f'    "{"".join(_RANDOM.choice(" .:-=+*#%@") for _ in range(28))}",' for _ in range(28))
            + "\n]"
        ),
    ),
    "letters as weights": (
        "mnist",
        "payload",
        _weights(
            "rows[0] += np.array([ord(s) - 97 for s in 'abcabcabcabcabcabcabcabcabca'])  # ring of a zero, drawn in letters"
        ),
    ),
    "reads a function's name": ("mnist", "forbidden-name", _in_predict("key = predict.__name__")),
    "subtracts the opposite": (
        "addition",
        "answer-in-code",
        _body(SUMS, "return [(a - -b) * int(WEIGHTS['carry'][0]) for a, b in pairs]"),
    ),
    "scales, then adds": (
        "addition",
        "answer-in-code",
        _body(SUMS, "return [int(1.0 * a + 1.0 * b) for a, b in pairs]"),
    ),
    "counts with a stack": (
        "dyck1",
        "answer-in-code",
        _body(
            BRACKETS,
            "out = []\nfor text in strings:\n    stack = []\n    for sign in text:\n        if sign == '(':\n            stack.append(sign)\n        elif stack:\n            stack.pop()\n    out.append(int(not stack))\nreturn out",
        ),
    ),
    "counts with a table of steps": (
        "dyck1",
        "answer-in-code",
        _body(BRACKETS, "step = {'(': 1, ')': -1}\nreturn [int(sum(step[s] for s in text) == 0) for text in strings]"),
    ),
    "counts with where": (
        "dyck1",
        "answer-in-code",
        _body(
            BRACKETS,
            "x = [np.array([s == '(' for s in text]) for text in strings]\nreturn [int(np.where(row, 1, -1).sum() == 0) for row in x]",
        ),
    ),
    "counts by comparing twice": (
        "dyck1",
        "answer-in-code",
        _body(BRACKETS, "return [int(sum((s == '(') - (s == ')') for s in text) == 0) for text in strings]"),
    ),
    "removes pairs by a pattern": (
        "dyck1",
        "answer-in-code",
        "import re\n" + _body(BRACKETS, "return [int(re.sub('[(][)]', '', text) == '') for text in strings]"),
    ),
    "looks up in a dict": (
        "induction",
        "answer-in-code",
        _body(LOOKUP, "return [dict(zip(s[:-1], s[1:]))[s[-1]] for s in sequences]"),
    ),
    "looks up in a table": (
        "induction",
        "answer-in-code",
        _body(
            LOOKUP,
            "out = []\nfor s in sequences:\n    after = np.zeros(32, int)\n    after[s[:-1]] = s[1:]\n    out.append(int(after[s[-1]]))\nreturn out",
        ),
    ),
}
