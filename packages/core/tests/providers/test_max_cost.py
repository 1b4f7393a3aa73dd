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


def test_the_same_command_with_more_money_makes_the_attempts_that_were_cut_short(bench, here, server):
    server.script("claude-haiku-4-5", *["cut"] * 10, "ok")
    first = play(bench, server, "0.009")
    assert first.returncode == 3, first.stderr
    short = lines(here)
    assert "cut short" in first.stdout or "could cost" in first.stdout
    assert "the same command with a larger --max-cost continues" in first.stdout
    made = server.calls("claude-haiku-4-5")
    assert made == len(short)
    last = play(bench, server, "1")
    assert last.returncode == 0, last.stderr
    attempts = lines(here)
    assert {attempt["outcome"] for attempt in attempts} == {"unsolved", "solved"}
    assert len({attempt["attempt"] for attempt in attempts}) == len(attempts) == 10
    assert sum(attempt["calls"] for attempt in attempts) == server.calls("claude-haiku-4-5")
    assert f"{len(short)} attempts that the budget cut short are made again" in last.stdout


def test_a_try_that_was_turned_away_takes_no_money_from_the_next(bench, here, server):
    server.script("claude-haiku-4-5", "429:after=0.05", "429:after=0.05", "529:after=0.05", "ok")
    done = play(bench, server, "0.009")  # room for one call, and not for two
    assert {attempt["outcome"] for attempt in lines(here)} <= {"solved", "unsolved"}, done.stderr
    assert lines(here)[0]["calls"] == 4


def test_a_call_without_room_is_not_made(bench, here, server):
    done = play(bench, server, "0.001")
    assert done.returncode == 3, done.stderr
    assert server.requests == []
