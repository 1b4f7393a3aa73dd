"""The engine: from a request to a plan, from a plan to a run folder. Each name is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchwright.engine.begin import Begin
    from benchwright.engine.plan import Place, Plan, Request, Slot, make_plan
    from benchwright.engine.prices import Prices
    from benchwright.engine.progress import Watcher
    from benchwright.engine.session import Done, Settings, run

_PLACES = {
    "Begin": "begin",
    "Done": "session",
    "Place": "plan",
    "Plan": "plan",
    "Prices": "prices",
    "Request": "plan",
    "Settings": "session",
    "Slot": "plan",
    "Watcher": "progress",
    "make_plan": "plan",
    "run": "session",
}

__all__ = ["Begin", "Done", "Place", "Plan", "Prices", "Request", "Settings", "Slot", "Watcher", "make_plan", "run"]


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
