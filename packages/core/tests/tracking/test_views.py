"""Saved views use MLflow's own format, which nobody promises to keep: here an upgrade of MLflow fails, not a user.

Where one of these fails after an upgrade, look at the pages of the new version (`test_pages_in_browser.py` takes them
through a browser), mend `views`, and add the version to `views.UNDERSTOOD`. Until then its links open plain pages.
"""

import importlib.metadata
import importlib.util
import json
import re
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from benchwright.tracking import server, views

EVERY = [*views.SUITE, views.BOARD, views.board("kernels/warmup/laptop")]

KEPT = [
    "selectedColumns", "columnOrder", "columnWidths", "runsExpanded", "runsPinned", "runsHidden", "runsVisibilityMap",
    "runsHiddenMode", "compareRunCharts", "compareRunSections", "viewMaximized", "runListHidden", "isAccordionReordered",
    "groupBy", "groupsExpanded", "autoRefreshEnabled", "useGroupedValuesInCharts", "hideEmptyCharts",
    "globalLineChartConfig", "chartsSearchFilter",
]  # fmt: skip
"""What the pages of the versions that are understood take from a shared view, in their own order."""

SEARCH = [
    "searchFilter", "orderByKey", "orderByAsc", "startTime", "lifecycleFilter", "modelVersionFilter", "datasetsFilter",
]  # fmt: skip


@cache
def pages() -> str:
    """The scripts of the installed pages, joined."""
    spec = importlib.util.find_spec("mlflow")
    folder = Path(spec.submodule_search_locations[0]) / "server/js/build/static/js"
    scripts = sorted(folder.glob("*.js"))
    if not scripts:
        pytest.skip("MLflow's pages are not installed: pip install 'benchwright[ui]'")
    return "\n".join(script.read_text(encoding="utf-8", errors="replace") for script in scripts)


def test_the_installed_mlflow_is_one_whose_pages_were_looked_at():
    assert views.understood(importlib.metadata.version("mlflow-skinny"))


@pytest.mark.parametrize("words", [KEPT, SEARCH], ids=["page", "search"])
def test_the_pages_keep_of_a_view_what_we_were_told_they_keep(words):
    assert json.dumps(words, separators=(",", ":")) in pages()


@pytest.mark.parametrize("view", EVERY, ids=lambda view: view.key)
def test_a_view_says_nothing_that_the_pages_do_not_read(view):
    assert set(views.state(view)) <= {*KEPT, *SEARCH}


@pytest.mark.parametrize(
    "what",
    [
        '"viewStateShareKey"', f'"{views.TAG}"', "compareRunsMode", '"machine_learning"', '.BAR="BAR"',
        '.SCATTER="SCATTER"', '.PARALLEL="PARALLEL"', "metricSectionId", "runsCountToCompare", "selectedMetrics",
        "cardHeight", "groupByData", '"Run Name"', '"runDateAndNestInfo"', '"duration"', '"FIRST_20_RUNS"',
    ],
)  # fmt: skip
def test_the_pages_know_the_words_that_views_are_made_of(what):
    assert what in pages()


@pytest.mark.parametrize("view", EVERY, ids=lambda view: view.key)
def test_a_view_fits_into_an_experiment_tag_and_is_read_back_from_it(view):
    tags = views.tags([view], "note")
    text = tags[views.TAG + view.key]
    assert len(text) < 20_000
    assert json.loads(text) == views.state(view)


def test_every_chart_stands_in_a_section_of_its_view():
    for view in EVERY:
        state = views.state(view)
        sections = [section["uuid"] for section in state.get("compareRunSections", [])]
        assert len(set(sections)) == len(sections)
        assert {chart["metricSectionId"] for chart in state.get("compareRunCharts", [])} <= set(sections)


def test_every_column_and_chart_shows_something_that_runs_and_rows_have(attempts):
    from benchwright.tracking import projection
    from tracking_rows import board_row

    card = projection.cards(attempts)[0]
    run = projection._entry(card, "x", card.results, "", Path(), None)
    for entry, group in ((run, views.SUITE), (board_row(), [views.BOARD, views.board("x")])):
        named = {"metrics": entry.metrics, "params": entry.params, "tags": entry.tags}
        for view in group:
            for column in [*view.columns, view.order_by]:
                kind, name = re.fullmatch(r"(\w+)\.`(\w+)`", column).groups()
                assert name in named[kind], column
            assert view.group_by is None or view.group_by in entry.params
            for _, chart in view.charts:
                axes = [chart.get(axis, {}).get("key") for axis in ("xaxis", "yaxis")]
                shown = {chart.get("metricKey"), *chart.get("selectedMetrics", []), *axes} - {None}
                assert shown <= set(entry.metrics), chart


def experiment(name: str, *saved: views.View) -> SimpleNamespace:
    return SimpleNamespace(name=name, experiment_id="7", tags=views.tags(saved, "note"))


@pytest.mark.parametrize("version", ["3.999.0", "4.0.0", "2.22.0", "3.170.1", None])
def test_a_link_to_another_mlflow_opens_the_plain_page(version):
    links = server.links_to("http://x", [experiment("bench/kernels", *views.SUITE)], version)
    assert links == {"bench/kernels": {"runs": "http://x/#/experiments/7/runs"}}


def test_an_experiment_without_our_views_is_linked_plainly():
    assert server.links_to("http://x", [experiment("bench/kernels")], "3.17.2") == {
        "bench/kernels": {"runs": "http://x/#/experiments/7/runs"}
    }


def test_a_suite_has_a_table_and_charts_and_the_board_has_charts_for_each_board():
    label = "kernels/warmup/laptop"
    links = server.links_to(
        "http://x",
        [experiment("bench/kernels", *views.SUITE), experiment("leaderboard", views.BOARD, views.board(label))],
        "3.17.2",
    )
    assert list(links["bench/kernels"]) == ["table", "charts"]
    assert list(links["leaderboard"]) == ["table", label]
    assert links["leaderboard"][label].endswith(f"viewStateShareKey=bench-board/{label}&compareRunsMode=CHART")


@pytest.mark.parametrize(("body", "version"), [("3.17.2", "3.17.2"), ("<html>", None), ("", None)])
def test_a_server_is_asked_for_its_version(body, version):
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/version" else 404)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as answering:
        threading.Thread(target=answering.serve_forever, daemon=True).start()
        assert server.version_of(f"http://127.0.0.1:{answering.server_port}/") == version
        answering.shutdown()


def test_a_server_that_is_not_there_has_no_version():
    assert server.version_of("http://127.0.0.1:1") is None
