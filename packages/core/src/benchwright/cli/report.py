"""`bench report`: what a run measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from benchwright.cli.options import find_run, folder_argument, json_option

if TYPE_CHECKING:
    from benchwright.cli.output import Output
    from benchwright.records import Attempt, Section


@click.command()
@folder_argument()
@click.option("--suite", "suites", multiple=True, help="Only this suite.")
@click.option("--task", "--tasks", "tasks", multiple=True, metavar="GLOB", help="Only these tasks, attempt by attempt.")
@click.option("--html", is_flag=True, help="Write report.html again, too.")
@json_option
def report(run: str | None, suites: tuple[str, ...], tasks: tuple[str, ...], html: bool, as_json: bool) -> int:
    """Show what RUN measured, with intervals. RUN is a run id or a folder; default: the one begun or continued last.

    Exit code 2 where a file of RUN is not what its record names; the figures are those of attempts.jsonl all the same.
    """
    from benchwright import plugins, stats
    from benchwright import report as pages
    from benchwright.cli.altered import altered
    from benchwright.cli.output import Output, plural
    from benchwright.engine.readout import read, task_lines

    output = Output(as_json)
    folder = find_run(run)
    found = plugins.load()
    manifest, attempts = read(folder, suites, tasks)
    if not attempts:
        output.say(f"{folder} has no finished attempt" + (" that fits." if suites or tasks else "."))
    output.say(
        f"Run {manifest.run} in {folder}, {manifest.status.replace('_', ' ')}, {plural(len(attempts), 'attempt')}"
    )
    for suite in pages.suites(attempts, found):
        output.say(f"\n{suite.name}")
        output.table(suite.models, indent="  ")
        for section in suite.sections:
            output.say()
            tell_section(output, section)
    if tasks:
        for line in task_lines(attempts, found):
            output.say(line)
    if html:
        output.say(f"Report: {pages.write(folder, found)}")
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault((attempt.task.suite, attempt.model.name), []).append(attempt)
    output.give({
        "run": manifest.run, "status": manifest.status,
        "rows": [{"suite": suite, "model": model, "summary": stats.suite_summary(group)} for (suite, model), group in sorted(groups.items())],
    })  # fmt: skip
    changed = altered(folder)
    if changed:
        click.echo(changed, err=True)
    return 2 if changed else 0


def tell_section(output: Output, section: Section, *, most: int | None = None, run: object = "") -> None:
    """What a benchmark says about a suite of a run.

    `most`: at the end of the run in the folder `run`, the tables of at most so many rows, without the text.
    """
    from benchwright.cli.output import plural

    output.say(f"  {section.title}")
    for text in filter(None, [section.text if most is None else "", *section.notes]):
        output.say(f"  {text}")
    for table in section.tables:
        if table.caption and table.caption != section.title:
            output.say(f"  {table.caption}")
        if most is not None and len(table.rows) > most:
            output.say(f"  {plural(len(table.rows), 'row')}; `bench report {run}` shows them.")
        else:
            output.table(table, indent="  ")
