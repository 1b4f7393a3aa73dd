"""The data is the genuine one, nothing overlaps, and what is fetched is what was asked for."""

import gzip
import hashlib
import http.server
import threading
from importlib import resources
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from benchwright.errors import FileError, UserError
from handnet_bench import datasets, fetch, idx, sentences, sequences, snippets

MNIST = resources.files("handnet_bench") / "data" / "mnist"


@pytest.mark.parametrize(
    ("name", "md5"),
    [
        ("t10k-images-idx3-ubyte", "2646ac647ad5339dbf082846283269ea"),
        ("t10k-labels-idx1-ubyte", "27ae3e4e09519cfbb04c329615203637"),
    ],
)
def test_the_embedded_test_set_is_the_published_one(name, md5):
    assert hashlib.md5(gzip.decompress((MNIST / f"{name}.gz").read_bytes())).hexdigest() == md5


def test_the_embedded_training_images_are_the_first_5000_of_the_published_ones(tmp_path):
    import os

    shared = os.environ.get("BENCHWRIGHT_SHARED")
    if not shared:
        pytest.skip("BENCHWRIGHT_SHARED is not set: the full training set is not compared")
    raw = gzip.decompress((Path(shared) / "data" / "mnist" / "train-images-idx3-ubyte.gz").read_bytes())
    assert hashlib.md5(raw).hexdigest() == "6bbc9ace898e44ae57da46a324031adb"
    images, _ = datasets.training_images()
    assert np.array_equal(np.round(images * 255).astype(np.uint8), idx.images(raw)[:5000])


def test_the_splits_have_the_sizes_shapes_and_ranges_that_the_prompt_names():
    test = datasets.load("mnist", "test", Path())
    assert test.inputs.shape == (10000, 28, 28)
    assert (test.inputs.dtype, test.inputs.min(), test.inputs.max()) == (np.float32, 0.0, 1.0)
    assert sorted(set(test.labels.tolist())) == list(range(10))
    assert test.official
    assert len(datasets.load("mnist", "development", Path()).labels) == 500


def test_no_image_is_in_two_splits():
    rows = {
        name: {image.tobytes() for image in datasets.load("mnist", name, Path()).inputs}
        for name in ("test", "development", "second")
    }
    for a, b in combinations(rows.values(), 2):
        assert not a & b


@pytest.mark.parametrize("task", ["addition", "dyck1", "induction"])
def test_generated_splits_hardly_overlap_and_never_change(task):
    pinned = {
        "addition": "70291eb54a50fa831f531192889a57dd7d7d82ada29dfb1226452b2d1c825335",
        "dyck1": "08b68b372f289f5065f639bd3c815d157c4fbbc3cf1c871fa3c98703ef0fd852",
        "induction": "cc2f0360f7c5334dc260c639b2ab8940c01b385f47f6e4719bc300956cc3c1fa",
    }
    splits = [datasets.load(task, name, Path()) for name in ("test", "development", "second")]
    assert splits[0].sha256 == pinned[task]
    long = [{str(row) for row in split.inputs if len(str(row)) > 24} for split in splits]
    for a, b in combinations(long, 2):
        assert not a & b


def test_addition_pairs_cover_every_length_and_long_carries():
    pairs, sums = sequences.addition(datasets.SEEDS["addition"], 2000)
    assert {len(str(a)) for a, _ in pairs} == set(range(1, 11))
    assert all(a + b == s for (a, b), s in zip(pairs, sums, strict=True))
    assert sum(str(s).strip("0") == "1" and s > 9 for s in sums) > 50


def test_brackets_are_balanced_half_the_time_and_near_misses_otherwise():
    strings, labels = sequences.dyck1(datasets.SEEDS["dyck1"], 2000)
    assert 0.4 < np.mean(labels) < 0.6
    assert any(s.count("(") == s.count(")") and not label for s, label in zip(strings, labels, strict=True))
    assert max(map(len, strings)) == 64


