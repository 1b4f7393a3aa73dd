"""Makes real Inspect AI logs with a model server on this machine. Runs in an environment of its own.

    python make_logs.py FOLDER

The server speaks the chat-completions format. It plays two models of different skill, refuses one
question and cuts one reply, so that a log holds every case that an import has to tell apart.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

SKILL = {"strong": 0.85, "weak": 0.4}
QUESTIONS = 24
EPOCHS = 3


def luck(*parts: object) -> float:
    """A number in [0, 1) that depends on the parts alone."""
    return int(hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:12], 16) / 16**12


class Server(BaseHTTPRequestHandler):
    """Answers `n + n` questions, as well as the model's skill allows."""

    counts: ClassVar[dict[tuple[str, int], int]] = {}
    lock = threading.Lock()

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_POST(self) -> None:
        """One chat completion."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = asked["model"]
        text = asked["messages"][-1]["content"]
        text = text if isinstance(text, str) else text[0]["text"]
        number = int(re.findall(r"\d+", text)[0])
        with self.lock:
            turn = self.counts[model, number] = self.counts.get((model, number), 0) + 1
        right = luck(model, number, turn) < SKILL[model] * (1.2 - 0.6 * luck(number))
        answer, reason = str(2 * number + (not right)), "stop"
        if (model, number, turn) == ("weak", 3, 1):
            answer, reason = "I cannot help with that.", "content_filter"
        if (model, number, turn) == ("weak", 5, 2):
            answer, reason = "Let me think about", "length"
        body = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": model,
                "choices": [{"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": reason}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(folder: Path) -> None:
    """Two models, one log each, as .eval and as .json, and what Inspect itself reads back of them."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.scorer import exact
    from inspect_ai.solver import generate

    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["LOCAL_BASE_URL"] = f"http://127.0.0.1:{server.server_port}/v1"
    os.environ["LOCAL_API_KEY"] = "none"
    task = Task(
        dataset=[Sample(id=n, input=f"{n} + {n} =", target=str(2 * n)) for n in range(QUESTIONS)],
        solver=generate(),
        scorer=exact(),
        epochs=EPOCHS,
        name="doubling",
    )
    truth = {}
    for model in SKILL:
        [log] = eval(
            task,
            model=f"openai-api/local/{model}",
            log_dir=str(folder),
            display="none",
            max_connections=1,
            max_samples=1,
        )
        whole = read_eval_log(log.location)
        write_eval_log(whole, str(folder / f"{model}.eval"))
        write_eval_log(whole, str(folder / f"{model}.json"))
        truth[model] = {
            "accuracy": whole.results.scores[0].metrics["mean"].value,
            "samples": [
                {
                    "id": sample.id,
                    "epoch": sample.epoch,
                    "value": sample.scores["exact"].value,
                    "stop": sample.output.stop_reason,
                }
                for sample in whole.samples
            ],
        }
    (folder / "truth.json").write_text(json.dumps(truth))
    server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
