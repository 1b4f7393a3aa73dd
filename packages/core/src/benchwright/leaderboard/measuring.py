"""The `calibrate` hook, asked of the owner of each task with every attempt that is on record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchwright import blame, names
from benchwright.errors import BenchError, PluginError, UserError
from benchwright.hookspecs import Calibrate
from benchwright.leaderboard import calibration, entries
from benchwright.leaderboard.everything import attempts_folder
from benchwright.plugins import Plugins
from benchwright.records import Attempt, Calibration


def calibrations(root: Path, plugins: Plugins, tasks: Sequence[str] = ()) -> list[Calibration]:
    """What each task measures now. A benchmark that is silent, or not installed, gets the counts.

    Raises UserError for a folder that is no leaderboard and for a task without an attempt, PluginError where a hook gives no calibration.
    """
    drawn: dict[str, list[Attempt]] = {}
    for found in entries.read_all(attempts_folder(root)):
        for entry in found.entries:
            one = found.attempt(entry)
            drawn.setdefault(one.task.id, []).append(one)
    for task in tasks:
        if task not in drawn:
            raise UserError(f"No attempt at `{task}` is on record in {root}.{names.suggest(task, drawn)}")
    specs = {spec.id: spec for spec in plugins.specs()}
    made = []
    for task in sorted(tasks or drawn):
        owner = names.split_task_id(task)[0]
        # Only the newest edition of a task is what it measures now.
        last = max(drawn[task], key=lambda one: one.started).task.digest
        attempts = tuple(one for one in drawn[task] if one.task.digest == last)
        answer = None
        if task in specs:
            try:
                answer = plugins.call(owner, "calibrate", Calibrate(specs[task], attempts))
            except BenchError:
                raise
            except Exception as error:  # whatever a plugin does; told with its name
                told = blame.told(error, plugins.benchmarks[owner].module.__name__)
                raise PluginError(f"The plugin `{owner}` could not calibrate `{task}`: {told}") from error
        if answer is not None and not isinstance(answer, Calibration):
            raise PluginError(f"The plugin `{owner}` gave no calibration for `{task}`.")
        made.append(answer or calibration.from_counts(task, attempts))
    return made
