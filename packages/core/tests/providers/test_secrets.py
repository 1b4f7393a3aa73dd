"""A key is in the environment and on the wire to its provider, and nowhere else."""

import base64
import json
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import fault_table
import pytest
from fault_server import TEXT, FaultServer

SECRET = "sk-ant-7Qm2xVtH9bLwZc4RkYp8"
"""Looks as keys do; nobody's."""

SPIES = '```python\nimport os\nprint(sorted(os.environ.items()), open("/proc/self/environ").read())\n```'


def forms(secret: str) -> list[bytes]:
    """The key, the key as HTTP's basic and JSON-in-JSON would hide it, and a half of it."""
    encoded = base64.b64encode(secret.encode()).rstrip(b"=")
    return [secret.encode(), encoded[:-1], secret[4:16].encode(), secret[-12:].encode()]


def leaks(root: Path, secret: str) -> Iterator[str]:
    """Files below `root` that hold the key, compressed parts of databases included."""
    for path in root.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if path.suffix in (".db", ".sqlite"):
            with sqlite3.connect(path) as base:
                data += "\n".join(base.iterdump()).encode()
        if data[:2] == b"\x1f\x8b":
            data += zlib.decompress(data, 31)
        if any(form in data for form in forms(secret)):
            yield str(path.relative_to(root))


@pytest.fixture
def keys(monkeypatch):
    for variable in fault_table.VARIABLES.values():
        monkeypatch.setenv(variable, SECRET)


@pytest.fixture
def telling(server: FaultServer, monkeypatch) -> FaultServer:
    """A server whose error messages repeat the key, as providers do."""
    monkeypatch.setattr("fault_server.Wire.secret", lambda _: SECRET)
    return server


@pytest.mark.parametrize("provider", fault_table.FACTORIES)
def test_no_file_and_no_word_of_a_run_holds_the_key(bench, here, keys, telling, provider):
    base = telling.origin if provider == "anthropic" else f"{telling.origin}/v1"
    telling.reply = lambda body: (
        SPIES if "trials/tools" in json.dumps(body) and "HOME" not in json.dumps(body) else TEXT
    )
    name = telling.script("model", "ok", "500", "400", "cut", "ok", "error_event", "refusal", "html", "ok")
    done = bench(
        "run", "--suite", "sums,trials-tools", "--model", f"{provider}/{name}", "--base-url", base, "--json", "--out", "run",
        "--call-seconds", "20",
        # One projection to MLflow is enough to see that it holds no key either.
        *([] if provider == "openai-compatible" else ["--no-mlflow"]),
        timeout=300,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert (here / "run" / "attempts.jsonl").read_text().count("\n") == 11, done.stderr
    said = done.stdout + done.stderr
    assert not [form for form in forms(SECRET) if form in said.encode()]
    assert not list(leaks(here, SECRET))
    for path, body, headers in telling.requests:
        assert SECRET in str(headers), path
        assert SECRET[4:16] not in json.dumps(body), "a worker saw the key, and what it printed went to the model"


def test_a_refused_key_is_told_without_the_key(bench, here, keys, telling):
    name = telling.script("model", "401")
    done = bench(
        "run",
        "--suite",
        "sums",
        "--model",
        f"openai/{name}",
        "--base-url",
        f"{telling.origin}/v1",
        "--out",
        "run",
        timeout=300,
    )
    assert done.returncode == 2
    assert "refuses the key in OPENAI_API_KEY (401)" in done.stderr
    assert "Traceback" not in done.stderr
    assert not [form for form in forms(SECRET) if form in (done.stdout + done.stderr).encode()]
    assert not list(leaks(here, SECRET))


def test_the_scan_finds_a_key_in_each_of_its_hiding_places(tmp_path):
    assert not list(leaks(tmp_path, SECRET))
    (tmp_path / "a.jsonl").write_text(json.dumps({"headers": {"x-api-key": SECRET}}))
    (tmp_path / "b.txt").write_bytes(base64.b64encode(SECRET.encode()))
    (tmp_path / "c.txt").write_text(f"key ending in {SECRET[-12:]}")
    with sqlite3.connect(tmp_path / "d.db") as base:
        base.execute("create table t (x)")
        base.execute("insert into t values (?)", (SECRET,))
    (tmp_path / "e.gz").write_bytes(__import__("gzip").compress(SECRET.encode()))
    assert sorted(leaks(tmp_path, SECRET)) == ["a.jsonl", "b.txt", "c.txt", "d.db", "e.gz"]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_without_a_key_one_sentence_says_which_and_what_else_to_do(bench, monkeypatch, provider):
    variable = fault_table.VARIABLES[provider]
    monkeypatch.delenv(variable)
    done = bench("run", "--suite", "sums", "--model", f"{provider}/m", timeout=300)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines()[-1] == (
        f"{variable} is not set; the {provider} provider needs it. Try --model reference, or --dry-run for the plan and its price."
    )
    planned = bench("run", "--suite", "sums", "--model", f"{provider}/m", "--dry-run", timeout=300)
    assert planned.returncode == 0, planned.stderr
