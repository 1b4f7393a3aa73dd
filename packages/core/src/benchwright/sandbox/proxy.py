"""What stands in the grader for the modules, classes, functions and objects of a submission.

Only plain values cross, so everything else a submission gives is a handle: it can be called, indexed
and iterated where its class can, its attributes can be read and set, and each of that happens in the
worker. A handle is never equal to a value, has no truth and is no array, so that an object which agrees
with everything there agrees with nothing here.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from benchwright.sandbox.interface import SubmissionError, WorkerEnded, raised_as
from benchwright.sandbox.session import Session
from benchwright.sandbox.wire import Malformed

_OWN = ("_session", "_number", "_class_name")


class Handle:
    """An object that lives in the worker."""

    _benchwright_handle = True
    _methods: ClassVar[dict[str, bool]] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        number, session = self._number, self._session
        if self._methods.get(name):
            return Method(self, name)
        answer, got = session.ask("get", [number, name])
        if answer[0] == "method":
            return Method(self, name)
        return session.returned(answer, got, [])

    def __setattr__(self, name: str, value: Any) -> None:
        from benchwright.sandbox import wire

        session = self._session
        encoder = wire.Encoder(session.hand_over)
        session.ask("set", [self._number, name, encoder.tree(value)], encoder.buffers)

    def __del__(self) -> None:
        session = self.__dict__.get("_session")
        if session is not None:
            session.dropped.append(self.__dict__["_number"])

    def __repr__(self) -> str:
        return f"<{self.__dict__.get('_class_name', 'object')} in the worker>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Handle):
            return bool(self.__dict__["_number"] == other.__dict__["_number"])
        raise TypeError(f"{self!r} is no plain value and cannot be compared with one")

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.__dict__["_number"])

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} is no plain value and is neither true nor false")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self!r} is no array")


class Method:
    """A method of an object, or an object, to be called in the worker."""

    _benchwright_handle = False

    def __init__(self, holder: Handle, name: str) -> None:
        # Held, so that the worker keeps the object while its method is.
        self._holder = holder
        self._session: Session = holder.__dict__["_session"]
        self._target: list[Any] = [holder.__dict__["_number"], name]
        self.__name__ = name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._session.call("call", self._target, arguments, named)


def _slot(name: str) -> Callable[..., Any]:
    def forward(self: Any, *arguments: Any) -> Any:
        return self._session.call("call", [self._number, name], arguments, {})

    forward.__name__ = name
    return forward


def _call(self: Any, *arguments: Any, **named: Any) -> Any:
    return self._session.call("call", [self._number], arguments, named)


def _next(self: Any) -> Any:
    session: Session = self._session
    answer, got = session.ask("next", [self._number])
    if answer[0] == "stop":
        stop = session.returned(["value", answer[1], [], None], got, [])
        raise StopIteration(stop)
    return session.returned(answer, got, [])


def _iterate(self: Any) -> Iterator[Any]:
    found = self._session.call("call", [self._number, "__iter__"], (), {})
    if isinstance(found, Handle) and hasattr(type(found), "__next__"):
        return found
    raise TypeError(f"{self!r} gave no iterator")


def _length(self: Any) -> int:
    length = self._session.call("call", [self._number, "__len__"], (), {})
    if type(length) is not int or not 0 <= length < 1 << 32:
        raise TypeError(f"{self!r} has no length")
    return length


def _contains(self: Any, value: Any) -> bool:
    found = self._session.call("call", [self._number, "__contains__"], (value,), {})
    if type(found) is not bool:
        raise TypeError(f"{self!r} said neither yes nor no")
    return found


def _enter(self: Any) -> Any:
    return self._session.call("call", [self._number, "__enter__"], (), {})


def _exit(self: Any, *_: Any) -> None:
    self._session.call("call", [self._number, "__exit__"], (None, None, None), {})


def _iterator_is_itself(self: Any) -> Any:
    return self


_SLOTS: dict[str, Any] = {
    "__call__": _call,
    "__len__": _length,
    "__iter__": _iterate,
    "__getitem__": _slot("__getitem__"),
    "__setitem__": _slot("__setitem__"),
    "__contains__": _contains,
    "__next__": _next,
    "__enter__": _enter,
}


def _namespace(slots: list[Any]) -> dict[str, Any]:
    names = {name: _SLOTS[name] for name in slots if name in _SLOTS}
    if "__next__" in names:
        names["__iter__"] = _iterator_is_itself
    if "__enter__" in names:
        names["__exit__"] = _exit
    return names


def _fill(made: Any, session: Session, number: int, name: str) -> Any:
    made.__dict__.update(_session=session, _number=number, _class_name=name)
    return made


class ClassOfSubmission(type):
    """The metaclass of proxied classes: calling one makes an instance in the worker."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        session, number = cls.__dict__["_class_session"], cls.__dict__["_class_number"]
        return session.call("call", [number, cls.__name__], arguments, named)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        session, number = cls.__dict__["_class_session"], cls.__dict__["_class_number"]
        kept = session.plain("get", number, cls.__name__)
        return getattr(kept, name)


