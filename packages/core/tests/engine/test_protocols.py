"""The three protocols through the one episode loop."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from benchwright import engine


def value(number: int) -> dict[str, str]:
    return {"text": f'```json\n{{"value": {number}}}\n```'}


@pytest.fixture
def folder_of() -> Callable[[engine.Done], Path]:
    def find(done: engine.Done) -> Path:
        [found] = Path(done.folder).glob("trials/*/*/draw-01")
        return found

    return find


def test_a_reviser_is_sent_the_development_report_and_every_round_is_graded(
    play: Callable[..., engine.Done], script: Callable[..., str], folder_of: Callable[[engine.Done], Path]
) -> None:
    replies = {"trials/revise#1#1": value(3), "trials/revise#1#2": value(5), "*": value(7)}
    done = play(tasks=("trials/revise",), models=(script(replies),))
    [attempt], folder = done.attempts, folder_of(done)
    assert [entry.score for entry in attempt.rounds] == [0.6, 0.8, 1.0]
    assert [entry.labels_seen for entry in attempt.rounds] == [0, 1, 2]
    assert (attempt.score, attempt.outcome) == (1.0, "solved")
    assert attempt.protocol.turns == 3
    assert attempt.protocol.labels_seen == 2
    assert (folder / "turn-02/message.txt").read_text() == "3 is too low"
    assert (folder / "round-01/submission/answer.json").read_text() == '{"value":3}'
    assert (folder / "submission/answer.json").read_text() == '{"value":7}'


def test_a_reviser_whose_reply_cannot_be_read_is_told_so_and_loses_a_round(
    play: Callable[..., engine.Done], script: Callable[..., str], folder_of: Callable[[engine.Done], Path]
) -> None:
    done = play(tasks=("trials/revise",), models=(script({"trials/revise#1#1": {"text": "hm"}, "*": value(7)}),))
    [attempt], folder = done.attempts, folder_of(done)
    assert [entry.outcome for entry in attempt.rounds] == ["no_submission", "solved", "solved"]
    assert "could not be read" in (folder / "turn-02/message.txt").read_text()
    assert not attempt.parse_failure


def test_a_control_answers_alike_whatever_it_is_told_so_it_is_graded_once_and_sees_no_label(
    play: Callable[..., engine.Done],
) -> None:
    [attempt] = play(tasks=("trials/revise",)).attempts
    assert attempt.outcome == "solved"
    assert len(attempt.rounds) == 1
    assert attempt.protocol.labels_seen == 0
    assert attempt.protocol.turns == 1


def test_a_tool_user_who_runs_two_blocks_or_none_makes_a_protocol_error_that_costs_a_pass(
    play: Callable[..., engine.Done], script: Callable[..., str], folder_of: Callable[[engine.Done], Path]
) -> None:
    two = {"text": "```python\nprint(1)\n```\n```python\nprint(2)\n```"}
    replies = {"trials/tools#1#1": two, "trials/tools#1#2": {"text": "thinking"}, "*": value(7)}
    done = play(tasks=("trials/tools",), models=(script(replies),))
    [attempt], folder = done.attempts, folder_of(done)
    assert attempt.outcome == "solved"
    assert attempt.protocol.passes == 2
    assert attempt.notes["protocol_errors"] == [
        "turn 1: 2 Python blocks where exactly one is run; none was run",
        "turn 2: no Python block to run and no answer: The reply holds no JSON.",
    ]
    assert "You may run Python 1 more time" in (folder / "turn-02/message.txt").read_text()
    assert "No run is left" in (folder / "turn-03/message.txt").read_text()
    calls = [msgspec.json.decode(line) for line in (folder / "tool_calls.jsonl").read_bytes().splitlines()]
    assert [call["pass"] for call in calls] == [1, 2]
    assert all(call["protocol_error"] for call in calls)
    assert attempt.isolation == "not-needed"


def test_a_tool_user_may_answer_at_once(play: Callable[..., engine.Done], script: Callable[..., str]) -> None:
    [attempt] = play(tasks=("trials/tools",), models=(script({"*": value(7)}),)).attempts
    assert (attempt.outcome, attempt.protocol.passes, attempt.protocol.turns) == ("solved", 0, 1)


def test_a_tool_user_with_no_pass_left_whose_last_reply_is_no_answer_has_no_submission(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    [attempt] = play(tasks=("trials/tools",), models=(script({"*": {"text": "still thinking"}}),)).attempts
    assert (attempt.outcome, attempt.protocol.passes, attempt.protocol.turns) == ("no_submission", 2, 3)


def test_what_python_prints_is_the_next_message(
    play: Callable[..., engine.Done], script: Callable[..., str], folder_of: Callable[[engine.Done], Path]
) -> None:
    run = {"text": "```python\nprint(3 + 4)\nopen('kept.txt', 'w').write('x')\n```"}
    again = {"text": "```python\nimport os\nprint(os.listdir('.'))\n```"}
    replies = {"trials/tools#1#1": run, "trials/tools#1#2": again, "*": value(7)}
    done = play(tasks=("trials/tools",), models=(script(replies),))
    [attempt], folder = done.attempts, folder_of(done)
    assert attempt.outcome == "solved"
    assert (folder / "turn-02/message.txt").read_text().startswith("7\n")
    assert "kept.txt" in (folder / "turn-03/message.txt").read_text()
    assert attempt.isolation not in ("not-needed", "")


def test_files_come_out_of_a_reply_by_name(play: Callable[..., engine.Done], script: Callable[..., str]) -> None:
    reply = {"text": "Here:\n```python answer.py\nvalue = 7\n```"}
    [attempt] = play(tasks=("trials/file",), models=(script({"*": reply}),)).attempts
    assert attempt.outcome == "solved"
    assert list(attempt.files) == ["submission/answer.py", "state.json"]
