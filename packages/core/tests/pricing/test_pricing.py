"""Costs are exact, dated, sourced, and null where nobody knows."""

from decimal import Decimal
from fractions import Fraction

import pytest
from benchwright import pricing
from benchwright.errors import FileError
from benchwright.records import Usage
from hypothesis import given
from hypothesis import strategies as st

TABLE = """
schema: 1
looked_up: 2026-11-01
prices:
  - {model: a/x, from: 2026-01-01, currency: USD, input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, source: "https://a.example/p"}
  - {model: a/x, from: 2026-06-01, currency: USD, input: 0.1, output: 0.2, source: "https://a.example/p"}
  - {model: a/long, from: 2026-01-01, currency: USD, input: 1, output: 2, cache_read: 1, prompt_limit: 1000, source: "https://a.example/p"}
"""


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.yaml"
    path.write_text(TABLE)
    return pricing.load_prices(path)


def test_each_kind_of_token_has_its_price(prices):
    usage = Usage(input=1_000_000, output=2_000_000, reasoning=500_000, cache_read=10_000, cache_write=20_000)
    assert prices.cost(usage, "a/x", "2026-03-01") == 3 + 30 + 0.003 + 0.075


def test_reasoning_is_part_of_output_and_not_billed_twice(prices):
    assert prices.cost(Usage(output=10, reasoning=10), "a/x", "2026-03-01") == prices.cost(
        Usage(output=10), "a/x", "2026-03-01"
    )


def test_the_price_is_that_of_the_day(prices):
    usage = Usage(input=1_000_000)
    assert prices.cost(usage, "a/x", "2026-05-31") == 3.0
    assert prices.cost(usage, "a/x", "2026-06-01") == 0.1
    assert prices.cost(usage, "a/x", "2025-12-31") is None


def test_knobs_and_dated_snapshots_have_the_price_of_their_model(prices):
    usage = Usage(input=1_000_000)
    for name in (
        "a/x[max_output=9]",
        "a/x-20260203",
        "a/x-2026-02-03[effort=low,max_output=9]",
        "a/x[service_tier=default]",
    ):
        assert prices.cost(usage, name, "2026-03-01") == 3.0
    for name in ("a/y", "a/x-mini", "b/x", "a/x[service_tier=priority]", "a/x[max_output=9,service_tier=flex]"):
        assert prices.cost(usage, name, "2026-03-01") is None


def test_tokens_without_a_rate_have_no_cost_rather_than_none_of_it(prices):
    assert prices.cost(Usage(input=1, cache_read=1), "a/x", "2026-07-01") is None
    assert prices.cost(None, "a/x", "2026-07-01") is None


def test_beyond_a_price_s_prompt_limit_there_is_no_cost(prices):
    assert prices.cost(Usage(input=900, cache_read=100), "a/long", "2026-02-01") == 0.001
    assert prices.cost(Usage(input=900, cache_read=101), "a/long", "2026-02-01") is None
    assert prices.worst_case(1001, 5, "a/long", "2026-02-01") is None


@given(
    st.builds(Usage, *[st.integers(0, 10**7)] * 5),
    st.sampled_from(["anthropic/claude-haiku-4-5", "anthropic/claude-sonnet-5-5", "openai/gpt-5.4-mini"]),
)
def test_a_cost_is_the_nearest_float_to_the_exact_sum(usage, model):
    price = pricing.load_prices().find(model, "2026-11-29")
    exact = Fraction(0)
    for tokens, rate in (
        (usage.input, price.input),
        (usage.output, price.output),
        (usage.cache_read, price.cache_read),
        (usage.cache_write, price.cache_write),
    ):
        exact += tokens * Fraction(rate or 0)
    found = pricing.cost(usage, model, "2026-11-29")
    prompt = usage.input + usage.cache_read + usage.cache_write
    if (usage.cache_write and price.cache_write is None) or (price.prompt_limit and prompt > price.prompt_limit):
        assert found is None
    else:
        assert found == float(exact / 10**6)


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.data())
def test_no_call_within_the_cap_costs_more_than_the_worst_case(prompt, cap, data):
    model = "anthropic/claude-haiku-4-5[max_output=1]"
    read = data.draw(st.integers(0, prompt))
    written = data.draw(st.integers(0, prompt - read))
    usage = Usage(prompt - read - written, data.draw(st.integers(0, cap)), 0, read, written)
    assert pricing.cost(usage, model, "2026-11-29") <= pricing.worst_case(prompt, cap, model, "2026-11-29")


def test_the_table_of_the_package_names_a_source_for_each_price():
    table = pricing.load_prices()
    prices = [price for entries in table.by_model.values() for price in entries]
    assert prices
    assert all(price.source.startswith("https://") and price.since <= table.looked_up for price in prices)
    assert table.find("anthropic/claude-sonnet-5-5", "2026-10-06").cache_read == Decimal("0.2")
    assert table.find("anthropic/claude-sonnet-5-5", "2026-10-07").cache_read == Decimal("0.1")


def test_the_manifest_keeps_price_day_and_source(prices):
    kept = prices.record(["a/x[max_output=1]", "b/unknown"], "2026-03-01")
    found = kept["models"]["a/x[max_output=1]"]
    assert (found["since"], found["currency"], found["source"]) == ("2026-01-01", "USD", "https://a.example/p")
    assert [found[name] for name in ("input", "output", "cache_read", "cache_write")] == ["3", "15", "0.3", "3.75"]
    assert kept["models"]["b/unknown"] is None
    assert kept["digest"].startswith("sha256:")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("{model: a/x, from: soon, currency: USD, input: 1, output: 1, source: 'https://a'}", "YYYY-MM-DD"),
        ("{model: a/x, from: 2026-01-01, currency: USD, input: -1, output: 1, source: 'https://a'}", "0 or more"),
        (
            "{model: a/x, from: 2026-01-01, currency: EUR, input: 1, output: 1, source: 'https://a'}",
            "EUR|USD|Invalid enum",
        ),
        ("{model: a/x, from: 2026-01-01, currency: USD, input: 1, output: 1, source: somewhere}", "address"),
        ("{model: a/x, from: 2026-01-01, currency: USD, input: 1, output: 1}", "source"),
        ("{model: a/x, from: 2026-01-01, currency: USD, input: 1, outptu: 1, source: 'https://a'}", "outptu|output"),
    ],
)
def test_a_bad_entry_is_refused_with_its_place(tmp_path, entry, why):
    path = tmp_path / "prices.yaml"
    path.write_text(f"schema: 1\nlooked_up: 2026-11-01\nprices:\n  - {entry}\n")
    with pytest.raises(FileError, match=why):
        pricing.load_prices(path)


def test_a_price_given_twice_is_refused(tmp_path):
    path = tmp_path / "prices.yaml"
    entry = "{model: a/x, from: 2026-01-01, currency: USD, input: 1, output: 1, source: 'https://a'}"
    path.write_text(f"schema: 1\nlooked_up: 2026-11-01\nprices:\n  - {entry}\n  - {entry}\n")
    with pytest.raises(FileError, match="twice"):
        pricing.load_prices(path)
