"""`bench validate`: the proof of each task."""

from __future__ import annotations

from pathlib import Path

import click

from benchwright.cli.options import json_option, params_option, registry_option, unsafe_option


@click.command()
@click.option("--suite", "suites", multiple=True, help="Only this suite.")
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only these tasks.")
@params_option
@json_option
@unsafe_option
@registry_option
def validate(
    suites: tuple[str, ...],
    tasks: tuple[str, ...],
    params: tuple[str, ...],
    as_json: bool,
    unsafe: bool,
    registry_path: Path | None,
) -> int:
    """Prove of each task that its reference solves it and its starter does not; exit code 1 where one is not so."""
    from benchwright.cli.output import Output, plural
    from benchwright.engine.validate import validate as prove
    from benchwright.engine.workbench import Workbench
    from benchwright.records import Table

    output = Output(as_json)
    proven = waiting = failed = 0
    rows = []
    with Workbench(registry_path, unsafe=unsafe) as bench:
        for proof in prove(bench, suites=suites, tasks=tasks, params=params):
            output.give(proof)
            proven += proof.proven
            waiting += bool(proof.lacks)
            failed += bool(proof.problems)
            verdict = "BROKEN" if proof.problems else f"UNCHECKED, needs {proof.lacks}" if proof.lacks else "ok"
            rows.append((proof.task, proof.reference, proof.starter, verdict))
            if proof.problems:
                output.say(f"{proof.task}: " + "; ".join(proof.problems))
            for note in proof.notes:
                output.say(f"{proof.task}: {note}.")
    output.table(Table(("task", "reference", "starter", "verdict"), tuple(rows)))
    text = f"{plural(proven, 'task')} proven" + (": the reference solves each, the starter none." if proven else ".")
    if waiting:
        text += f" {plural(waiting, 'task')} could not be tried here; `bench doctor` says what to add."
    output.say(text + (f" {plural(failed, 'task')} not proven." if failed else ""))
    return 1 if failed else 0
