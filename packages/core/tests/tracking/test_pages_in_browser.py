"""The pages behind the links of `bench ui`, in a real browser: what was measured and what it cost, without a click."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import msgspec
import pytest
from benchwright import report
from benchwright.tracking.store import opened, store_at
from tracking_rows import write_board
from tracking_runs import RUN, attempt, write_run

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]

SKILL = {"anthropic/claude-x[effort=high]": (3, 0.02), "openai/gpt-y": (2, 0.001), "reference": (4, None)}
"""Model -> (solved tasks of 4, dollars an attempt). Two draws each: the means are 0.8125, 0.625 and 1."""


def paid(model, task, draw):
    skill, cost = SKILL[model]
    made = attempt(model, task, draw, "solved" if task < skill else "unsolved")
    return msgspec.structs.replace(made, cost_usd=cost, usage=made.usage if cost else None)


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    """What `bench ui --json` printed, with the server up over a run and a board."""
    place = tmp_path_factory.mktemp("served")
    environment = {**os.environ, "BENCHWRIGHT_DATA": str(place / "data")}
    for name in ("MLFLOW_TRACKING_URI", "BENCHWRIGHT_MLFLOW"):
        environment.pop(name, None)
    (place / "data" / "mlflow").mkdir(parents=True)
    with opened(store_at(f"sqlite:///{place}/data/mlflow/mlflow.db")):
        pass
    run = write_run(place / RUN, [paid(model, task, draw) for model in SKILL for draw in (1, 2) for task in range(4)])
    report.write(run)
    bad = "<img src=q.example onerror=z()>"
    board = write_board(place / "leaderboard", (("p/strong", 7, 0.02), ("p/weak", 3, 0.001), (f"file:{bad}", 5, None)))
    bench = [sys.executable, "-m", "benchwright"]
    subprocess.run([*bench, "sync", str(run), "--board", str(board), "--seconds", "600"], env=environment, check=True)
    process = subprocess.Popen([*bench, "ui", "--json"], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())["views"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
        "--window-size=1600,1000", f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):  # fmt: skip
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield browser
    browser.quit()


@pytest.fixture
def visit(browser, tmp_path):
    """`visit(link, words)` gives the page's text once it has every word, or what it had after two minutes; it leaves a
    picture in the test's folder."""

    def go(link, words=(), drawn=""):
        browser.get("about:blank")
        browser.get(link)
        text, end = "", time.monotonic() + 120
        while time.monotonic() < end:
            text = browser.find_element("tag name", "body").text
            if all(word in text for word in words) and (not drawn or browser.find_elements("css selector", drawn)):
                break
            time.sleep(0.5)
        browser.save_screenshot(str(tmp_path / "page.png"))
        return text

    return go


def headers(browser) -> list[str]:
    """The names of the columns that are within the window, from left to right."""
    found = [(one.rect["x"], one.text) for one in browser.find_elements("css selector", ".ag-header-cell") if one.text]
    return [text for _, text in sorted(found)]


def test_the_table_of_a_suite_shows_score_and_cost_grouped_by_model(links, visit, browser):
    text = visit(links["bench/weightspace"]["table"], ("Group: reference", "0.8125", "cost_usd"))
    shown = headers(browser)
    assert shown.index("score") < shown.index("cost_usd") < shown.index("solved")
    for words in (
        "Group by: model",
        "Group: claude-x[effort=high]",
        "claude-x[effort=high] · d1",
        "0.8125",
        "0.625",
        "0.08",
    ):
        assert words in text
    assert "Error loading shared view state" not in text


def test_the_charts_of_a_suite_are_bars_of_scores_cost_against_score_and_parallel_coordinates(
    links, visit, browser, tmp_path
):
    visit(links["bench/weightspace"]["charts"], ("Score and cost",), drawn=".barlayer .bars path")
    visit(links["bench/weightspace"]["charts"], ("cost_usd vs. score",), drawn=".scatterlayer .points path")
    bars = browser.find_elements("css selector", ".barlayer .bars path")
    points = browser.find_elements("css selector", ".scatterlayer .points path")
    assert len(bars) == 3
    assert len([point for point in points if point.is_displayed()]) == 2
    area = browser.find_element("css selector", '[data-testid="experiment-view-compare-runs-chart-area"]')
    axes, end = [], time.monotonic() + 120
    while time.monotonic() < end and "tokens_out" not in axes:
        browser.execute_script("arguments[0].scrollTop = 10000", area)
        time.sleep(0.5)
        written = browser.execute_script(
            "return [...arguments[0].querySelectorAll('svg text')].map(t => t.textContent)", area
        )
        axes = [text for text in written if text in ("cost_usd", "tokens_out", "seconds")]
    browser.save_screenshot(str(tmp_path / "parallel.png"))
    assert "Runs across metrics" in browser.find_element("tag name", "body").text
    assert [text for text in axes if text in ("tokens_out", "seconds")] == ["tokens_out", "seconds"]


def test_the_table_of_the_leaderboard_shows_intervals_and_ranks(links, visit, browser):
    text = visit(links["leaderboard"]["table"], ("strong · kernels/laptop-1/laptop", "low", "high"))
    shown = headers(browser)
    at = shown.index("score")
    assert shown[at : at + 5] == ["score", "low", "high", "rank_best", "rank_worst"]
    assert "0.875" in text
    assert "strong · weightspace/laptop-1/laptop" in text


def test_the_charts_of_a_board_show_its_rows_and_no_others(links, visit, browser):
    text = visit(
        links["leaderboard"]["kernels/laptop-1/laptop"],
        ("strong · kernels", "cost_per_draw vs. score"),
        drawn=".barlayer .bars path",
    )
    assert len(browser.find_elements("css selector", ".barlayer .bars path")) == 3
    assert "weightspace" not in text


def test_an_artifact_in_mlflow_asks_for_nothing_and_runs_nothing_that_somebody_named(links, visit, browser):
    from selenium.webdriver.common.by import By

    visit(links["leaderboard"]["kernels/laptop-1/laptop"], ("<img src=q.example",))
    rows = [one for one in browser.find_elements(By.CSS_SELECTOR, "a[href*='/runs/']") if "q.example" in one.text]
    page = rows[0].get_attribute("href")
    browser.get_log("performance")
    visit(page, ("95% interval",))
    visit(f"{page}/artifacts/row.html", ("row.html",), drawn="iframe")
    frame = browser.find_element(By.TAG_NAME, "iframe")
    browser.switch_to.frame(frame)
    end = time.monotonic() + 120
    while time.monotonic() < end and "Handed in by" not in (text := browser.find_element("tag name", "body").text):
        time.sleep(0.5)
    images = browser.find_elements(By.TAG_NAME, "img")
    browser.switch_to.default_content()
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
    assert "<img src=q.example onerror=z()>" in text
    assert images == []
    assert [url for url in asked if "q.example" in url] == []
