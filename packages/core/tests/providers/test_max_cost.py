"""No request is made whose worst case could lead past --max-cost, tries after a failed one included."""

import json


def lines(here):
    return [json.loads(line) for line in (here / "run" / "attempts.jsonl").read_text().splitlines()]


def play(bench, server, most):
    name = "claude-haiku-4-5"
    return bench(
        "run", "--suite", "sums", "--model", f"anthropic/{name}[max_output=1000]", "--base-url", server.origin,
        "--max-cost", most, "--out", "run", "--no-mlflow", "--concurrency", 1, timeout=300,
    )  # fmt: skip


def test_a_try_after_a_billed_one_needs_room_of_its_own(bench, here, server):
    server.script("claude-haiku-4-5", "cut")
    done = play(bench, server, "0.009")
    attempts = lines(here)
    assert {attempt["outcome"] for attempt in attempts} == {"over_budget"}, done.stderr
    assert server.calls("claude-haiku-4-5") == len(attempts)
    assert all(attempt["usage"]["input"] == 120 for attempt in attempts), "what the broken stream had told is on record"
    assert "no room for another try" in attempts[0]["reason"]


def test_with_room_it_is_tried_again(bench, here, server):
    server.script("claude-haiku-4-5", "cut", "ok")
    done = play(bench, server, "0.05")
    first, *others = lines(here)
    assert first["calls"] == 2, done.stderr
    assert first["usage"]["input"] == 240
    assert {attempt["calls"] for attempt in others} == {1}
    assert sum(attempt["cost_usd"] for attempt in lines(here)) <= 0.05


def test_a_call_without_room_is_not_made(bench, here, server):
    done = play(bench, server, "0.001")
    assert done.returncode == 3, done.stderr
    assert server.requests == []
