"""`bench import`: another tool's results as a read-only run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.cli.options import json_option, out_option

if TYPE_CHECKING:
    from benchwright.leaderboard.imported import Imported

_source = click.argument("source", type=click.Path(path_type=Path))

_metric = click.option(
    "--metric", help="Whose scores count, by a result's name, as exact_match; default: each result is a suite."
)


@click.group(name="import")
def importing() -> None:
    """Read another tool's log as a run that `compare` and `report` work on; it joins no board."""


@importing.command(name="inspect")
@_source
@click.option("--scorer", help="Whose score counts, as NAME or NAME.KEY; default: the log's first.")
@out_option
@json_option
def inspect_log(source: Path, scorer: str | None, out: Path | None, as_json: bool) -> None:
    """A log of Inspect AI, .eval or .json; each epoch is a draw."""
    from benchwright.leaderboard.inspect_log import read

    _write(read(source, scorer), out, as_json)


@importing.command(name="every-eval-ever")
@_source
@_metric
@out_option
@json_option
def every_eval_ever(source: Path, metric: str | None, out: Path | None, as_json: bool) -> None:
    """An evaluation in the Every Eval Ever schema: the .json, or its rows in .jsonl, checked by that package."""
    from benchwright.leaderboard.every_eval_ever import read

    _write(read(source, metric), out, as_json)


@importing.command(name="helm")
@_source
@_metric
@out_option
@json_option
def helm(source: Path, metric: str | None, out: Path | None, as_json: bool) -> None:
    """A run folder of HELM, by the converter of the package every-eval-ever."""
    from benchwright.leaderboard.every_eval_ever import convert

    _write(convert("helm", source, metric), out, as_json)


@importing.command(name="lm-eval")
@_source
@_metric
@out_option
@json_option
def lm_eval(source: Path, metric: str | None, out: Path | None, as_json: bool) -> None:
    """Results of the lm-evaluation-harness, by the converter of the package every-eval-ever."""
    from benchwright.leaderboard.every_eval_ever import convert

    _write(convert("lm_eval", source, metric), out, as_json)


def _write(found: Imported, out: Path | None, as_json: bool) -> None:
    from benchwright.cli.output import Output, plural
    from benchwright.journal import runs_folder
    from benchwright.leaderboard.imported import write

    output = Output(as_json)
    folder = write(found, out or runs_folder() / found.manifest.run)
    models = sorted({one.model.name for one in found.attempts})
    output.say(
        f"{plural(len(found.attempts), 'attempt')} at {plural(len(found.manifest.tasks), 'task')} by {', '.join(models)}: "
        f"{folder}"
    )
    output.give({"run": found.manifest.run, "folder": str(folder), "attempts": len(found.attempts), "models": models})
