"""The trusted end of a conversation with a worker: requests, callbacks, and what errors become here."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from typing import Any

from benchwright.sandbox import wire
from benchwright.sandbox.channel import BrokenChannel, Channel, ChannelClosed, DeadlinePassed
from benchwright.sandbox.interface import (
    OUTCOME_OF,
    Fate,
    InputChanged,
    SubmissionError,
    WorkerEnded,
    raised_as,
)

OVER_A_LIMIT = frozenset({errno.ENOSPC, errno.EFBIG, errno.EMFILE, errno.ENOMEM, errno.EDQUOT})


class Session:
    """Sends requests and decodes answers. `end(why)` ends the worker and tells its fate."""

    def __init__(self, channel: Channel, end: Callable[[str], Fate], *, share_random_state: bool = False) -> None:
        self.channel = channel
        self.end = end
        self.share_random_state = share_random_state
        self.number = 0
        self.dead: WorkerEnded | None = None
        self.keeper_gone = False
        """Whether the worker ended because its keeper did."""
        self.callbacks: list[Any] = []
        self.callback_errors: list[BaseException] = []
        self.dropped: list[int] = []
        self.dropped_graphs: list[int] = []
        self.exceptions: dict[tuple[str, str], type[SubmissionError]] = {}
        self.make_handle: Callable[[Session, int, Any, Any], Any] | None = None
        self.limits_met: set[str] = set()
        """Limits that showed as exceptions: `memory`, `files`."""
        self.calls = 0
        self.classes: Any = None
        self.inputs_unchanged = False
        """Whether a call that writes into an array or tensor that it is given ends in `InputChanged`, ours being left alone.
        Generators move on in any case."""

    # Requests.

    def ask(
        self, operation: str, rest: list[Any], buffers: list[Any] | None = None
    ) -> tuple[list[Any], list[bytearray]]:
        """One request and its answer `[kind, …]` with buffers. Raises `SubmissionError` of some kind."""
        if self.dead is not None:
            raise self.dead
        if self.dropped or self.dropped_graphs:
            self._forget()
        return self._ask(operation, rest, buffers or [])

    def _ask(self, operation: str, rest: list[Any], buffers: list[Any]) -> tuple[list[Any], list[bytearray]]:
        self.number += 1
        number = self.number
        errors = len(self.callback_errors)
        try:
            self.channel.send([number, operation, *rest], buffers)
            while True:
                answer, got = self.channel.receive()
                if type(answer) is not list or len(answer) < 2 or type(answer[1]) is not str:
                    raise BrokenChannel("an answer that is none")
                if answer[0] == 0 and answer[1] == "callback":
                    self._call_back(answer, got)
                elif answer[0] == number:
                    break
                else:
                    raise BrokenChannel("an answer to another question")
        except DeadlinePassed:
            fate = self.end("wall")
            fate.why = fate.why or "wall"
            raise self._died(fate, "") from None
        except ChannelClosed:
            raise self._died(self.end("it let go of the channel"), "") from None
        except BrokenChannel as error:
            raise self._died(self.end("it broke the protocol"), f"sent {error}") from None
        for raised in self.callback_errors[errors:]:
            # A check in a callback stands, whatever the submission made of it.
            if isinstance(raised, AssertionError) or not isinstance(raised, Exception):
                raise raised
        if answer[1] == "error":
            raise self._error(answer)
        return answer[1:], got

    def _died(self, fate: Fate, detail: str) -> WorkerEnded:
        self.keeper_gone = fate.keeper_gone
        kind = OUTCOME_OF.get(fate.why or "", WorkerEnded)
        said = f"the submission's process {detail if detail and kind is WorkerEnded else fate.told()}"
        self.dead = kind(_shown(said, 500))
        return self.dead

    def broken(self, detail: object) -> WorkerEnded:
        """Ends a worker whose answer cannot be read; gives what is to be raised."""
        return self._died(self.end("it broke the protocol"), f"sent {detail}")

    def _forget(self) -> None:
        handles, self.dropped = self.dropped, []
        graphs, self.dropped_graphs = self.dropped_graphs, []
        self._ask("forget", [handles, graphs], [])

    # Calls.

    def call(self, operation: str, target: list[Any], arguments: Any, named: Any) -> Any:
        """A call with values; arguments that the submission changed are changed here too."""
        self.calls += 1
        encoder = wire.Encoder(self.hand_over)
        payload = [encoder.tree(arguments), encoder.tree(named), None, True]
        torch = sys.modules.get("torch") if self.share_random_state else None
        if torch is not None:
            if operation == "call" and torch.is_grad_enabled():
                tensors = [t for t in encoder.arrays if isinstance(t, torch.Tensor) and t.requires_grad]
                if tensors:
                    from benchwright.sandbox import autograd

                    return autograd.recorded_call(self, target, payload, encoder, tensors)
            self.add_random_state(torch, payload, encoder)
            payload[3] = torch.is_grad_enabled()
        answer, got = self.ask(operation, [target, payload], encoder.buffers)
        return self.returned(answer, got, encoder.arrays)

    def add_random_state(self, torch: Any, payload: list[Any], encoder: wire.Encoder) -> None:
        """Puts the state of torch's global generator into a call, so that both sides draw the same numbers."""
        encoder.buffers.append(memoryview(torch.get_rng_state().numpy()))
        payload[2] = len(encoder.buffers) - 1

    def returned(
        self, answer: list[Any], got: list[bytearray], arguments: list[Any], decoder: wire.Decoder | None = None
    ) -> Any:
        """The value in an answer, after writing back what the call changed.

        Raises `InputChanged` where it changed the content of an argument and `inputs_unchanged` says that it may not.
        """
        try:
            kind, tree, changed, state, *_ = answer
            if kind != "value":
                raise wire.Malformed(f"an answer of kind {kind!r}")
            decoder = decoder or wire.Decoder(got, self.take, arguments)
            value = decoder.value(tree)
            written = [n for n, new in changed if isinstance(new, int)] if self.inputs_unchanged else []
            for n, new in changed:
                if n not in written:
                    _write_back(arguments[n], got, new, self)
            if written:
                told = [_described(arguments[n]) for n in written]
            if state is not None:
                torch = sys.modules["torch"]
                torch.set_rng_state(torch.frombuffer(got[state], dtype=torch.uint8))
        except (wire.Malformed, ValueError, TypeError, IndexError, KeyError, RuntimeError) as error:
            raise self.broken(error) from None
        if written:
            raise InputChanged(f"the submission wrote into what it was handed: {', '.join(told)}")
        return value

    def plain(self, operation: str, *rest: Any) -> Any:
        """A request without arguments that cross; its value."""
        answer, got = self.ask(operation, list(rest))
        return self.returned(answer, got, [])

    # Objects of the other side.

    def hand_over(self, value: Any) -> list[Any]:
        """A value of ours that is not plain: a handle goes home, a callable becomes a callback."""
        handle = getattr(type(value), "_benchwright_handle", None)
        if handle is not None and (session := value.__dict__["_session"]) is not None:
            if session is not self:
                raise wire.NotPlain("an object that lives in another worker")
            return [wire.HANDLE, value.__dict__["_number"]]
        if callable(value):
            self.callbacks.append(value)
            return [wire.CALLBACK, len(self.callbacks) - 1]
        raise wire.NotPlain(f"an object of type {type(value).__qualname__}")

    def take(self, tree: list[Any]) -> Any:
        """A handle or callback in an answer."""
        if tree[0] == wire.CALLBACK:
            if type(tree[1]) is not int or not 0 <= tree[1] < len(self.callbacks):
                raise wire.Malformed("a callback's number")
            return self.callbacks[tree[1]]
        _tag, number, owner, slots = tree
        if type(number) is not int or self.make_handle is None:
            raise wire.Malformed("a handle")
        return self.make_handle(self, number, owner, slots)

    def _call_back(self, answer: list[Any], got: list[bytearray]) -> None:
        try:
            _, _, number, arguments, named = answer
            function = self.callbacks[number]
            decoder = wire.Decoder(got, self.take)
            args, kwargs = decoder.value(arguments), decoder.value(named)
            if type(args) is not tuple or type(kwargs) is not dict:
                raise wire.Malformed("the arguments of a callback")
        except (wire.Malformed, ValueError, TypeError, IndexError) as error:
            raise BrokenChannel(f"no callback ({error})") from None
        try:
            value = function(*args, **kwargs)
            encoder = wire.Encoder(self.hand_over)
            reply: list[Any] = [0, "value", encoder.tree(value)]
            buffers = encoder.buffers
        except SubmissionError as error:
            if self.dead is not None:
                raise
            reply, buffers = self._callback_error(error), []
        except BaseException as error:  # noqa: BLE001 - raised again when the call ends
            reply, buffers = self._callback_error(error), []
        self.channel.send(reply, buffers)

    def _callback_error(self, error: BaseException) -> list[Any]:
        self.callback_errors.append(error)
        return [0, "error", type(error).__name__, str(error), len(self.callback_errors) - 1]

    # Errors.

    def _error(self, answer: list[Any]) -> BaseException:
        try:
            _, _, name, bases, message, text, module, callback, code = answer
            if not all(type(v) is str for v in (name, message, text, module, *bases)):
                raise ValueError("an error's fields")
        except (ValueError, TypeError) as error:
            return self.broken(error)
        if type(callback) is int and 0 <= callback < len(self.callback_errors):
            return self.callback_errors[callback]
        if "MemoryError" in bases:
            self.limits_met.add("memory")
        if code in OVER_A_LIMIT:
            self.limits_met.add("files")
        kind = self.exceptions.get((module, name))
        if kind is None:
            kind = next((k for b in bases if (k := raised_as(b)) is not SubmissionError), SubmissionError)
        made = kind(_shown(message, MESSAGE))
        made.type_name = _shown(name, 200)
        made.traceback_text = _shown(text, 4 * MESSAGE)
        return made


