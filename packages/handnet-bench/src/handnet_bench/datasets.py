"""The three splits of each task: what a submission is scored on, what a report shows, what a check draws on.

Labels live here and in the trusted process; nothing in this module is ever sent to a worker but `inputs`.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from benchwright import DataRef
from benchwright.errors import FileError, UserError

from handnet_bench import idx, sentences, sequences, snippets

if TYPE_CHECKING:
    import numpy as np

SplitName = Literal["test", "development", "second"]

T10K = {
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
TRAIN5000 = {
    "train5000-images-idx3-ubyte": "1e3ffdb2f57e22d9e5363dde25c2d057542c2e72baa312f0f3b03948bb3802b7",
    "train5000-labels-idx1-ubyte": "685aeb7baef68233efa643639a5e9c15bb48be09a628f96fb7f606ca2a1ea7bc",
}
"""File -> sha256 of its unpacked content."""

SEEDS = {"addition": 20261104, "dyck1": 20261105, "induction": 20261106}
"""Seed of each generated test split; the other splits take the seeds next to it."""

TEST_ROWS, OTHER_ROWS = 2000, 500


class NeedsData(UserError):
    """The data is not on this machine; the message says how to get it."""


class Split(msgspec.Struct, frozen=True):
    """Rows of one split. `inputs`: (N, 28, 28) float32 in [0, 1], or a list; `labels`: (N,) integers, trusted side only."""

    id: str
    inputs: Any
    labels: Any
    sha256: str
    official: bool

    @property
    def ref(self) -> DataRef:
        """What an attempt records."""
        return DataRef(self.id, self.sha256, len(self.labels), self.official)

    def rows(self, which: Any) -> Any:
        """The inputs at the indices `which`, in that order."""
        return self.inputs[which] if hasattr(self.inputs, "shape") else [self.inputs[int(i)] for i in which]


def load(task: str, split: SplitName, folder: Path) -> Split:
    """A split of the task with this slug; `folder` is what `bench data fetch` fills. Raises NeedsData."""
    if task == "mnist":
        return _mnist(split)
    if task in SEEDS:
        return _generated(task, split)
    return {"sst2": _sst2, "sentiment": _snippets}[task](split, folder)


@lru_cache(maxsize=4)
def _mnist(split: SplitName) -> Split:
    import numpy as np

    files = T10K if split == "test" else TRAIN5000
    raw = [_embedded(f"mnist/{name}.gz", sha256) for name, sha256 in files.items()]
    images, labels = idx.images(raw[0]), idx.labels(raw[1])
    rows = {"test": slice(None), "development": slice(0, 500), "second": slice(500, 2500)}[split]
    name = {"test": "mnist-t10k-official", "development": "mnist-train-0-500", "second": "mnist-train-500-2500"}[split]
    digest = hashlib.sha256(images[rows].tobytes() + labels[rows].astype(np.uint8).tobytes()).hexdigest()
    return Split(name, images[rows].astype(np.float32) / np.float32(255), labels[rows], digest, True)


def training_images(count: int = 5000) -> tuple[np.ndarray, np.ndarray]:
    """The first `count` (at most 5,000) MNIST training images, (count, 28, 28) float32 in [0, 1], and labels."""
    import numpy as np

    raw = [_embedded(f"mnist/{name}.gz", sha256) for name, sha256 in TRAIN5000.items()]
    return idx.images(raw[0])[:count].astype(np.float32) / np.float32(255), idx.labels(raw[1])[:count]


def _embedded(name: str, sha256: str) -> bytes:
    with resources.as_file(resources.files("handnet_bench") / "data" / name) as path:
        return idx.content(path, sha256)


@lru_cache(maxsize=12)
def _generated(task: str, split: SplitName) -> Split:
    seed = SEEDS[task] + {"test": 0, "development": 1_000_000, "second": 2_000_000}[split]
    rows = TEST_ROWS if split == "test" else OTHER_ROWS
    inputs, labels = generate(task, seed, rows)
    digest = hashlib.sha256(msgspec.json.encode([inputs, labels])).hexdigest()
    name = {"test": "test", "development": "dev", "second": "second"}[split]
    return Split(f"{task}-{name}-seed-{seed}-{rows}", inputs, labels, digest, True)


def generate(task: str, seed: int, rows: int) -> tuple[list[Any], list[int]]:
    """Rows of a generated task from any seed."""
    if task == "addition":
        return sequences.addition(seed, rows)
    if task == "dyck1":
        return sequences.dyck1(seed, rows)
    return sequences.induction(seed, rows)


def _sst2(split: SplitName, folder: Path) -> Split:
    part = {"test": "test", "development": "dev", "second": "dev"}[split]
    found = _stored(folder / "sst2" / f"{part}.tsv", "SST-2", "sst2")
    sentences.check_sst2(found, part, folder / "sst2" / f"{part}.tsv")
    return _text(f"sst2-{part}-official-{len(found.labels)}", found)


def _snippets(split: SplitName, folder: Path) -> Split:
    part = {"test": "test", "development": "dev", "second": "dev"}[split]
    path = folder / "movie-snippets" / f"{part}.tsv"
    found = _stored(path, "the movie snippets", "movie-snippets")
    if sentences.digest(found) != snippets.DIGESTS[part]:
        raise FileError(path, "is not what `bench data fetch movie-snippets` wrote; fetch it again.")
    return _text(f"movie-snippets-vader14-{part}", found)


def _stored(path: Path, what: str, name: str) -> sentences.Sentences:
    if not path.exists():
        raise NeedsData(f"{what} is not on this machine: run `bench data fetch {name}`.")
    return sentences.read(path)


def _text(name: str, found: sentences.Sentences) -> Split:
    tokens = [text.split(" ") for text in found.texts]
    return Split(name, tokens, found.labels, sentences.digest(found), True)
