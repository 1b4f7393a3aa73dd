"""`bench costs`: what a run cost, derived again."""

from __future__ import annotations

import click

from benchwright.cli.options import find_run, folder_argument, json_option


@click.command()
@folder_argument()
@json_option
def costs(run: str | None, as_json: bool) -> int:
    """Derive what RUN cost again from its tokens and the price table; exit code 1 where the record says otherwise.

    Exit code 2 where a file of RUN is not what its record names.

    RUN is a run id or a folder; default: the one begun or continued last. A model without a price has tokens and no cost.
    """
    from benchwright.cli.altered import altered
    from benchwright.cli.output import Output, plural
    from benchwright.engine.costs import costs as derive

    output = Output(as_json)
    folder = find_run(run)
    found = derive(folder)
    output.table(found.table())
    output.say(f"By the prices of {found.day}.")
    interrupted = sum(entry.interrupted_calls for entry in found.models)
    if interrupted:
        output.say(f"{plural(interrupted, 'call')} in flight when the run was killed; what that cost nobody was told.")
    for difference in found.differences:
        output.say(difference)
    output.give(found)
    changed = altered(folder)
    if changed:
        click.echo(changed, err=True)
        return 2
    return 1 if found.differences else 0
