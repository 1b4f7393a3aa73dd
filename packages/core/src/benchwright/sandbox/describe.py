"""What a worker tells of modules, classes, objects and exceptions, as plain values.

None of it is believed: it shapes the proxies that the grader makes, and decides nothing.
"""

from __future__ import annotations

import traceback
import types
from typing import Any

FUNCTION, CLASS, VALUE = "function", "class", "value"
"""Kinds of a module's names."""

_SLOTS = ("__call__", "__len__", "__iter__", "__getitem__", "__setitem__", "__contains__", "__next__", "__enter__")
"""What an object may be used for beyond its attributes."""


def slots(kind: type) -> list[str]:
    """Those of a class."""
    return [name for name in _SLOTS if hasattr(kind, name)]


def owner(kind: type) -> list[Any]:
    """The module and the name of a class."""
    return [kind.__module__, kind.__qualname__]


def names_of(module: Any) -> list[Any]:
    """`[[name, kind, extra], …]` of a module's names; private ones too, dunders not."""
    names: list[Any] = []
    for name, value in list(vars(module).items()):
        if not isinstance(name, str) or (name.startswith("__") and name.endswith("__")):
            continue
        if isinstance(value, type):
            names.append([name, CLASS, class_of(value)])
        elif isinstance(value, types.ModuleType):
            continue
        elif callable(value):
            names.append([name, FUNCTION, None])
        else:
            names.append([name, VALUE, None])
    return names


def class_of(kind: type) -> list[Any]:
    """`[module, qualified name, names of its bases, is an exception, slots, methods]`."""
    methods = [n for c in kind.__mro__[:-1] for n, v in vars(c).items() if isinstance(v, types.FunctionType)]
    return [
        kind.__module__,
        kind.__qualname__,
        [c.__name__ for c in kind.__mro__],
        issubclass(kind, BaseException),
        slots(kind),
        [n for n in dict.fromkeys(methods) if not n.startswith("__")],
    ]


def failure(error: BaseException) -> list[Any]:
    """`["error", type, names of its bases, message, traceback, class's module, callback, errno]`."""
    kind = type(error)
    try:
        message = str(error)
    except BaseException as second:  # noqa: BLE001 - a submission's __str__ may raise anything
        message = f"(its message cannot be read: {type(second).__name__})"
    try:
        lines = traceback.format_exception(error, limit=-20)
        text = "".join(lines)[-8000:]
    except BaseException:  # noqa: BLE001 - a submission's __repr__ may raise anything
        text = ""
    callback = BaseException.__getattribute__(error, "__dict__").get("_benchwright_callback")
    return [
        "error",
        _text(kind.__qualname__, 200),
        [_text(c.__name__, 200) for c in kind.__mro__[:20]],
        _text(message, 2000),
        _text(text, 8000),
        _text(kind.__module__, 200),
        callback if type(callback) is int else None,
        _errno(error),
    ]


def _errno(error: BaseException) -> int | None:
    # Its class is asked, because the object may answer anything, or raise.
    code = OSError.__getattribute__(error, "errno") if issubclass(type(error), OSError) else None
    return code if type(code) is int else None


def _text(value: Any, limit: int) -> str:
    return str(value)[:limit].encode("utf-8", "backslashreplace").decode()
