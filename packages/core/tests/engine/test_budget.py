"""Money and interruptions: no call beyond the budget, nothing lost at a stop, the same command goes on."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import engine
from benchwright.engine.budget import Budget
from benchwright.engine.estimate import estimate
from benchwright.engine.prices import cost_of
from benchwright.engine.workbench import Workbench
from benchwright.errors import BudgetReached, UserError
from benchwright.journal import read_attempts, read_manifest
from benchwright.models.guard import Halt, NoMoreCalls
from benchwright.models.interface import Ask, Model
from benchwright.records import Reply, Usage

SEVEN = {"text": '```json\n{"value": 7}\n```'}


class CentsACall(engine.Prices):
    """One cent a call, two at worst."""

    def cost(self, model: Model, usage: Usage | None, day: str) -> float | None:
        return None if usage is None else usage.input / 100 * 0.01

    def worst_case(self, model: Model, ask: Ask, day: str) -> float | None:
        return 0.02


def test_a_run_stops_before_the_call_that_could_pass_its_budget_and_goes_on_with_a_larger_one(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    request = {"suites": ("sums",), "models": (script({"*": SEVEN}, paid=True, log="calls.log"),)}
    first = play(**request, prices=CentsACall(), settings=engine.Settings(max_cost=0.055))
    assert (first.status, first.exit_code) == ("stopped_by_budget", 3)
    assert len(calls()) == len(first.attempts) == 4
    assert first.spent == pytest.approx(0.04)
    assert "$0.0400 of $0.06 spent" in first.why
    assert read_manifest(Path(first.folder)).status == "stopped_by_budget"
    last = play(**request, prices=CentsACall(), settings=engine.Settings(max_cost=1.0))
    assert last.folder == first.folder
    assert (last.status, len(last.attempts), len(calls())) == ("finished", 10, 10)
    assert last.spent == pytest.approx(0.10)


def test_attempts_that_the_budget_cut_short_are_made_by_the_same_command_with_a_larger_one(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    request = {"tasks": ("sums/n1", "sums/n2", "sums/n3")}
    short = {"sums/n2": {"fail": "500, and no room for another try", "outcome": "over_budget"}, "*": SEVEN}
    first = play(
        **request, models=(script(short, paid=True, log="calls.log"),), prices=CentsACall(),
        settings=engine.Settings(max_cost=0.08),
    )  # fmt: skip
    assert (first.status, first.exit_code, first.left, first.over_cost) == ("stopped_by_budget", 3, 1, True)
    assert first.why == "1 attempt was cut short: --max-cost had no room for another try."
    assert {attempt.task.id: attempt.outcome for attempt in first.attempts}["sums/n2"] == "over_budget"
    well = script({"*": SEVEN}, paid=True, log="calls.log")
    last = play(**request, models=(well,), prices=CentsACall(), settings=engine.Settings(max_cost=1.0))
    assert (last.folder, last.status, last.exit_code, last.left) == (first.folder, "finished", 0, 0)
    by_task = {attempt.task.id: attempt for attempt in read_attempts(Path(last.folder))}
    assert len(calls()) == 4
    assert by_task["sums/n2"].outcome == "unsolved"
    assert by_task["sums/n2"].calls == 3 + 1
    assert by_task["sums/n2"].cost_usd == pytest.approx(0.02), "what the earlier try was billed stays on record"
    assert last.spent == pytest.approx(0.04)
    [aside] = read_attempts(Path(last.folder) / "attempts.retried-1")
    assert (aside.task.id, aside.outcome) == ("sums/n2", "over_budget")


def test_what_failed_attempts_were_billed_counts_against_the_budget_of_the_run_that_tries_them_again(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    failing = script({"*": {"fail": "HTTP 500"}}, paid=True, log="calls.log")
    first = play(tasks=("sums/n1", "sums/n2"), models=(failing,), prices=CentsACall())
    assert first.exit_code == 1
    again = play(
        tasks=("sums/n1", "sums/n2"), models=(script({"*": SEVEN}, paid=True, log="calls.log"),), prices=CentsACall(),
        settings=engine.Settings(concurrency=1, max_cost=0.049),
    )  # fmt: skip
    assert (again.status, len(again.attempts)) == ("stopped_by_budget", 1)
    assert "with $0.0300 of $0.05 spent" in again.why, "two failed cents and one that was answered"
    assert len(calls()) == 3
    assert again.spent == pytest.approx(0.03)


def test_replies_on_disk_of_an_attempt_that_was_not_finished_count_against_the_budget(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    request = {
        "tasks": ("trials/revise",),
        "models": (script({"*": {"text": '```json\n{"value": 3}\n```'}}, paid=True, log="calls.log"),),
        "prices": CentsACall(),
    }
    first = play(**request, settings=engine.Settings(max_cost=0.035))
    assert (first.status, len(first.attempts), len(calls())) == ("stopped_by_budget", 0, 2)
    again = play(**request, settings=engine.Settings(max_cost=0.035))
    assert (again.status, len(calls())) == ("stopped_by_budget", 2), (
        "the two cents are spent, and a third call may cost two"
    )
    assert again.spent == pytest.approx(0.02)
    last = play(**request, settings=engine.Settings(max_cost=0.04))
    assert (last.status, len(calls())) == ("finished", 3)
    assert last.spent == pytest.approx(0.03)


def test_calls_in_flight_never_pass_the_budget_together(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    model = script({"*": SEVEN}, paid=True, log="calls.log", delay=0.02)
    done = play(
        suites=("sums",), models=(model,), draws=10, prices=CentsACall(), settings=engine.Settings(32, max_cost=0.505)
    )
    assert done.spent <= 0.505
    assert len(calls()) == 49


def test_a_model_without_a_price_is_refused_where_a_budget_is_set(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    with pytest.raises(UserError, match="--max-cost cannot be kept: `scripted/one` has no price"):
        play(suites=("sums",), models=(script({"*": SEVEN}, paid=True),), settings=engine.Settings(max_cost=1.0))


def test_a_model_without_a_price_has_tokens_and_no_cost(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    [attempt] = play(tasks=("sums/n1",), models=(script({"*": SEVEN}, paid=True),)).attempts
    assert attempt.usage == Usage(input=100, output=10)
    assert attempt.cost_usd is None


class Paid:
    """A model whose calls cost."""

    paid, identity = True, "x/y"


def test_a_reservation_waits_for_calls_in_flight_before_it_gives_up() -> None:
    async def run() -> list[str]:
        budget = Budget(1.0, lambda model, ask: 0.6, lambda model, reply: 0.1)
        told: list[str] = []

        async def call(name: str) -> None:
            async with budget.reserved(Paid(), None, Halt()):  # type: ignore[arg-type]
                told.append(f"{name} begins")
                await asyncio.sleep(0)
                budget.spent(Paid(), Reply(""))  # type: ignore[arg-type]
            told.append(f"{name} ends")

        await asyncio.gather(call("a"), call("b"))
        for _ in range(3):
            await call("c")
        with pytest.raises(BudgetReached, match=r"could cost \$0.6000, with \$0.5000 of \$1.00 spent"):
            await call("d")
        return told

    told = asyncio.run(run())
    assert told[:4] == ["a begins", "a ends", "b begins", "b ends"]
    assert "d begins" not in told


def test_another_try_waits_for_the_room_of_calls_in_flight_and_is_refused_when_none_can_leave_any() -> None:
    async def run() -> dict[str, bool]:
        budget = Budget(1.0, lambda model, ask: 0.4, lambda model, reply: 0.1)
        given: dict[str, bool] = {}
        go, two = asyncio.Event(), asyncio.Barrier(2)

        async def fails(name: str) -> None:
            async with budget.reserved(Paid(), None, Halt()) as further:  # type: ignore[arg-type]
                assert further is not None
                await two.wait()
                assert await further(False), "a try that was turned away unbilled needs no further room"
                given[name] = await further(True)

        async def answers() -> None:
            async with budget.reserved(Paid(), None, Halt()):  # type: ignore[arg-type]
                await two.wait()
                await go.wait()
                budget.spent(Paid(), Reply(""))  # type: ignore[arg-type]

        answering = asyncio.create_task(answers())
        failing = asyncio.create_task(fails("beside one that answers"))
        await asyncio.sleep(0.01)
        assert not given, "the other call may leave its room"
        go.set()
        await asyncio.gather(answering, failing)
        await asyncio.gather(fails("first of two"), fails("second of two"))
        return given

    given = asyncio.run(asyncio.wait_for(run(), 30))
    assert given["beside one that answers"]
    assert sorted((given["first of two"], given["second of two"])) == [False, True]


def test_who_waits_for_room_leaves_when_the_run_stops() -> None:
    async def run() -> None:
        budget, halt = Budget(1.0, lambda model, ask: 0.6, lambda model, reply: 0.1), Halt()

        async def waits() -> None:
            async with budget.reserved(Paid(), None, halt):  # type: ignore[arg-type]
                raise AssertionError("there was no room")

        async with budget.reserved(Paid(), None, halt):  # type: ignore[arg-type]
            waiting = asyncio.create_task(waits())
            await asyncio.sleep(0.01)
            halt.halt()
            with pytest.raises(NoMoreCalls):
                await waiting

    asyncio.run(asyncio.wait_for(run(), 30))


def test_calls_are_priced_one_by_one_where_their_sum_passes_a_price_limit() -> None:
    class UpTo150(engine.Prices):
        def cost(self, model: Model, usage: Usage | None, day: str) -> float | None:
            return None if usage is None or usage.input > 150 else usage.input * 0.01

    usages = [Usage(input=100), Usage(input=100)]
    assert cost_of(UpTo150(), None, usages, "2026-01-01") == 2.0  # type: ignore[arg-type]
    assert cost_of(UpTo150(), None, [Usage(input=151)], "2026-01-01") is None  # type: ignore[arg-type]
    assert cost_of(UpTo150(), None, [], "2026-01-01") is None  # type: ignore[arg-type]


def test_an_estimate_names_calls_and_the_range_of_costs(here: Path, script: Callable[..., str]) -> None:
    with Workbench() as bench:
        model = script({"*": SEVEN}, paid=True)
        request = engine.Request(suites=("trials-revise", "trials-tools"), models=(model, "reference"), draws=2)
        found = estimate(engine.make_plan(bench.plugins, bench.registry, request), CentsACall(), "2026-12-01")
    scripted, reference = found.models
    assert (scripted.calls_low, scripted.calls_high) == (4, 12)
    assert scripted.usd_high == pytest.approx(12 * 0.02)
    assert not reference.paid
    assert reference.usd_high == 0.0
    assert "with every reply at its cap (stops at $0.10)" in found.sentence(0.1)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_leaves_a_run_that_goes_on(
    times: int, here: Path, script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    model = script({"*": SEVEN}, paid=True, log="calls.log", delay=0.4 if times == 1 else 30.0)
    command = [
        sys.executable, "-m", "benchwright", "run", "--suite", "sums", "--model", model, "--concurrency", "2", "--no-mlflow"
    ]  # fmt: skip
    started = subprocess.Popen(
        command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ
    )
    while len(calls()) < 2:
        time.sleep(0.01)
    for _ in range(times):
        started.send_signal(signal.SIGINT)
        time.sleep(0.1)
    told, _ = started.communicate(timeout=20)
    assert started.returncode == 130, told
    assert "Stopping: what is in flight is finished and kept" in told
    [run] = (here / "runs").iterdir()
    assert len(calls()) == 2
    assert len(read_attempts(run)) == (2 if times == 1 else 0)
    assert read_manifest(run).status == "interrupted"
    assert "the same command continues" in told
    script({"*": SEVEN}, paid=True, log="calls.log")
    last = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False, env=os.environ)
    assert last.returncode == 0, last.stderr
    assert len(read_attempts(run)) == 10
    assert len(calls()) == 10 + (0 if times == 1 else 2)


def test_what_is_in_flight_at_ctrl_c_has_so_long_and_is_then_called_off(
    play: Callable[..., engine.Done], script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    request = {"tasks": ("sums/n1", "sums/n2")}
    models = (script({"*": SEVEN}, paid=True, log="calls.log", delay=3600.0),)

    def press() -> None:
        while len(calls()) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    first = play(**request, models=models, settings=engine.Settings(grace=0.2))
    assert (first.status, first.exit_code, first.attempts) == ("interrupted", 130, ())
    last = play(**request, models=(script({"*": SEVEN}, paid=True, log="calls.log"),))
    assert (last.folder, last.status, len(calls())) == (first.folder, "finished", 4)
    assert [attempt.notes["interrupted_calls"] for attempt in last.attempts] == [1, 1]


def test_a_run_that_may_take_so_long_stops_then_and_goes_on_later(
    play: Callable[..., engine.Done], script: Callable[..., str]
) -> None:
    request = {"suites": ("sums",), "models": (script({"*": SEVEN}, delay=0.1),)}
    first = play(**request, settings=engine.Settings(concurrency=1, max_seconds=0.15))
    assert (first.status, first.exit_code) == ("stopped_by_budget", 3)
    assert 1 <= len(first.attempts) < 10
    assert first.why == "The 0.15 s that the run may take are over."
    assert play(**request).status == "finished"


def test_costs_are_derived_again_from_the_tokens_on_record(
    play: Callable[..., engine.Done], script: Callable[..., str], bench: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    tasks = ("trials/solved", "trials/provider_error")
    replies = {"trials/provider_error": {"fail": "HTTP 500"}, "*": SEVEN}
    play(tasks=tasks, models=(script(replies, paid=True),))
    done = bench("costs", "--json")
    assert done.returncode == 0, done.stderr
    [entry] = json.loads(done.stdout)["models"]
    assert (entry["usage"]["input"], entry["wasted"]["input"], entry["usd"]) == (200, 100, None)
    assert bench("costs").stdout.splitlines()[1].split()[-4:] == ["no", "price", "no", "price"]
    many = play(
        tasks=("trials/solved",), models=(script(replies, paid=True),), draws=12, fresh=True
    )  # 100 tokens a draw
    assert "1,200" in bench("costs", many.folder).stdout.splitlines()[1].split()
    controls = play(tasks=("trials/solved", "trials/unsolved"))
    assert bench("costs", controls.folder).stdout.splitlines()[1].split() == ["reference", "2", "1", *"00000", "–", "–"]
    priced = play(tasks=tasks, models=(script(replies, paid=True),), prices=CentsACall(), fresh=True)
    done = bench("costs", priced.folder)
    assert done.returncode == 1
    assert "trials/solved, scripted/one, draw 1: $0.0100 on record, no price from tokens" in done.stdout


def test_a_second_ctrl_c_does_not_wait_for_a_grading(
    here: Path, script: Callable[..., str], calls: Callable[[], list[str]]
) -> None:
    model = script({"*": SEVEN}, log="calls.log")
    command = [sys.executable, "-m", "benchwright", "run", "--tasks", "trials/waits", "--model", model, "--no-mlflow"]
    started = subprocess.Popen(
        command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ
    )
    while not calls():
        time.sleep(0.01)
    time.sleep(0.2)
    for _ in range(2):
        started.send_signal(signal.SIGINT)
        time.sleep(0.2)
    told, _ = started.communicate(timeout=15)  # the grading itself would go on for twenty seconds
    assert started.returncode == 130, told
    [run] = (here / "runs").iterdir()
    assert read_manifest(run).status == "interrupted"


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit (util-linux) stands in for a full disk")
def test_a_full_disk_ends_a_run_in_one_sentence_and_the_same_command_goes_on(here: Path) -> None:
    command = [sys.executable, "-m", "benchwright", "run", "--suite", "sums", "--no-mlflow"]
    small = ["prlimit", "--fsize=9000"]
    done = subprocess.run([*small, *command], cwd=here, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "no space left to write" in done.stderr
    assert "Traceback" not in done.stderr
    [run] = (here / "runs").iterdir()
    kept = len(read_attempts(run))
    assert kept < 10
    last = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False, env=os.environ)
    assert last.returncode == 0, last.stderr
    assert len(read_attempts(run)) == 10
