"""Trained models at matched labels: the curves behind "worth in labels" of the handnet benchmark.

    python benchmarks/handnet_baselines.py --data FOLDER --out packages/handnet-bench/src/handnet_bench/data/baselines.json

`FOLDER` is what `bench data fetch sst2 movie-snippets` fills; tasks whose data is missing keep the curve
that the file has already. Where SST-2 has no test split there, its curve is measured on the development split, and
says so. Needs scipy and torch. Prints each point as it comes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from benchwright import folders
from benchwright.digests import CANARY
from handnet_bench import datasets, sentences

LABELS = (100, 200, 500, 1000, 2000, 5000)
SEEDS = (1, 2, 3)
SPARSE_LABELS = (100, 500, 1000, 5000)
TWIN_SEEDS = (1, 2)
GENERATED_SEED = 31_000_000

Learner = Callable[[Any, Any, Any, int], Any]
"""(training inputs, training labels, test inputs, seed) -> predictions."""


def logistic(x: np.ndarray, y: np.ndarray, test: np.ndarray, seed: int) -> np.ndarray:
    """Multinomial logistic regression, L2 penalty 0.5 |w|^2 per example over 100, by L-BFGS from zero."""
    from scipy.optimize import minimize

    classes, n = int(y.max()) + 1, len(x)
    one_hot = np.eye(classes)[y]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w = flat.reshape(x.shape[1] + 1, classes)
        z = x @ w[:-1] + w[-1]
        z = z - z.max(axis=1, keepdims=True)
        log_sum = np.log(np.exp(z).sum(axis=1))
        p = np.exp(z - log_sum[:, None])
        value = (log_sum - z[np.arange(n), y]).mean() + 0.005 * float((w[:-1] ** 2).sum()) / np.sqrt(n)
        slope = np.concatenate([x.T @ (p - one_hot) / n + 0.01 * w[:-1] / np.sqrt(n), (p - one_hot).mean(axis=0)[None]])
        return value, slope.ravel()

    found = minimize(loss, np.zeros((x.shape[1] + 1) * classes), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    w = found.x.reshape(x.shape[1] + 1, classes)
    return (test @ w[:-1] + w[-1]).argmax(axis=1)


def nearest_mean(x: np.ndarray, y: np.ndarray, test: np.ndarray, seed: int) -> np.ndarray:
    """The class whose mean image is nearest."""
    means = np.stack(
        [x[y == k].mean(axis=0) if (y == k).any() else np.full(x.shape[1], 1e9) for k in range(int(y.max()) + 1)]
    )
    return ((test[:, None, :] - means[None]) ** 2).sum(axis=2).argmin(axis=1)


def bag_of_words(texts: list[list[str]], y: np.ndarray, test: list[list[str]], seed: int) -> np.ndarray:
    """Logistic regression on words that occur in the training sentences, tf-idf weighted, unit length."""
    vocabulary = {word: i for i, word in enumerate(sorted({word for words in texts for word in words}))}

    def counts(rows: list[list[str]]) -> np.ndarray:
        table = np.zeros((len(rows), len(vocabulary)))
        for i, words in enumerate(rows):
            for word in words:
                if word in vocabulary:
                    table[i, vocabulary[word]] = 1.0
        return table

    x = counts(texts)
    idf = np.log((1 + len(x)) / (1 + x.sum(axis=0))) + 1

    def unit(table: np.ndarray) -> np.ndarray:
        return table * idf / (np.linalg.norm(table * idf, axis=1, keepdims=True) + 1e-9) * 5

    return logistic(unit(x), y, unit(counts(test)), seed)


def twin(task: str, inputs: list[Any], labels: list[int], test: list[Any], seed: int) -> np.ndarray:
    """A small trained network of the task's kind: a GRU over columns or brackets, a two-layer transformer for induction."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    x, y = encode(task, inputs, labels)
    width = x.shape[1]
    if task == "induction":
        model: nn.Module = Attention(width)
    else:
        model = Recurrent(20 if task == "addition" else 3, 10 if task == "addition" else 2, each=task == "addition")
    optimiser = torch.optim.Adam(model.parameters(), 3e-3 if task != "induction" else 1e-3)
    for _ in range(800):
        rows = torch.randint(len(x), (min(64, len(x)),))
        logits = model(x[rows])
        loss = nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), y[rows].reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        out = model(encode(task, test, [0] * len(test))[0]).argmax(dim=-1).numpy()
    if task == "addition":
        return np.array([int("".join(map(str, row[::-1]))) for row in out.tolist()], dtype=object)
    return out


def encode(task: str, inputs: list[Any], labels: list[int]) -> tuple[Any, Any]:
    """Tensors of token numbers and of targets, of one width a task."""
    import torch

    if task == "addition":
        digits = [[[int(c) for c in str(n).zfill(11)[::-1]] for n in pair] for pair in inputs]
        sums = [[int(c) for c in str(n).zfill(11)[::-1]] for n in labels]
        return torch.tensor(digits).transpose(1, 2) + torch.tensor([0, 10]), torch.tensor(sums)
    if task == "dyck1":
        # Padded in front, so that the last state has seen everything last.
        return torch.tensor([[" ()".index(c) for c in text.rjust(64)] for text in inputs])[:, :, None], torch.tensor(
            labels
        )
    return torch.tensor([[32] * (48 - len(row)) + list(row) for row in inputs]), torch.tensor(labels)