def test_the_last_token_occurs_once_before_and_the_answer_follows_it():
    for row, answer in zip(*sequences.induction(datasets.SEEDS["induction"], 2000), strict=True):
        assert row.count(row[-1]) == 2
        assert row[row.index(row[-1]) + 1] == answer


def test_the_hashes_of_sst2_are_9600_and_cover_train_and_development(sst2_folder):
    assert len(sentences.sst2_fingerprints()) == 9600
    for part in ("train", "dev"):
        found = sentences.read(sst2_folder / "sst2" / f"{part}.tsv")
        assert all(sentences.fingerprint(text) in sentences.sst2_fingerprints() for text in found.texts)


def test_train_and_development_sentences_of_sst2_share_one_sentence_as_published(sst2_folder):
    train, dev = (sentences.read(sst2_folder / "sst2" / f"{part}.tsv").texts for part in ("train", "dev"))
    assert len(set(map(sentences.fingerprint, train)) & set(map(sentences.fingerprint, dev))) == 1


SHARED_SENTENCE = "if you 've ever entertained the notion of doing what the title of this film implies , what sex with strangers actually shows may put you off the idea forever ."


def test_a_snippet_that_holds_an_sst2_sentence_is_left_out_whole_or_in_part():
    own = "This one is nowhere in there at all, zebra."
    rows = [
        (2.0, own),
        (-2.0, SHARED_SENTENCE),
        (-2.0, f"Some words before it. {SHARED_SENTENCE.capitalize()}"),
        (0.3, "A zebra neither here nor there."),
        (1.0, own.upper()),
    ]
    kept = snippets.split(iter(rows))
    assert [text for part in kept.values() for text in part.texts] == ["this one is nowhere in there at all , zebra ."]


def test_tokens_are_split_like_those_of_sst2():
    assert snippets.tokens("It's not that I don't like Jean-Luc's film...") == [
        "it",
        "'s",
        "not",
        "that",
        "i",
        "do",
        "n't",
        "like",
        "jean-luc",
        "'s",
        "film",
        "...",
    ]


def write_part(folder, split, rows):
    sentences.write(folder / f"{split}.tsv", rows)


def test_sst2_with_hidden_test_labels_is_refused(tmp_path):
    (tmp_path / "test.tsv").write_text("-1\tone long string of cliches .\n")
    with pytest.raises(FileError, match="hidden test labels"):
        fetch.fetch("sst2", tmp_path / "out", print, local=tmp_path)


def test_sst2_of_another_size_is_refused(tmp_path):
    (tmp_path / "dev.tsv").write_text("0\tone long string of cliches .\n1\tgood .\n")
    with pytest.raises(FileError, match="has 2 sentences, 1 of them positive"):
        fetch.fetch("sst2", tmp_path / "out", print, local=tmp_path)


def test_sst2_with_strange_sentences_or_turned_labels_is_refused(sst2_folder):
    dev = sentences.read(sst2_folder / "sst2" / "dev.tsv")
    turned = sentences.Sentences(dev.texts, [1 - label for label in dev.labels])
    swapped = list(dev.labels)
    a, b = swapped.index(0), swapped.index(1)
    swapped[a], swapped[b] = 1, 0
    with pytest.raises(FileError, match="positive"):
        sentences.check_sst2(turned, "dev", "x")
    with pytest.raises(FileError, match="other labels"):
        sentences.check_sst2(sentences.Sentences(dev.texts, swapped), "dev", "x")
    with pytest.raises(FileError, match="in no split"):
        sentences.check_sst2(sentences.Sentences(["zebra .", *dev.texts[1:]], dev.labels), "dev", "x")


