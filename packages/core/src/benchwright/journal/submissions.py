"""Submissions and verdicts in a run folder, written so that they can be graded again without a call."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec

from benchwright import exact_json
from benchwright.errors import BenchError, FileError
from benchwright.journal.encoding import encode
from benchwright.journal.turns import Files, safe_name
from benchwright.records import Evaluation, Submission, SubmissionKind, Violation

ANSWER = "answer.json"

_answers = msgspec.json.Encoder(decimal_format="number")


_ABSENT: tuple[object, ...] = (None, "", (), [], {})


def encode_answer(answer: Any) -> bytes:
    """An answer as JSON, decimals digit by digit as they were read."""
    return _answers.encode(answer)


def clear(files: Files, prefix: str) -> None:
    """Takes away what an earlier try left below `<prefix>/`, so that nobody takes it for this one's."""
    shutil.rmtree(files.folder / prefix, ignore_errors=True)
    for name in [name for name in files.digests if name.startswith(f"{prefix}/")]:
        del files.digests[name]
    files.forget_folders()


def write_submission(files: Files, prefix: str, submission: Submission) -> dict[str, str]:
    """Writes a submission below `<prefix>/` and gives the digests by path. Raises ValueError for an unsafe file name."""
    if submission.kind == "json":
        content = encode_answer(submission.answer)
        return {f"{prefix}/{ANSWER}": files.write(f"{prefix}/{ANSWER}", content)}
    return {
        f"{prefix}/{name}": files.write(f"{prefix}/{name}", content)
        for name, content in sorted(submission.files.items())
    }


def read_submission(folder: Path, kind: SubmissionKind) -> Submission | None:
    """The submission in `folder`, or None where the attempt had none."""
    if not folder.is_dir():
        return None
    try:
        if kind == "json":
            text = (folder / ANSWER).read_bytes().decode()
            return Submission("json", answer=exact_json.decode(text), text=text)
        found = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }
    except OSError as error:
        raise FileError(error.filename or folder, f"cannot be read: {error.strerror or error}") from None
    except (BenchError, UnicodeDecodeError) as error:
        raise FileError(folder / ANSWER, f"is not JSON: {error}") from None
    return Submission(kind, files=found) if found else None


def write_verdict(
    files: Files, prefix: str, evaluation: Evaluation, violations: list[Violation], trace: str = ""
) -> None:
    """`evaluation.json`, and the artifacts beside it. What a benchmark gave is known to be writable: `refuse_unwritable`."""
    files.write(f"{prefix}/evaluation.json", _record(evaluation, violations))
    for name, content in evaluation.artifacts.items():
        files.write(f"{prefix}/{name}", content)
    if trace:
        files.write(f"{prefix}/traceback.txt", trace.encode("utf-8", "replace"))


def refuse_unwritable(evaluation: Evaluation, violations: list[Violation]) -> None:
    """Raises TypeError or ValueError where a verdict, a benchmark's defect, cannot be put on record."""
    _record(evaluation, violations)
    for name, content in evaluation.artifacts.items():
        if not safe_name(name):
            raise ValueError(f"the artifact {name[:80]!r} has no name for a file")
        if not isinstance(content, bytes):
            raise TypeError(f"the artifact {name} holds no bytes but {type(content).__name__}")


def _record(evaluation: Evaluation, violations: list[Violation]) -> bytes:
    record = {
        "outcome": evaluation.outcome,
        "score": evaluation.score,
        "reason": evaluation.reason,
        "metrics": evaluation.metrics,
        "checks": evaluation.checks,
        "violations": violations,
        "device": evaluation.device,
        "data": evaluation.data,
        "feedback": evaluation.feedback,
        "labels_seen": evaluation.labels_seen,
    }
    return encode({key: value for key, value in record.items() if value not in _ABSENT})
