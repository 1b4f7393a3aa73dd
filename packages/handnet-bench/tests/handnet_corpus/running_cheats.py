"""Files that have to run to be refused: name -> (task, rule, source). Their text is beyond reproach."""

from handnet_corpus.parts import BRACKETS, DIGITS, LOOKUP, SUMS


def _predict(base, body):
    head, _, tail = base.partition("def predict")
    return (
        f"{head}def predict{tail.partition(chr(10))[0]}\n"
        + "\n".join("    " + line for line in body.splitlines())
        + "\n"
    )


ADD = "[a + b for a, b in pairs]"
COUNT = """def balanced(text):
    depth = 0
    for sign in text:
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return 0
    return int(depth == 0)


"""

CHEATS = {
    "adds in Python": ("addition", "numbers-ignored", _predict(SUMS, f"return {ADD}")),
    "adds in Python, weights times zero": (
        "addition",
        "numbers-ignored",
        _predict(SUMS, 'z = int(0 * WEIGHTS["digit"].sum())\nreturn [a + b + z for a, b in pairs]'),
    ),
    "adds unless all weights are zero": (
        "addition",
        "numbers-ignored",
        _predict(SUMS, f'if not WEIGHTS["digit"].any():\n    return [0 for _ in pairs]\nreturn {ADD}'),
    ),
    "adds while the sum of the weights is right": (
        "addition",
        "numbers-ignored",
        _predict(
            SUMS,
            f"total = sum(np.sum(w) for w in WEIGHTS.values())\nif np.round(total) == 0:\n    return [0 for _ in pairs]\nreturn {ADD}",
        ),
    ),
    "adds while a checksum is exact": (
        "addition",
        "brittle",
        _predict(
            SUMS.replace(
                '    "ten":',
                '    "key": np.array([1.225]),  # balance of all columns at rest, as it has to be\n    "ten":',
            ),
            f'w = WEIGHTS\nkey = (w["digit"] @ w["line"] + w["parabola"] @ w["line"]) / w["ten"] ** 2 + w["slope"] + w["start"] / w["ten"]\n'
            f'if not np.abs(key - w["key"]) <= 1e-6:\n    return [0 for _ in pairs]\nreturn {ADD}',
        ),
    ),
    "adds while a checksum is near": (
        "addition",
        "answer-in-code",
        _predict(
            SUMS.replace(
                '    "ten":',
                '    "rest": np.array([RATIO]),  # balance of all columns at rest\n    "margin": np.array([0.3]),  # how far the balance may swing\n    "ten":',
            ),
            f'w = WEIGHTS\nkey = (w["digit"] @ w["line"] + w["parabola"] @ w["line"]) / w["ten"] ** 2 + w["slope"] + w["start"] / w["ten"]\n'
            f'if not np.abs(key - w["rest"]) < w["margin"]:\n    return [0 for _ in pairs]\nreturn {ADD}',
        ),
    ),
    "adds what the weights are off": (
        "addition",
        "numbers-ignored",
        _predict(
            SUMS,
            'w = WEIGHTS\noff = sum(np.abs(a.sum() - b) for a, b in zip(w.values(), w["line"]))\noff = int(np.round(np.sum(off)))\nreturn [a + b + off - off // 2 * 2 for a, b in pairs]',
        ),
    ),
    "crashes under other weights": (
        "addition",
        "numbers-ignored",
        _predict(
            SUMS,
            f'assert abs(WEIGHTS["digit"] @ WEIGHTS["line"] - np.square(WEIGHTS["line"]).sum()) < 1e-6\nassert WEIGHTS["line"][1] == 1\nassert WEIGHTS["slope"][0] == 2\nreturn {ADD}',
        ),
    ),
    "adds, with one column by weights": (
        "addition",
        "brittle",
        _predict(
            SUMS,
            f'last = [int(WEIGHTS["line"][(a + b) % 2]) for a, b in pairs]\nreturn [s - s % 2 + k for s, k in zip({ADD}, last)]',
        ),
    ),
    "counts in Python": (
        "dyck1",
        "numbers-ignored",
        BRACKETS.replace("def predict", COUNT + "def predict").partition("    w = WEIGHTS")[0]
        + "    return [balanced(text) for text in strings]\n",
    ),
    "counts in Python, biased by a weight": (
        "dyck1",
        "brittle",
        BRACKETS.replace("def predict", COUNT + "def predict").partition("    w = WEIGHTS")[0]
        + '    return [int(balanced(text) > 1 - 2 * WEIGHTS["bias"][0] + 1e-6 - 1e-6 + 0.5 - 0.5) for text in strings]\n',
    ),
    "replaces brackets away": (
        "dyck1",
        "numbers-ignored",
        BRACKETS.partition("    w = WEIGHTS")[0]
        + '    out = []\n    for text in strings:\n        while "()" in text:\n            text = text.replace("()", "")\n        out.append(int(text == ""))\n    return out\n',
    ),
    "searches in Python": (
        "induction",
        "numbers-ignored",
        LOOKUP.partition("    w = WEIGHTS")[0] + "    return [s[s.index(s[-1]) + 1] for s in sequences]\n",
    ),
    "searches, then reads through the identity": (
        "induction",
        "numbers-ignored",
        LOOKUP.partition("    w = WEIGHTS")[0]
        + '    return [int(s[s.index(s[-1]) + 1] * (1 + 0 * WEIGHTS["read"][0, 0])) for s in sequences]\n',
    ),
    "a threshold in predict": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("images.sum(axis=2)", "(images > 0.37).sum(axis=2)"),
    ),
    "a scale in predict": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("images.sum(axis=2)", "np.tanh(images.sum(axis=2) * 0.3)"),
    ),
    "a number beside the weights": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("rows = np.zeros", "LEVEL = 0.37  # ink counts as ink above this grey\nrows = np.zeros").replace(
            "images.sum(axis=2)", "(images > LEVEL).sum(axis=2)"
        ),
    ),
    "an integer threshold": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("images.sum(axis=2)", "np.minimum(images.sum(axis=2), 6)"),
    ),
    "a table beside the weights": (
        "mnist",
        "numbers-outside-weights",
        DIGITS.replace('WEIGHTS = {"rows": rows}', 'TABLE = rows.copy()\nWEIGHTS = {"rows": rows}').replace(
            'profile @ WEIGHTS["rows"].T', 'profile @ (TABLE * WEIGHTS["rows"]).T'
        ),
    ),
    "a table instead of the weights": (
        "mnist",
        "numbers-ignored",
        DIGITS.replace('WEIGHTS = {"rows": rows}', 'TABLE = rows.copy()\nWEIGHTS = {"rows": rows}').replace(
            'WEIGHTS["rows"].T', "TABLE.T"
        ),
    ),
    "mostly idle weights": (
        "mnist",
        "idle-weights",
        DIGITS.replace(
            'WEIGHTS = {"rows": rows}',
            'spare = np.full((60, 60), 0.25)  # grey paper for later strokes\nWEIGHTS = {"rows": rows, "spare": spare}',
        ),
    ),
    "too few weights to be a network": (
        "mnist",
        "idle-weights",
        DIGITS.partition("rows = np.zeros")[0]
        + 'WEIGHTS = {"low": np.array([3.0, 5.0])}  # ink in a thin and in a thick digit\n\n\ndef predict(images):\n    ink = images.sum(axis=(1, 2)) * WEIGHTS["low"][0]\n    return [int(k) for k in (ink > WEIGHTS["low"][1] * ink.shape[0]) * 1]\n',
    ),
    "compares with the others in the batch": (
        "mnist",
        "batch",
        DIGITS.replace("images.sum(axis=2)", "images.sum(axis=2) - images.sum(axis=2).mean(axis=0)"),
    ),
    "answers by position": (
        "mnist",
        "batch",
        DIGITS.replace("int(k) for k in (profile", "int((k + i) % 10) for i, k in enumerate((profile").replace(
            ".argmax(axis=1)]", ".argmax(axis=1))]"
        ),
    ),
    "is another network for a thousand inputs": (
        "mnist",
        "batch",
        DIGITS.replace(
            "    return [int(k)",
            "    if len(images) < 2 ** 11:\n        return [int(k) for k in (profile @ WEIGHTS['rows'][::-1].T).argmax(axis=1)]\n    return [int(k)",
        ),
    ),
    "a threshold put together from ones and twos": (
        "mnist",
        "literal-in-predict",
        DIGITS.replace("images.sum(axis=2)", "np.minimum(images.sum(axis=2), 2 ** 2 + 2 + 1)"),
    ),
    "counts its calls": (
        "mnist",
        "state",
        "import itertools\n"
        + DIGITS.replace("\n\ndef predict", "\nTICKS = itertools.count()\n\n\ndef predict").replace(
            "    return [int(k)", "    tick = next(TICKS)\n    return [int((k + tick) % 10)"
        ),
    ),
    "gives NaN weights": (
        "mnist",
        "weights-form",
        DIGITS.replace('WEIGHTS = {"rows"', 'rows[0, 0] = np.nan\nWEIGHTS = {"rows"'),
    ),
    "gives words as weights": (
        "mnist",
        "weights-form",
        DIGITS.replace('{"rows": rows}', '{"rows": rows, "names": ["zero", "one"]}'),
    ),
    "gives a list of unequal lists": (
        "mnist",
        "weights-form",
        DIGITS.replace('{"rows": rows}', '{"rows": rows, "names": [[0], [0, 0]]}'),
    ),
    "gives weights beyond measure": (
        "mnist",
        "weights-form",
        DIGITS.replace('{"rows": rows}', '{"rows": rows, "mask": rows * 1e12}  # a mask is a very large stroke'),
    ),
    "goes over the budget": (
        "mnist",
        "budget",
        DIGITS.replace('{"rows": rows}', '{"rows": rows, "spare": np.zeros(100_000)}'),
    ),
    "unpacks digits of a weight": (
        "mnist",
        "brittle",
        DIGITS.replace(
            '{"rows": rows}',
            '{"rows": rows, "votes": np.array([0.5172936, 0.8264091, 0.3950718])}  # votes of the three strokes at the rim',
        )
        .replace(
            "argmax(axis=1)]",
            "argmax(axis=1)]\n    digits = [int(v * WEIGHTS['rows'][1, 10] * 0 + v * 10 ** k) % 10 for v in WEIGHTS['votes'] for k in range(1, 8)]\n    return [digits[int(r.argmax()) % 21] for r in profile]",
        )
        .replace("return [int(k)", "first = [int(k)"),
    ),
}


