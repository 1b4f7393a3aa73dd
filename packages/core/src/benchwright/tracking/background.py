"""Projection in a process of its own, with an end: a server that is slow or absent delays, and never hangs, a run."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from benchwright.errors import UserError
from benchwright.tracking.store import Store, find_store, quiet_environment

PATIENCE = 60.0
"""Seconds that a projection may take before it is put off; `BENCHWRIGHT_MLFLOW_SECONDS` changes it."""
FIRST_PATIENCE = 240.0
"""The same where a local store is yet to be created: MLflow's migrations take most of a minute on a busy machine."""


class Projected(msgspec.Struct, frozen=True):
    """How a projection ended. `message` is the one line for the person."""

    ok: bool
    written: int
    current: int
    message: str
    deleted: int = 0
    """Rows that are gone from the board, and now from MLflow."""


class _Answer(msgspec.Struct):
    written: int
    current: int
    deleted: int = 0
    links: list[str] = []
    """A link a suite, where a server is there to follow it to."""


def project(
    run_folders: list[Path],
    store: Store | None = None,
    seconds: float | None = None,
    *,
    board: Path | None = None,
    registry: Path | None = None,
) -> Projected:
    """Projects run folders, in order, and the board in the folder `board`. Never raises for the store's sake and never
    takes longer than `seconds`.

    `registry`: what the board is derived with, in place of the package's own.
    `BENCHWRIGHT_MLFLOW=off` switches it off; runs can still be sent later.
    """
    if os.environ.get("BENCHWRIGHT_MLFLOW", "").lower() == "off":
        return Projected(True, 0, 0, "MLflow: switched off by BENCHWRIGHT_MLFLOW=off; `bench sync` sends runs later.")
    store = store or find_store()
    if seconds is None:
        try:
            seconds = patience(store)
        except UserError as error:  # the run is over and kept: a slip here must not look like a failure of it
            return Projected(False, 0, 0, f"MLflow: {error} `bench sync` sends the run later.")
    options = [f"--board={board}"] if board is not None else []
    options += [f"--registry={registry}"] if registry is not None else []
    folders = [str(folder.absolute()) for folder in run_folders]
    command = [sys.executable, "-m", "benchwright.tracking.process", store.uri, *options, *folders]
    environment = {**os.environ, **quiet_environment()}
    later = "Nothing is lost: `bench sync` sends it later."
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Projected(False, 0, 0, f"MLflow at {store.uri} did not answer within {seconds:g} s. {later}")
    except OSError as error:
        return Projected(False, 0, 0, f"MLflow could not be started: {error}. {later}")
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip().splitlines()
        return Projected(False, 0, 0, f"MLflow at {store.uri}: {why[-1] if why else 'it failed'}. {later}")
    answer = msgspec.json.decode(done.stdout.splitlines()[-1], type=_Answer)
    return Projected(True, answer.written, answer.current, _line(answer), answer.deleted)


def patience(store: Store) -> float:
    """Seconds that one projection into `store` may take. Raises UserError for a BENCHWRIGHT_MLFLOW_SECONDS that is none."""
    text = os.environ.get("BENCHWRIGHT_MLFLOW_SECONDS", "").strip()
    try:
        seconds = float(text or (FIRST_PATIENCE if store.absent else PATIENCE))
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise UserError(f"BENCHWRIGHT_MLFLOW_SECONDS is {text!r}; expected a number of seconds above 0.")
    return seconds


def _line(answer: _Answer) -> str:
    number = answer.written or answer.current
    state = "written" if answer.written else "up to date"
    where = " · ".join(answer.links) if answer.links else "see them with `bench ui`"
    gone = f", {answer.deleted} deleted that left the board" if answer.deleted else ""
    return f"MLflow: {number} {'run' if number == 1 else 'runs'} {state}{gone}; {where}."
