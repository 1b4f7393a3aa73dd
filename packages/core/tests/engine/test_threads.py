"""Gradings in threads: so many at once, and one that hangs costs its attempt, not the run or the process."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import engine, report
from benchwright.bounds import Overdue, within
from benchwright.engine.threads import Threads
from benchwright.plugins import load
from benchwright.records import Limits

ANSWER = {"text": '```json\n{"value": 7}\n```'}


def test_a_grading_that_hangs_ends_in_harness_error_and_the_others_are_graded(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    # The task `waits` is graded when something else was asked, which never comes.
    settings = engine.Settings(graders=1, margin=1.0 - Limits().seconds)
    done = play(
        tasks=("trials/waits", "sums/n1", "sums/n2"),
        models=(script({"*": ANSWER}, log="calls.log"),),
        settings=settings,
    )
    by_task = {attempt.task.id: attempt for attempt in done.attempts}
    assert by_task["trials/waits"].outcome == "harness_error"
    assert by_task["trials/waits"].reason == "the grading of `trials` hung: it did not end within 1 s"
    assert {by_task["sums/n1"].outcome, by_task["sums/n2"].outcome} == {"unsolved"}
    assert (done.status, done.exit_code) == ("finished", 1)


def test_no_more_run_at_once_than_allowed_and_results_and_errors_come_back() -> None:
    running, most, lock = 0, 0, threading.Lock()
    two = threading.Barrier(2)

    def work(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        two.wait(10)
        with lock:
            running -= 1
        if number == 3:
            raise KeyError(number)
        return number

    async def main() -> list[object]:
        threads = Threads(2)
        return await asyncio.gather(*(threads.run(lambda n=n: work(n)) for n in range(6)), return_exceptions=True)

    given = asyncio.run(main())
    assert most == 2
    assert [entry for entry in given if not isinstance(entry, KeyError)] == [0, 1, 2, 4, 5]


def test_a_timeout_of_the_works_own_is_not_taken_for_ours() -> None:
    def work() -> None:
        raise TimeoutError("a socket")

    with pytest.raises(TimeoutError, match="a socket"):
        asyncio.run(Threads(1).run(work, 60))


def test_time_in_the_queue_does_not_count() -> None:
    async def main() -> list[object]:
        threads = Threads(1)
        go = threading.Event()
        first = asyncio.create_task(threads.run(lambda: go.wait(30)))
        await asyncio.sleep(0)
        second = asyncio.create_task(threads.run(lambda: "done", 5.0))
        await asyncio.sleep(0.2)
        go.set()
        return [await first, await second]

    assert asyncio.run(main()) == [True, "done"]


def test_the_process_ends_though_a_grading_still_hangs(tmp_path: Path) -> None:
    program = tmp_path / "hangs.py"
    program.write_text(
        "import asyncio, time\n"
        "from benchwright.engine.threads import Overdue, Threads\n"
        "async def main():\n"
        "    try:\n"
        "        await Threads(1).run(lambda: time.sleep(3600), 0.1)\n"
        "    except Overdue as overdue:\n"
        "        print(overdue)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, f"{Overdue(0.1)}\n"), done.stderr


def test_a_benchmark_that_hangs_loading_a_task_costs_that_task(
    play: Callable[..., engine.Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIALS_HANGS", "load_task")
    monkeypatch.setenv("BENCHWRIGHT_HOOK_SECONDS", "5")
    done = play(tasks=("trials/unloadable", "trials/solved"))
    by_task = {attempt.task.id: attempt for attempt in done.attempts}
    assert by_task["trials/unloadable"].outcome == "harness_error"
    assert by_task["trials/unloadable"].reason == (
        "trials 0.1.0 hung in its hook `load_task`: it did not end within 5 s (BENCHWRIGHT_HOOK_SECONDS gives it more)."
    )
    assert by_task["trials/solved"].outcome == "solved"


def test_a_benchmark_that_hangs_over_its_report_costs_its_part_of_it(
    play: Callable[..., engine.Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = play(tasks=("trials/solved",))
    monkeypatch.setenv("TRIALS_HANGS", "report")
    monkeypatch.setenv("BENCHWRIGHT_HOOK_SECONDS", "5")
    [suite] = report.suites(done.attempts, load())
    assert [note for section in suite.sections for note in section.notes] == [
        "trials 0.1.0 hung in its hook `report`: it did not end within 5 s (BENCHWRIGHT_HOOK_SECONDS gives it more)."
    ]
    assert suite.models.rows


def test_what_works_hand_back_or_raise_comes_through() -> None:
    assert within(30, lambda: 7) == 7
    with pytest.raises(KeyError, match="absent"):
        within(30, lambda: {}["absent"])
    with pytest.raises(Overdue):
        within(0.05, threading.Event().wait)
