"""`bench score` and `bench devreport`: files of a person's own, graded like anybody's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.cli.options import json_option, out_option, params_option, registry_option, unsafe_option

if TYPE_CHECKING:
    from benchwright.records import Attempt

_SHOWN = 20
"""Failed checks that are named on the screen; a file that does not import fails every one."""


@click.command()
@click.argument("task")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--model", "label", help="Whose work this is; default: file:FILE.")
@click.option(
    "--revision-of",
    metavar="RUN",
    help="The run, or the attempt, whose submission this one revises: its rounds are played first, with the report that "
    "was seen, and the labels count.",
)
@click.option("--note", help="A remark that goes on record.")
@out_option
@json_option
@params_option
@unsafe_option
@registry_option
def score(
    task: str,
    files: tuple[Path, ...],
    label: str | None,
    revision_of: str | None,
    note: str | None,
    out: Path | None,
    as_json: bool,
    params: tuple[str, ...],
    unsafe: bool,
    registry_path: Path | None,
) -> int:
    """Grade FILES on TASK. A task with one file takes a file of any name; several files go by name.

    Writes a run folder like any run; --json prints the attempt's line last.
    """
    from benchwright.cli.output import Output, plural
    from benchwright.engine.own_files import score_files
    from benchwright.engine.workbench import Workbench
    from benchwright.journal import encode_line
    from benchwright.outcomes import OUTCOMES

    output = Output(as_json)
    notes = {"note": note} if note else {}
    with Workbench(registry_path, unsafe=unsafe) as bench:
        done = score_files(
            bench,
            task,
            files,
            label=label,
            params=params,
            out=out,
            notes=notes,
            command=sys.argv[1:],
            revision_of=revision_of,
        )
    if not done.attempts:
        output.say(f"Stopped before there was a verdict. Run {done.run} in {done.folder}")
        return done.exit_code
    [attempt] = done.attempts
    named = _named(attempt, files)
    value = "" if attempt.score is None else f", score {attempt.score:.4g}"
    reason = f" · {attempt.reason}" if attempt.reason and not attempt.violations else ""
    output.say(f"{OUTCOMES[attempt.outcome].label}{value}: {task}{reason}")
    for violation in attempt.violations:
        output.say(f"refused: rule {violation.rule}, {named(violation.where)}: {violation.why}")
    if len(attempt.rounds) > 1:
        before = ", ".join("not run" if one.score is None else f"{one.score:.4g}" for one in attempt.rounds[:-1])
        seen = plural(attempt.protocol.labels_seen, "label")
        output.say(f"Revision {len(attempt.rounds) - 1}, after {seen} seen; before: {before}")
    for name, metric in attempt.metrics.items():
        output.say(f"  {name} {'not run' if metric is None else f'{metric:.6g}'}")
    for check in attempt.failed_checks[:_SHOWN]:
        output.say(f"  failed: {check}")
    if len(attempt.failed_checks) > _SHOWN:
        output.say(f"  and {len(attempt.failed_checks) - _SHOWN:,} more failed; --json names all")
    output.say(f"Run {done.run} in {done.folder}")
    if as_json:
        sys.stdout.write(encode_line(attempt).decode())
    return done.exit_code


def _named(attempt: Attempt, files: Sequence[Path]) -> Callable[[str], str]:
    """Puts the name of a person's one file where a place names it as the task does, whatever it was called."""
    handed = {name for played in attempt.rounds for name in played.files if name.startswith("submission/")}
    if len(files) != 1 or files[0].is_dir() or len(handed) != 1:
        return lambda place: place
    name = handed.pop().removeprefix("submission/")
    return lambda place: str(files[0]) + place.removeprefix(name) if place.partition(":")[0] == name else place


@click.command()
@click.argument("task")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
@params_option
@unsafe_option
@registry_option
def devreport(
    task: str,
    files: tuple[Path, ...],
    as_json: bool,
    params: tuple[str, ...],
    unsafe: bool,
    registry_path: Path | None,
) -> None:
    """Show what the development report says about FILES on TASK: what a model that may revise would be sent.

    Exit code 2, and the reason alone, where FILES could not be run: there is no report then.
    """
    from benchwright.cli.output import Output, plural
    from benchwright.engine.own_files import development_report
    from benchwright.engine.workbench import Workbench
    from benchwright.outcomes import OUTCOMES

    output = Output(as_json)
    with Workbench(registry_path, unsafe=unsafe) as bench:
        evaluation = development_report(bench, task, files, params=params)
    output.give({"task": task, "feedback": evaluation.feedback, "labels_seen": evaluation.labels_seen,
                 "metrics": evaluation.metrics, "outcome": evaluation.outcome, "reason": evaluation.reason})  # fmt: skip
    if evaluation.outcome not in ("solved", "unsolved"):
        output.say(f"{OUTCOMES[evaluation.outcome].label}: {evaluation.reason}")
        raise click.exceptions.Exit(2)
    output.say(evaluation.feedback or evaluation.reason or f"`{task}` has no development report.")
    if evaluation.labels_seen:
        output.say(
            f"({plural(evaluation.labels_seen, 'label')} shown; they count when this is handed in as a revision.)"
        )
