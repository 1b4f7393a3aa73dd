"""The plugin: what `bench` asks of this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchwright import (
    Calibrate,
    Calibration,
    CheckRules,
    Evaluate,
    Evaluation,
    LoadTask,
    Report,
    Section,
    Task,
    TaskSpec,
    Violation,
    hookimpl,
)

from handnet_bench import tasks

if TYPE_CHECKING:
    import click

API = 1


@hookimpl
def list_tasks() -> list[TaskSpec]:
    return [task.spec for task in tasks.TASKS]


@hookimpl
def load_task(ctx: LoadTask) -> Task:
    from handnet_bench import loading

    return loading.load(tasks.get(ctx.id), ctx.data)


@hookimpl
def check_rules(ctx: CheckRules) -> list[Violation]:
    from handnet_bench import scoring

    return scoring.check_rules(tasks.get(ctx.spec.id), ctx.submission, ctx.sandbox, Path(ctx.task.private["data"]))


@hookimpl
def evaluate(ctx: Evaluate) -> Evaluation:
    from handnet_bench import scoring

    return scoring.evaluate(tasks.get(ctx.spec.id), ctx.submission, ctx.sandbox, ctx.limits, ctx.data, ctx.split)


@hookimpl
def calibrate(ctx: Calibrate) -> Calibration:
    from handnet_bench import calibration

    return calibration.calibrate(tasks.get(ctx.spec.id), ctx.attempts)


@hookimpl
def report(ctx: Report) -> list[Section]:
    from handnet_bench import reporting

    return reporting.sections(ctx.attempts) if ctx.suite == "handnet" else []


@hookimpl
def register_commands(cli: click.Group) -> None:
    from handnet_bench import commands

    commands.register(cli)
