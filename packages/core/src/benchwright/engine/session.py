"""Running a plan: one event loop, calls and gradings side by side, everything on disk as it happens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from benchwright.engine.begin import Begin, Opened, open_run
from benchwright.engine.budget import Budget
from benchwright.engine.commit import Committer
from benchwright.engine.episode import Abandoned, Episode
from benchwright.engine.grading import Grader
from benchwright.engine.line import Context, attempt_of, not_played
from benchwright.engine.plan import Plan, Slot
from benchwright.engine.prices import Prices, cost_of
from benchwright.engine.progress import Watcher
from benchwright.engine.stop import GRACE, Stop, on_interrupt
from benchwright.engine.threads import Threads
from benchwright.errors import BudgetReached, FileError, UserError
from benchwright.hookspecs import Sandbox
from benchwright.journal import Manifest, RunFolder, turns
from benchwright.journal.manifest import Status
from benchwright.models.interface import Ask, Model
from benchwright.outcomes import exit_code
from benchwright.plugins import Plugins
from benchwright.records import Attempt, Reply
from benchwright.registry import Registry

TICK = 5.0
"""Seconds between two ticks of the watcher."""


MARGIN = 600.0
"""Seconds that trusted grading code gets beyond the task's own limit, which the sandbox keeps for untrusted code."""


class Settings(msgspec.Struct, frozen=True):
    """How a plan is run; nothing here changes what is measured."""

    concurrency: int = 32
    """Calls in flight to one model."""
    graders: int = 0
    """Gradings side by side; 0: one a processor."""
    margin: float = MARGIN
    """Seconds that a grading may take beyond its task's limit before it counts as hung."""
    max_cost: float | None = None
    max_seconds: float | None = None
    """After so many seconds no call is begun; those in flight are finished."""
    grace: float = GRACE
    """Seconds that calls and gradings in flight have after the first Ctrl-C, or after an error that ends the run."""


class Done(msgspec.Struct, frozen=True):
    """How a run ended."""

    folder: str
    run: str
    status: Status
    attempts: tuple[Attempt, ...]
    kept: int
    planned: int
    spent: float
    why: str = ""
    over_cost: bool = False
    """The run stopped for want of money; a larger `max_cost` lets it go on."""

    @property
    def left(self) -> int:
        """Attempts that the same command still makes: those not begun, and those that the budget cut short."""
        return self.planned - len(self.attempts) + sum(a.outcome == "over_budget" for a in self.attempts)

    @property
    def exit_code(self) -> int:
        """0 finished, 1 our fault, 3 stopped by the budget, 130 interrupted."""
        if self.status == "interrupted":
            return 130
        if self.status == "stopped_by_budget":
            return BudgetReached.exit_code
        return exit_code(attempt.outcome for attempt in self.attempts)


def run(
    plan: Plan,
    plugins: Plugins,
    registry: Registry,
    sandbox: Callable[[], Sandbox],
    *,
    begin: Begin,
    settings: Settings,
    watcher: Watcher,
    prices: Prices,
) -> Done:
    """Runs what of `plan` is not finished yet. `sandbox` gives the sandbox when it is first needed.

    Raises UserError where the folder cannot be written or there are no walls; every attempt finished
    before is kept, and the same command goes on from there.
    """
    day = time.strftime("%Y-%m-%d", time.gmtime())
    if settings.max_cost is not None:
        _refuse_unpriced(plan, prices, day)
    begin = msgspec.structs.replace(begin, prices=lambda of_day: prices.record(plan.models, of_day))
    opened = open_run(plan, plugins.benchmarks, begin)
    with opened.folder:
        runner = _Runner(plan, plugins, registry, sandbox, opened, settings, watcher, prices)
        try:
            status, why = asyncio.run(runner.run())
        except BaseException:
            with contextlib.suppress(FileError):  # a disk that is full: what failed first is what is told
                _close_session(opened.folder, "interrupted")
            raise
        _close_session(opened.folder, status)
        return Done(
            folder=str(opened.folder.path),
            run=runner.context.run,
            status=status,
            attempts=tuple(opened.folder.finished.values()),
            kept=len(runner.kept),
            planned=len(plan),
            spent=runner.budget.total,
            why=why,
            over_cost=runner.over_cost,
        )


