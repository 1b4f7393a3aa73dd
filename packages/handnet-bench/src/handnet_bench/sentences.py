"""Labelled sentences in a folder: SST-2 in each of its published shapes, and the movie snippets.

A set is identified by what it says, not by the bytes that carried it: its digest covers the sorted
(sentence hash, label) pairs, so the Stanford trees, the JSON lines and the plain text files of SST-2
give one identity.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from benchwright.errors import FileError

from handnet_bench.counting import many

SST2_SIZES = {"train": (6920, 3610), "dev": (872, 444), "test": (1821, 909)}
"""Split -> (sentences, positive ones)."""

SST2_DIGESTS = {
    "train": "672b03ba700798504e02363b56acd5a22a67274ba9e2dd14471e0f2251d96e6f",
    "dev": "aa4ad01c0071bf4fa973054746a047d23c7daff531cd9875cee48d323ffb45b2",
}
"""Identity of the splits, see `digest`. The test split is known by its size, both classes and the hashes of its sentences."""


class Sentences(NamedTuple):
    """`texts`: tokens joined by single spaces, lower case; `labels`: 1 positive, 0 negative."""

    texts: list[str]
    labels: list[int]


def fingerprint(text: str) -> str:
    """The first 20 hex digits of sha256 of the letters and digits of `text`, in lower case."""
    plain = re.sub(r"-[lr][rcs]b-", "", text.lower())
    return hashlib.sha256(re.sub(r"[^a-z0-9]", "", plain).encode()).hexdigest()[:20]


@cache
def sst2_fingerprints() -> frozenset[str]:
    """Fingerprints of every sentence of any split of SST-2; the sentences themselves are not in this package."""
    return _hashes("sentence-hashes.txt")


@cache
def sst2_test_fingerprints() -> frozenset[str]:
    """Fingerprints of the sentences that are in the test split alone: 1,819, for two of its 1,821 rows repeat another sentence."""
    return _hashes("test-hashes.txt")


def _hashes(name: str) -> frozenset[str]:
    text = (resources.files("handnet_bench") / "data" / "sst2" / name).read_text()
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


def digest(sentences: Sentences) -> str:
    """sha256 over the sorted "fingerprint label" lines."""
    lines = sorted(f"{fingerprint(text)} {label}\n" for text, label in zip(*sentences, strict=True))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def read(path: Path) -> Sentences:
    """The sentences of one file, by its ending: `.jsonl` (text, label), `.tsv`, or lines of label, space, sentence."""
    texts: list[str] = []
    labels: list[int] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(path, f"cannot be read: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        label: object
        try:
            if path.suffix == ".jsonl":
                row = json.loads(line)
                label, text = row["label"], row["text"]
            else:
                label, text = line.replace("\t", " ", 1).split(" ", 1)
            value = int(str(label))
        except (ValueError, KeyError, TypeError) as error:
            raise FileError(f"{path}:{number}", "is not a label and a sentence.") from error
        if value not in (0, 1):
            raise FileError(
                f"{path}:{number}",
                f"has the label {value}; 0 and 1 are labels. (Copies of SST-2 with hidden test labels hold -1; "
                "they cannot be scored on. `bench data fetch sst2` gets a labelled one.)",
            )
        texts.append(" ".join(text.split()).lower())
        labels.append(value)
    return Sentences(texts, labels)


def write(path: Path, sentences: Sentences) -> None:
    """Writes label, tab, sentence, a line each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (f"{label}\t{text}\n" for text, label in zip(*sentences, strict=True))
    path.write_text("".join(lines), encoding="utf-8")


def check_sst2(sentences: Sentences, split: str, place: object) -> None:
    """Raises FileError where `sentences` cannot be that split of SST-2."""
    rows, positive = SST2_SIZES[split]
    if (len(sentences.labels), sum(sentences.labels)) != (rows, positive):
        raise FileError(
            place,
            f"has {many(len(sentences.labels), 'sentence')}, {sum(sentences.labels)} of them positive; "
            f"SST-2 {split} has {rows}, {positive} of them positive.",
        )
    strangers = sum(fingerprint(text) not in sst2_fingerprints() for text in sentences.texts)
    if strangers:
        raise FileError(place, f"holds {many(strangers, 'sentence')} in no split of SST-2.")
    lost = len(sst2_test_fingerprints() - set(map(fingerprint, sentences.texts))) if split == "test" else 0
    if lost:
        raise FileError(place, f"lacks {many(lost, 'sentence')} of SST-2's test split, so it is made of others.")
    if split in SST2_DIGESTS and digest(sentences) != SST2_DIGESTS[split]:
        raise FileError(place, f"has the sentences of SST-2 {split} with other labels.")


def trees(text: str) -> Sentences:
    """Sentences from Stanford's bracketed trees, a line each: label of the root, neutral ones (2) dropped."""
    texts: list[str] = []
    labels: list[int] = []
    for line in text.splitlines():
        match = re.match(r"\((\d) ", line)
        if match is None or match[1] == "2":
            continue
        words = re.findall(r" ([^()\s]+)\)", line)
        texts.append(" ".join(words).replace("\\/", "/").lower())
        labels.append(int(int(match[1]) > 2))
    return Sentences(texts, labels)
