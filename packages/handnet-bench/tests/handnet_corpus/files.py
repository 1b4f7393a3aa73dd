"""Files of the sixth attack: those in `cheats/` name their task and the rule they break, those in `entries/` are honest.

Their first line is no part of them. A cheat that breaks `-` passes: code cannot decide it, or does not yet.
"""

from importlib import resources
from pathlib import Path

HERE = Path(__file__).parent


def _read(folder):
    for file in sorted((HERE / folder).glob("*.py")):
        about, text = file.read_text().split("\n", 1)
        yield file.stem.replace("_", " "), *about.removeprefix("#").split(), text


def _made_easy_first():
    """The reference for dyck1 on strings that code has shortened."""
    text = (resources.files("handnet_bench") / "networks" / "dyck1.py").read_text()
    shorter = 'def shorter(text):\n    for _ in range(32):\n        text = "".join(text.rsplit("()"))\n    return f"({text})"\n\n\n'
    given = "    strings = [shorter(text) for text in strings]\n"
    before, head, after = text.partition("def predict(")
    line, quoted, rest = after.partition('else 0."""\n')
    assert head
    assert quoted
    return before + shorter + head + line + quoted + given + rest


def _in_shapes():
    rows = "".join(
        f'    "{chr(97 + k // 26)}{chr(97 + k % 26)}": np.ones(({k % 5 + 1}, 2, 3, 2)),\n' for k in range(65)
    )
    return f"""import numpy as np

TASK = "mnist"
WEIGHTS = {{
    # Cells of a field, each at full strength: a stroke is as strong as it is wide and high.
{rows}}}


def predict(images):
    field = images.reshape(-1, 4, 7, 28).mean(axis=(1, 3))
    strokes = np.concatenate([np.array(w.shape) * w.mean() for w in WEIGHTS.values()])
    return (field @ strokes[:70].reshape(10, 7).T).argmax(axis=1)
"""


def _in_free_numbers():
    def sketch(digit):
        terms = [f"x[{k % 2}, {(k + digit) % 2}, {k % 3}] / 2 * {1 + (k * digit) % 2}" for k in range(12)]
        return " + ".join(terms)

    sketches = ",\n            ".join(sketch(digit) for digit in range(10))
    return f"""import numpy as np

TASK = "mnist"
WEIGHTS = {{"read": np.eye(10)}}  # each digit is read where it was written


def predict(images):
    out = []
    for image in images:
        x = image[:27, :27].reshape(3, 9, 3, 9).mean(axis=3)
        logits = [
            {sketches},
        ]
        out.append(int((np.array(logits) @ WEIGHTS["read"]).argmax()))
    return out
"""


CHEATS = {
    **{name: (slug, rule, text) for name, slug, rule, text in _read("cheats") if rule != "-"},
    "strings made easy first": ("dyck1", "answer-in-code", _made_easy_first()),
    "a table in shapes": ("mnist", "weights-form", _in_shapes()),
    "a table of free numbers": ("mnist", "literal-in-predict", _in_free_numbers()),
}
KNOWN_MISSES = {name: (slug, text) for name, slug, rule, text in _read("cheats") if rule == "-"}
HONEST = {name: (slug, text) for name, slug, text in _read("entries")}