def _torch_models() -> tuple[Any, Any]:
    import torch
    from torch import nn

    class Recurrent(nn.Module):
        def __init__(self, tokens: int, classes: int, each: bool) -> None:
            super().__init__()
            self.embed, self.each = nn.Embedding(tokens, 32), each
            self.gru, self.out = nn.GRU(32, 32, batch_first=True), nn.Linear(32, classes)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            states, _ = self.gru(self.embed(x).sum(dim=2))
            return self.out(states if self.each else states[:, -1])

    class Attention(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.embed, self.place = nn.Embedding(33, 64), nn.Parameter(torch.randn(width, 64) * 0.1)
            layer = nn.TransformerEncoderLayer(64, 2, 128, dropout=0.0, batch_first=True, norm_first=True)
            self.layers, self.out = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(64, 32)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
            return self.out(self.layers(self.embed(x) + self.place, mask=mask, is_causal=True)[:, -1])

    return Recurrent, Attention


def provenance(slug: str) -> dict[str, Any]:
    """How the curves of a task were made: enough to make them again."""
    twins = slug in datasets.SEEDS
    rows = (
        f"rows generated from seed {GENERATED_SEED} + seed"
        if twins
        else "the first n of the training rows permuted by numpy.random.default_rng(seed)"
    )
    return {
        "script": "benchmarks/handnet_baselines.py",
        "seeds": list(TWIN_SEEDS if twins else SEEDS),
        "labels": list(SPARSE_LABELS if twins else LABELS),
        "training_rows": rows,
    }


def curve(learner: str, on: str, points: list[tuple[int, list[float]]]) -> dict[str, Any]:
    for labels, accuracies in points:
        print(f"{on:40} {learner:22} {labels:5d} labels  {' '.join(f'{a:.4f}' for a in accuracies)}", flush=True)
    return {"learner": learner, "evaluated_on": on, "points": [{"labels": n, "accuracies": a} for n, a in points]}


def images() -> list[dict[str, Any]]:
    test = datasets.load("mnist", "test", Path())
    x, y = datasets.training_images()
    flat, flat_test = x.reshape(len(x), -1).astype(float), test.inputs.reshape(len(test.inputs), -1).astype(float)
    found = []
    for name, learner in (("logistic regression", logistic), ("nearest mean", nearest_mean)):
        points = []
        for n in LABELS:
            rows = [
                np.random.default_rng(seed).permutation(len(x))[:n] for seed in (SEEDS if n < len(x) else SEEDS[:1])
            ]
            points.append((n, [float((learner(flat[r], y[r], flat_test, 0) == test.labels).mean()) for r in rows]))
        found.append(curve(name, test.id, points))
    return found


def text(slug: str, folder: Path) -> list[dict[str, Any]] | None:
    path = folder / "sst2" / "train.tsv"
    try:
        test = datasets.load(slug, "test", folder)
    except datasets.NeedsData:
        try:
            test = datasets.load(slug, "development", folder)
        except datasets.NeedsData:
            return None
    if not path.exists():
        return None
    train = sentences.read(path)
    tokens, y = [t.split(" ") for t in train.texts], np.array(train.labels)
    points = []
    for n in LABELS:
        rows = [np.random.default_rng(seed).permutation(len(y))[:n] for seed in SEEDS]
        right = [bag_of_words([tokens[i] for i in r], y[r], test.inputs, 0) == np.array(test.labels) for r in rows]
        points.append((n, [float(hits.mean()) for hits in right]))
    return [curve("bag of words", test.id, points)]


def sequences(task: str) -> list[dict[str, Any]]:
    test = datasets.load(task, "test", Path())
    points = []
    for n in SPARSE_LABELS:
        accuracies = []
        for seed in TWIN_SEEDS:
            inputs, labels = datasets.generate(task, GENERATED_SEED + seed, n)
            accuracies.append(float(np.mean(twin(task, inputs, labels, test.inputs, seed) == np.array(test.labels))))
        points.append((n, accuracies))
    return [curve("trained twin", test.id, points)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=folders.data())
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=["mnist", "sst2", "sentiment", "addition", "dyck1", "induction"])
    options = parser.parse_args()
    known = json.loads(options.out.read_text()) if options.out.exists() else {}
    tasks, made = known.get("tasks", {}), known.get("provenance", {})
    for slug in options.only:
        found = (
            images()
            if slug == "mnist"
            else text(slug, options.data)
            if slug in ("sst2", "sentiment")
            else sequences(slug)
        )
        if found is None:
            print(f"{slug}: no data in {options.data}; its curve stays as it is.")
            continue
        tasks[slug], made[slug] = found, provenance(slug)
        content = {
            "canary": CANARY,
            "provenance": dict(sorted(made.items())),
            "tasks": dict(sorted(tasks.items())),
        }
        options.out.write_text(json.dumps(content, indent=1) + "\n")


Recurrent, Attention = _torch_models() if __name__ == "__main__" else (None, None)

if __name__ == "__main__":
    main()
