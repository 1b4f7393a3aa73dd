"""Benchwright: benchmarks whose answer is a mechanism, run and checked exactly.

What a benchmark needs is re-exported here; each name is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from benchwright.hookspecs import (
        Calibrate,
        CheckRules,
        Evaluate,
        ListTasks,
        LoadTask,
        Report,
        hookimpl,
    )
    from benchwright.records import (
        Attempt,
        Calibration,
        Check,
        DataRef,
        DoctorRow,
        Evaluation,
        Limits,
        Message,
        Param,
        Protocol,
        Reply,
        Section,
        Submission,
        Table,
        Task,
        TaskSpec,
        Usage,
        Violation,
    )

_HOOKS = ("Calibrate", "CheckRules", "Evaluate", "ListTasks", "LoadTask", "Report", "hookimpl")
_RECORDS = (
    "Attempt",
    "Calibration",
    "Check",
    "DataRef",
    "DoctorRow",
    "Evaluation",
    "Limits",
    "Message",
    "Param",
    "Protocol",
    "Reply",
    "Section",
    "Submission",
    "Table",
    "Task",
    "TaskSpec",
    "Usage",
    "Violation",
)

__all__ = [
    "Attempt",
    "Calibrate",
    "Calibration",
    "Check",
    "CheckRules",
    "DataRef",
    "DoctorRow",
    "Evaluate",
    "Evaluation",
    "Limits",
    "ListTasks",
    "LoadTask",
    "Message",
    "Param",
    "Protocol",
    "Reply",
    "Report",
    "Section",
    "Submission",
    "Table",
    "Task",
    "TaskSpec",
    "Usage",
    "Violation",
    "hookimpl",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name in _HOOKS:
        return getattr(importlib.import_module("benchwright.hookspecs"), name)
    if name in _RECORDS:
        return getattr(importlib.import_module("benchwright.records"), name)
    raise AttributeError(f"module 'benchwright' has no attribute {name!r}")
