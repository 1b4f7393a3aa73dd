"""How many calls are in flight, who waits, and who is told."""

import asyncio
import email.utils
import time

import fault_table
import pytest
from benchwright.errors import ModelError
from benchwright.models import hosted, throttle
from benchwright.models.guard import GUARD, Guard, Halt, Stopped
from benchwright.models.knobs import Options
from benchwright.models.throttle import Fault, Throttle
from benchwright.records import Reply, Usage
from fault_server import FaultServer

QUICK = Options(backoff=0.001, tries=4, busy_tries=6, call_seconds=5.0)


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


@pytest.mark.parametrize("provider", fault_table.FACTORIES)
def test_two_hundred_parallel_calls_are_all_answered(server: FaultServer, provider):
    async def all_of_them():
        model = fault_table.make_model(provider, "m", server, call_seconds=60.0)
        found = await asyncio.gather(*(model.reply(fault_table.ask(f"{n} + {n}?")) for n in range(200)))
        await model.close()
        return found

    answered = run(all_of_them())
    assert len(answered) == server.calls("m") == 200
    assert sum(reply.usage.output for reply in answered) == 200 * 30
    assert server.peak <= 64


def test_a_provider_that_bears_four_calls_gets_them_all_in_the_end(server: FaultServer):
    server.most_at_once = 4
    server.thinks = 0.03
    waits = []

    async def all_of_them():
        model = fault_table.make_model(
            "openai", "m", server, busy_tries=60, waiting=lambda *told: waits.append(told), call_seconds=60.0
        )
        found = await asyncio.gather(*(model.reply(fault_table.ask()) for _ in range(60)))
        limit = throttle.shared(f"openai {server.origin}/v1", 64).limit
        await model.close()
        return found, limit

    answered, limit = run(all_of_them())
    assert len(answered) == 60
    assert sum(reply.calls for reply in answered) == server.calls("m")
    assert limit < throttle.FIRST_LIMIT + 4
    assert waits
    name, why, seconds = waits[0]
    assert (name, why) == ("openai/m[max_output=32000]", "429")
    assert seconds > 0


def test_one_burst_of_refusals_halves_the_limit_once_and_replies_raise_it_slowly():
    async def scenario():
        gate = Throttle(64)
        turned_away = set()

        async def one(number):
            async def attempt(seen):
                await asyncio.sleep(0.01)
                if number not in turned_away and number < 5:
                    turned_away.add(number)
                    raise Fault("429: slow down", label="429", busy=True)
                return Reply("x", "m", usage=Usage())

            return await gate.ask("m", QUICK, attempt)

        before = gate.limit
        await asyncio.gather(*(one(n) for n in range(5)))
        return before, gate.limit, gate.in_flight

    before, after, in_flight = run(scenario())
    assert before / 2 < after < before / 2 + 2
    assert in_flight == 0


def test_while_the_provider_is_busy_nobody_else_begins_a_call():
    async def scenario():
        gate = Throttle(64)
        began = []
        first = True

        async def attempt(seen):
            nonlocal first
            began.append(time.monotonic())
            if first:
                first = False
                raise Fault("429", busy=True, after=0.3)
            return Reply("x", "m", usage=Usage())

        start = asyncio.create_task(gate.ask("m", QUICK, attempt))
        await asyncio.sleep(0.05)
        await asyncio.gather(start, *(gate.ask("m", QUICK, attempt) for _ in range(3)))
        return began

    refused, *others = run(scenario())
    assert len(others) == 4
    assert min(others) - refused >= 0.3


def test_a_cancelled_call_gives_its_place_back():
    async def scenario():
        gate = Throttle(1)

        async def forever(seen):
            await asyncio.sleep(60)

        stuck = asyncio.create_task(gate.ask("m", QUICK, forever))
        await asyncio.sleep(0.01)
        stuck.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stuck

        async def quick(seen):
            return Reply("x", "m", usage=Usage())

        return (await gate.ask("m", QUICK, quick)).text, gate.in_flight, gate.waiting

    assert run(scenario()) == ("x", 0, 0)


