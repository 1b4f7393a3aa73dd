"""Saved views: which columns the runs table shows, so that the first click shows models and scores.

MLflow keeps a shared view as JSON in an experiment tag and opens it by a link. The format is not
documented, so a test drives the real page; where a later MLflow ignores it, the plain table remains.
"""

from __future__ import annotations

import json

KEY = "bench"
QUERY = f"viewStateShareKey={KEY}"
COLUMNS = (
    "params.`model`",
    "params.`draw`",
    "metrics.`score`",
    "metrics.`solved`",
    "metrics.`no_evidence`",
    "metrics.`cost_usd`",
)


def tags() -> dict[str, str]:
    """Experiment tags: the view, and what the page says of itself."""
    return {
        "mlflow.experimentKind": "custom_model_development",
        f"mlflow.sharedViewState.{KEY}": json.dumps(_state(), sort_keys=True),
        "mlflow.note.content": "One run per model and draw, projected from a run folder by `bench sync`. "
        "Intervals stand in the report among the artifacts.",
    }


def _state() -> dict[str, object]:
    return {
        "searchFilter": "",
        "orderByKey": "metrics.`score`",
        "orderByAsc": False,
        "startTime": "ALL",
        "lifecycleFilter": "Active",
        "datasetsFilter": [],
        "modelVersionFilter": "All Runs",
        "selectedColumns": list(COLUMNS),
        "runsExpanded": {},
        "runsPinned": [],
        "runsHidden": [],
        "viewMaximized": False,
        "runListHidden": False,
        "isAccordionReordered": False,
        "groupBy": None,
        "groupsExpanded": {},
        "autoRefreshEnabled": False,
        "hideEmptyCharts": True,
        "useGroupedValuesInCharts": True,
    }
