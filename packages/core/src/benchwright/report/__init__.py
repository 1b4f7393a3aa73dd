"""`report.html`: one self-contained page about a run, without scripts and with everything escaped."""

from __future__ import annotations

import base64
import importlib.resources
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from benchwright import blame, figures, stats
from benchwright.errors import PluginHung
from benchwright.hookspecs import Report
from benchwright.journal import read_attempts, read_manifest
from benchwright.journal.folder import replace
from benchwright.outcomes import OUTCOMES
from benchwright.plugins import Plugins
from benchwright.records import Attempt, Section, Table

NAME = "report.html"


class SuiteReport(msgspec.Struct, frozen=True):
    """One suite of a run: the table of models, what plugins say, and every attempt."""

    name: str
    models: Table
    sections: tuple[Section, ...]
    attempts: tuple[Attempt, ...]


def existing(folder: Path) -> Path | None:
    """The report of a run folder, where one was written."""
    path = folder / NAME
    return path if path.is_file() else None


def suites(attempts: Iterable[Attempt], plugins: Plugins | None) -> list[SuiteReport]:
    """What there is to say, suite by suite; the text report and the page are made of it."""
    groups: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.task.suite, []).append(attempt)
    found = []
    for name, group in sorted(groups.items()):
        sections = _sections(plugins, Report(name, tuple(group))) if plugins is not None else ()
        ordered = tuple(sorted(group, key=lambda a: (a.model.name, a.task.id, a.draw)))
        found.append(SuiteReport(name, model_table(group), sections, ordered))
    return found


def _sections(plugins: Plugins, context: Report) -> tuple[Section, ...]:
    """What the plugins say, but for what is empty; one that fails costs its own section, never the report."""
    sections: list[Section] = []
    for name, benchmark in plugins.benchmarks.items():
        try:
            sections += filter(None, map(_filled, plugins.call(name, "report", context) or ()))
        except PluginHung as hung:
            sections.append(Section(name, notes=(str(hung),)))
        except Exception as error:  # noqa: BLE001  whatever a plugin does; told with its name
            told = blame.told(error, benchmark.module.__name__)
            why = f"{benchmark.distribution} {benchmark.version} could not report: {told}"
            sections.append(Section(name, notes=(why,)))
    return tuple(sections)


def _filled(section: Section) -> Section | None:
    """The section without tables that have no row; None where nothing is left."""
    tables = tuple(table for table in section.tables if table.rows)
    if not tables and section.tables and not (section.figures or section.notes):
        return None
    return msgspec.structs.replace(section, tables=tables)


def model_table(attempts: Iterable[Attempt]) -> Table:
    """A row a model: solved, score, its 95% interval, draws, cost where any model was paid; None where nothing was measured."""
    by_model: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_model.setdefault(attempt.model.name, []).append(attempt)
    rows = []
    for model, group in sorted(by_model.items()):
        summary = stats.suite_summary(group)
        costs = [attempt.cost_usd for attempt in group if attempt.usage is not None]
        cost = sum(c for c in costs if c is not None) if costs and None not in costs else None
        rows.append(
            (
                model,
                f"{summary.k}/{summary.n}" if summary.n else None,
                None if summary.score is None else figures.score(summary.score),
                figures.interval(summary.low, summary.high) or None,
                summary.draws,
                _dollars(costs, None if cost is None else cost / summary.draws),
                _dollars(costs, None if cost is None or not summary.k else cost / summary.k),
                summary.attempts - summary.n,
            )
        )
    columns = ("model", "solved", "score", "95% interval", "draws", "cost/draw", "per solved", "no evidence")
    shown = [at for at, name in enumerate(columns) if name not in _COSTS or any(row[at] for row in rows)]
    return Table(tuple(columns[at] for at in shown), tuple(tuple(row[at] for at in shown) for row in rows))


_COSTS = ("cost/draw", "per solved")
"""Columns that say nothing where no token was billed: controls, files, people, programs without the network."""


def _dollars(costs: list[float | None], value: float | None) -> str:
    """Nothing where no token was billed; a model without a price has tokens and no cost."""
    if not costs:
        return ""
    return ("no price" if None in costs else "–") if value is None else f"${value:.4f}"


def write(folder: Path, plugins: Plugins | None = None) -> Path:
    """Writes `report.html` into a run folder and gives its path. Raises FileError where it is no run folder, or
    cannot be written to."""
    import jinja2

    manifest = read_manifest(folder)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    environment.filters["cell"] = _cell
    environment.filters["image"] = _image
    template = importlib.resources.files(__package__).joinpath("report.html.j2").read_text(encoding="utf-8")
    page = environment.from_string(template).render(
        manifest=manifest, suites=suites(read_attempts(folder), plugins), outcomes=OUTCOMES
    )
    path = folder / NAME
    replace(path, page.encode("utf-8", "replace"))
    return path


def _cell(value: Any) -> str:
    return figures.score(value) if value is None or isinstance(value, float) else str(value)


def _image(name: str, content: bytes) -> str:
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
