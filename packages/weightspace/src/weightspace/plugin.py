"""The plugin: what `bench` asks of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchwright import Evaluation, Param, Section, Task, TaskSpec, hookimpl

if TYPE_CHECKING:
    import click
    from benchwright import Evaluate, ListTasks, LoadTask, Report

API = 1


@hookimpl
def list_params() -> list[Param]:
    from weightspace import catalogue

    return list(catalogue.PARAMS)


@hookimpl
def list_tasks(ctx: ListTasks) -> list[TaskSpec]:
    from weightspace import catalogue, tools

    return [
        *(catalogue.spec(place, ctx.params) for place in catalogue.places(ctx.params)),
        *(tools.spec(task, ctx.params) for task in tools.TASKS),
    ]


@hookimpl
def load_task(ctx: LoadTask) -> Task:
    from weightspace import catalogue, tasks, tools

    tool_task = tools.find(ctx.id)
    if tool_task is not None:
        return tools.load(tool_task, ctx.params)
    place = catalogue.find(ctx.id, ctx.params)
    if place is None:
        from benchwright.errors import UserError

        raise UserError(f"No task `{ctx.id}` among the first {ctx.params['num_tasks']} tasks; see `bench list`.")
    return tasks.load(place, ctx.params)


@hookimpl
def evaluate(ctx: Evaluate) -> Evaluation:
    from weightspace import tasks

    return tasks.evaluate(ctx.task.private, ctx.submission.answer)


@hookimpl
def report(ctx: Report) -> list[Section]:
    from weightspace import reporting

    return reporting.sections(ctx.suite, ctx.attempts)


@hookimpl
def register_commands(cli: click.Group) -> None:
    from weightspace import commands

    commands.register(cli)
