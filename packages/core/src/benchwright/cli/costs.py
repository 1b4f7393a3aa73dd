"""`bench costs`: what a run cost, derived again."""

from __future__ import annotations

import click

from benchwright.cli.options import find_run, folder_argument, json_option


@click.command()
@folder_argument()
@json_option
def costs(run: str | None, as_json: bool) -> int:
    """Derive what RUN cost again from its tokens and the price table; exit code 1 where the record says otherwise.

    RUN is a run id or a folder; default: the newest. A model without a price has tokens and no cost.
    """
    from benchwright.cli.output import Output, plural
    from benchwright.engine.costs import costs as derive

    output = Output(as_json)
    found = derive(find_run(run))
    output.table(found.table())
    output.say(f"By the prices of {found.day}.")
    interrupted = sum(entry.interrupted_calls for entry in found.models)
    if interrupted:
        output.say(f"{plural(interrupted, 'call')} in flight when the run was killed; what that cost nobody was told.")
    for difference in found.differences:
        output.say(difference)
    output.give(found)
    return 1 if found.differences else 0
