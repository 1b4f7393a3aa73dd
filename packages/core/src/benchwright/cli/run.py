"""`bench run`: the main job."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.cli.options import Amount, json_option, out_option, params_option, registry_option, unsafe_option

if TYPE_CHECKING:
    from benchwright.cli.output import Output
    from benchwright.engine import Done, Plan
    from benchwright.engine.estimate import Estimate
    from benchwright.engine.requirements import Missing
    from benchwright.engine.workbench import Workbench


@click.command()
@click.option(
    "--suite", "suites", multiple=True, help="A suite; `all` (the default) is every suite of every installed benchmark."
)
@click.option("--tasks", multiple=True, metavar="GLOB", help="Tasks by id, for example 'kernels/*'; repeatable.")
@click.option(
    "--model",
    "models",
    multiple=True,
    help="provider/model[knob=value,…]; repeatable. Default: reference, the control.",
)
@click.option("--draws", type=int, default=1, show_default=True, help="Independent attempts at each task.")
@out_option
@json_option
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1000),
    default=32,
    show_default=True,
    help="Calls in flight to one model, at most.",
)
@params_option
@click.option("--shuffle", is_flag=True, help="Run the tasks in a random order; its seed is recorded.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="The seed of --shuffle.")
@click.option("--dry-run", is_flag=True, help="Show the plan, its calls, tokens and price; run nothing.")
@click.option("--max-cost", type=Amount(min=0), metavar="USD", help="Stop before a call that could lead past this.")
@click.option(
    "--max-time",
    type=Amount(min=0),
    metavar="SECONDS",
    help="Begin no call after this; what is in flight is finished.",
)
@unsafe_option
@registry_option
@click.option("--base-url", help="Address of an openai-compatible server.")
@click.option(
    "--network", is_flag=True, help="A command: model may use the network; recorded, with a board of its own."
)
@click.option("--call-seconds", type=Amount(min=0, min_open=True), help="Wall-clock limit of one call.")
@click.option(
    "--output-cap", type=click.IntRange(min=1), help="Most tokens a reply may have; part of the model's identity."
)
@click.option("--no-mlflow", is_flag=True, help="Do not send the run to MLflow; `bench sync` can do it later.")
def run(
    suites: tuple[str, ...],
    tasks: tuple[str, ...],
    models: tuple[str, ...],
    draws: int,
    out: Path | None,
    as_json: bool,
    concurrency: int,
    params: tuple[str, ...],
    shuffle: bool,
    seed: int | None,
    dry_run: bool,
    max_cost: float | None,
    max_time: float | None,
    unsafe: bool,
    registry_path: Path | None,
    base_url: str | None,
    network: bool,
    call_seconds: float | None,
    output_cap: int | None,
    no_mlflow: bool,
) -> int:
    """Run models on tasks, and write everything into a run folder.

    The same command continues a run that was killed, interrupted or stopped by its budget, and makes
    attempts again that their provider failed.
    """
    from benchwright import engine
    from benchwright.cli.output import Output, tell_broken
    from benchwright.cli.watching import watcher
    from benchwright.engine.estimate import estimate
    from benchwright.engine.prices import TablePrices
    from benchwright.engine.workbench import Workbench

    output = Output(as_json)
    # A person is asked on this terminal, and bars would draw over the question.
    watching = watcher(output, bars=not any(name.partition(":")[0] == "person" for name in models))
    options = {
        "base_url": base_url,
        "network": network,
        "unsafe": unsafe,
        "call_seconds": call_seconds,
        "output_cap": output_cap,
        "most_calls": concurrency,
        "dry_run": dry_run,
        "waiting": watching.waiting,
    }
    request = engine.Request(
        suites=suites,
        tasks=tasks,
        models=models or ("reference",),
        draws=draws,
        params=params,
        shuffle=shuffle,
        seed=seed,
        unsafe=unsafe,
        options={name: value for name, value in options.items() if value is not None},
    )
    with Workbench(registry_path, unsafe=unsafe) as bench:
        plan = engine.make_plan(bench.plugins, bench.registry, request)
        tell_broken(bench.plugins)
        if not models:
            output.say(
                "No model named: running `reference`, the control. (bench run --model anthropic/… to measure one)"
            )
        prices = TablePrices()
        found = estimate(plan, prices, time.strftime("%Y-%m-%d", time.gmtime()))
        _tell_plan(output, plan, found, max_cost)
        if dry_run:
            output.table(found.table())
            output.give(found)
            return 0
        walls = bench.walls(plan)
        if walls:
            output.say(f"Walls: {walls}.")
        try:
            done = engine.run(
                plan,
                bench.plugins,
                bench.registry,
                bench.sandbox,
                begin=engine.Begin(out=out, command=tuple(sys.argv[1:]), isolation={"walls": walls or "not-needed"}),
                settings=engine.Settings(concurrency=concurrency, max_cost=max_cost, max_seconds=max_time),
                watcher=watching,
                prices=prices,
            )
        finally:
            watching.close()
        return finish(output, bench, plan, done, mlflow=not no_mlflow)


def _tell_plan(output: Output, plan: Plan, found: Estimate, max_cost: float | None) -> None:
    from benchwright.cli.output import plural

    record = plan.record
    text = f"Plan: {plural(len(record.suites), 'suite')}, {plural(len(record.tasks), 'task')}"
    text += f" x {plural(len(record.models), 'model')} x {plural(record.draws, 'draw')}"
    order = "" if plan.shuffle is None else f" Shuffled with seed {plan.shuffle}."
    output.say(f"{text} = {plural(len(plan), 'attempt')}, {found.sentence(max_cost)}{order}")


def finish(output: Output, bench: Workbench, plan: Plan, done: Done, *, mlflow: bool) -> int:
    """What a person is told at the end of a run; gives the exit code."""
    from benchwright import folders, report, tracking
    from benchwright.cli.output import plural
    from benchwright.cli.report import tell_section
    from benchwright.engine.requirements import remedies
    from benchwright.journal import TRY_AGAIN

    folder = Path(done.folder)
    output.say()
    for suite in report.suites(done.attempts, bench.plugins):
        output.say(suite.name)
        output.table(suite.models, indent="  ")
        for section in suite.sections:
            if section.at_end:
                tell_section(output, section, most=_MOST_ROWS, run=folder)
    if len(plan.models) > 1 and done.status == "finished":
        _compare(output, folder)
    for sentence in _left_out(remedies([place.spec for place in plan.places], folders.data()), done):
        output.say(sentence)
    for outcome, attempts in _ours(done).items():
        output.say(
            f"{plural(len(attempts), 'attempt')} ended in {outcome.replace('_', ' ')}; the first, {attempts[0].task.id}: {attempts[0].reason}"
            + (" (The same command tries again.)" if outcome in TRY_AGAIN else "")
        )
    if done.status != "finished":
        why = f" {done.why}" if done.why else ""
        raised = " with a larger --max-cost" if done.over_cost else ""
        output.say(
            f"{done.status.replace('_', ' ').capitalize()}:{why} {plural(done.left, 'attempt')} to go; the same command{raised} continues."
        )
    page = report.write(folder, bench.plugins)
    output.say(f"Run {done.run} in {folder} · report: {page}")
    if mlflow:
        output.say(tracking.project([folder]).message)
    output.give({"run": done.run, "folder": str(folder), "status": done.status, "attempts": len(done.attempts),
                 "planned": done.planned, "spent_usd": done.spent, "exit_code": done.exit_code})  # fmt: skip
    return done.exit_code


_MOST_ROWS = 16
"""Rows of a table of a benchmark's that a person is shown at the end of a run; they are all in the report."""


