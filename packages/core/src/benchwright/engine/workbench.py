"""What every command that grades stands on: the installed plugins, the registry, and the sandbox when it is needed."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from benchwright import plugins, registry
from benchwright.engine.plan import Plan
from benchwright.hookspecs import Sandbox
from benchwright.records import TaskSpec


class Workbench:
    """Plugins and registry, loaded; the sandbox opens when something untrusted is to be run. A context manager."""

    def __init__(self, registry_path: Path | None = None, *, unsafe: bool = False) -> None:
        self.plugins = plugins.load()
        self.registry = registry.load(registry_path)
        self.unsafe = unsafe
        self._lock = threading.Lock()
        self._sandbox: Any = None

    def sandbox(self) -> Sandbox:
        """The one sandbox of this process. Raises UserError where this machine has no walls and `unsafe` is not set."""
        with self._lock:
            if self._sandbox is None:
                from benchwright.sandbox import open_sandbox

                self._sandbox = open_sandbox(unsafe=self.unsafe)
            found: Sandbox = self._sandbox
            return found

    def walls(self, plan: Plan) -> str:
        """The walls in words, probed before anything is paid for; empty where no task of the plan runs code.

        Raises `sandbox.NoWalls` where there are none.
        """
        if not any(place.task is not None and not place.lacks and _runs_code(place.spec) for place in plan.places):
            return ""
        tier = self.sandbox().tier
        return (
            "none (--unsafe), attempts are marked as not comparable" if self.unsafe else f"{tier}, every probe stopped"
        )

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._sandbox is not None:
            self._sandbox.close()


def _runs_code(spec: TaskSpec) -> bool:
    return spec.submission != "json" or spec.protocol.kind == "tools"
