"""Revising, from end to end: a model behind a server that learns from the report, and a person who does the same by hand."""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from handnet_corpus.parts import BRACKETS

# Each version objects to more: an end above the ground, then a dip below it, then both as much as they must.
VERSIONS = [
    BRACKETS.replace('"bias": np.array([0.5])', '"bias": np.array([1.5])'),
    BRACKETS.replace('"below": np.array([-1.0])', '"below": np.array([-0.4])'),
    BRACKETS,
]


class Reviser(BaseHTTPRequestHandler):
    """Chat completions: the n-th turn of a conversation is answered with the n-th version."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(body["messages"])
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        text = f"Here is my network.\n\n```python net.py\n{VERSIONS[turn]}```\n"
        answer = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server():
    handler = type("Handler", (Reviser,), {"seen": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield handler, f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()


@pytest.fixture
def bench(tmp_path):
    """The command, in a folder and with a data folder of its own."""

    def call(*words):
        environment = {
            **os.environ,
            "BENCHWRIGHT_DATA": str(tmp_path / "data"),
            "BENCHWRIGHT_CACHE": str(tmp_path / "cache"),
        }
        command = [sys.executable, "-m", "benchwright", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)

    return call


def attempt_in(folder):
    [line] = (folder / "attempts.jsonl").read_text().splitlines()
    return json.loads(line)


def test_a_model_revises_twice_and_the_engine_counts_the_labels(server, bench, tmp_path):
    pytest.importorskip("openai", reason="the openai package is not installed: no model can be asked")
    handler, address = server
    done = bench(
        "run", "--tasks", "handnet/dyck1", "--model", "openai-compatible/reviser", "--base-url", address,
        "--out", tmp_path / "run", "--no-mlflow",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    attempt = attempt_in(tmp_path / "run")
    scores = [one["score"] for one in attempt["rounds"]]
    assert scores[0] < 1.0
    assert scores[1] < 1.0
    assert (scores[2], attempt["score"], attempt["outcome"]) == (1.0, 1.0, "solved")
    # The first answer was blind; each later one had seen the same 500 labels.
    assert [one["labels_seen"] for one in attempt["rounds"]] == [0, 500, 500]
    assert attempt["protocol"] == {"kind": "revise", "turns": 3, "labels_seen": 500, "passes": 0}

    first, second, third = handler.seen
    assert "Development set" not in str(first)
    assert "Development set: 500 labelled examples" in second[-1]["content"]
    assert second[-1]["content"] == third[len(second) - 1]["content"]
    assert "You may revise the file once" in third[-1]["content"]

    page = next((tmp_path / "run").rglob("report.html")).read_text()
    for words in (f"0: {scores[0]:.4f}, 0 labels", f"1: {scores[1]:.4f}, 500 labels", "2: 1.0000, 500 labels"):
        assert words in page


def test_a_person_revises_by_hand_and_nobody_has_to_state_the_labels(bench, tmp_path):
    for number, text in enumerate(VERSIONS, 1):
        (tmp_path / f"v{number}.py").write_text(text)
    first = bench("score", "handnet/dyck1", "v1.py", "--model", "me", "--out", "one", "--note", "blind")
    assert first.returncode == 0, first.stderr
    blind = attempt_in(tmp_path / "one")
    assert blind["notes"]["note"] == "blind"
    assert blind["protocol"]["labels_seen"] == 0

    report = bench("devreport", "handnet/dyck1", "v1.py")
    assert "Development set: 500 labelled examples" in report.stdout
    assert "500 labels shown; they count when this is handed in as a revision." in report.stdout

    (tmp_path / "empty.py").write_text("")
    (tmp_path / "broken.py").write_text("x = (")
    for name, why in (
        ("empty", "The file defines no TASK and no WEIGHTS and no predict."),
        ("broken", "The file is no Python source: '(' was never closed (line 1)."),
    ):
        refused = bench("devreport", "handnet/dyck1", f"{name}.py")
        assert (refused.returncode, refused.stdout) == (2, f"submission error: {why}\n")

    done = bench(
        "score", "handnet/dyck1", "v2.py", "--model", "me", "--revision-of", "one", "--note", "dips", "--out", "two"
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"Revision 1, after 500 labels seen; before: 0\.\d+", done.stdout)
    revised = attempt_in(tmp_path / "two")
    assert [one["labels_seen"] for one in revised["rounds"]] == [0, 500]
    assert revised["rounds"][0]["score"] == blind["score"]
    assert revised["notes"] == {"revision_of": {"run": blind["run"], "attempt": blind["attempt"]}, "note": "dips"}

    last = bench("score", "handnet/dyck1", "v3.py", "--model", "me", "--revision-of", "two", "--out", "three")
    assert last.returncode == 0, last.stderr
    attempt = attempt_in(tmp_path / "three")
    assert [one["labels_seen"] for one in attempt["rounds"]] == [0, 500, 500]
    assert [one["score"] for one in attempt["rounds"]][:2] == [one["score"] for one in revised["rounds"]]
    assert attempt["outcome"] == "solved"

    for words, run, task in (
        ("allows 2", "three", "handnet/dyck1"),
        ("no attempt at `handnet/addition`", "one", "handnet/addition"),
        ("is no run and no attempt here", "nowhere", "handnet/dyck1"),
    ):
        refused = bench("score", task, "v3.py", "--revision-of", run)
        assert refused.returncode == 2
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
