"""Nothing finished is lost, nothing paid is paid twice, and another plan does not continue a run."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from benchwright import engine
from benchwright.errors import UserError
from benchwright.journal import read_attempts, read_manifest, verify
from benchwright.journal.folder import RunFolder

SEVEN = {"text": '```json\n{"value": 7}\n```'}


def test_a_finished_run_is_not_continued_but_begun_anew(play: Callable[..., engine.Done]) -> None:
    assert play(suites=("sums",)).folder != play(suites=("sums",)).folder


def test_an_unfinished_run_of_the_same_plan_is_continued_and_its_attempts_are_kept(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(suites=("sums",))
    cut(first, 4)
    again = play(suites=("sums",))
    assert again.folder == first.folder
    assert again.kept == 4
    assert len(again.attempts) == 10
    assert again.attempts[:4] == first.attempts[:4]
    sessions = read_manifest(Path(again.folder)).sessions
    assert [session.kept for session in sessions] == [0, 4]


def test_another_plan_does_not_continue_it(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(suites=("sums",))
    cut(first, 4)
    assert play(suites=("sums",), draws=2).folder != first.folder


def test_a_folder_named_with_out_refuses_another_plan_and_names_the_difference(
    play: Callable[..., engine.Done], here: Path
) -> None:
    play(suites=("sums",), out=here / "mine")
    with pytest.raises(UserError, match="holds a run of another plan: draws 1, now 2"):
        play(suites=("sums",), draws=2, out=here / "mine")


def test_a_folder_that_is_full_of_other_things_is_not_written_to(play: Callable[..., engine.Done], here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "thesis.txt").write_text("precious")
    with pytest.raises(UserError, match="not empty and not a run folder"):
        play(suites=("sums",), out=here / "mine")


def test_a_task_that_changed_is_named_and_a_new_run_begins(
    play: Callable[..., engine.Done],
    cut: Callable[[engine.Done, int], None],
    monkeypatch: pytest.MonkeyPatch,
    watcher: "object",
    here: Path,
) -> None:
    first = play(suites=("trials",), tasks=("trials/solved", "trials/unsolved"))
    cut(first, 1)
    manifest = read_manifest(Path(first.folder))
    pin = msgspec.structs.replace(manifest.tasks["trials/solved"], version="0", digest="bw1:0")
    _rewrite(Path(first.folder), tasks={**manifest.tasks, "trials/solved": pin})
    again = play(suites=("trials",), tasks=("trials/solved", "trials/unsolved"))
    assert again.folder != first.folder
    assert any("the task trials/solved changed (version 0 became 1)" in note for note in watcher.notes)
    cut(first, 1)
    with pytest.raises(UserError, match="cannot be continued: the task trials/solved changed"):
        play(suites=("trials",), tasks=("trials/solved", "trials/unsolved"), out=Path(first.folder))


def test_versions_that_changed_are_named_and_do_not_stop_it(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None], watcher: "object"
) -> None:
    first = play(suites=("sums",))
    cut(first, 1)
    _rewrite(Path(first.folder), versions={**read_manifest(Path(first.folder)).versions, "sums": "0.0.9"})
    again = play(suites=("sums",))
    assert again.folder == first.folder
    assert "Since this run began: sums 0.0.9 became 0.1.0." in watcher.notes
    assert read_manifest(Path(again.folder)).sessions[-1].drift == ["sums 0.0.9 became 0.1.0"]


def test_a_reply_that_is_on_disk_is_not_asked_for_again(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    cut: Callable[[engine.Done, int], None],
    calls: Callable[[], list[str]],
) -> None:
    replies = {"trials/revise#1#1": {"text": '```json\n{"value": 3}\n```'}, "*": SEVEN}
    request = {"tasks": ("trials/revise",), "models": (script(replies, paid=True, log="calls.log"),)}
    first = play(**request)
    assert len(calls()) == 3
    cut(first, 0)
    again = play(**request)
    assert len(calls()) == 3
    assert again.attempts[0].usage == first.attempts[0].usage
    assert again.attempts[0].rounds == first.attempts[0].rounds
    assert again.attempts[0].attempt == first.attempts[0].attempt


def test_a_reply_that_was_torn_or_belongs_to_another_message_is_asked_for_again(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    cut: Callable[[engine.Done, int], None],
    calls: Callable[[], list[str]],
) -> None:
    request = {"tasks": ("trials/solved",), "models": (script({"*": SEVEN}, paid=True, log="calls.log"),)}
    first = play(**request)
    [answer] = Path(first.folder).glob("trials/*/*/draw-01/turn-01/answer.md")
    answer.write_text(answer.read_text()[:10])
    cut(first, 0)
    play(**request)
    assert len(calls()) == 2


def test_tokens_of_a_call_that_failed_before_a_kill_stay_on_record(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    cut: Callable[[engine.Done, int], None],
    here: Path,
) -> None:
    tasks = ("trials/solved",)
    first = play(tasks=tasks, models=(script({"*": {"fail": "HTTP 500"}}, paid=True),))
    cut(first, 0)
    again = play(tasks=tasks, models=(script({"*": SEVEN}, paid=True),))
    [attempt] = again.attempts
    assert again.folder == first.folder
    assert (attempt.outcome, attempt.calls) == ("solved", 4)
    assert attempt.usage is not None
    assert attempt.usage.input == 200


def test_attempts_that_the_provider_failed_are_made_again_by_the_same_command(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]], watcher: "object"
) -> None:
    request = {"tasks": ("trials/solved", "sums/n1", "sums/n2")}
    down = {"sums/n1": {"fail": "HTTP 503"}, "*": SEVEN}
    first = play(**request, models=(script(down, paid=True, log="calls.log"),))
    assert (first.status, first.exit_code) == ("finished", 1)
    again = play(**request, models=(script({"*": SEVEN}, paid=True, log="calls.log"),))
    assert again.folder == first.folder
    assert (again.kept, again.exit_code) == (2, 0)
    assert len(calls()) == 3 + 1
    folder = Path(again.folder)
    by_task = {attempt.task.id: attempt for attempt in read_attempts(folder)}
    assert len(by_task) == len(read_attempts(folder)) == 3
    assert by_task["sums/n1"].outcome == "unsolved"
    assert by_task["sums/n1"].calls == 4, "the three calls of the earlier try stay on record"
    [aside] = read_attempts(folder / "attempts.retried-1")
    assert (aside.task.id, aside.outcome) == ("sums/n1", "provider_error")
    assert aside.attempt == by_task["sums/n1"].attempt
    assert any("1 attempt that the provider failed is made again" in note for note in watcher.notes)
    assert verify(folder) == []
    assert play(**request, models=(script({"*": SEVEN}, paid=True),)).folder != first.folder, "nothing is left to try"


def test_a_provider_that_fails_again_leaves_each_attempt_once(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    request = {"tasks": ("sums/n1",), "models": (script({"*": {"fail": "HTTP 503"}}, paid=True),)}
    folder = play(**request).folder
    for session in (1, 2):
        again = play(**request)
        assert (again.folder, again.exit_code, len(read_attempts(Path(folder)))) == (folder, 1, 1)
        assert (Path(folder) / f"attempts.retried-{session}").is_file()
    assert again.attempts[0].calls == 9


def test_a_torn_last_line_is_put_aside_and_its_attempt_is_made_again(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None], watcher: "object"
) -> None:
    first = play(suites=("sums",))
    cut(first, 3)
    path = Path(first.folder) / "attempts.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    again = play(suites=("sums",))
    assert again.kept == 2
    assert len(read_attempts(Path(again.folder))) == 10
    assert any("torn" in note for note in watcher.notes)
    assert (Path(again.folder) / "attempts.torn-1").stat().st_size > 0


def test_what_an_earlier_try_handed_in_is_not_taken_for_the_later_ones(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(tasks=("trials/file",))
    [handed_in] = Path(first.folder).glob("trials/file/*/draw-01/submission")
    (handed_in / "stale.py").write_text("from an earlier try")
    cut(first, 0)
    again = play(tasks=("trials/file",))
    assert sorted(path.name for path in handed_in.iterdir()) == ["answer.py"]
    assert again.attempts[0].outcome == "solved"
    assert verify(Path(again.folder)) == []


def test_two_benches_cannot_write_one_folder(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(suites=("sums",))
    cut(first, 3)
    with RunFolder.resume(Path(first.folder)), pytest.raises(UserError, match="being written by another bench"):
        play(suites=("sums",))


@pytest.fixture
def cut() -> Callable[[engine.Done, int], None]:
    """Makes a finished run look as a kill leaves it: so many lines, and the manifest still says `running`."""

    def shorten(done: engine.Done, lines: int) -> None:
        folder = Path(done.folder)
        path = folder / "attempts.jsonl"
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
        _rewrite(folder, status="running")

    return shorten


def _rewrite(folder: Path, **changes: object) -> None:
    manifest = msgspec.structs.replace(read_manifest(folder), **changes)
    (folder / "manifest.json").write_bytes(msgspec.json.encode(manifest))


def test_killed_at_random_moments_twenty_times_every_attempt_is_there_once_and_no_call_is_made_twice(
    here: Path, script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    model = script({"*": {"text": '```json\n{"sum": 4}\n```'}}, paid=True, delay=0.01, log="calls.log")
    command = [
        sys.executable, "-m", "benchwright", "run", "--suite", "sums", "-P", "sums.num_tasks=500",
        "--model", model, "--concurrency", "4", "--no-mlflow",
    ]  # fmt: skip
    random = Random(20)
    kills = 0
    for _ in range(20):
        started = subprocess.Popen(
            command, cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
        )
        lines = len(calls())
        while started.poll() is None and len(calls()) == lines:
            time.sleep(0.002)
        time.sleep(random.uniform(0, 0.08))
        started.send_signal(signal.SIGKILL)
        kills += started.wait() == -signal.SIGKILL
    last = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False, env=os.environ)
    assert last.returncode == 0, last.stderr
    assert kills == 20
    [run] = (here / "runs").iterdir()
    attempts = read_attempts(run)
    assert Counter(attempt.attempt for attempt in attempts).most_common(1)[0][1] == 1
    assert len(attempts) == 500
    assert verify(run) == []
    made = Counter(calls())
    assert len(made) == 500
    # Each call is made once, but for those in flight at a kill: four at a time, twenty kills.
    assert sum(made.values()) <= 500 + 4 * kills
    on_record = sum(attempt.usage.input for attempt in attempts if attempt.usage)
    assert on_record == 100 * 500
    interrupted = sum(attempt.notes.get("interrupted_calls", 0) for attempt in attempts)
    assert sum(made.values()) - 500 <= interrupted <= 4 * kills
