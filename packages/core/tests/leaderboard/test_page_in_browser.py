"""The page in a real browser: it says nothing on the console and asks for nothing but itself."""

from __future__ import annotations

import json
import shutil

import board_files as b
import pytest
from benchwright.leaderboard import build

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]


@pytest.fixture
def visit(tmp_path):
    """`visit(address)` gives (text, what the console said, the addresses that were asked for)."""
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1500,1000",
        f"--user-data-dir={tmp_path / 'profile'}",
    ):  # fmt: skip
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))

    def go(address):
        browser.get(address)
        for button in browser.find_elements("css selector", "th button")[:3]:
            button.click()
        said = [entry["message"] for entry in browser.get_log("browser")]
        events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
        asked = {
            event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"
        }
        return browser.find_element("tag name", "body").text, said, asked - {address}

    yield go
    browser.quit()


def test_the_page_has_no_console_error_and_asks_for_nothing_beyond_its_file(tmp_path, known, visit):
    root = tmp_path / "leaderboard"
    attempts = [
        b.attempt(f"t{task}", model=model, draw=draw, outcome="solved" if task < skill else "unsolved", usage=b.tokens(), cost=cost)
        for model, skill, cost in (("p/a", 7, 0.02), ("p/b", 3, 0.001), ("<img src=//x.example/y onerror=z()>", 4, 0.1))
        for task in range(8)
        for draw in (1, 2)
    ]  # fmt: skip
    b.write(root, attempts)
    build.build(root, known)
    text, said, asked = visit((root / "index.html").as_uri())
    assert "p/a" in text
    assert "<img src=//x.example/y onerror=z()>" in text
    assert said == []
    assert {address for address in asked if not address.startswith(("data:", "chrome:"))} == set()


def test_a_page_that_does_ask_and_fail_is_noticed(tmp_path, visit):
    page = tmp_path / "bad.html"
    page.write_text('<img src="http://127.0.0.1:9/x.png"><script>undefined_function()</script>')
    _, said, asked = visit(page.as_uri())
    assert any("undefined_function" in line for line in said)
    assert "http://127.0.0.1:9/x.png" in asked
