"""Saved views: what the first click on a link of `bench ui` shows.

MLflow keeps a shared view as JSON in an experiment tag (`mlflow.sharedViewState.<key>`) and opens it by a link that
names the key. The format is MLflow's own and undocumented, so it is used where it was looked at and nowhere else:
`understood` names those versions, a link to any other opens the plain page, and a test reads the format out of the
installed pages and drives them in a browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

import msgspec

UNDERSTOOD = ("3.17",)
"""Versions of MLflow (major.minor) whose pages these views were looked at in."""

TAG = "mlflow.sharedViewState."
BOARD_KEY = "bench-board/"
"""What the key of a board's view starts with; the board's label follows."""
RUN_NAME, CREATED, DURATION = "attributes.`Run Name`", "runDateAndNestInfo", "duration"
"""What the pages call the columns that every table has."""


class View(msgspec.Struct, frozen=True):
    """One saved view. `title` is what `bench ui` calls it; `mode` is the half of the page that opens."""

    key: str
    title: str
    mode: str
    columns: dict[str, int]
    """Column -> width in pixels, in order."""
    order_by: str
    ascending: bool = False
    group_by: str | None = None
    """The parameter whose runs become one row or point, with the mean of their metrics."""
    charts: tuple[tuple[str, object], ...] = ()
    """(section, chart) in the order of the page; see `bars`, `scatter`, `parallel`."""
    search: str = ""

    @property
    def query(self) -> str:
        """What a link to this view ends in."""
        key = quote(self.key, safe="/")
        return f"workflowType=machine_learning&viewStateShareKey={key}&compareRunsMode={self.mode}"


def bars(metric: str) -> dict[str, object]:
    """A bar for each run, or group of runs."""
    return {"type": "BAR", "metricKey": metric}


def scatter(across: str, up: str) -> dict[str, object]:
    """A point for each run that has both metrics."""
    return {"type": "SCATTER", "xaxis": {"key": across, "type": "METRIC"}, "yaxis": {"key": up, "type": "METRIC"}}


def parallel(*metrics: str) -> dict[str, object]:
    """A line across the metrics for each run that has all of them; MLflow groups no axis of words."""
    return {"type": "PARALLEL", "selectedParams": [], "selectedMetrics": list(metrics), "showAllRuns": False}


COSTS = "Score and cost"
LINES = "Runs across metrics"
WIDE = frozenset({LINES})
"""Sections whose charts take the whole width."""

SUITE = (
    View(
        key="bench",
        title="table",
        mode="TABLE",
        columns={
            "metrics.`score`": 120,
            "metrics.`cost_usd`": 120,
            "metrics.`solved`": 110,
            "metrics.`attempts`": 110,
            "metrics.`no_evidence`": 110,
            "params.`model`": 180,
            "params.`draw`": 70,
        },
        order_by="metrics.`score`",
        group_by="model",
    ),
    View(
        key="bench-charts",
        title="charts",
        mode="CHART",
        columns={"metrics.`score`": 120, "metrics.`cost_usd`": 120},
        order_by="metrics.`score`",
        group_by="model",
        charts=(
            (COSTS, bars("score")),
            (COSTS, scatter("cost_usd", "score")),
            (LINES, parallel("cost_usd", "tokens_out", "seconds", "score")),
        ),
    ),
)
"""The views of `bench/<suite>`."""

BOARD = View(
    key="bench",
    title="table",
    mode="TABLE",
    columns={
        "metrics.`score`": 90,
        "metrics.`low`": 90,
        "metrics.`high`": 90,
        "metrics.`rank_best`": 90,
        "metrics.`rank_worst`": 100,
        "metrics.`cost_per_solved`": 130,
        "metrics.`cost_per_draw`": 120,
        "metrics.`k`": 60,
        "metrics.`n`": 60,
        "metrics.`evidence_rate`": 120,
        "params.`board`": 220,
        "params.`model`": 180,
        "tags.`status`": 160,
    },
    order_by="tags.`place`",
    ascending=True,
)
"""The table of `leaderboard`, board after board."""


def board(label: str) -> View:
    """The charts of one board: rows of different boards are not compared."""
    return View(
        key=f"{BOARD_KEY}{label}",
        title=label,
        mode="CHART",
        columns={"metrics.`score`": 90},
        order_by="tags.`place`",
        ascending=True,
        charts=(
            (COSTS, bars("score")),
            (COSTS, scatter("cost_per_draw", "score")),
            (LINES, parallel("low", "score", "high", "evidence_rate")),
        ),
        search=f"params.board = '{label}'",
    )


def saved(experiment_tags: Mapping[str, str]) -> list[View]:
    """The views that an experiment's tags hold, those of `tags`."""
    keys = [key.removeprefix(TAG) for key in sorted(experiment_tags) if key.startswith(TAG)]
    boards = [board(key.removeprefix(BOARD_KEY)) for key in keys if key.startswith(BOARD_KEY)]
    return ([BOARD, *boards] if boards else list(SUITE)) if BOARD.key in keys else []


