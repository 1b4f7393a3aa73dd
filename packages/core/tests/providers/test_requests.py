"""What is sent, what is on record of it, and what is said where something is missing."""

import asyncio
import sys

import fault_table
import msgspec
import pytest
from benchwright.errors import UserError
from benchwright.models import BUILTIN, anthropic, compatible, hosted, openai
from benchwright.records import Message
from fault_server import FaultServer

PATHS = {"anthropic": "/v1/messages", "openai": "/v1/responses", "openai-compatible": "/v1/chat/completions"}
PLAIN = {
    "anthropic": {"model", "max_tokens", "messages", "stream"},
    "openai": {"model", "max_output_tokens", "input", "stream"},
    "openai-compatible": {"model", "max_tokens", "messages"},
}


def sent(server: FaultServer, provider: str, knobs=None, ask=None, **options):
    model = fault_table.make_model(provider, "m", server, knobs, **options)
    asyncio.run(model.reply(ask or fault_table.ask()))
    path, body, headers = server.requests[-1]
    assert path == PATHS[provider]
    return model, body, headers


@pytest.mark.parametrize("provider", PATHS)
def test_nothing_is_sent_that_was_not_asked_for_but_the_output_cap(server, provider):
    model, body, _ = sent(server, provider)
    assert set(body) == PLAIN[provider]
    cap = body.get("max_tokens", body.get("max_output_tokens"))
    assert model.settings["max_output"] == cap
    assert model.identity == f"{provider}/m[max_output={cap}]"


@pytest.mark.parametrize(
    ("provider", "knobs", "field", "value"),
    [
        ("anthropic", {"temperature": "0.5"}, "temperature", 0.5),
        ("anthropic", {"effort": "high"}, "output_config", {"effort": "high"}),
        ("anthropic", {"thinking": "2048"}, "thinking", {"type": "enabled", "budget_tokens": 2048}),
        ("anthropic", {"thinking": "adaptive"}, "thinking", {"type": "adaptive"}),
        ("anthropic", {"max_output": "1000"}, "max_tokens", 1000),
        ("openai", {"effort": "low"}, "reasoning", {"effort": "low"}),
        ("openai", {"verbosity": "low"}, "text", {"verbosity": "low"}),
        ("openai-compatible", {"top_k": "5"}, "top_k", 5),
        ("openai-compatible", {"effort": "high"}, "reasoning_effort", "high"),
        ("openai-compatible", {"seed": "7"}, "seed", 7),
    ],
)
def test_a_knob_is_sent_recorded_and_part_of_the_identity(server, provider, knobs, field, value):
    model, body, _ = sent(server, provider, knobs)
    assert body[field] == value
    [(name, text)] = knobs.items()
    assert f"{name}={text}" in model.identity
    assert str(model.settings[name]) == text
    assert set(body) <= PLAIN[provider] | {field}


def test_the_effort_left_to_the_provider_is_said_so(server):
    assert sent(server, "anthropic")[0].settings["effort"] == "provider default"
    assert sent(server, "openai", {"effort": "low"})[0].settings["effort"] == "low"


def test_system_line_conversation_and_attachments_are_sent(server):
    messages = (
        Message("user", "Look.", {"a.py": b"x = 1\n", "b.md": b"```\ny\n```\n", "c.bin": b"\xff\xfe"}),
        Message("assistant", "Seen."),
        Message("user", "And?"),
    )
    question = msgspec.structs.replace(fault_table.ask(system="Be exact."), messages=messages)
    _, body, _ = sent(server, "anthropic", ask=question)
    assert body["system"] == "Be exact."
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    first = body["messages"][0]["content"]
    assert "```a.py\nx = 1\n```" in first
    assert "````b.md\n```\ny\n```\n````" in first
    assert "c.bin holds 2 bytes" in first
    _, body, _ = sent(server, "openai", ask=question)
    assert body["instructions"] == "Be exact."
    _, body, _ = sent(server, "openai-compatible", ask=question)
    assert body["messages"][0] == {"role": "system", "content": "Be exact."}