_CONTROL = {n: f"\\x{n:02x}" for n in (*range(32), *range(127, 160)) if n not in (9, 10)}


MESSAGE = 2000
"""Letters of a message that are kept: an honest worker sends no more, and the record has to hold them all."""


def _shown(text: str, limit: int) -> str:
    """Text of the submission's as a terminal and a record may see it: no escape sequences, no end of it."""
    return text[:limit].translate(_CONTROL)


def _described(argument: Any) -> str:
    """An array or tensor of ours, in words."""
    if not hasattr(argument, "dtype"):
        raise wire.Malformed("a change of something that has no content")
    return f"{argument.dtype} of shape {tuple(argument.shape)}"


def _write_back(target: Any, got: list[bytearray], new: Any, session: Session) -> None:
    """Gives `target`, an argument of ours, the content that the submission's copy of it has now."""
    if isinstance(new, int):
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        if numpy is not None and isinstance(target, numpy.ndarray):
            if target.flags.writeable:
                fortran = target.ndim > 1 and target.flags.f_contiguous and not target.flags.c_contiguous
                order = "F" if fortran else "C"
                kind = numpy.dtype("u1") if target.dtype == bool else target.dtype
                # A byte of a bool that is neither 0 nor 1 is true here, and equal to True.
                content = numpy.ndarray(target.shape, kind, buffer=got[new] or bytearray(1), order=order)
                numpy.copyto(target, content != 0 if target.dtype == bool else content)
            return
        if torch is not None and isinstance(target, torch.Tensor):
            with torch.no_grad():
                flat = torch.frombuffer(got[new], dtype=torch.uint8)
                flat = flat.ne(0) if target.dtype == torch.bool else flat.view(target.dtype)
                target.copy_(flat.reshape(target.shape))
            return
        raise wire.Malformed("a change of something that has no content")
    value = wire.Decoder(got, session.take).value(new)
    if hasattr(target, "bit_generator"):
        target.bit_generator.state = value.bit_generator.state
    else:
        target.set_state(value.get_state())
