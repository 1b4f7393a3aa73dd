"""Logs of Inspect AI (`.eval` and `.json`), read without it.

Each epoch of a sample is a draw, with the score that this epoch got. A sample that the provider refused
or cut is no evidence, as everywhere here; Inspect counts it as a failure, which is the score with
refusals and truncations counted as failures.

A log that `bench logs export` wrote says with each sample which attempt it is of. It comes back under that
attempt's own task and outcome, so it compares with its run; on a board it is a log of another tool as well.
"""

from __future__ import annotations

import errno
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchwright import digests, names
from benchwright.errors import FileError, UserError
from benchwright.leaderboard import imported
from benchwright.leaderboard.imported import Imported, Origin, Sample
from benchwright.outcomes import OUTCOMES
from benchwright.records import Usage

LARGEST = 2 * 2**30
"""Bytes of a log, unpacked, that are read at most."""
_LARGEST_MEMBER = 512 * 2**20
_ZSTANDARD = 93

OWN = "benchwright"
"""The scorer in logs that were exported from runs of ours."""
RUN = "benchwright_run"
"""Names that run in such a log's metadata."""

_WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "TRUE": 1.0, "FALSE": 0.0, "YES": 1.0, "NO": 0.0}
_STOPS = {"content_filter": "refused", "max_tokens": "truncated", "model_length": "truncated"}
_KNOBS = ("temperature", "top_p", "top_k", "max_tokens", "reasoning_effort", "reasoning_tokens", "effort", "seed")


class _Score(msgspec.Struct):
    value: Any = None


class _Choice(msgspec.Struct):
    stop_reason: str = "stop"


class _Output(msgspec.Struct):
    model: str = ""
    choices: list[_Choice] = []


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int | None = None
    input_tokens_cache_read: int | None = None
    input_tokens_cache_write: int | None = None


class _Sample(msgspec.Struct):
    id: int | str
    epoch: int
    input: Any = None
    target: Any = None
    scores: dict[str, _Score] | None = None
    output: _Output | None = None
    error: Any = None
    limit: Any = None
    model_usage: dict[str, _Usage] = {}
    metadata: dict[str, Any] | None = None
    total_time: float | None = None
    started_at: str | None = None


class _Eval(msgspec.Struct):
    task: str
    model: str
    created: str
    model_generate_config: dict[str, Any] = {}
    packages: dict[str, str] = {}
    metadata: dict[str, Any] | None = None


class _Plan(msgspec.Struct):
    config: dict[str, Any] = {}


class _Named(msgspec.Struct):
    name: str


class _Results(msgspec.Struct):
    scores: list[_Named] = []


class _Log(msgspec.Struct):
    eval: _Eval
    version: int = 2
    status: str = ""
    plan: _Plan = msgspec.field(default_factory=_Plan)
    results: _Results | None = None
    samples: list[_Sample] | None = None