def test_a_test_split_made_of_training_sentences_is_refused(sst2_folder):
    train = sentences.read(sst2_folder / "sst2" / "train.tsv")
    rows = sorted(zip(train.labels, train.texts, strict=True))
    chosen = rows[: 1821 - 909] + rows[-909:]
    made = sentences.Sentences([text for _, text in chosen], [label for label, _ in chosen])
    with pytest.raises(FileError, match=r"lacks 1,8\d\d sentences of SST-2's test split"):
        sentences.check_sst2(made, "test", "x")


def test_the_hashes_of_the_test_split_are_those_of_no_other_split(sst2_folder):
    others = {
        sentences.fingerprint(text)
        for part in ("train", "dev")
        for text in sentences.read(sst2_folder / "sst2" / f"{part}.tsv").texts
    }
    assert sentences.sst2_test_fingerprints() == sentences.sst2_fingerprints() - others
    assert len(sentences.sst2_test_fingerprints()) == 1819


def test_stanford_trees_give_the_same_identity_as_plain_lines():
    text = "(3 (2 A) (3 (3 good) (2 film)))\n(2 (2 So) (2 so))\n(0 (1 Bad) (2 .))\n"
    found = sentences.trees(text)
    assert found == sentences.Sentences(["a good film", "bad ."], [1, 0])
    assert sentences.digest(found) == sentences.digest(sentences.Sentences(["Bad .", "A good film !"], [0, 1]))


@pytest.fixture
def server(tmp_path):
    """A web server on this machine over a folder."""
    folder = tmp_path / "site"
    folder.mkdir()
    handler = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *a: None})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: handler(*a, directory=str(folder))) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()


def test_a_download_is_verified_and_the_second_mirror_is_tried(server):
    folder, address = server
    (folder / "wrong").write_bytes(b"not it")
    (folder / "right").write_bytes(b"it")
    right = hashlib.sha256(b"it").hexdigest()
    assert fetch.download(fetch.Source("x", (address + "gone", address + "wrong", address + "right"), right)) == b"it"
    with pytest.raises(UserError, match="expected"):
        fetch.download(fetch.Source("x", (address + "wrong",), right))


