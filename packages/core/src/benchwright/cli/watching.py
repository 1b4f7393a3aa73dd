"""What is shown while a run goes on: bars on a terminal, a line a group elsewhere."""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import Any

import msgspec

from benchwright import figures
from benchwright.cli.output import Output, clock, plural, shown
from benchwright.engine import Plan, Watcher
from benchwright.engine.stop import GRACE
from benchwright.journal import RunFolder
from benchwright.outcomes import is_evidence
from benchwright.records import Attempt


class _Group(msgspec.Struct):
    """One suite and one model."""

    planned: int
    finished: int = 0
    solved: int = 0
    evidence: int = 0
    score: float = 0.0
    cost: float = 0.0
    outcomes: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, attempt: Attempt) -> None:
        self.finished += 1
        self.solved += attempt.solved
        self.cost += attempt.cost_usd or 0.0
        if is_evidence(attempt.outcome):
            self.evidence += 1
            self.score += attempt.score or 0.0
        else:
            self.outcomes[attempt.outcome] += 1

    def words(self) -> str:
        parts = [f"{self.finished}/{self.planned}", f"{self.solved} solved"]
        if self.evidence and self.score != self.solved:
            parts.append(f"score {figures.score(self.score / self.evidence)}")
        if self.cost:
            parts.append(f"${self.cost:.2f}")
        parts += [f"{count} {name.replace('_', ' ')}" for name, count in sorted(self.outcomes.items())]
        return " · ".join(parts)


class Lines(Watcher):
    """A line when a group is complete, and one every half minute while none is."""

    every = 30.0

    def __init__(self, output: Output) -> None:
        self._output = output
        self._groups: dict[tuple[str, str], _Group] = {}
        self._started = self._told = time.monotonic()
        self._told_of_wait: dict[str, float] = {}
        """When a model's wait was told last."""
        self._many_models = False

    def began(self, plan: Plan, folder: RunFolder, kept: list[Attempt]) -> None:
        """Counts what is planned; tells of a resumption."""
        self._many_models = len(plan.models) > 1
        for model in plan.models:
            for place in plan.places:
                group = self._groups.setdefault((place.spec.suite, model.identity), _Group(0))
                group.planned += plan.record.draws
        if kept:
            paid = sum(attempt.cost_usd or 0.0 for attempt in kept)
            already = f", ${paid:.2f} already paid" if paid else ""
            self.note(
                f"Resuming {folder.path}: {plural(len(kept), 'attempt')} kept, {len(plan) - len(kept):,} to go{already}."
            )
        for attempt in kept:
            self._groups[attempt.task.suite, attempt.model.name].add(attempt)

    def finished(self, attempt: Attempt) -> None:
        """Tells when a group is complete, or when nothing was told for a while."""
        key = (attempt.task.suite, attempt.model.name)
        group = self._groups[key]
        group.add(attempt)
        now = time.monotonic()
        if group.finished == group.planned or now - self._told >= self.every:
            self._told = now
            self._output.say(f"{self._label(key):<{self._width()}}  {group.words()}  {clock(now - self._started)}")

    def note(self, text: str) -> None:
        """One sentence."""
        self._output.say(text)

    def tick(self) -> None:
        """Tells where a run stands that finishes nothing for a while."""
        now = time.monotonic()
        if now - self._told >= self.every:
            self._told = now
            done = sum(group.finished for group in self._groups.values())
            planned = sum(group.planned for group in self._groups.values())
            self._output.say(f"{done}/{planned} finished so far  {clock(now - self._started)}")

    def waiting(self, model: str, why: str, seconds: float) -> None:
        """Told of each model at once, then every few seconds at most."""
        now = time.monotonic()
        if now - self._told_of_wait.get(model, -math.inf) >= 5:
            self._told = self._told_of_wait[model] = now
            self._output.say(f"{model}: waiting for the provider ({why}, {max(1, round(seconds))} s)")

    def stopping(self) -> None:
        """After the first Ctrl-C."""
        self.note(f"Stopping: what is in flight is finished and kept, for up to {GRACE:g} s. Ctrl-C again stops now.")

    def close(self) -> None:
        """Ends the display."""

    def _label(self, key: tuple[str, str]) -> str:
        return " ".join(key) if self._many_models else key[0]

    def _width(self) -> int:
        return max(len(self._label(key)) for key in self._groups)


class Bars(Lines):
    """A bar a group, on a terminal."""

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[words]}"),
            TimeElapsedColumn(),
            console=Console(stderr=output.json),
            refresh_per_second=4,
        )
        self._rows: dict[tuple[str, str], Any] = {}

    def began(self, plan: Plan, folder: RunFolder, kept: list[Attempt]) -> None:
        """Draws a bar for each group."""
        super().began(plan, folder, kept)
        for key, group in self._groups.items():
            self._rows[key] = self._bars.add_task(
                self._label(key), total=group.planned, completed=group.finished, words=group.words()
            )
        self._bars.start()

    def finished(self, attempt: Attempt) -> None:
        """Moves the bar of the attempt's group."""
        key = (attempt.task.suite, attempt.model.name)
        group = self._groups[key]
        group.add(attempt)
        self._bars.update(self._rows[key], completed=group.finished, words=group.words())
        if group.finished == group.planned:
            self._bars.stop_task(self._rows[key])

    def tick(self) -> None:
        """The bars move by themselves."""

    def note(self, text: str) -> None:
        """One sentence above the bars."""
        self._bars.console.print(shown(text), highlight=False, markup=False)

    def waiting(self, model: str, why: str, seconds: float) -> None:
        """Shown in the bar itself."""
        for (suite, name), row in self._rows.items():
            if name == model:
                words = f"{self._groups[suite, name].words()} · waiting for the provider ({why}, {max(1, round(seconds))} s)"
                self._bars.update(row, words=words)

    def close(self) -> None:
        """Leaves the bars as they stand."""
        self._bars.stop()


def watcher(output: Output, *, bars: bool = True) -> Lines:
    """Bars on a terminal, lines elsewhere, and where `bars` is not wanted."""
    return Bars(output) if output.terminal and bars else Lines(output)
