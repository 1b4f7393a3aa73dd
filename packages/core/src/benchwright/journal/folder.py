"""A run folder under a lock: created, continued, appended to, closed."""

from __future__ import annotations

import contextlib
import errno
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchwright import digests, names
from benchwright.errors import FileError, UserError
from benchwright.journal import attempts as lines
from benchwright.journal import manifest as manifests
from benchwright.journal.encoding import encode
from benchwright.journal.manifest import Manifest, PlanRecord
from benchwright.records import SCHEMA, Attempt

LOCK = ".lock"
PROJECTIONS = ("report.html",)
"""Files of a run folder that are made anew from it at any time, so that no digest of them is kept."""
TRY_AGAIN = ("provider_error", "over_budget")
"""Outcomes that say nothing about a model and may be gone tomorrow: such attempts are made again."""


def runs_folder() -> Path:
    """Where run folders are put: `runs` in the working folder, or what `BENCHWRIGHT_RUNS` names."""
    return Path(os.environ.get("BENCHWRIGHT_RUNS") or "runs")


class _Brief(msgspec.Struct):
    status: str
    plan_digest: str
    schema: int = 1


def find_unfinished(runs: Path, plan_digest: str) -> Path | None:
    """The newest run folder in `runs` with this plan that is not finished, or has attempts to try again; or None.

    Folders that are no run folders, or are damaged, are passed over: they are not this plan's business.
    """
    try:
        entries = sorted((entry for entry in os.listdir(runs) if names.RUN_ID.fullmatch(entry)), reverse=True)
    except OSError:
        return None
    newest = True
    for entry in entries:
        try:
            brief = msgspec.json.decode((runs / entry / manifests.NAME).read_bytes(), type=_Brief)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        if brief.plan_digest != plan_digest or brief.schema > SCHEMA:
            continue
        if brief.status != "finished" or (newest and _has_failed_calls(runs / entry)):
            return runs / entry
        newest = False
    return None


def _has_failed_calls(folder: Path) -> bool:
    """Whether a finished run holds attempts to make again. One that cannot be read is passed over."""
    with contextlib.suppress(FileError):
        return any(attempt.outcome in TRY_AGAIN for attempt in lines.read_attempts(folder / lines.NAME))
    return False