def _refuse_unpriced(plan: Plan, prices: Prices, day: str) -> None:
    """A limit on money can be kept only where every call's worst case is known beforehand."""
    place = next((place for place in plan.places if place.task is not None), None)
    for model in plan.models:
        if not model.paid or place is None or place.task is None:
            continue
        ask = Ask(place.spec, place.task, place.task.system, place.messages, 1, 1, Path())
        if prices.worst_case(model, ask, day) is None:
            raise UserError(
                f"--max-cost cannot be kept: `{model.identity}` has no price for {day}. Run it without --max-cost; "
                "tokens are on record all the same."
            )


def _close_session(folder: RunFolder, status: Status) -> None:
    manifest = folder.manifest
    assert manifest is not None
    last = msgspec.structs.replace(manifest.sessions[-1], ended=turns.stamp(time.time()), status=status)
    files = folder.file_digests() if status == "finished" else {}
    folder.write_manifest(
        msgspec.structs.replace(manifest, status=status, sessions=[*manifest.sessions[:-1], last], files=files)
    )


class _Runner:
    """The state of one session of a run."""

    def __init__(
        self,
        plan: Plan,
        plugins: Plugins,
        registry: Registry,
        sandbox: Callable[[], Sandbox],
        opened: Opened,
        settings: Settings,
        watcher: Watcher,
        prices: Prices,
    ) -> None:
        manifest: Manifest | None = opened.folder.manifest
        assert manifest is not None
        self._plan = plan
        self._registry = registry
        self._folder = opened.folder
        self._opened = opened
        self._settings = settings
        self._watcher = watcher
        self._prices = prices
        self._grader = Grader(plugins, sandbox)
        self._stop = Stop()
        self._threads = Threads(settings.graders or os.cpu_count() or 2)
        # Lines never wait behind a grading.
        self._writing = ThreadPoolExecutor(1, "writing")
        self._day = manifest.created[:10]
        self.over_cost = False
        self.kept = list(opened.folder.finished.values())
        self.context = Context(
            manifest.run,
            manifest.environment_digest,
            {name: f"{found.distribution} {found.version}" for name, found in plugins.benchmarks.items()},
            manifest.notes,
        )
        paid = sum(attempt.cost_usd or 0.0 for attempt in self.kept) + self._paid_before()
        self.budget = Budget(settings.max_cost, self._worst_case, self._price, paid)

    def _paid_before(self) -> float:
        """What earlier sessions paid for attempts that they did not finish."""
        if not self._opened.resumed:
            return 0.0
        paid = 0.0
        for model in self._plan.models:
            for slot in self._plan.slots(model) if model.paid else ():
                if slot.attempt not in self._folder.finished:
                    where = turns.attempt_folder(self._folder.path, slot.place.spec.id, model.identity, slot.draw)
                    paid += cost_of(self._prices, model, turns.billed(where), self._day) or 0.0
        return paid

    async def run(self) -> tuple[Status, str]:
        """Plays every attempt that is not finished; gives how the session ended."""
        committer = Committer(self._folder, self._in_writing_thread)
        why = ""
        most = self._settings.max_seconds
        if most is not None:
            asyncio.get_running_loop().call_later(most, self._stop.ask_now, "stopped_by_budget")
        try:
            with on_interrupt(self._stop, self._watcher.stopping, self._settings.grace):
                self._watcher.began(self._plan, self._folder, self.kept)
                for note in self._opened.notes:
                    self._watcher.note(note)
                ticking = asyncio.create_task(self._tick())
                try:
                    await self._all(committer)
                finally:
                    ticking.cancel()
            if self._stop.why == "stopped_by_budget":
                why = f"The {most:g} s that the run may take are over."
        except BudgetReached as reached:
            why, self.over_cost = str(reached), True
            self._stop.ask("stopped_by_budget")
        except asyncio.CancelledError:
            self._stop.ask("interrupted")
        finally:
            await committer.finish()
            self._writing.shutdown()
            for model in self._plan.models:
                await model.close()
        if len(self._folder.finished) == len(self._plan):
            # A stop that was asked for when nothing was left to stop is none.
            short = sum(attempt.outcome == "over_budget" for attempt in self._folder.finished.values())
            if not short:
                return "finished", ""
            self.over_cost = True
            were = "1 attempt was" if short == 1 else f"{short:,} attempts were"
            return "stopped_by_budget", f"{were} cut short: --max-cost had no room for another try."
        return (self._stop.why or "finished"), why

    async def _all(self, committer: Committer) -> None:
        tasks = []
        for model in self._plan.models:
            slots = (slot for slot in self._plan.slots(model) if slot.attempt not in self._folder.finished)
            gate = asyncio.Semaphore(self._settings.concurrency)
            # More episodes than calls: while some are graded, others fill the calls.
            side_by_side = min(self._settings.concurrency + self._threads.side_by_side, len(self._plan))
            tasks += [asyncio.create_task(self._work(slots, gate, committer)) for _ in range(side_by_side)]
        await _together(tasks, self._stop, self._settings.grace, self._watcher)

    async def _work(self, slots: Iterator[Slot], gate: asyncio.Semaphore, committer: Committer) -> None:
        for slot in slots:
            if self._stop.asked:
                return
            attempt = not_played(slot, self.context)
            if attempt is None:
                try:
                    attempt = await self._play(slot, gate)
                except Abandoned:
                    return
            await committer.commit(attempt)
            self._watcher.finished(attempt)

    async def _play(self, slot: Slot, gate: asyncio.Semaphore) -> Attempt:
        where = turns.attempt_folder(self._folder.path, slot.place.spec.id, slot.model.identity, slot.draw)
        files = turns.Files(where)
        began = time.time()
        result = await Episode(
            slot, files, self._grader, self.budget, gate, self._stop, self._registry.accepts, self._threads.run,
            resumed=self._opened.resumed and where.exists(), margin=self._settings.margin,
        ).play()  # fmt: skip
        cost = cost_of(self._prices, slot.model, result.ledger.billed, self._day)
        attempt = attempt_of(slot, self.context, result, began, cost)
        state = turns.state(files, attempt.attempt, attempt.outcome)
        return msgspec.structs.replace(attempt, files={**attempt.files, turns.STATE: state})

    def _price(self, model: Model, reply: Reply) -> float | None:
        billed = [usage for usage in (reply.usage, reply.wasted) if usage is not None]
        return cost_of(self._prices, model, billed, self._day)

    def _worst_case(self, model: Model, ask: Ask) -> float | None:
        return self._prices.worst_case(model, ask, self._day)

    def _in_writing_thread(self, work: Callable[[], Any]) -> Awaitable[Any]:
        return asyncio.get_running_loop().run_in_executor(self._writing, work)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self._watcher.tick()


async def _together(tasks: list[asyncio.Task[None]], stop: Stop, grace: float, watcher: Watcher) -> None:
    """Waits for all. An error ends waits and begins no call; what is in flight, and may be paid for, has `grace` seconds."""
    first: BaseException | None = None
    waiting, until = set(tasks), None
    try:
        while waiting:
            left = None if until is None else max(0.0, until - time.monotonic())
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=left)
            if not done:
                break
            for task in done:
                error = task.exception()
                if error is None:
                    continue
                if isinstance(error, BudgetReached):
                    stop.ask("stopped_by_budget")
                    first = first or error
                    continue
                stop.ask_now("interrupted")
                if until is None:
                    first, until = error, time.monotonic() + grace
                    if waiting:
                        watcher.note(
                            f"Stopping on an error: what is in flight is finished and kept, for up to {grace:g} s."
                        )
    finally:
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting)
        # One error is told; those that ended beside it are looked at here, or asyncio prints them.
        for task in tasks:
            _ = task.cancelled() or task.exception()
    if first is not None:
        raise first
