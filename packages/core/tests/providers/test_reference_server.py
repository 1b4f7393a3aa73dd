"""A model that replies with the references, in the form that prompts ask for, solves what the references solve."""

import pytest
import reference_server

PROVIDERS = ["anthropic", "openai", "openai-compatible"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_protocol_of_the_installed_test_plugins_with_every_provider(here, provider):
    suites = ["sums", "trials-revise", "trials-tools", "trials-file"]
    pairs = reference_server.compare(suites, [provider], here)[provider]
    assert {one["protocol"]["kind"] for one, _ in pairs} == {"single", "revise", "tools"}
    for one, other in pairs:
        assert one["outcome"] == "solved", one["reason"]
        assert other["outcome"] == "solved", other["reason"]
        assert other["calls"] == other["protocol"]["turns"] > 0
        assert other["task"]["prompt_digest"] == one["task"]["prompt_digest"]
    turns = {other["task"]["id"]: other["protocol"]["turns"] for _, other in pairs}
    assert turns["trials/tools"] == 2
    assert turns["trials/revise"] >= 2


@pytest.mark.full
def test_every_suite_of_every_installed_benchmark_with_every_provider(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCHWRIGHT_RUNS", str(tmp_path / "runs"))
    found = reference_server.compare(["all"], PROVIDERS, tmp_path)
    for provider in PROVIDERS:
        assert {other["protocol"]["kind"] for _, other in found[provider]} == {"single", "revise", "tools"}
        for one, other in found[provider]:
            assert (other["outcome"], other["score"]) == (one["outcome"], one["score"]), (provider, other["reason"])
            assert not other["parse_failure"]
