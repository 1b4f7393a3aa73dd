"""Runs of the installed test plugins, in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright import engine
from benchwright.engine.workbench import Workbench
from benchwright.records import Attempt


class Recorder(engine.Watcher):
    """Keeps what the engine tells."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.done: list[Attempt] = []
        self.kept: list[Attempt] = []

    def began(self, plan: object, folder: object, kept: list[Attempt]) -> None:
        self.kept = kept

    def finished(self, attempt: Attempt) -> None:
        self.done.append(attempt)

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture
def watcher() -> Recorder:
    """Keeps what the engine tells."""
    return Recorder()


@pytest.fixture
def play(here: Path, watcher: Recorder) -> Callable[..., engine.Done]:
    """Runs a request: `play(suites=("sums",), models=("reference",))`; `out`, `settings`, `prices` as the engine has them."""

    def run(
        *, out: Path | None = None, settings: engine.Settings | None = None, prices: engine.Prices | None = None,
        fresh: bool = False, **request: Any,
    ) -> engine.Done:  # fmt: skip
        with Workbench() as bench:
            return engine.run(
                engine.make_plan(bench.plugins, bench.registry, engine.Request(**request)),
                bench.plugins,
                bench.registry,
                bench.sandbox,
                begin=engine.Begin(out=out, fresh=fresh),
                settings=settings or engine.Settings(),
                watcher=watcher,
                prices=prices or engine.Prices(),
            )

    return run
