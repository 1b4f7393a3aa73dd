"""Runs with the models that call nobody."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright import engine
from benchwright.engine.workbench import Workbench


@pytest.fixture
def play(here: Path) -> Callable[..., engine.Done]:
    """Runs a request to its end."""

    def run(**request: Any) -> engine.Done:
        with Workbench() as bench:
            plan = engine.make_plan(bench.plugins, bench.registry, engine.Request(**request))
            return engine.run(
                plan, bench.plugins, bench.registry, bench.sandbox, begin=engine.Begin(fresh=True),
                settings=engine.Settings(), watcher=engine.Watcher(), prices=engine.Prices(),
            )  # fmt: skip

    return run
