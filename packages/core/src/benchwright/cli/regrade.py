"""`bench regrade`: stored submissions under the tasks as they are now."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.cli.options import find_run, folder_argument, json_option, registry_option, unsafe_option

if TYPE_CHECKING:
    from benchwright.records import Attempt


@click.command()
@folder_argument()
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only these tasks.")
@json_option
@unsafe_option
@registry_option
def regrade(run: str | None, tasks: tuple[str, ...], as_json: bool, unsafe: bool, registry_path: Path | None) -> None:
    """Grade the stored submissions of RUN again, without a call; both verdicts stay.

    RUN is a run id or a folder; default: the one begun or continued last. The new verdicts are a run of their own, in RUN/regraded-NN. A run
    with a file that is not what its record names is refused.
    """
    from benchwright.cli.altered import altered
    from benchwright.cli.output import Output, aligned, plural
    from benchwright.engine.regrade import regrade as again
    from benchwright.engine.workbench import Workbench
    from benchwright.errors import UserError

    output = Output(as_json)
    folder = find_run(run)
    changed = altered(folder)
    if changed:
        raise UserError(changed)
    with Workbench(registry_path, unsafe=unsafe) as bench:
        found = again(bench, folder, tasks=tasks, command=sys.argv[1:])
    differing = [entry for entry in found.attempts if entry.differs]
    if differing:
        rows = [
            (e.was.task.id, e.was.model.name, str(e.was.draw), _verdict(e.was), _verdict(e.now))
            for e in differing
        ]  # fmt: skip
        output.say(aligned(("task", "model", "draw", "was", "is now"), rows))
    graded = sum(entry.graded for entry in found.attempts)
    carried = len(found.attempts) - graded
    text = f"{plural(graded, 'attempt')} graded again, {len(differing)} with another verdict"
    output.say(text + (f"; {carried} without a stored submission carried over." if carried else "."))
    output.say(f"Run {found.run} in {found.folder}")
    output.give(
        {
            "run": found.run,
            "folder": found.folder,
            "graded": graded,
            "carried_over": carried,
            "changed": [{"was": entry.was.attempt, "now": entry.now} for entry in differing],
        }
    )


def _verdict(attempt: Attempt) -> str:
    from benchwright import figures

    return f"{attempt.outcome} {'' if attempt.score is None else figures.score(attempt.score)}".rstrip()
