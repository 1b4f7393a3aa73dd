"""The engine: from a request to a plan, from a plan to a run folder."""

from benchwright.engine.begin import Begin
from benchwright.engine.plan import Place, Plan, Request, Slot, make_plan
from benchwright.engine.prices import Prices
from benchwright.engine.progress import Watcher
from benchwright.engine.run import Done, Settings, run

__all__ = [
    "Begin",
    "Done",
    "Place",
    "Plan",
    "Prices",
    "Request",
    "Settings",
    "Slot",
    "Watcher",
    "make_plan",
    "run",
]
