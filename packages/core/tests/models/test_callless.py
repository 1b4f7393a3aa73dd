"""`reference`, `starter`, `file:PATH` and `replay:RUN`: models that answer without a call."""

from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import engine
from benchwright.errors import PluginError, UserError
from benchwright.journal import read_manifest
from benchwright.models import BUILTIN, providers
from benchwright.plugins import load

SEVEN = {"text": '```json\n{"value": 7}\n```'}


def test_the_reference_solves_and_the_starter_does_not(play: Callable[..., engine.Done]) -> None:
    done = play(suites=("sums",), models=("reference", "starter"))
    by_model = {name: {a.outcome for a in done.attempts if a.model.name == name} for name in ("reference", "starter")}
    assert by_model == {"reference": {"solved"}, "starter": {"unsolved"}}
    assert all(attempt.calls == 0 and attempt.usage is None for attempt in done.attempts)


def test_a_control_takes_nothing_behind_its_name(play: Callable[..., engine.Done]) -> None:
    with pytest.raises(UserError, match="The model `reference` takes nothing behind its name"):
        play(suites=("sums",), models=("reference/x",))


def test_a_file_is_handed_in_under_the_tasks_own_name(play: Callable[..., engine.Done], here: Path) -> None:
    (here / "mine.txt").write_text("value = 7\n")
    [attempt] = play(tasks=("trials/file",), models=("file:mine.txt",)).attempts
    assert attempt.outcome == "solved"
    assert next(iter(attempt.files)) == "submission/answer.py"


def test_a_folder_is_handed_in_whole(play: Callable[..., engine.Done], here: Path) -> None:
    (here / "mine" / "sub").mkdir(parents=True)
    (here / "mine" / "answer.py").write_text("value = 7\n")
    (here / "mine" / "sub" / "more.py").write_text("")
    [attempt] = play(tasks=("trials/file",), models=("file:mine",)).attempts
    assert "submission/sub/more.py" in attempt.files


def test_a_file_with_other_content_is_another_plan(play: Callable[..., engine.Done], here: Path) -> None:
    plans = []
    for content in ("value = 7\n", "value = 8\n"):
        (here / "mine.py").write_text(content)
        done = play(tasks=("trials/file",), models=("file:mine.py",))
        plans.append(read_manifest(Path(done.folder)).plan_digest)
    assert plans[0] != plans[1]


def test_a_file_that_holds_no_answer_is_no_submission(play: Callable[..., engine.Done], here: Path) -> None:
    (here / "a.json").write_text("seven")
    [attempt] = play(tasks=("trials/solved",), models=("file:a.json",)).attempts
    assert (attempt.outcome, attempt.parse_failure) == ("no_submission", True)
    (here / "a.json").write_bytes(b"\xff\xfe{}")
    [attempt] = play(tasks=("trials/solved",), models=("file:a.json",)).attempts
    assert attempt.reason == "a.json is not UTF-8."


def test_a_replay_gives_the_same_verdicts_without_a_call(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    replies = {"trials/revise#1#1": {"text": '```json\n{"value": 3}\n```'}, "*": SEVEN}
    tasks = ("trials/revise", "trials/unsolved", "trials/no_submission", "trials/tools")
    first = play(tasks=tasks, models=(script(replies, paid=True, log="calls.log"),))
    made = calls()
    again = play(tasks=tasks, models=(f"replay:{first.run}",))
    assert calls() == made
    key = lambda attempt: attempt.task.id  # noqa: E731
    for was, now in zip(sorted(first.attempts, key=key), sorted(again.attempts, key=key), strict=True):
        assert (now.outcome, now.score, now.rounds) == (was.outcome, was.score, was.rounds)
        assert now.usage is None
        assert now.model.name == f"replay:{first.run}::scripted/one"


def test_a_replay_of_files_and_of_failures(play: Callable[..., engine.Done], script: Callable[..., str]) -> None:
    first = play(tasks=("trials/file",))
    [attempt] = play(tasks=("trials/file",), models=(f"replay:{first.run}",)).attempts
    assert attempt.outcome == "solved"
    failed = play(tasks=("trials/solved",), models=(script({"*": {"fail": "HTTP 500"}}),))
    [attempt] = play(tasks=("trials/solved",), models=(f"replay:{failed.folder}",)).attempts
    assert (attempt.outcome, attempt.reason) == ("provider_error", "HTTP 500")


def test_a_replay_says_what_the_run_does_not_hold(play: Callable[..., engine.Done]) -> None:
    first = play(tasks=("sums/n1",), models=("reference", "starter"))
    with pytest.raises(UserError, match=r"holds 2 models; name one: replay:\S+::reference, replay:\S+::starter"):
        play(tasks=("sums/n1",), models=(f"replay:{first.run}",))
    with pytest.raises(UserError, match=r"holds no model `refrence`\. Did you mean `reference`"):
        play(tasks=("sums/n1",), models=(f"replay:{first.run}::refrence",))
    [attempt] = play(tasks=("sums/n2",), models=(f"replay:{first.run}::starter",)).attempts
    assert attempt.outcome == "harness_error"
    assert "has no turn 1 of draw 1" in attempt.reason


def test_a_reply_that_was_changed_on_disk_is_not_replayed(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    first = play(tasks=("trials/solved",), models=(script({"*": SEVEN}),))
    [answer] = Path(first.folder).glob("trials/solved/*/draw-01/turn-01/answer.md")
    answer.write_text(answer.read_text().replace("7", "8"))
    [attempt] = play(tasks=("trials/solved",), models=(f"replay:{first.run}",)).attempts
    assert attempt.outcome == "harness_error"
    assert "does not have the digest on record" in attempt.reason


def test_a_provider_that_is_registered_twice_is_an_error_that_names_both(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = load()
    assert set(BUILTIN) | {"scripted"} <= set(providers(found))
    monkeypatch.setitem(BUILTIN, "scripted", "nowhere:factory")
    with pytest.raises(PluginError, match="register the model provider `scripted`: benchwright and trials"):
        providers(found)
