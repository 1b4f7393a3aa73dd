"""The run folder: the only truth about a run, written so that a kill at any moment loses nothing.

`attempts` is the list of finished attempts, `manifest` says what was planned and with what, `turns`
holds each exchange with a model, `submissions` what was graded and the verdict's files, `folder` guards it all.
"""

from benchwright.journal.attempts import Recovery, encode_line, read_attempts
from benchwright.journal.folder import TRY_AGAIN, RunFolder, find_unfinished, runs_folder
from benchwright.journal.manifest import Manifest, PinnedTask, PlanRecord, Session, read_manifest
from benchwright.journal.verify import verify

__all__ = [
    "TRY_AGAIN",
    "Manifest",
    "PinnedTask",
    "PlanRecord",
    "Recovery",
    "RunFolder",
    "Session",
    "encode_line",
    "find_unfinished",
    "read_attempts",
    "read_manifest",
    "runs_folder",
    "verify",
]
