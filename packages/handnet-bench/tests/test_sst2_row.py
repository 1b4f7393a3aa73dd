"""The SST-2 row from a local copy: fetch, score, record; on sentences made here, for the test split is sealed."""

import random

import click
import msgspec
import pytest
from benchwright.engine.own_files import score_files
from benchwright.engine.workbench import Workbench
from click.testing import CliRunner
from handnet_bench import commands, datasets, sentences
from handnet_corpus.parts import REVIEWS

PLAIN = [
    "film",
    "story",
    "scene",
    "actor",
    "camera",
    "minute",
    "hour",
    "script",
    "music",
    "city",
    "night",
    "train",
    "window",
    "friend",
    "house",
    "dinner",
]
PRAISE = ["good", "great", "funny", "charming", "brilliant", "beautiful", "fresh", "smart", "warm", "wonderful"]
BLAME = ["bad", "worst", "dull", "boring", "awful", "lame", "tedious", "poor", "silly", "flat"]


def made_here(count, positive, seed):
    """Sentences with a word of their label in four of five, and a number of their own."""
    rng = random.Random(seed)
    rows = []
    for place in range(count):
        label = int(place < positive)
        words = [*rng.choices(PLAIN, k=8), f"take{place}"]
        words.insert(4, rng.choice((PRAISE if label else BLAME) if rng.random() < 0.8 else PLAIN))
        rows.append((label, " ".join(words)))
    rng.shuffle(rows)
    return rows


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder as a person may have it, with sets of the published sizes whose sentences this package is told to know."""
    folder = tmp_path / "copy"
    folder.mkdir()
    known = []
    for split, (count, positive) in sentences.SST2_SIZES.items():
        if split == "train":
            continue
        rows = made_here(count, positive, split)
        (folder / f"stsa.binary.{split}").write_text("".join(f"{label} {text}\n" for label, text in rows))
        known.append(frozenset(sentences.fingerprint(text) for _, text in rows))
    monkeypatch.setattr(sentences, "sst2_fingerprints", lambda: known[0] | known[1])
    monkeypatch.setattr(sentences, "sst2_test_fingerprints", lambda: known[1])
    monkeypatch.setattr(sentences, "SST2_DIGESTS", {})
    return folder


def test_a_local_copy_with_labels_is_fetched_and_scored_as_the_row_of_the_task(copy, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCHWRIGHT_DATA", str(tmp_path / "data"))
    cli = click.Group("bench")
    commands.register(cli)
    done = CliRunner().invoke(cli, ["data", "fetch", "sst2", "--sst2-dir", str(copy)])
    assert done.exit_code == 0, done.output
    assert "test.tsv: 1821 sentences, 909 positive, each one known by hash." in done.output

    (tmp_path / "net.py").write_text(REVIEWS)
    with Workbench() as bench:
        scored = score_files(bench, "handnet/sst2", [tmp_path / "net.py"], label="me", out=tmp_path / "run")
    [attempt] = scored.attempts
    assert attempt.outcome in ("solved", "unsolved"), attempt.reason
    assert attempt.data == datasets.load("sst2", "test", tmp_path / "data").ref
    assert (attempt.data.id, attempt.data.n, attempt.data.official) == ("sst2-test-official-1821", 1821, True)
    assert attempt.score > 0.8
    assert attempt.metrics["label_equivalent"] > 0
    told = msgspec.json.encode(attempt).decode()
    assert not any(
        text in told for text in datasets.load("sst2", "test", tmp_path / "data").inputs[0] if "take" in text
    )


def test_without_a_copy_the_task_is_left_out_and_says_how_to_add_it(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCHWRIGHT_DATA", str(tmp_path / "none"))
    (tmp_path / "net.py").write_text(REVIEWS)
    with Workbench() as bench:
        [attempt] = score_files(bench, "handnet/sst2", [tmp_path / "net.py"], label="me", out=tmp_path / "run").attempts
    assert (attempt.outcome, attempt.score) == ("needs_data", None)
    assert "bench data fetch sst2" in attempt.reason
