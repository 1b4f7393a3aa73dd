"""What an attempt's line says, for every way an attempt can end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright import engine
from benchwright.journal import read_attempts, verify
from benchwright.outcomes import OUTCOMES
from benchwright.records import Attempt

SEVEN = {"text": '```json\n{"value": 7}\n```'}
SCRIPT: dict[str, Any] = {
    "*": SEVEN,
    "trials/no_submission": {"text": "I would rather not say."},
    "trials/provider_error": {"fail": "HTTP 500 after 3 tries"},
    "trials/refused": {"text": "No.", "stop": "refusal"},
    "trials/truncated": {"text": '```json\n{"value"', "stop": "length"},
    "trials/substituted_model": {**SEVEN, "answered": "another"},
}


@pytest.fixture
def ended(play: Callable[..., engine.Done], script: Callable[..., str]) -> dict[str, Attempt]:
    """One attempt at every task of the suite `trials`, by the last part of its id."""
    done = play(suites=("trials",), models=(script(SCRIPT, paid=True),))
    assert len(done.attempts) == len(read_attempts(Path(done.folder)))
    return {attempt.task.id.partition("/")[2]: attempt for attempt in done.attempts}


def test_each_task_ends_in_the_outcome_it_is_named_after(ended: dict[str, Attempt]) -> None:
    assert {name: attempt.outcome for name, attempt in ended.items()} == {name: name for name in ended}
    # Everything in the table but the one that leaves no line: a run that stops at its budget is continued.
    assert set(ended) == set(OUTCOMES) - {"over_budget"}


def test_only_evidence_has_a_score(ended: dict[str, Attempt]) -> None:
    for name, attempt in ended.items():
        assert (attempt.score is not None) == (OUTCOMES[name].evidence != "none"), name


def test_a_broken_benchmark_costs_its_attempt_and_leaves_a_traceback(ended: dict[str, Attempt]) -> None:
    assert ended["harness_error"].reason == "RuntimeError: the benchmark broke"


def test_failed_checks_metrics_and_violations_are_on_the_line(ended: dict[str, Attempt]) -> None:
    assert ended["unsolved"].failed_checks == ["second"]
    assert ended["unsolved"].metrics == {"passed": 1, "ratio": 0.5, "unknown": None}
    assert [violation.rule for violation in ended["rule_violation"].violations] == ["no-seven"]
    assert ended["rule_violation"].reason == "rule no-seven, value: it is 7"


def test_a_reply_without_a_submission_is_a_parse_failure_with_its_reason(ended: dict[str, Attempt]) -> None:
    assert ended["no_submission"].parse_failure
    assert "no JSON" in ended["no_submission"].reason
    assert not ended["solved"].parse_failure


def test_tokens_that_were_billed_for_nothing_stay_on_record(ended: dict[str, Attempt]) -> None:
    failed = ended["provider_error"]
    assert failed.usage is not None
    assert failed.usage.input == 100
    assert failed.calls == 3
    assert failed.notes["wasted_usage"]


def test_what_a_machine_lacks_is_said_with_the_way_to_add_it_and_no_model_is_asked(ended: dict[str, Attempt]) -> None:
    assert ended["needs_dependency"].reason == "needs module:no_such_module (pip install no_such_module)"
    assert ended["needs_data"].reason == "needs data:no_such_data (bench data fetch no_such_data)"
    assert all(ended[name].calls == 0 for name in ("needs_dependency", "needs_data", "needs_accelerator"))


def test_a_task_that_cannot_be_loaded_costs_its_attempt_not_the_run(play: Callable[..., engine.Done]) -> None:
    [attempt] = play(suites=("trials-broken",)).attempts
    assert attempt.outcome == "harness_error"
    assert "trials 0.1.0 could not load `trials/unloadable`: KeyError" in attempt.reason


def test_a_benchmark_that_ends_the_program_costs_its_attempt_not_the_run(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    leaves = {"text": '```json\n{"value": "leaves"}\n```'}
    done = play(tasks=("trials/solved", "trials/timeout"), models=(script({"*": SEVEN, "trials/solved": leaves}),))
    by_task = {attempt.task.id: attempt for attempt in done.attempts}
    assert by_task["trials/solved"].outcome == "harness_error"
    assert by_task["trials/solved"].reason == (
        "RuntimeError: its hook `evaluate` raised SystemExit (the tool failed); a plugin answers or fails, and ends nothing"
    )
    assert by_task["trials/timeout"].outcome == "timeout"


def test_tasks_that_cannot_be_told_apart_are_not_asked_and_lose_no_attempt(
    play: Callable[..., engine.Done], script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIALS_ALIKE", "1")
    done = play(suites=("trials-alike",), models=(script({"*": SEVEN}),))
    assert [(attempt.task.id, attempt.outcome, attempt.calls) for attempt in done.attempts] == [
        ("trials/alike_a", "harness_error", 0),
        ("trials/alike_b", "harness_error", 0),
    ]
    assert "`trials/alike_a` and `trials/alike_b` have the same digest bw1:" in done.attempts[0].reason
    assert len({attempt.attempt for attempt in done.attempts}) == 2
    # One of them alone is told from all there is.
    [alone] = play(tasks=("trials/alike_a",), models=(script({"*": SEVEN}),)).attempts
    assert alone.outcome == "solved"


def test_the_exit_code_is_1_where_our_side_failed_and_0_whatever_the_scores(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    assert play(suites=("trials",), tasks=("trials/harness_error",)).exit_code == 1
    assert play(suites=("trials",), tasks=("trials/unsolved",)).exit_code == 0
    assert play(suites=("trials",), tasks=("trials/solved",), models=(script(SCRIPT),)).exit_code == 0


def test_a_crash_in_a_providers_module_is_ours_and_is_kept_with_its_traceback(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    done = play(suites=("trials",), tasks=("trials/solved",), models=(script({"*": {"crash": "oh"}}),))
    assert done.attempts[0].outcome == "harness_error"
    assert done.attempts[0].reason == "ValueError: oh"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("metric", "TypeError: Encoding objects of type object is unsupported"),
        ("artifact", "ValueError: the artifact '../out.txt' has no name for a file"),
        ("text", "TypeError: the artifact out.txt holds no bytes but str"),
    ],
)
def test_a_verdict_that_cannot_be_put_on_record_costs_its_attempt_and_not_the_run(
    value: str, said: str, play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    replies = {
        "trials/solved": {"text": f'```json\n{{"value": "{value}"}}\n```'},
        "*": {"text": '```json\n{"value": 7}\n```'},
    }
    done = play(tasks=("trials/solved", "trials/timeout"), models=(script(replies),))
    by_task = {attempt.task.id: attempt for attempt in read_attempts(Path(done.folder))}
    assert (by_task["trials/solved"].outcome, by_task["trials/solved"].reason) == ("harness_error", said)
    assert by_task["trials/timeout"].outcome == "timeout"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("odd", "gave no verdict on `trials/solved` but 'splendid'; an outcome is one of solved, unsolved, "),
        ("none", "gave nothing for `trials/solved`; its hook `evaluate` gives an Evaluation"),
    ],
)
def test_what_is_no_verdict_is_told_with_what_would_be_one(
    value: str, said: str, play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    model = script({"*": {"text": f'```json\n{{"value": "{value}"}}\n```'}})
    [attempt] = play(tasks=("trials/solved",), models=(model,)).attempts
    assert attempt.outcome == "harness_error"
    assert f"TypeError: trials 0.1.0 {said}" in attempt.reason


def test_half_of_a_surrogate_pair_in_a_verdict_is_put_on_record_as_a_replacement(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    done = play(tasks=("trials/solved",), models=(script({"*": {"text": '```json\n{"value": "half"}\n```'}}),))
    [attempt] = read_attempts(Path(done.folder))
    assert (attempt.outcome, attempt.reason) == ("unsolved", "it printed \ufffd")
    assert verify(Path(done.folder)) == []


def test_a_grading_in_which_the_interpreter_failed_is_made_again(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    model = script({"*": {"text": '```json\n{"value": "interpreter"}\n```'}})
    [attempt] = play(tasks=("trials/solved",), models=(model,)).attempts
    import trials

    assert trials.INTERPRETER_FAILED.is_set(), "it did fail once"
    assert (attempt.outcome, attempt.reason) == ("unsolved", "")
