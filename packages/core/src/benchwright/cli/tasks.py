"""`bench list` and `bench prompt`: what there is, and what a model is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from benchwright.cli.options import json_option, params_option, registry_option


@click.command("list")
@click.option("--suite", "suites", multiple=True, help="Only this suite.")
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only these tasks.")
@click.option("--params", "show_params", is_flag=True, help="List the parameters of benchmarks instead.")
@params_option
@json_option
@registry_option
def list_tasks(
    suites: tuple[str, ...],
    tasks: tuple[str, ...],
    show_params: bool,
    params: tuple[str, ...],
    as_json: bool,
    registry_path: Path | None,
) -> None:
    """List tasks, or the parameters of benchmarks."""
    from benchwright import plugins, registry
    from benchwright.cli.output import Output, aligned, tell_broken
    from benchwright.engine.selection import read_params, select

    output = Output(as_json)
    found = plugins.load()
    values = read_params(found, params)
    if show_params:
        tell_broken(found)
        rows = [(name, param) for name in sorted(found.benchmarks) for param in found.list_params(name)]
        output.give([{"benchmark": name, "param": param} for name, param in rows])
        if not as_json:
            columns = ("parameter", "default", "least", "most", "help")
            output.say(aligned(columns, [(f"{name}.{p.name}", str(p.default), _bound(p.minimum), _bound(p.maximum), p.help) for name, p in rows]))  # fmt: skip
        return
    specs = select(found, registry.load(registry_path), values, suites, tasks)
    tell_broken(found)
    output.give(specs)
    if not as_json:
        rows_shown = [(s.id, s.suite, s.tier, s.submission, s.protocol.kind, s.title) for s in specs]
        output.say(aligned(("task", "suite", "tier", "submission", "protocol", "title"), rows_shown))


def _bound(value: float | None) -> str:
    from benchwright.plugins import bound

    return "" if value is None else bound(value)


@click.command()
@click.argument("task")
@params_option
@json_option
def prompt(task: str, params: tuple[str, ...], as_json: bool) -> None:
    """Show exactly what a model is sent for TASK: system line, messages, reply format."""
    from benchwright import digests, folders, plugins
    from benchwright.cli.output import Output
    from benchwright.engine.plan import load_task, opening
    from benchwright.engine.selection import find_spec, read_params

    output = Output(as_json)
    found = plugins.load()
    values = read_params(found, params)
    spec = find_spec(found, values, task)
    loaded = load_task(found, spec, values[found.owner(task).name], folders.data())
    messages = opening(spec, loaded)
    shown: dict[str, Any] = {
        "task": spec.id,
        "version": loaded.version,
        "digest": loaded.digest,
        "prompt_digest": digests.prompt_digest(loaded.system, messages),
        "system": loaded.system,
        "messages": messages,
    }
    output.give(shown)
    if as_json:
        return
    if loaded.system:
        output.say(f"[system]\n{loaded.system}\n")
    for message in messages:
        output.say(message.text if len(messages) == 1 else f"[{message.role}]\n{message.text}")
        for name in message.attachments:
            output.say(f"[attachment {name}]")
