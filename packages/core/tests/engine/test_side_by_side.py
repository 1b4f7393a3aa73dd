"""What runs beside what: calls beside gradings, never more calls than allowed, one model's waits not another's."""

from collections.abc import Callable
from pathlib import Path

from benchwright import engine
from benchwright.journal import read_attempts

SEVEN = {"text": '```json\n{"value": 7}\n```'}


def test_no_more_calls_are_in_flight_than_allowed(
    play: Callable[..., engine.Done], script: Callable[..., str], here: Path
) -> None:
    model = script({"*": SEVEN}, delay=0.02, flight="flight.log")
    play(suites=("sums",), draws=4, models=(model,), settings=engine.Settings(concurrency=3))
    in_flight = [int(line) for line in (here / "flight.log").read_text().split()]
    assert max(in_flight) == 3


def test_a_slow_model_does_not_hold_up_a_quick_one(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    slow = script({"*": SEVEN}, name="slow", delay=0.3)
    quick = script({"*": SEVEN}, name="quick")
    done = play(suites=("sums",), models=(slow, quick), settings=engine.Settings(concurrency=1))
    order = [attempt.model.name for attempt in read_attempts(Path(done.folder))]
    assert order[:10].count("scripted/quick") >= 9


def test_calls_go_on_while_something_is_graded(
    play: Callable[..., engine.Done], script: Callable[..., str], here: Path
) -> None:
    # The grading of `trials/waits` ends when the other task's call was made, which is only made beside it.
    model = script({"*": SEVEN}, log=str(here / "calls.log"))
    done = play(
        tasks=("trials/waits", "trials/solved"), models=(model,), settings=engine.Settings(concurrency=1, graders=1)
    )
    assert {attempt.task.id: attempt.outcome for attempt in done.attempts} == {
        "trials/waits": "solved",
        "trials/solved": "solved",
    }