class Classes:
    """The proxied classes of one worker, by the names they have there."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: dict[tuple[str, str], type] = {}
        self.by_slots: dict[tuple[str, ...], type] = {}
        session.make_handle = self.make

    def add(self, module: int, name: str, description: list[Any]) -> type:
        """A class of the submission's module: an exception class of ours, or a class of handles."""
        home, qualified, bases, is_exception, slots, methods = description
        key = (home, qualified)
        if key in self.known:
            return self.known[key]
        made: type
        if is_exception:
            made = self.session.exceptions[key] = self._exception(name, home, bases)
        else:
            names = {
                **_namespace(slots),
                "_methods": dict.fromkeys(methods, True),
                "_class_session": self.session,
                "_class_number": module,
            }
            made = ClassOfSubmission(name, (Handle,), names)
        self.known[key] = made
        return made

    def _exception(self, name: str, home: str, bases: list[str]) -> type[SubmissionError]:
        for base in bases[1:]:
            known = self.session.exceptions.get((home, base))
            if known is not None:
                return type(name, (known,), {})
            if (built_in := raised_as(base)) is not SubmissionError:
                return type(name, (built_in,), {})
        return type(name, (SubmissionError,), {})

    def make(self, session: Session, number: int, owner: Any, slots: Any) -> Any:
        """A handle on an object of the worker, of the proxied class where it has one."""
        if (
            type(owner) is not list
            or len(owner) != 2
            or type(slots) is not list
            or not all(type(s) is str for s in (*owner, *slots))
        ):
            raise Malformed("a handle")
        kind = self.known.get((owner[0], owner[1]))
        if kind is None or not issubclass(kind, Handle):
            # Those that mean something: a class for every list that a worker thinks of would be a class a value.
            key = tuple(name for name in _SLOTS if name in slots)
            kind = self.by_slots.get(key)
            if kind is None:
                kind = self.by_slots[key] = type("Handle", (Handle,), {**_namespace(slots), "_methods": {}})
        return _fill(object.__new__(kind), session, number, owner[1])


class Function:
    """A function of a submission's module."""

    def __init__(self, module: Module, name: str) -> None:
        self._module = module
        self.__name__ = self.__qualname__ = name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        session, number = self._module._bound()
        return session.call("call", [number, self.__name__], arguments, named)

    def __repr__(self) -> str:
        return f"<{self.__name__} of the submission>"


class Module(types.ModuleType):
    """A module of the submission. Its names are looked up in the worker that serves it now.

    `start(file)` gives a session with a fresh worker that has loaded the file, and its description.
    """

    def __init__(self, file: str, start: Callable[[str], tuple[Session, list[Any]]]) -> None:
        super().__init__(file.removesuffix(".py").replace("/", "."))
        self.__dict__.update(_file=file, _start=start, _session=None, _number=0, _kinds={}, _proxies={})
        self.__dict__["__file__"] = file
        self._bound()

    def _bound(self) -> tuple[Session, int]:
        session = self.__dict__["_session"]
        if session is None:
            session, description = self.__dict__["_start"](self.__dict__["_file"])
            number, names = description
            classes = session.classes
            self.__dict__.update(_session=session, _number=number)
            for name, kind, extra in names:
                self.__dict__["_kinds"][name] = kind
                if kind == "class":
                    self.__dict__["_proxies"][name] = classes.add(number, name, extra)
        return session, self.__dict__["_number"]

    def _let_go(self) -> None:
        """Forgets the worker, so that the next use starts a fresh one."""
        self.__dict__.update(_session=None, _number=0, _kinds={}, _proxies={})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        session, number = self._bound()
        kind = self.__dict__["_kinds"].get(name)
        if kind is None:
            raise AttributeError(f"the submission's {self.__dict__['_file']} defines no {name!r}")
        if kind == "value":
            return session.plain("get", number, name)
        proxies = self.__dict__["_proxies"]
        if name not in proxies:
            proxies[name] = Function(self, name)
        return proxies[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
            return
        from benchwright.sandbox import wire

        session, number = self._bound()
        encoder = wire.Encoder(session.hand_over)
        session.ask("set", [number, name, encoder.tree(value)], encoder.buffers)

    def __dir__(self) -> list[str]:
        self._bound()
        return sorted(self.__dict__["_kinds"])


def described(answer: list[Any]) -> tuple[int, list[Any]]:
    """The handle and names in a worker's description of a module. Raises `ValueError` for anything else."""
    kind, number, names = answer
    if kind != "module" or type(number) is not int or type(names) is not list or len(names) > 10_000:
        raise ValueError("the description of a module")
    for name, kind, extra in names:
        if type(name) is not str or kind not in ("function", "class", "value"):
            raise ValueError("the description of a name")
        if kind == "class":
            home, qualified, bases, is_exception, slots, methods = extra
            texts = (home, qualified, *bases, *slots, *methods)
            if type(is_exception) is not bool or not all(type(t) is str for t in texts) or not name.isidentifier():
                raise ValueError("the description of a class")
    return number, names


__all__ = ["Classes", "Function", "Handle", "Method", "Module", "WorkerEnded", "described"]