def read(path: Path, scorer: str | None = None) -> Imported:
    """A log as a run. `scorer`: whose score counts, as `name` or `name.key`; the log's first where None.

    Raises FileError for what is no log, is larger than `LARGEST`, or holds scores outside [0, 1].
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    head, samples = _unzipped(path) if raw.startswith(b"PK") else _plain(path, raw)
    if head.version > 2:
        raise FileError(path, f"is an Inspect log of version {head.version}, and this bench reads up to 2")
    chosen = scorer or _first_scorer(head, samples, path)
    config = {**head.plan.config, **head.eval.model_generate_config}
    knobs = {name: config[name] for name in _KNOBS if config.get(name) is not None}
    model = names.model_identity(head.eval.model, knobs)
    return imported.build(
        [_sample(head, sample, model, knobs, chosen, path) for sample in samples],
        tool="inspect",
        version=head.eval.packages.get("inspect_ai", "unknown"),
        created=head.eval.created,
        source=raw,
        place=path,
    )


def _decode(raw: bytes, kind: type[Any], place: object) -> Any:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise FileError(place, f"is no Inspect log: {error}") from None


def _plain(path: Path, raw: bytes) -> tuple[_Log, list[_Sample]]:
    if len(raw) > LARGEST:
        raise FileError(path, f"is larger than {LARGEST // 2**30} GiB")
    log: _Log = _decode(raw, _Log, path)
    return log, log.samples or []


def _unzipped(path: Path) -> tuple[_Log, list[_Sample]]:
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            members = {info.filename: info for info in archive.infolist()}
            if sum(info.file_size for info in members.values()) > LARGEST:
                raise FileError(path, f"unpacks to more than {LARGEST // 2**30} GiB")
            name = "header.json" if "header.json" in members else "_journal/start.json"
            if name not in members:
                raise FileError(path, "is no Inspect log: it has no header.json")
            head: _Log = _decode(_member(file, members[name], path), _Log, f"{path}:{name}")
            samples: list[_Sample] = [
                _decode(_member(file, info, path), _Sample, f"{path}:{name}")
                for name, info in members.items()
                if name.startswith("samples/") and name.endswith(".json")
            ]
    except (zipfile.BadZipFile, struct.error, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise FileError(path, f"cannot be read ({error.strerror})") from None
        raise FileError(path, "is no whole zip archive") from None  # a place before its start is an invalid argument
    return head, samples


def _member(file: Any, info: zipfile.ZipInfo, path: Path) -> bytes:
    """The content of an archive member, never more than the size that its entry names.

    Inspect packs with Zstandard, which `zipfile` cannot read before Python 3.14.
    """
    place = f"{path}:{info.filename}"
    if info.file_size > _LARGEST_MEMBER:
        raise FileError(place, f"is larger than {_LARGEST_MEMBER // 2**20} MiB")
    if info.flag_bits & 1:
        raise FileError(place, "is encrypted")
    file.seek(info.header_offset)
    head = file.read(30)
    if head[:4] != b"PK\3\4":
        raise FileError(path, "is no whole zip archive: a member is not where its list says")
    name_size, extra_size = struct.unpack("<HH", head[26:30])
    file.seek(name_size + extra_size, 1)
    packed = file.read(info.compress_size)
    content = _unpack(info, place)(packed, info.file_size)
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise FileError(place, "does not have the size and checksum that the archive lists")
    return content


def _unpack(info: zipfile.ZipInfo, place: str) -> Callable[[bytes, int], bytes]:
    if info.compress_type == zipfile.ZIP_STORED:
        return lambda packed, size: packed[: size + 1]
    if info.compress_type == zipfile.ZIP_DEFLATED:

        def inflate(packed: bytes, size: int) -> bytes:
            try:
                return zlib.decompressobj(-15).decompress(packed, size + 1)
            except zlib.error as error:
                raise FileError(place, f"cannot be unpacked: {error}") from None

        return inflate
    if info.compress_type == _ZSTANDARD:
        return _zstandard(place)
    raise FileError(place, f"is packed by a method ({info.compress_type}) that Inspect does not use")


def _zstandard(place: str) -> Callable[[bytes, int], bytes]:
    import importlib
    import sys

    zstd = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")

    def unpack(packed: bytes, size: int) -> bytes:
        try:
            content: bytes = zstd.ZstdDecompressor().decompress(packed, max_length=size + 1)
        except (zstd.ZstdError, EOFError) as error:
            raise FileError(place, f"cannot be unpacked: {error}") from None
        return content

    return unpack


def _first_scorer(head: _Log, samples: list[_Sample], path: Path) -> str:
    if head.results and head.results.scores:
        return head.results.scores[0].name
    found = next((name for sample in samples for name in sample.scores or ()), None)
    if found is None:
        raise FileError(path, f"holds no score (status: {head.status or 'unknown'})")
    return found


def _sample(head: _Log, sample: _Sample, model: str, knobs: dict[str, Any], scorer: str, path: Path) -> Sample:
    place = f"{path}: sample {sample.id}, epoch {sample.epoch}"
    origin = _origin(head, sample, scorer, place)
    stop = sample.output.choices[0].stop_reason if sample.output and sample.output.choices else "stop"
    score = _score(sample, scorer, place)
    if origin is not None:
        outcome, reason = _own_outcome(sample, score, place)
    elif sample.error is not None:
        outcome, reason = "harness_error", "the sample ended in an error"
    elif stop in _STOPS:
        outcome, reason = _STOPS[stop], f"stop reason {stop}"
    elif score is None:
        outcome, reason = "harness_error", f"the scorer {scorer} gave no score"
    else:
        outcome, reason = ("solved" if score == 1 else "unsolved"), ""
    return Sample(
        suite=origin.task.suite if origin else head.eval.task,
        id=str(sample.id),
        content=digests.canonical_json([sample.input, sample.target])
        if isinstance(sample.input, str)
        else _texts(sample),
        model=model,
        settings=knobs,
        draw=sample.epoch,
        outcome=outcome,
        score=score,
        answered=(sample.output.model or None) if sample.output else None,
        usage=_usage(sample),
        started=sample.started_at or head.eval.created,
        seconds=sample.total_time or 0.0,
        reason=reason,
        origin=origin,
    )


def _origin(head: _Log, sample: _Sample, scorer: str, place: str) -> Origin | None:
    """The attempt of ours that this sample was written from; None for every other log, and for another scorer's score."""
    if scorer != OWN or RUN not in (head.eval.metadata or {}) or "task" not in (sample.metadata or {}):
        return None
    try:
        found = msgspec.convert(sample.metadata, Origin)
        names.split_task_id(found.task.id)
    except (msgspec.ValidationError, UserError) as error:
        raise FileError(place, f"says that it is an attempt of bench, and its metadata is damaged: {error}") from None
    if found.task.id != sample.id:
        raise FileError(place, f"says that it is an attempt at {found.task.id}")
    return found


