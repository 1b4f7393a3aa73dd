"""`bench kernels …`: what an author of tasks writes with a command instead of by hand."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def kernels() -> None:
    """For authors of kernels tasks; docs/kernels/authoring.md shows each in its place."""


@kernels.command()
@click.argument("tasks", nargs=-1, required=True)
def ids(tasks: tuple[str, ...]) -> None:
    """Write expected_ids.txt of TASKS from what their hidden tests collect."""
    from benchwright import digests
    from benchwright.counting import plural
    from benchwright.errors import UserError
    from benchwright.sandbox import Sandbox

    from scratch_kernels import folder as folders

    with Sandbox() as sandbox:
        for task in tasks:
            folder = folders.of(task)
            path = folder / "expected_ids.txt"
            seen = sandbox.grade(folder, folders.files(folder / "reference"), imports=folders.read(folder).imports)
            if seen.collection or not seen.results:
                raise UserError(f"{folder}: {(seen.collection or ['no test was collected'])[0]}")
            path.write_text("\n".join([f"# {digests.CANARY}", *seen.results]) + "\n", encoding="utf-8")
            click.echo(f"{path}: {plural(len(seen.results), 'test')}")


@kernels.command()
@click.argument("tasks", nargs=-1)
def shapes(tasks: tuple[str, ...]) -> int:
    """Write mutants/shapes.yaml of TASKS (all where none is named); exit code 1 where one is not judged as expected."""
    from benchwright.counting import plural
    from benchwright.sandbox import Sandbox

    from scratch_kernels import folder as folders
    from scratch_kernels import shapes as records
    from scratch_kernels import validation

    misjudged = 0
    with Sandbox() as sandbox:
        for folder in [folders.of(task) for task in tasks] or [folders.TASKS / slug for slug in folders.slugs()]:
            found, problems = validation.judged(folder, sandbox)
            misjudged += len(problems)
            path = folder / "mutants" / "shapes.yaml"
            path.write_text(records.written(found), encoding="utf-8")
            click.echo(f"{path}: {plural(len(found.mutants), 'mutant')}, {plural(len(found.skips), 'skip')}")
            for problem in problems:
                click.echo(f"  {problem}", err=True)
    return 1 if misjudged else 0


@kernels.command()
@click.option("--again", is_flag=True, help="Pin changed tasks under the version they have (before a release only).")
@click.option("--out", type=click.Path(path_type=Path), help="Write here instead of into the package.")
def pin(again: bool, out: Path | None) -> None:
    """Write sets.yaml: every task with its version and digest; prints the file's digest for the registry."""
    from benchwright import digests
    from benchwright.counting import plural

    from scratch_kernels import sets

    path = out or sets.PATH
    content = sets.written(sets.pinned(sets.kept(), sets.pins(), again=again))
    path.write_text(content, encoding="utf-8")
    click.echo(f"{path}: {plural(content.count('- {id:'), 'task')}, {digests.sha256(content.encode())}")


@kernels.command()
@click.argument("tasks", nargs=-1)
@click.option("--sample", type=click.IntRange(min=1), help="Only so many mutants a task, drawn by --seed.")
@click.option("--seed", default=0, show_default=True)
def mutate(tasks: tuple[str, ...], sample: int | None, seed: int) -> int:
    """Change the references of TASKS by machine and show which changes no test sees; exit code 1 for one unexplained."""
    from benchwright.sandbox import Sandbox

    from scratch_kernels import folder as folders
    from scratch_kernels import mutation

    unexplained = 0
    with Sandbox() as sandbox:
        for folder in [folders.of(task) for task in tasks] or mutation.laptop():
            result = mutation.run(folder, sandbox, sample=sample, seed=seed)
            unexplained += len(result.unexplained)
            click.echo(result.told())
    return 1 if unexplained else 0
