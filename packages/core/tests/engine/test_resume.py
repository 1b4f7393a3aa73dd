"""Nothing finished is lost, nothing paid is paid twice, and another plan does not continue a run."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from benchwright import engine, report
from benchwright.errors import UserError
from benchwright.journal import folder as journal_folder
from benchwright.journal import read_attempts, read_manifest, verify
from benchwright.journal.folder import RunFolder
from benchwright.journal.manifest import PlanRecord
from benchwright.records import ModelRef

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


def test_who_found_a_folder_empty_and_gets_its_lock_when_a_run_was_made_there_writes_nothing_over_it(
    play: Callable[..., engine.Done], here: Path
) -> None:
    play(suites=("sums",), out=here / "mine")
    manifest = read_manifest(here / "mine")
    before = {path.name: path.read_bytes() for path in (here / "mine").iterdir() if path.is_file()}
    with pytest.raises(UserError, match="mine was taken by another bench just now; give the command again"):
        RunFolder.create(here / "mine", msgspec.structs.replace(manifest, run="20261130-000000-0000"))
    assert {path.name: path.read_bytes() for path in (here / "mine").iterdir() if path.is_file()} == before


def test_who_waited_for_the_lock_reads_the_manifest_that_the_other_has_written_meanwhile(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(suites=("sums",))
    cut(first, 3)
    lock = journal_folder._lock

    def late(path: Path) -> int:
        _rewrite(path, notes={"by": "the other"})
        return lock(path)

    monkeypatch.setattr(journal_folder, "_lock", late)
    again = play(suites=("sums",))
    assert again.folder == first.folder
    assert read_manifest(Path(again.folder)).notes == {"by": "the other"}


def test_a_folder_in_which_a_bench_was_killed_before_its_manifest_was_whole_is_begun_in(
    play: Callable[..., engine.Done], here: Path
) -> None:
    (here / "mine").mkdir()
    (here / "mine" / ".lock").write_text("4194304\n")
    (here / "mine" / "manifest.json.tmp").write_text('{"run": "2026')
    assert play(suites=("sums",), out=here / "mine").status == "finished"


def test_a_folder_in_which_a_bench_was_killed_right_behind_its_manifest_is_continued(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(suites=("sums",))
    cut(first, 0)
    (Path(first.folder) / "attempts.jsonl").unlink()
    again = play(suites=("sums",))
    assert (again.folder, again.kept, len(again.attempts)) == (first.folder, 0, 10)


def test_a_lock_file_that_names_a_living_process_blocks_nobody_whom_no_lock_blocks(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(suites=("sums",))
    cut(first, 3)
    (Path(first.folder) / ".lock").write_text(f"{os.getppid()}\n")
    assert play(suites=("sums",)).kept == 3


def test_a_run_folder_that_was_copied_elsewhere_is_continued_there(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    cut: Callable[[engine.Done, int], None],
    calls: Callable[[], list[str]],
    here: Path,
) -> None:
    request = {"suites": ("sums",), "models": (script({"*": SEVEN}, paid=True, log="calls.log"),)}
    first = play(**request)
    cut(first, 4)
    shutil.copytree(first.folder, here / "elsewhere" / "copy")
    again = play(**request, out=here / "elsewhere" / "copy")
    assert (again.kept, len(again.attempts), len(calls())) == (4, 10, 10), "every reply was on disk"
    assert verify(here / "elsewhere" / "copy") == []
    assert len(read_attempts(Path(first.folder))) == 4


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ({"settings": {"base_url": "http://a/v1"}}, {"settings": {"base_url": "http://b/v1"}},
         "m: base_url http://a/v1, now http://b/v1"),
        ({"settings": {"files": {"x": "sha256:0123456789ab"}}}, {"settings": {"files": {"x": "sha256:fedcba987654"}}},
         "m: files x sha256:012345678…, now sha256:fedcba987…"),
        ({"models": ["m"]}, {"models": ["m", "n"]}, "models m, now m, n"),
        ({"tasks": ["a", "b", "c", "d"]}, {"tasks": ["b", "c", "d", "e", "f"]}, "tasks 4, now 5, without a and with e, f"),
        ({"tasks": ["a", "b", "c", "d"]}, {"tasks": ["b", "a", "c", "d"]}, "tasks 4, now 4, in another order"),
        ({"params": {"s": {"n": 1, "k": 2}}}, {"params": {"s": {"n": 3, "k": 2}}}, "-P s.n 1, now 3"),
        ({"params": {}}, {"params": {"s": {"n": 3}}}, "-P s.n none, now 3"),
        ({}, {"unsafe": True}, "unsafe False, now True"),
        ({}, {}, ""),
    ],
)  # fmt: skip
def test_what_differs_between_two_plans_is_named(was: dict[str, Any], now: dict[str, Any], words: str) -> None:
    def plan(
        models: list[str] = ["m"], tasks: list[str] = ["a"], settings: dict[str, Any] = {}, **more: Any  # noqa: B006
    ) -> PlanRecord:  # fmt: skip
        return PlanRecord(["s"], tasks, [ModelRef(name, settings=settings) for name in models], 1, **more)

    assert plan(**was).difference(plan(**now)) == words


def test_tasks_that_the_registry_places_elsewhere_now_are_named_and_do_not_stop_it(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None], watcher: "object"
) -> None:
    first = play(tasks=("sums/n1", "sums/n2"))
    cut(first, 1)
    manifest = read_manifest(Path(first.folder))
    _rewrite(
        Path(first.folder),
        tasks={name: msgspec.structs.replace(pin, set="sums-1") for name, pin in manifest.tasks.items()},
    )
    assert play(tasks=("sums/n1", "sums/n2")).folder == first.folder
    assert "Since this run began: the set of sums/n1 was sums-1 and is unregistered, and 1 more tasks." in watcher.notes


def test_a_price_that_changed_is_named_and_what_is_on_record_keeps_its_cost(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    cut: Callable[[engine.Done, int], None],
    watcher: "object",
) -> None:
    class Dollars(engine.Prices):
        def __init__(self, each: float) -> None:
            self.each = each

        def cost(self, model: object, usage: object, day: str) -> float | None:
            return self.each

        def record(self, models: object, day: str) -> dict[str, Any]:
            return {"day": day, "models": {"scripted/one": {"input": str(self.each)}}}

    request = {"tasks": ("sums/n1", "sums/n2"), "models": (script({"*": SEVEN}, paid=True),)}
    first = play(**request, prices=Dollars(1.0))
    cut(first, 1)
    again = play(**request, prices=Dollars(3.0))
    assert (again.folder, again.spent) == (first.folder, 1.0 + 3.0)
    assert [attempt.cost_usd for attempt in again.attempts] == [1.0, 3.0]
    [note] = [note for note in watcher.notes if "price" in note]
    assert note.startswith("Since this run began: the price of scripted/one for ")
    assert read_manifest(Path(again.folder)).prices["models"] == {"scripted/one": {"input": "1.0"}}


def test_a_report_that_is_made_again_after_a_run_was_continued_does_no_harm_to_its_record(
    play: Callable[..., engine.Done], cut: Callable[[engine.Done, int], None]
) -> None:
    first = play(suites=("sums",))
    cut(first, 3)
    report.write(Path(first.folder))
    again = play(suites=("sums",))
    report.write(Path(again.folder))
    assert list(read_manifest(Path(again.folder)).files) == ["attempts.jsonl"]
    assert verify(Path(again.folder)) == []


def test_the_mark_of_a_call_whose_reply_is_on_disk_goes_when_the_run_goes_on(
    play: Callable[..., engine.Done],
    script: Callable[..., str],
    cut: Callable[[engine.Done, int], None],
    calls: Callable[[], list[str]],
) -> None:
    """A kill between the record of a reply and the end of its mark leaves both."""
    request = {"tasks": ("trials/solved",), "models": (script({"*": SEVEN}, paid=True, log="calls.log"),)}
    first = play(**request)
    [record] = Path(first.folder).glob("trials/*/*/draw-01/turn-01/run.json")
    mark = record.with_name("calling.json")
    mark.write_bytes(msgspec.json.encode({"started": msgspec.json.decode(record.read_bytes())["started"]}))
    cut(first, 0)
    again = play(**request)
    assert len(calls()) == 1
    assert not mark.exists()
    assert "interrupted_calls" not in again.attempts[0].notes


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
