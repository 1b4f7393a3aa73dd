"""The folder of a worker: made with the submission's files, and removed whatever the worker left in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from benchwright.sandbox.interface import SubmissionError

LONGEST = 200
"""Bytes of a file's name, folders included; a name that the file system refuses would look like our failure."""

MOST = 1000
"""Files of a submission."""


def check_names(names: Iterable[str]) -> None:
    """Raises `SubmissionError` for names that would leave the folder, cannot be written, or are in each other's way."""
    names = set(names)
    if len(names) > MOST:
        raise SubmissionError(f"a submission may have {MOST} files, and this one has {len(names)}")
    for name in names:
        path = PurePosixPath(name)
        plain = str(path) == name and name.isprintable() and len(name.encode(errors="replace")) <= LONGEST
        if not plain or path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name:
            raise SubmissionError(f"a submission's file may not be called {name[:80]!a}; use a plain relative name")
        for folder in path.parents:
            if str(folder) in names:
                raise SubmissionError(f"a submission has a file {str(folder)!r} and a file {name!r} inside it")


def make_folder(root: str, files: Mapping[str, bytes]) -> str:
    """A new folder under `root` with these files."""
    folder = os.path.join(root, "w-" + os.urandom(8).hex())
    os.mkdir(folder, 0o700)
    try:
        for name, data in files.items():
            path = os.path.join(folder, name)
            if "/" in name:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
    except OSError:
        remove(folder)
        raise
    return folder


def remove(folder: str) -> None:
    """Removes a worker's folder with all in it, links unfollowed, at any depth. Nothing where it is gone."""
    if not os.path.isdir(folder):
        return
    # A tree can be deeper than a path can be long, so each level is moved up before it is looked into.
    waiting, made = [folder], 0
    while waiting:
        here = waiting.pop()
        os.chmod(here, 0o700)
        with os.scandir(here) as entries:
            found = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for path, is_folder in found:
            if is_folder:
                made += 1
                flat = f"{folder}.{made}"
                os.chmod(path, 0o700)
                os.rename(path, flat)
                waiting.append(flat)
            else:
                os.unlink(path)
        os.rmdir(here)