def test_a_compatible_server_never_gets_the_key_for_openai(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-only-0000000000")
    monkeypatch.delenv("OPENAI_COMPATIBLE_API_KEY")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    model = compatible.factory("m", {}, {"base_url": f"{server.origin}/v1"})
    asyncio.run(model.reply(fault_table.ask()))
    headers = server.requests[-1][2]
    assert headers["authorization"] == "Bearer none"
    assert "org-secret" not in str(headers)


def test_each_try_is_a_request_of_its_own_and_the_sdk_retries_nothing(server):
    model = fault_table.make_model("openai", server.script("m", "500", "ok"), server)
    asyncio.run(model.reply(fault_table.ask()))
    assert [headers["x-stainless-retry-count"] for _, _, headers in server.requests] == ["0", "0"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: anthropic.factory("m", {"temperatur": "1"}, {}),
            "anthropic has no knob `temperatur`. Did you mean `temperature`?",
        ),
        (lambda: anthropic.factory("m", {"temperature": "hot"}, {}), "takes a number"),
        (lambda: anthropic.factory("m", {"temperature": "nan"}, {}), "takes a number"),
        (lambda: anthropic.factory("m", {"thinking": "much"}, {}), "adaptive, disabled, or a number"),
        (lambda: openai.factory("m", {"verbosity": "huge"}, {}), "low, medium, high"),
        (lambda: openai.factory("m", {"max_output": "0"}, {}), "above 0"),
        (lambda: openai.factory("m", {}, {"tries": 0}), "tries must be above 0"),
        (lambda: compatible.factory("m", {}, {}), "needs --base-url"),
        (lambda: compatible.factory("m", {}, {"base_url": "localhost:8000"}), "expected http://HOST:PORT/v1"),
        (lambda: compatible.factory("m", {}, {"base_url": "http://x:99999/v1"}), "expected http://HOST:PORT/v1"),
    ],
)
def test_a_wrong_setting_is_one_sentence(make, message):
    with pytest.raises(UserError, match=message.replace("[", r"\[").replace("?", r"\?")) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("factory", "variable"), [(anthropic.factory, "ANTHROPIC_API_KEY"), (openai.factory, "OPENAI_API_KEY")]
)
def test_a_missing_key_is_one_sentence_but_a_plan_needs_none(monkeypatch, factory, variable):
    monkeypatch.delenv(variable)
    with pytest.raises(UserError, match=f"{variable} is not set; .* Try --model reference, or --dry-run"):
        factory("m", {}, {})
    assert factory("m", {}, {"dry_run": True}).identity.endswith("/m[max_output=32000]")


def test_a_missing_sdk_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(UserError, match=r"pip install 'benchwright\[anthropic\]'"):
        anthropic.factory("m", {}, {})


def test_an_address_on_record_holds_no_password():
    assert hosted.public_address("https://me:pw@host:81/v1?key=1#x") == "https://host:81/v1"
    assert hosted.public_address("http://[::1]:8000/v1") == "http://[::1]:8000/v1"
    model = compatible.factory("m", {}, {"base_url": "http://me:pw@127.0.0.1:9/v1/", "dry_run": True})
    assert model.settings["base_url"] == "http://127.0.0.1:9/v1"


def test_an_error_names_the_address_without_its_password(server):
    base = f"http://me:secret-pw@127.0.0.1:{server.port}/v1"
    model = fault_table.make_model("openai-compatible", server.script("m", "404"), server, base_url=base)
    with pytest.raises(UserError, match="answers 404") as caught:
        asyncio.run(model.reply(fault_table.ask()))
    assert "secret-pw" not in str(caught.value)
    assert f"http://127.0.0.1:{server.port}/v1" in str(caught.value)


def test_no_sdk_is_imported_before_a_model_is_made():
    import subprocess

    code = (
        "import sys, importlib\n"
        "from benchwright.models import BUILTIN\n"
        "[importlib.import_module(place.partition(':')[0]) for place in BUILTIN.values()]\n"
        "heavy = {'anthropic', 'openai', 'httpx2', 'httpx', 'pydantic', 'numpy', 'mlflow'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert {"anthropic", "openai", "openai-compatible", "command", "person"} <= set(BUILTIN)
