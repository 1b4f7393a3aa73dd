"""The pages on models and replies say what the code does."""

import re
from pathlib import Path

import pytest
from benchwright import digests, exact_json, replies
from benchwright.models import BUILTIN, anthropic, compatible, openai
from benchwright.models.knobs import OUTPUT_CAP, Options
from benchwright.models.throttle import FIRST_LIMIT

DOCS = Path(__file__).parents[4] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the pages are not beside the package")


def test_each_provider_and_each_knob_is_on_the_page():
    page = (DOCS / "models.md").read_text()
    for provider in BUILTIN:
        assert re.search(rf"`{provider}[/:`]", page), provider
    for module in (anthropic, openai, compatible):
        [row] = re.findall(rf"^\| `{module.PROVIDER}` \| (`.*) \|$", page, re.MULTILINE)
        named = re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", row))
        assert named == sorted({*module.KNOBS, OUTPUT_CAP})


def test_the_bounds_on_the_page_are_those_of_the_code():
    page = " ".join((DOCS / "models.md").read_text().split())
    options = Options()
    assert anthropic.DEFAULT_CAP == openai.DEFAULT_CAP
    for words in (
        f"{anthropic.DEFAULT_CAP:,} tokens for `anthropic` and `openai`, {compatible.DEFAULT_CAP:,} for `openai-compatible`",
        f"up to {options.busy_tries} requests for a reply",
        f"{options.longest_wait:g} s or less",
        f"up to {options.tries} requests, half a second apart",
        f"(`--call-seconds`, {options.call_seconds:g})",
        f"Calls in flight begin at {FIRST_LIMIT:g}",
    ):
        assert words in page, words
    assert options.backoff == 0.5


def test_the_bounds_of_the_parser_on_the_page_are_those_of_the_code():
    page = " ".join((DOCS / "reply-format.md").read_text().split())
    for words in (
        f"`reply_format: {digests.REPLY_FORMAT}`",
        f"more than {exact_json.MAX_DEPTH} levels",
        f"more than {exact_json.MAX_DIGITS:,} digits",
        f"power of ten beyond {exact_json.MAX_EXPONENT:,}",
    ):
        assert words in page, words


def test_the_example_on_the_page_runs():
    page = (DOCS / "reply-format.md").read_text()
    [code] = re.findall(r"```python\n(from benchwright.*?)```", page, re.DOTALL)
    with pytest.raises(replies.Unreadable, match="The reply holds 2 JSON values that differ"):
        exec(compile(code, "reply-format.md", "exec"), {})
