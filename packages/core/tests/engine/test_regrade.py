"""Grading stored submissions again: no call, both verdicts stay."""

from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import engine, names
from benchwright.engine.regrade import regrade
from benchwright.engine.workbench import Workbench
from benchwright.errors import UserError
from benchwright.journal import read_attempts, read_manifest, turns
from benchwright.leaderboard import transcripts

SEVEN = {"text": '```json\n{"value": 7}\n```'}


def test_a_mended_task_gets_new_verdicts_in_a_run_of_its_own_and_the_old_ones_stay(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    calls: Callable[[], list[str]],
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = script({"*": SEVEN}, paid=True, log="calls.log")
    done = play(tasks=("trials/solved", "trials/unsolved", "trials/revise"), models=(model,))
    before = (Path(done.folder) / "attempts.jsonl").read_bytes()
    made = calls()
    monkeypatch.setenv("TRIALS_MENDED", "1")
    with Workbench() as bench:
        found = regrade(bench, Path(done.folder))
    assert calls() == made
    assert (Path(done.folder) / "attempts.jsonl").read_bytes() == before
    now = {attempt.task.id: attempt for attempt in read_attempts(Path(found.folder))}
    assert now["trials/unsolved"].outcome == "solved"
    assert now["trials/unsolved"].notes["regraded_from"]["outcome"] == "unsolved"
    assert now["trials/unsolved"].task.version == "2"
    assert now["trials/unsolved"].usage == {a.task.id: a for a in done.attempts}["trials/unsolved"].usage
    assert len(now["trials/revise"].rounds) == 3
    assert [entry.was.task.id for entry in found.attempts if entry.differs] == ["trials/unsolved"]
    manifest = read_manifest(Path(found.folder))
    assert manifest.status == "finished"
    assert manifest.notes["regraded_from"] == done.run


def test_the_prompt_on_record_is_the_one_that_was_sent(
    play: Callable[..., engine.Done], script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = play(tasks=("trials/solved",), models=(script({"*": SEVEN}),))
    monkeypatch.setenv("TRIALS_MENDED", "1")
    with Workbench() as bench:
        [entry] = regrade(bench, Path(done.folder)).attempts
    assert entry.now.task.digest != entry.was.task.digest
    assert entry.now.task.prompt_digest == entry.was.task.prompt_digest


def test_an_attempt_without_a_submission_is_carried_over(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    done = play(tasks=("trials/solved",), models=(script({"*": {"text": "no", "stop": "refusal"}}),))
    with Workbench() as bench:
        [entry] = regrade(bench, Path(done.folder)).attempts
    assert (entry.graded, entry.now.outcome) == (False, "refused")


def test_what_was_never_handed_in_stands_under_the_mended_task_with_the_outcome_it_had(
    play: Callable[..., engine.Done], script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = script({"*": {"text": "I would rather not say."}})
    done = play(tasks=("trials/unsolved", "trials/revise"), models=(nothing,))
    monkeypatch.setenv("TRIALS_MENDED", "1")
    with Workbench() as bench:
        found = regrade(bench, Path(done.folder))
    pinned = read_manifest(Path(found.folder))
    assert [entry.graded for entry in found.attempts] == [False, False]
    for entry in found.attempts:
        assert entry.now.outcome == entry.was.outcome == "no_submission"
        assert entry.now.task.digest == pinned.tasks[entry.now.task.id].digest
        assert entry.now.attempt == names.attempt_id(
            pinned.plan_digest, entry.now.task.digest, entry.now.model.name, entry.now.draw
        )


def test_a_regraded_run_holds_every_turn_of_the_run_it_came_from(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    nothing = script({"*": {"text": "I would rather not say."}})
    for model in (script({"*": SEVEN}), nothing):
        done = play(tasks=("trials/unsolved", "trials/revise"), models=(model,))
        with Workbench() as bench:
            found = regrade(bench, Path(done.folder))
        for entry in found.attempts:
            was, now = (
                turns.attempt_folder(folder, entry.now.task.id, entry.now.model.name, entry.now.draw)
                for folder in (Path(done.folder), Path(found.folder))
            )
            before = {path.relative_to(was): path.read_bytes() for path in was.rglob("turn-*/*")}
            assert before
            assert {path.relative_to(now): path.read_bytes() for path in now.rglob("turn-*/*")} == before
        assert list(transcripts.problems(Path(found.folder), [entry.now for entry in found.attempts])) == []


def test_a_run_without_a_fitting_attempt_is_refused(play: Callable[..., engine.Done]) -> None:
    done = play(tasks=("sums/n1",))
    with Workbench() as bench, pytest.raises(UserError, match=r"No task of the run .* matches `trials/"):
        regrade(bench, Path(done.folder), tasks=("trials/*",))