def _own_outcome(sample: _Sample, score: float | None, place: str) -> tuple[str, str]:
    """Outcome and reason that stand in the metadata. Raises FileError where they do not fit the score."""
    said = (sample.metadata or {}).get("outcome")
    outcome = OUTCOMES.get(said) if isinstance(said, str) else None
    if outcome is None or (outcome.evidence == "none") != (score is None):
        raise FileError(
            place,
            f"has the outcome {said!r} and {'no score' if score is None else f'the score {score:g}'}, "
            "which do not go together",
        )
    reason = (sample.metadata or {}).get("reason")
    return outcome.name, reason if isinstance(reason, str) else ""


def _texts(sample: _Sample) -> bytes:
    """Role and content of each input message: message ids differ from run to run."""
    messages = sample.input if isinstance(sample.input, list) else [sample.input]
    plain = [
        {name: message.get(name) for name in ("role", "content")} if isinstance(message, dict) else message
        for message in messages
    ]
    return digests.canonical_json([plain, sample.target])


def _score(sample: _Sample, scorer: str, place: str) -> float | None:
    name, _, key = scorer.partition(".")
    scores = sample.scores or {}
    if scorer in scores:
        name, key = scorer, ""
    if name not in scores:
        if scores and sample.error is None:
            raise FileError(place, f"has no score by `{name}`; there are: {', '.join(sorted(scores))}")
        return None
    value = scores[name].value
    if isinstance(value, dict):
        if key not in value:
            keys = ", ".join(f"{name}.{one}" for one in sorted(value))
            raise FileError(place, f"has several scores by `{name}`; choose one with --scorer: {keys}")
        value = value[key]
    return _number(value, place)


def _number(value: Any, place: str) -> float | None:
    if isinstance(value, str):
        value = _WORDS.get(value.strip().upper(), value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        if value is None:
            return None
        raise FileError(place, f"has the score {value!r}, which is no number") from None
    if number != number:
        return None
    if not 0 <= number <= 1:
        raise FileError(place, f"has the score {number:g}; only scores in [0, 1] can be compared")
    return number


def _usage(sample: _Sample) -> Usage | None:
    if not sample.model_usage:
        return None
    parts: Iterator[_Usage] = iter(sample.model_usage.values())
    total = Usage()
    for part in parts:
        total += Usage(
            part.input_tokens,
            part.output_tokens,
            part.reasoning_tokens or 0,
            part.input_tokens_cache_read or 0,
            part.input_tokens_cache_write or 0,
        )
    return total