def _compare(output: Output, folder: Path) -> None:
    """What the models' attempts say about each other, where there are few enough to say it here."""
    from benchwright.cli.output import plural
    from benchwright.errors import UserError
    from benchwright.journal import runs_folder
    from benchwright.leaderboard.compare import compare, sentences
    from benchwright.leaderboard.sides import find

    sides = find([str(folder)], runs_folder(), Path("leaderboard"))
    try:
        pairs = compare(sides)
    except UserError:
        return  # no task has evidence on both sides; the tables say so already
    if len(pairs) > 3:
        output.say(f"{plural(len(pairs), 'pair')} of models: bench compare {folder}")
        return
    for pair in pairs:
        for sentence in sentences(pair)[:2]:
            output.say(sentence)


def _left_out(gaps: Mapping[str, tuple[Missing, list[str]]], done: Done) -> Iterator[str]:
    """A sentence for the tasks that wait for the same things, and for those of which the grading alone knew what is missing."""
    from benchwright.cli.output import plural
    from benchwright.outcomes import is_waiting

    together: dict[tuple[str, ...], list[str]] = {}
    for name, (_, waiting) in sorted(gaps.items()):
        together.setdefault(tuple(sorted(waiting)), []).append(name)
    for ids, names in together.items():
        remedy = "; ".join(dict.fromkeys(gaps[name][0].remedy for name in names))
        yield f"Left out: {plural(len(ids), 'task')} in need of {' and '.join(names)}. To add: {remedy}"
    told = {id for ids in together for id in ids}
    reasons: dict[str, set[str]] = {}
    for attempt in done.attempts:
        if is_waiting(attempt.outcome) and attempt.task.id not in told:
            reasons.setdefault(attempt.reason, set()).add(attempt.task.id)
    for reason, tasks in reasons.items():
        yield f"Left out: {plural(len(tasks), 'task')}. {reason}"


def _ours(done: Done) -> dict[str, list[Any]]:
    from benchwright.outcomes import OUTCOMES

    found: dict[str, list[Any]] = {}
    for attempt in done.attempts:
        if OUTCOMES[attempt.outcome].ours:
            found.setdefault(attempt.outcome, []).append(attempt)
    return found
