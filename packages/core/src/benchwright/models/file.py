"""`file:PATH`: answers with a file, several files, or a folder of them, written by whoever wrote them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright import given, replies
from benchwright.digests import sha256
from benchwright.errors import FileError, ModelError, UserError
from benchwright.models.interface import Ask
from benchwright.records import Reply, Submission, TaskSpec

_LARGEST = 64 * 2**20


def read_files(paths: Sequence[Path]) -> dict[str, bytes]:
    """The files at `paths` by name; a folder stands for every file below it, named from there.

    Raises FileError for one that is absent, unreadable or too large, UserError for a name given twice.
    """
    found: dict[str, bytes] = {}
    for path in paths:
        if path.is_dir():
            inside = [
                entry for entry in sorted(path.rglob("*")) if entry.is_file() and "__pycache__" not in entry.parts
            ]
            named = [(entry.relative_to(path).as_posix(), entry) for entry in inside]
            if not named:
                raise FileError(path, "is an empty folder.")
        else:
            named = [(path.name, path)]
        for name, entry in named:
            if name in found:
                raise UserError(f"Two files are called `{name}`; a submission holds each name once.")
            found[name] = given.read(entry, _LARGEST)
    return found


def submission_of(spec: TaskSpec, files: Mapping[str, bytes]) -> Submission:
    """Files as a submission to a task. A task with one file takes a file of any name; several go by name.

    Raises `replies.Unreadable` where a JSON answer cannot be read.
    """
    if spec.submission == "json":
        if len(files) != 1:
            raise UserError(f"`{spec.id}` takes one JSON answer, and {len(files)} files were given.")
        [(name, content)] = files.items()
        try:
            return replies.parse(content.decode("utf-8-sig"), spec)
        except UnicodeDecodeError:
            raise replies.Unreadable(f"{name} is not UTF-8.") from None
    if spec.file and spec.file not in files:
        if len(files) != 1:
            raise UserError(f"`{spec.id}` takes the file {spec.file}, which is not among those given.")
        [(_, content)] = files.items()
        return Submission(spec.submission, files={spec.file: content})
    return Submission(spec.submission, files=dict(files))


class FileModel:
    """Answers every task with the same files."""

    paid = False
    fixed = True

    def __init__(self, identity: str, files: Mapping[str, bytes]) -> None:
        self.identity = identity
        # Other content under the same path is another plan, and is never taken for what was graded before.
        self.settings: Mapping[str, Any] = {"files": {name: sha256(content) for name, content in sorted(files.items())}}
        self._files = dict(files)

    async def reply(self, ask: Ask) -> Reply:
        """The files as a submission; one that cannot be read is `no_submission`."""
        try:
            submission = submission_of(ask.spec, self._files)
        except replies.Unreadable as error:
            raise ModelError(error.reason, "no_submission") from None
        return Reply("", submission=submission, calls=0)

    async def close(self) -> None:
        """Nothing is held."""


def factory(argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> FileModel:
    """Factory of `file:PATH`; the files are read once, when the run is planned."""
    if not argument:
        raise UserError("`file` takes a path: --model file:PATH.")
    return FileModel(f"file:{argument}", read_files([Path(argument).expanduser()]))