def understood(version: str | None) -> bool:
    """Whether the pages of this MLflow are known to open these views."""
    return version is not None and ".".join(version.split(".")[:2]) in UNDERSTOOD


def link(address: str, experiment: str, view: View | None) -> str:
    """The page of an experiment: on a saved view, or plain."""
    page = f"{address}/#/experiments/{experiment}/runs"
    return page if view is None else f"{page}?{view.query}"


def tags(views: Sequence[View], note: str) -> dict[str, str]:
    """Experiment tags: the views, and what the page says of itself."""
    return {
        "mlflow.experimentKind": "custom_model_development",
        **{f"{TAG}{view.key}": json.dumps(state(view), sort_keys=True) for view in views},
        "mlflow.note.content": note,
    }


def state(view: View) -> dict[str, object]:
    """A view as MLflow's pages keep it."""
    sections = list(dict.fromkeys(section for section, _ in view.charts))
    grouped = view.group_by and {
        "aggregateFunction": "average",
        "groupByKeys": [{"mode": "param", "groupByData": view.group_by}],
    }
    charts = [
        {
            **chart,  # type: ignore[dict-item]
            "uuid": f"{view.key}-{number}",
            "metricSectionId": f"{view.key}-{section}",
            "runsCountToCompare": 20,
            "deleted": False,
            "isGenerated": False,
        }
        for number, (section, chart) in enumerate(view.charts)
    ]
    found: dict[str, object] = {
        "searchFilter": view.search,
        "orderByKey": view.order_by,
        "orderByAsc": view.ascending,
        "startTime": "ALL",
        "lifecycleFilter": "Active",
        "datasetsFilter": [],
        "modelVersionFilter": "All Runs",
        "selectedColumns": list(view.columns),
        "columnOrder": [RUN_NAME, CREATED, *view.columns, DURATION],
        "columnWidths": {RUN_NAME: 260, CREATED: 130, **view.columns, DURATION: 80},
        "runsHiddenMode": "FIRST_20_RUNS",
        "viewMaximized": False,
        "runListHidden": False,
        "isAccordionReordered": bool(charts),
        "groupBy": grouped or None,
        "groupsExpanded": {},
        "hideEmptyCharts": True,
        "useGroupedValuesInCharts": True,
    }
    if charts:
        found["compareRunCharts"] = charts
        found["compareRunSections"] = [
            *(_section(f"{view.key}-{name}", name, shown=True) for name in sections),
            _section(f"{view.key}-metrics", "Model metrics", shown=False),
            _section(f"{view.key}-system", "System metrics", shown=False),
        ]
    return found


def _section(identity: str, name: str, shown: bool) -> dict[str, object]:
    return {
        "uuid": identity,
        "name": name,
        "display": shown,
        "columns": 1 if name in WIDE else 2,
        "cardHeight": 300,
        "isReordered": False,
        "deleted": False,
        "isGenerated": not shown,
    }
