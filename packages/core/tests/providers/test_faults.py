"""Each fault ends in its right outcome, with every call counted and every token known to be billed on record."""

import asyncio
import socket

import fault_table
import pytest
from benchwright.errors import ModelError, UserError
from benchwright.journal import read_attempts, verify
from benchwright.models import compatible
from benchwright.records import Usage
from fault_server import CACHED, HALF, INPUT, OUTPUT, REASONING, UNICODE

FULL = Usage(input=INPUT, output=OUTPUT, reasoning=REASONING, cache_read=CACHED)
STARTED = Usage(input=INPUT, output=1, cache_read=CACHED)
"""What the Messages API has told when a stream breaks after its first event."""


@pytest.mark.parametrize("provider", fault_table.FACTORIES)
@pytest.mark.parametrize("fault", fault_table.FAULTS)
def test_a_fault_has_its_outcome_and_its_calls(server, provider, fault):
    row = asyncio.run(fault_table.meet(provider, fault, server))
    _, outcome, calls = fault_table.FAULTS[fault]
    assert row.outcome == (outcome[provider] if isinstance(outcome, dict) else outcome), row.reason
    assert row.calls == calls
    assert row.on_record == calls
    assert fault_table.KEY not in row.reason
    if row.outcome in (fault_table.OK, "refused", "no_submission", "substituted_model") or fault == "max tokens":
        assert row.usage == FULL
    else:
        assert row.usage is None
    if fault_table.PAGE.is_file():
        assert fault_table.cells(row) == fault_table.on_page()[fault, provider], "docs/faults.md says otherwise"
    if row.outcome == fault_table.OK and fault == "unicode across chunk borders":
        assert row.text == UNICODE


@pytest.mark.parametrize("provider", fault_table.FACTORIES)
def test_two_hundred_calls_at_once_are_on_the_page_too(server, provider):
    row = asyncio.run(fault_table.parallel(provider, server))
    assert (row.outcome, row.calls, row.on_record) == (fault_table.OK, 200, 200)
    if fault_table.PAGE.is_file():
        assert fault_table.cells(row) == fault_table.on_page()[fault_table.PARALLEL, provider]


def test_tokens_of_streams_that_broke_stay_on_record(server):
    row = asyncio.run(fault_table.meet("anthropic", "cut in mid-stream for good", server))
    assert row.wasted == STARTED + STARTED + STARTED + STARTED
    row = asyncio.run(fault_table.meet("anthropic", "clean end without terminal event", server))
    assert (row.usage, row.wasted) == (FULL, STARTED)
    row = asyncio.run(fault_table.meet("openai-compatible", "clean end without terminal event", server))
    assert (row.usage, row.wasted) == (FULL, FULL)


@pytest.mark.parametrize("provider", fault_table.FACTORIES)
def test_what_no_file_can_hold_is_put_on_record_as_a_replacement_and_the_run_goes_on(bench, here, server, provider):
    name = server.script("m", "half_a_pair")
    base = server.origin if provider == "anthropic" else f"{server.origin}/v1"
    done = bench("run", "--tasks", "sums/n1", "--model", f"{provider}/{name}", "--base-url", base, "--out", "run",
                 "--no-mlflow", timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    [attempt] = read_attempts(here / "run")
    assert (attempt.outcome, attempt.calls) == ("unsolved", 1)
    [answer] = (here / "run").glob("sums/n1/*/draw-01/turn-01/answer.md")
    assert answer.read_text() == HALF.replace("\ud83d", "\ufffd")
    assert verify(here / "run") == []


def test_a_reply_without_model_id_was_billed_all_the_same(server):
    for provider in fault_table.FACTORIES:
        assert asyncio.run(fault_table.meet(provider, "missing model id", server)).wasted == FULL


def test_what_the_provider_says_of_a_refused_key_is_not_repeated(server):
    row = asyncio.run(fault_table.meet("openai", "401", server))
    assert row.reason == "The provider openai refuses the key in OPENAI_API_KEY (401). Set another one."


def test_a_server_that_asks_for_a_key_where_none_is_set_refuses_none(server, monkeypatch):
    name = server.script("x", "401")
    fault_table.make_model("openai-compatible", name, server)  # sets the key
    monkeypatch.delenv("OPENAI_COMPATIBLE_API_KEY")
    model = compatible.factory(name, {}, {"base_url": f"{server.origin}/v1"})
    with pytest.raises(UserError, match=r"asks for a key \(401\), and OPENAI_COMPATIBLE_API_KEY is not set\. Set it"):
        asyncio.run(model.reply(fault_table.ask()))


@pytest.mark.parametrize("provider", fault_table.FACTORIES)
def test_a_connection_that_fails_names_the_address_without_its_password(provider, server):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        port = taken.getsockname()[1]
        base = f"http://user:hidden@127.0.0.1:{port}/v1"
        model = fault_table.make_model(provider, "m", server, base_url=base, tries=2)
        with pytest.raises(ModelError) as caught:
            asyncio.run(model.reply(fault_table.ask()))
    assert str(caught.value).startswith(f"the connection to http://127.0.0.1:{port}/v1 failed (")
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("behaviour", "came"),
    [("event_stream", "a stream of events, which was not asked for"), ("html", "a text that begins with '<")],
)
def test_what_came_in_place_of_a_completion_is_told(behaviour, came, server):
    name = server.script("x", behaviour)
    model = fault_table.make_model("openai-compatible", name, server, tries=1)
    with pytest.raises(ModelError, match=f"the provider sent no completion but {came}"):
        asyncio.run(model.reply(fault_table.ask()))


def test_a_whole_response_that_failed_is_tried_again(server):
    name = server.script("gpt", "failed", "ok")
    model = fault_table.make_model("openai", name, server)
    reply = asyncio.run(model.reply(fault_table.ask()))
    assert (reply.calls, reply.wasted, reply.usage) == (2, FULL, FULL)


def test_the_context_window_running_full_is_truncation(server):
    name = server.script("claude", "window")
    model = fault_table.make_model("anthropic", name, server)
    assert asyncio.run(model.reply(fault_table.ask())).stop == "length"


def test_events_are_kept_as_they_came(server):
    for provider, first in (
        ("anthropic", "message_start"),
        ("openai", "response.created"),
        ("openai-compatible", None),
    ):
        model = fault_table.make_model(provider, server.script(f"events-{provider}", "ok"), server)
        reply = asyncio.run(model.reply(fault_table.ask()))
        assert reply.events[0].get("type") == first
        assert (
            "object" in reply.events[0]
            if first is None
            else reply.events[-1]["type"] in ("message_stop", "response.completed")
        )
