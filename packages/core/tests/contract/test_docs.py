"""What the pages show is what the repository holds."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


def test_the_tutorial_shows_the_plugins_that_the_tests_install():
    page = (ROOT / "docs" / "tutorial.md").read_text()
    shown = re.findall(r"<!-- from (\S+) -->\n```\w+\n(.*?)\n```", page, re.DOTALL)
    assert len(shown) == 8
    for path, text in shown:
        assert text == (ROOT / path).read_text().rstrip(), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_of_the_repository_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_can_be_reached_from_the_index():
    docs = ROOT / "docs"
    seen, queue = set(), [docs / "index.md"]
    while queue:
        page = queue.pop()
        if page in seen or not page.exists():
            continue
        seen.add(page)
        queue += [
            (page.parent / t).resolve() for t in re.findall(r"\]\(([^)#]+\.md)\)", page.read_text()) if "://" not in t
        ]
    assert set(docs.rglob("*.md")) <= seen


def answers(page):
    """Each line that writes answer.json, with the `bench score` line that grades it."""
    return re.findall(r"^(echo '.*' > answer\.json)\n(bench score \S+ answer\.json)", page.read_text(), re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "docs/weightspace.md"])
def test_every_answer_that_a_page_grades_is_written_before_and_is_graded_as_typed(page, here, bench):
    found = answers(ROOT / page)
    assert len(found) == len(re.findall(r"^bench score .*answer\.json", (ROOT / page).read_text(), re.MULTILINE)) > 0
    for write, grade in found:
        subprocess.run(["sh", "-c", write], cwd=here, check=True)
        done = bench(*grade.split()[1:], "--json")
        if "No benchmark `weightspace`" in done.stderr:
            pytest.skip("weightspace is not installed beside the core")
        attempt = json.loads(done.stdout)
        assert attempt["outcome"] in ("solved", "unsolved"), attempt["reason"]
        assert not attempt["parse_failure"]
        gets = re.search(r"this guess gets ([0-9.]+)", (ROOT / page).read_text())
        assert gets is None or float(gets[1]) == attempt["score"]
