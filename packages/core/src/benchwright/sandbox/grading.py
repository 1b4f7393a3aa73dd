"""One grading, as `bench` asks a grader for it."""

from __future__ import annotations

import msgspec

from benchwright.records import Limits
from benchwright.sandbox.box import Place


class Grading(msgspec.Struct, frozen=True):
    """A task folder and a submission, and where its workers come from."""

    folder: str
    files: dict[str, bytes]
    limits: Limits
    place: Place
    cache: str
    """Where byte code of hidden tests is kept between gradings; no worker can write there."""