def test_mnist_is_fetched_by_content_and_a_changed_byte_is_not_kept(server, tmp_path, monkeypatch):
    folder, address = server
    files = {}
    for name in datasets.T10K:
        raw = gzip.decompress((MNIST / f"{name}.gz").read_bytes())
        (folder / f"{name}.gz").write_bytes(gzip.compress(raw, 1))
        files[name] = datasets.T10K[name]
    monkeypatch.setitem(fetch._IDX, "mnist", ((address,), files))
    said = []
    fetch.fetch("mnist", tmp_path / "data", said.append)
    assert len(said) == 2
    again = []
    fetch.fetch("mnist", tmp_path / "data", again.append)
    assert all("already here" in line for line in again)
    (folder / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(raw[:-1] + bytes([raw[-1] ^ 1])))
    (tmp_path / "data" / "mnist" / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(UserError, match="is not the published file"):
        fetch.fetch("mnist", tmp_path / "data", said.append)
    assert not list((tmp_path / "data" / "mnist").glob("*labels*"))


class Misbehaving(http.server.BaseHTTPRequestHandler):
    """Gives the right file in one place, and in every other one something that a download must not fall for."""

    right = b""

    def log_message(self, *_):
        pass

    def do_GET(self):
        where = self.path.split("/")[1]
        if where == "moved":
            self.send_response(302)
            self.send_header("Location", self.path.replace("moved", "right"))
            self.end_headers()
            return
        if where == "gone":
            self.send_error(404)
            return
        body = {
            "wrong": gzip.compress(b"not it"),
            "torn": self.right[: len(self.right) // 2],
            "damaged": self.right[:-20] + bytes(20),
            "bomb": gzip.compress(bytes(70_000_000)),
            "page": b"<html>Log in to go on</html>",
        }.get(where, self.right)
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.right) if where == "torn" else len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def misbehaving():
    handler = type("Handler", (Misbehaving,), {"right": (MNIST / "t10k-labels-idx1-ubyte.gz").read_bytes()})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()


def fetch_labels(places, address, folder, monkeypatch):
    name = "t10k-labels-idx1-ubyte"
    mirrors = tuple(f"{address}{place}/" for place in places)
    monkeypatch.setitem(fetch._IDX, "mnist", (mirrors, {name: datasets.T10K[name]}))
    fetch.fetch("mnist", folder, lambda line: None)
    return idx.content(folder / "mnist" / f"{name}.gz", datasets.T10K[name])


@pytest.mark.parametrize(
    "places", [["right"], ["moved"], ["gone", "right"], ["torn", "right"], ["page", "right"], ["bomb", "right"]]
)
def test_the_right_file_is_fetched_where_it_is_whatever_stood_before_it(places, misbehaving, tmp_path, monkeypatch):
    assert len(fetch_labels(places, misbehaving, tmp_path, monkeypatch)) == 10008


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("wrong", "is not the published file"),
        ("page", "is not the published file"),
        ("damaged", "cannot be unpacked"),
        ("bomb", "more than 64,000,000 bytes"),
        ("gone", "HTTP 404"),
        ("torn", "could not be downloaded"),
    ],
)
def test_anything_else_is_refused_in_a_sentence_and_nothing_is_kept(place, words, misbehaving, tmp_path, monkeypatch):
    with pytest.raises(UserError, match=words) as caught:
        fetch_labels([place], misbehaving, tmp_path, monkeypatch)
    assert "\n" not in str(caught.value)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_what_is_larger_than_any_set_is_not_read_to_its_end(misbehaving, monkeypatch):
    monkeypatch.setattr(fetch, "LARGEST", 1000)
    with pytest.raises(UserError, match="more than 1,000 bytes"):
        fetch.download(fetch.Source("x", (misbehaving + "right/x",), "0"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mnist", "`bench data fetch mnist --from FOLDER`"),
        ("fashion-mnist", "`bench data fetch fashion-mnist --from FOLDER`"),
        ("sst2", "`bench data fetch sst2 --sst2-dir FOLDER`"),
    ],
)
def test_without_the_net_the_sentence_says_how_to_use_a_copy(name, words, tmp_path, monkeypatch):
    nobody = "http://127.0.0.1:9/"
    monkeypatch.setitem(fetch._IDX, "mnist", ((nobody,), fetch._IDX["mnist"][1]))
    monkeypatch.setitem(fetch._IDX, "fashion-mnist", ((nobody,), fetch._IDX["fashion-mnist"][1]))
    monkeypatch.setattr(fetch, "SST2_TREES", fetch.Source("x", (nobody,), "0"))
    with pytest.raises(UserError, match="could not be downloaded") as caught:
        fetch.fetch(name, tmp_path, print)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_set_a_wrong_sdist_and_a_missing_folder_end_in_a_sentence(tmp_path):
    with pytest.raises(UserError, match="There are: mnist"):
        fetch.fetch("cifar", tmp_path, print)
    with pytest.raises(FileError, match="is not the sdist"):
        snippets.from_sdist(b"x", "x.tar.gz")
    with pytest.raises(UserError, match="is not a folder"):
        fetch.fetch("sst2", tmp_path, print, local=tmp_path / "nowhere")
    with pytest.raises(UserError, match="holds no"):
        fetch.fetch("movie-snippets", tmp_path, print, local=tmp_path)


def test_the_command_fetches_from_a_folder(sst2_folder, tmp_path):
    import click
    from click.testing import CliRunner
    from handnet_bench import commands

    cli = click.Group("bench")
    commands.register(cli)
    done = CliRunner().invoke(
        cli, ["data", "fetch", "sst2", "--sst2-dir", str(sst2_folder / "sst2"), "--data", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    assert "has no test split; `handnet/sst2` stays unscored" in done.output
    assert (tmp_path / "sst2" / "dev.tsv").exists()
