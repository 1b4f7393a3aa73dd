"""Whether a run folder is still as it was written, for the commands that read one."""

from __future__ import annotations

from pathlib import Path

WITHHELD = ".withheld.json"
"""Ending of the stub that stands where a redacted copy leaves a file out; what it stands for is not lost."""


def altered(run: Path) -> str:
    """What of a run folder is not what its record names, and what to do; empty for a run that is whole.

    Raises FileError where the manifest or `attempts.jsonl` cannot be read, or a finished run's list is another one.
    """
    import msgspec

    from benchwright.counting import plural
    from benchwright.journal import read_attempts, read_manifest, verify

    manifest = read_manifest(run)
    read_attempts(run)  # a list that is another than a finished run's manifest names has a sentence of its own
    try:
        found = verify(run)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        found = [f"a state.json in {run} is no record of an attempt: {error}"]
    growing = [] if manifest.status == "finished" else [f"{run / name} " for name in manifest.files]
    found = [
        problem for problem in dict.fromkeys(found) if not problem.startswith(tuple(growing)) and not _withheld(problem)
    ]
    if not found:
        return ""
    more = f" (and {plural(len(found) - 1, 'more file')})" if len(found) > 1 else ""
    return (
        f"{found[0]}{more}: the run folder is not as its record says, so it was changed or damaged since it was written. "
        f"Put a whole copy of it back; `bench logs check {run}` (package benchwright-logs) names every file."
    )


def _withheld(problem: str) -> bool:
    path, cannot, _ = problem.partition(" cannot be read: ")
    return bool(cannot) and Path(path + WITHHELD).is_file()