class RunFolder:
    """The one writer of a run folder. Use as a context manager; the lock is held until it is closed."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock
        self._lines: int | None = None
        self._end = 0
        self.manifest: Manifest | None = None
        self.finished: dict[str, Attempt] = {}
        """Finished attempts by attempt id."""
        self.recovered = ""
        """Where a torn last line was put aside, if there was one."""

    @classmethod
    def create(cls, path: Path, manifest: Manifest) -> RunFolder:
        """A new run folder with its manifest.

        Raises UserError where it cannot be written, or where another bench has begun a run in it meanwhile.
        """
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, _lock(path))
        try:
            if not vacant(path):
                raise UserError(
                    f"{path} was taken by another bench just now; "
                    "give the command again to go on from there, or name another folder with --out."
                )
            # The manifest first: a folder with one can be continued, whatever a kill keeps from being there beside it.
            folder.write_manifest(manifest)
            folder._open_lines()
        except BaseException:
            folder.close()
            raise
        return folder

    @classmethod
    def resume(cls, path: Path) -> RunFolder:
        """An existing run folder, its finished attempts read, a torn last line put aside."""
        manifests.read_manifest(path)  # nothing is written, not even a lock, into what is no run folder
        folder = cls(path, _lock(path))
        try:
            # Again under the lock: whoever held it until now may have written a newer one.
            folder.manifest = manifests.read_manifest(path)
            folder._open_lines()
        except BaseException:
            folder.close()
            raise
        return folder

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the lock back."""
        for handle in (self._lines, self._lock):
            if handle is not None and handle >= 0:
                os.close(handle)
        self._lines, self._lock = None, -1

    def refuse_other(self, plan: PlanRecord) -> None:
        """Raises UserError, naming the difference, where this folder holds another plan than `plan`."""
        assert self.manifest is not None
        difference = self.manifest.plan.difference(plan)
        if difference:
            raise UserError(
                f"{self.path} holds a run of another plan: {difference}. "
                "Name another folder with --out, or give the command that began it."
            )

    def append(self, attempts: Sequence[Attempt]) -> None:
        """Writes the lines of `attempts` and waits until they are on disk. Nothing is left half-written on an error."""
        assert self._lines is not None
        data = b"".join(map(lines.encode_line, attempts))
        path = self.path / lines.NAME
        with writing(path):
            try:
                written = 0
                while written < len(data):
                    written += os.write(self._lines, data[written:])
                os.fsync(self._lines)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._lines, self._end)
                raise
        self._end += len(data)
        for attempt in attempts:
            self.finished[attempt.attempt] = attempt

    def take_back_failed(self) -> tuple[Counter[str], str]:
        """Puts the lines of attempts aside that the provider failed or the budget cut short, so that they are made again.

        Gives how many of each outcome, and where their lines are kept. They are on disk there before `attempts.jsonl` is replaced in one
        step; a kill in between leaves them in both, and they are taken back at the next start.
        """
        failed = [attempt for attempt in self.finished.values() if attempt.outcome in TRY_AGAIN]
        if not failed:
            return Counter(), ""
        kept = [attempt for attempt in self.finished.values() if attempt.outcome not in TRY_AGAIN]
        aside = _free_name(self.path, "attempts.retried")
        replace(aside, b"".join(map(lines.encode_line, failed)), durable=True)
        replace(self.path / lines.NAME, b"".join(map(lines.encode_line, kept)), durable=True)
        if self._lines is not None:
            os.close(self._lines)
            self._lines = None
        self._open_lines()
        return Counter(attempt.outcome for attempt in failed), str(aside)

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces `manifest.json` in one step."""
        content = msgspec.json.format(encode(manifest), indent=1) + b"\n"
        replace(self.path / manifests.NAME, content, durable=True)
        self.manifest = manifest

    def file_digests(self) -> dict[str, str]:
        """sha256 of each file of the record that lies directly in the run folder.

        Not of the manifest and the lock, nor of what is made anew from the record or was on its way to be renamed.
        """
        return {
            entry.name: digests.sha256(entry.read_bytes())
            for entry in sorted(self.path.iterdir())
            if entry.is_file()
            and entry.name not in (manifests.NAME, LOCK, *PROJECTIONS)
            and not entry.name.endswith(".tmp")
        }

    def _open_lines(self) -> None:
        path = self.path / lines.NAME
        found = lines.recover(path)
        with writing(path):
            self._lines = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if found.tail:
                aside = _free_name(self.path, "attempts.torn")
                replace(aside, found.tail, durable=True)
                self.recovered = str(aside)
            os.ftruncate(self._lines, found.good)
            os.lseek(self._lines, found.good, os.SEEK_SET)
            self._end = found.good
            if found.newline_missing:
                os.write(self._lines, b"\n")
                self._end += 1
            os.fsync(self._lines)
        self.finished = {attempt.attempt: attempt for attempt in found.attempts}


def vacant(path: Path) -> bool:
    """Whether a folder holds nothing but what a bench that was killed while it began a run may leave."""
    return all(entry.name in (LOCK, f"{manifests.NAME}.tmp") for entry in path.iterdir())


def _free_name(folder: Path, stem: str) -> Path:
    number = 1
    while (folder / f"{stem}-{number}").exists():
        number += 1
    return folder / f"{stem}-{number}"


def _lock(path: Path) -> int:
    """The file descriptor of the locked lock file; the lock goes with the process, however it ends."""
    import fcntl

    with writing(path / LOCK):
        handle = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        os.close(handle)
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise UserError(f"{path / LOCK} cannot be locked: {error.strerror}.") from None
        raise UserError(
            f"{path} is being written by another bench (process {holder or 'unknown'}); "
            "wait for it, or name another folder with --out."
        ) from None
    try:
        with writing(path / LOCK):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns a failure to write into one sentence that says what is kept."""
    try:
        yield
    except OSError as error:
        place = error.filename or path
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            why = (
                f"no space left to write ({error.strerror}); every finished attempt is kept. "
                "Free some space and give the same command again."
            )
        elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            why = f"cannot be written ({error.strerror}); name a folder of your own with --out or BENCHWRIGHT_RUNS."
        else:
            why = f"cannot be written ({error.strerror or error})."
        raise FileError(place, why) from None


def replace(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Writes a file so that a reader sees the old content or the new, never a part."""
    temporary = path.with_name(f"{path.name}.tmp")
    with writing(path):
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        try:
            view = memoryview(content)
            while view:
                view = view[os.write(handle, view) :]
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, path)