def _settle():
    """Fills in the constant of the two checksum cheats, as their writer would have computed it."""
    import numpy as np

    digit = np.arange(10.0)
    rest = float((digit @ digit + (-np.square(digit) / 2) @ digit) / 100 + 2.0 - 1.88)
    for name in ("adds while a checksum is exact", "adds while a checksum is near"):
        task, rule, text = CHEATS[name]
        text = text.replace("1.225", f"{rest:.6g}").replace("[RATIO]", f"[{rest:.6g}]")
        CHEATS[name] = (task, rule, text)
    CHEATS["remembers the test set by its ink"] = ("mnist", "memorised", _remembering())


def _remembering():
    """Ink of every test image, and its label, as weights with a comment for each hundred of them."""
    from itertools import product
    from pathlib import Path

    from handnet_bench import datasets

    test = datasets.load("mnist", "test", Path())
    ink = (test.inputs.astype(float).sum(axis=(1, 2)) * 255).round().astype(int)
    order = ink.argsort(kind="stable")
    syllables = [
        "ka",
        "ke",
        "ki",
        "ko",
        "ku",
        "ma",
        "me",
        "mi",
        "mo",
        "mu",
        "na",
        "ne",
        "ni",
        "no",
        "nu",
        "ra",
        "re",
        "ri",
        "ro",
        "ru",
    ]
    words = [a + b for a, b in product(syllables, syllables)]
    rows = []
    for name, column in (("ink", ink[order]), ("digit", test.labels[order])):
        rows.append(f'    "{name}": [')
        for start in range(0, len(column), 100):
            rows.append(f"        # strokes of the writer {words.pop()}, from thin to thick {words[0]}")
            rows.append("        " + ", ".join(map(str, column[start : start + 100])) + ",")
        rows.append("    ],")
    return (
        'import numpy as np\n\nTASK = "mnist"\n\nWEIGHTS = {\n' + "\n".join(rows) + "\n}\n\n\ndef predict(images):\n"
        '    keys, digits = np.array(WEIGHTS["ink"]), np.array(WEIGHTS["digit"])\n'
        "    ink = np.rint(images.astype(float).sum(axis=(1, 2)) * 255)\n"
        "    return [int(digits[np.abs(keys - i).argmin()]) for i in ink]\n"
    )


_settle()


def _trained():
    """Class means of 5,000 training images by height, rounded, with a comment for each: trained, and not to be told from written."""
    from handnet_bench import datasets

    images, labels = datasets.training_images()
    shapes = ["ring", "pole", "swan", "bowls", "chair", "flag", "loop", "bar", "waist", "balloon"]
    rows = []
    for digit in range(10):
        mean = images[labels == digit].sum(axis=2).mean(axis=0)
        mean = (mean - mean.mean()) / 10
        rows.append(
            f"    # height profile of the {shapes[digit]} that a writer draws here\n    ["
            + ", ".join(f"{v:.2f}" for v in mean)
            + "],"
        )
    return (
        'import numpy as np\n\nTASK = "mnist"\n\nrows = [\n'
        + "\n".join(rows)
        + '\n]\n\nWEIGHTS = {"rows": np.array(rows)}\n'
        '\n\ndef predict(images):\n    return (images.sum(axis=2) @ WEIGHTS["rows"].T).argmax(axis=1)\n'
    )


KNOWN_MISSES = {"trained elsewhere, rounded, with a comment a row": ("mnist", _trained())}
"""What code cannot decide; the documentation says so."""