def test_a_run_that_stops_ends_every_wait_and_keeps_what_tries_were_billed():
    async def scenario():
        gate, halt = Throttle(1), Halt()
        noted = []
        GUARD.set(Guard(halt, note=lambda *told: noted.append(told)))
        patient = Options(backoff=3600.0, tries=4)

        async def broke(seen):
            seen.billed = Usage(input=5)
            raise Fault("cut off")

        async def turned_away(seen):
            raise Fault("429", busy=True, after=100.0)

        backs_off = asyncio.create_task(gate.ask("m", patient, broke))
        await asyncio.sleep(0.01)
        sits_out = asyncio.create_task(gate.ask("m", patient, turned_away))
        await asyncio.sleep(0.01)
        comes_later = asyncio.create_task(gate.ask("m", patient, broke))
        await asyncio.sleep(0.01)
        halt.halt()
        with pytest.raises(Stopped) as billed:
            await backs_off
        assert (billed.value.reply.calls, billed.value.reply.wasted) == (1, Usage(input=5))
        with pytest.raises(Stopped) as unbilled:
            await sits_out
        assert (unbilled.value.reply.calls, unbilled.value.reply.wasted) == (1, None)
        with pytest.raises(Stopped) as unasked:
            await comes_later
        assert unasked.value.reply.calls == 0
        assert (1, Usage(input=5), False) in noted
        return gate.in_flight, gate.waiting

    assert run(scenario()) == (0, 0)


def test_who_waits_for_a_place_when_the_run_stops_makes_no_call():
    async def scenario():
        gate, halt, go = Throttle(1), Halt(), asyncio.Event()
        GUARD.set(Guard(halt))
        made = []

        async def answers(seen):
            made.append(1)
            await go.wait()
            return Reply("x", "m", usage=Usage())

        first = asyncio.create_task(gate.ask("m", QUICK, answers))
        await asyncio.sleep(0)
        others = [asyncio.create_task(gate.ask("m", QUICK, answers)) for _ in range(3)]
        await asyncio.sleep(0.01)
        halt.halt()
        go.set()
        found = await asyncio.gather(*others, return_exceptions=True)
        assert all(isinstance(error, Stopped) for error in found)
        return (await first).text, len(made), gate.in_flight

    assert run(scenario()) == ("x", 1, 0)


def test_places_are_handed_on_in_the_order_of_asking_and_a_cancelled_wait_takes_none():
    async def scenario():
        gate, order = Throttle(1), []

        async def one(name):
            async def attempt(seen):
                order.append(name)
                await asyncio.sleep(0)
                return Reply(name, "m", usage=Usage())

            return await gate.ask("m", QUICK, attempt)

        tasks = [asyncio.create_task(one(name)) for name in "abcd"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return order, gate.in_flight

    assert run(scenario()) == (["a", "c", "d"], 0)


def test_a_call_past_its_wall_clock_is_tried_once_more_at_most():
    calls = 0

    async def slow(seen):
        nonlocal calls
        calls += 1
        seen.billed = Usage(input=5)
        await asyncio.sleep(60)

    with pytest.raises(ModelError, match=r"no complete reply within 0.02 s after 2 tries") as caught:
        run(Throttle().ask("m", Options(call_seconds=0.02, backoff=0.001), slow))
    assert calls == 2
    assert caught.value.reply.calls == 2
    assert caught.value.reply.wasted == Usage(input=10)


def test_a_defect_of_ours_is_not_taken_for_a_fault_of_the_provider():
    async def broken(seen):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(Throttle().ask("m", QUICK, broken))


def test_retry_after_is_read_in_seconds_milliseconds_and_as_a_date():
    assert hosted.retry_after({"retry-after": "3"}) == 3.0
    assert hosted.retry_after({"retry-after-ms": "250", "retry-after": "3"}) == 0.25
    date = email.utils.formatdate(time.time() + 60, usegmt=True)
    assert 50 < hosted.retry_after({"retry-after": date}) <= 60
    assert hosted.retry_after({"retry-after": email.utils.formatdate(0, usegmt=True)}) == 0.0
    ahead = {"date": email.utils.formatdate(time.time() + 3600, usegmt=True),
             "retry-after": email.utils.formatdate(time.time() + 3630, usegmt=True)}  # fmt: skip
    assert 29 <= hosted.retry_after(ahead) <= 31, "by the provider's clock, which is an hour ahead of ours"
    for nothing in ({}, {"retry-after": "soon"}, {"retry-after": "nan"}, {"retry-after": "1e99"}):
        assert hosted.retry_after(nothing) is None


def test_a_wait_right_at_the_start_is_told_without_a_terminal(bench, server):
    server.script("claude-haiku-4-5", "429:after=1", "ok")
    done = bench(
        "run", "--suite", "sums", "--model", "anthropic/claude-haiku-4-5", "--base-url", server.origin,
        "--out", "run", "--no-mlflow", "--concurrency", 1, timeout=300,
    )  # fmt: skip
    told = [line for line in done.stdout.splitlines() if "waiting for the provider" in line]
    assert told == ["anthropic/claude-haiku-4-5[max_output=32000]: waiting for the provider (429, 1 s)"], done.stdout
