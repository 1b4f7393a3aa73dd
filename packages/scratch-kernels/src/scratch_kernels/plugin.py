"""The plugin: what `bench` asks of this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchwright import Calibration, DoctorRow, Evaluation, Section, Task, TaskSpec, Violation, hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable

    import click
    from benchwright import Calibrate, CheckRules, Evaluate, ListTasks, LoadTask, Report
    from benchwright.hookspecs import Validate

API = 1


@hookimpl
def list_tasks(ctx: ListTasks) -> list[TaskSpec]:
    from scratch_kernels import folder as folders

    return [folders.spec(folders.TASKS / slug) for slug in folders.slugs()]


@hookimpl
def load_task(ctx: LoadTask) -> Task:
    from scratch_kernels import folder as folders

    return folders.load(folders.of(ctx.id))


@hookimpl
def check_rules(ctx: CheckRules) -> list[Violation]:
    from scratch_kernels import rules

    return rules.check(ctx.submission, ctx.task.imports)


@hookimpl
def evaluate(ctx: Evaluate) -> Evaluation:
    from scratch_kernels import grading

    return grading.grade(Path(ctx.task.private["folder"]), ctx.submission.files, ctx.sandbox, ctx.limits)


@hookimpl
def validate(ctx: Validate) -> list[str]:
    from scratch_kernels import validation

    return validation.problems(Path(ctx.task.private["folder"]), ctx.sandbox)


@hookimpl
def calibrate(ctx: Calibrate) -> Calibration:
    from scratch_kernels import calibration
    from scratch_kernels import folder as folders

    return calibration.calibrate(folders.of(ctx.spec.id), ctx.spec.id, ctx.attempts)


@hookimpl
def report(ctx: Report) -> list[Section]:
    from scratch_kernels import calibration

    return calibration.sections(ctx.suite, ctx.attempts)


@hookimpl
def register_commands(cli: click.Group) -> None:
    from scratch_kernels.late import Late

    cli.add_command(
        Late(
            "kernels",
            "For authors of kernels tasks; docs/kernels/authoring.md shows each in its place.",
            "scratch_kernels.commands",
        )
    )
    cli.add_command(
        Late(
            "kernel",
            "Metal, CUDA and Triton kernels on the CPU emulator. What it models: docs/kernels/emulator.md.",
            "scratch_kernels.emulator_commands",
        )
    )


@hookimpl
def check_machine() -> list[DoctorRow]:
    from scratch_kernels.simt import toolchain

    return toolchain.doctor()


@hookimpl
def register_models(register: Callable[..., None]) -> None:
    from scratch_kernels import wrong_models

    register("mutant", wrong_models.mutant)
