"""The fixed development report: what a writer sees between two versions, the same for everybody."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec
from benchwright.digests import strip_canary

from handnet_bench.datasets import Split

if TYPE_CHECKING:
    import numpy as np

MOST_SENTENCES = 40
MOST_ROWS = 20
ERRORS_A_CLASS = 2
SHADES = " .:-=+*#%@"


class Report(msgspec.Struct, frozen=True):
    """`labels_seen`: labels of the development split that the report was made with, all of them."""

    text: str
    labels_seen: int


def message(report: Report) -> str:
    """The report as the next message to the writer."""
    prompt = (resources.files("handnet_bench") / "prompts" / "revise.md").read_text(encoding="utf-8")
    return strip_canary(prompt).strip() + "\n\n" + report.text


def write(slug: str, rows: Split, predictions: Any) -> Report:
    """The report on predictions for the development split `rows`."""
    import numpy as np

    right = int(np.sum(np.asarray(predictions, dtype=object) == np.asarray(rows.labels, dtype=object)))
    head = f"Development set: {len(rows.labels)} labelled examples, {right} right ({right / len(rows.labels):.1%}).\n"
    body = {"mnist": _digits, "sst2": _sentences, "sentiment": _sentences}.get(slug, _sequences)(rows, predictions)
    return Report(head + body, len(rows.labels))


def _digits(rows: Split, predictions: np.ndarray) -> str:
    import numpy as np

    table = np.zeros((10, 10), dtype=int)
    for truth, given in zip(rows.labels, predictions, strict=True):
        if 0 <= given <= 9:
            table[truth, given] += 1
    lines = ["\nConfusion matrix (row: true digit, column: predicted)", "     " + "".join(f"{k:4d}" for k in range(10))]
    lines += [f"{k:4d} " + "".join(f"{n:4d}" for n in row) for k, row in enumerate(table)]
    for digit in range(10):
        mean = rows.inputs[rows.labels == digit].mean(axis=0)
        lines += [f"\nMean image of the digit {digit}", _ascii(mean)]
    for digit in range(10):
        wrong = np.flatnonzero((rows.labels == digit) & (predictions != digit))[:ERRORS_A_CLASS]
        for index in wrong:
            lines += [f"\nA {digit} that was read as {predictions[index]}", _ascii(rows.inputs[index])]
    return "\n".join(lines) + "\n"


def _ascii(image: np.ndarray) -> str:
    """28 lines of 28 signs, blank to "@"; empty rows are left out."""
    import numpy as np

    level = np.clip((image * len(SHADES)).astype(int), 0, len(SHADES) - 1)
    lines = ["".join(SHADES[v] for v in row).rstrip() for row in level]
    return "\n".join(line for line in lines if line)


def _sentences(rows: Split, predictions: np.ndarray) -> str:
    wrong = [i for i, (truth, given) in enumerate(zip(rows.labels, predictions, strict=True)) if truth != given]
    if not wrong:
        return "\nNo sentence is misclassified.\n"
    lines = [f"\nMisclassified, the first {min(len(wrong), MOST_SENTENCES)} of {len(wrong)} (true label, sentence)"]
    lines += [f"{rows.labels[i]}  {' '.join(rows.inputs[i])}" for i in wrong[:MOST_SENTENCES]]
    return "\n".join(lines) + "\n"


def _sequences(rows: Split, predictions: np.ndarray) -> str:
    wrong = [i for i, (truth, given) in enumerate(zip(rows.labels, predictions, strict=True)) if truth != given]
    if not wrong:
        return "\nNo row is wrong.\n"
    lines = [f"\nWrong, the first {min(len(wrong), MOST_ROWS)} of {len(wrong)} (input, expected, given)"]
    lines += [f"{rows.inputs[i]}  {rows.labels[i]}  {predictions[i]}" for i in wrong[:MOST_ROWS]]
    return "\n".join(lines) + "\n"
