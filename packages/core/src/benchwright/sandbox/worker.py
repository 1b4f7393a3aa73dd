"""What runs inside a worker: it loads the submission's modules, calls them, and sends plain values back.

Everything here shares a process with the submission, which may change any of it. So nothing that this
module says is believed: to the grader a reply is what the submission returned, whoever wrote it.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import socket
import sys
import traceback
import types
from collections.abc import Mapping
from typing import Any

from benchwright.sandbox import channel, describe, gradients, keeper, walls, wire

_AS_IT_IS = contextlib.nullcontext()


class _NoGradients:
    """`torch.no_grad`, which may not be there, until it is closed."""

    def __init__(self) -> None:
        sys.modules["torch"].set_grad_enabled(False)

    def close(self) -> None:
        sys.modules["torch"].set_grad_enabled(True)


class Remote:
    """A function of the grader, seen from here: calling it calls it there."""

    def __init__(self, worker: Worker, number: int) -> None:
        self._worker = worker
        self._number = number

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._worker.call_back(self._number, arguments, named)


class Worker:
    """Answers requests `[id, operation, …]` over the channel until the grader lets go."""

    def __init__(self, conversation: channel.Channel, folder: str, packages: Any) -> None:
        self.channel = conversation
        self.folder = folder
        self.packages = packages
        self.objects: dict[int, Any] = {}
        self.handles: dict[int, int] = {}
        self.held: dict[int, int] = {}
        """How often each handle was handed out and not let go of."""
        self.next_handle = 1
        self.random_state: bytes | None = None
        self.gradients: Any = None

    def serve(self) -> None:
        """Runs until the channel is closed."""
        while True:
            try:
                tree, buffers = self.channel.receive()
            except channel.ChannelClosed:
                return
            self.handle(tree, buffers)

    def handle(self, request: list[Any], buffers: list[bytearray]) -> None:
        """One request, answered with `[id, "value", tree, changed, state]` or `[id, "error", …]`."""
        number, operation, *rest = request
        try:
            answer, out = getattr(self, "on_" + operation)(buffers, *rest)
        except BaseException as error:  # noqa: BLE001
            # SystemExit and KeyboardInterrupt too: they are the submission's, and the grader decides.
            answer, out = describe.failure(error), []
        self.send(number, answer, out)

    def send(self, number: int, answer: list[Any], buffers: list[Any]) -> None:
        try:
            self.channel.send([number, *answer], buffers)
        except (ValueError, OverflowError, RecursionError, MemoryError) as error:
            self.channel.send([number, *describe.failure(error)])

    # Requests.

    def on_load(self, _: list[bytearray], file: str) -> tuple[list[Any], list[Any]]:
        """Imports a module of the submission; gives its names."""
        name = file.removesuffix(".py").replace("/", ".")
        module = __import__(name, fromlist=["_"])
        return ["module", self.hold(module), describe.names_of(module)], []

    def on_call(self, buffers: list[bytearray], target: list[Any], payload: list[Any]) -> tuple[list[Any], list[Any]]:
        """Calls an object or a method of one."""
        decoder = self.decoder(buffers)
        arguments, named, state, gradients = payload
        args = decoder.value(arguments)
        kwargs = decoder.value(named)
        before = self.before(decoder, state)
        with self.gradients_as(gradients):
            value = self.resolve(target)(*args, **kwargs)
        return self.answer(value, decoder, before, state)

    def on_next(self, _: list[bytearray], handle: int) -> tuple[list[Any], list[Any]]:
        """The next value of an iterator, or its end."""
        try:
            value = next(self.objects[handle])
        except StopIteration as stop:
            encoder = self.encoder()
            return ["stop", encoder.tree(stop.value)], encoder.buffers
        return self.plain(value)

    def on_batch(self, buffers: list[bytearray], target: list[Any], payload: list[Any]) -> tuple[list[Any], list[Any]]:
        """Calls a function once for each tuple of arguments."""
        decoder = self.decoder(buffers)
        arguments, _, state, gradients = payload
        calls = decoder.value(arguments)
        before = self.before(decoder, state)
        function = self.resolve(target)
        with self.gradients_as(gradients):
            found = [function(*a) for a in calls]
        return self.answer(found, decoder, before, state)

    def on_get(self, _: list[bytearray], handle: int, name: str) -> tuple[list[Any], list[Any]]:
        """An attribute: a method is told as one, all else as a value."""
        holder = self.objects[handle]
        value = getattr(holder, name)
        if isinstance(value, types.MethodType | types.BuiltinMethodType) and value.__self__ is holder:
            return ["method"], []
        return self.plain(value)

    def on_set(self, buffers: list[bytearray], handle: int, name: str, tree: Any) -> tuple[list[Any], list[Any]]:
        """Sets an attribute."""
        setattr(self.objects[handle], name, self.decoder(buffers).value(tree))
        return ["value", None, [], None], []

    def on_drive(
        self, buffers: list[bytearray], source: str, function: str, inputs: Any, state: Any, watched: bool
    ) -> tuple[list[Any], list[Any]]:
        """Runs a driver: code of the task's, which builds here what cannot cross. `watched`: whether it has to say what it changed."""
        decoder = self.decoder(buffers)
        named = decoder.value(inputs)
        module = types.ModuleType("driver")
        exec(compile(source, "drivers.py", "exec"), module.__dict__)
        before = self.before(decoder, state, watched)
        value = getattr(module, function)(**named)
        encoder = wire.Encoder()
        tree = encoder.tree(value)
        return ["value", tree, self.changed(decoder, before, encoder), self.after(before, encoder)], encoder.buffers

    def on_script(self, _: list[bytearray], code: str) -> tuple[list[Any], list[Any]]:
        """Runs one block of Python as a program: output and traceback go to the worker's output."""
        main = types.ModuleType("__main__")
        main.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = main
        sys.argv = ["<pass>"]
        status = 0
        try:
            exec(compile(code, "<pass>", "exec"), main.__dict__)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            if isinstance(end.code, str):
                sys.stderr.write(end.code + "\n")
        except BaseException as error:  # noqa: BLE001 - as a program does, it is printed
            status = 1
            _print_traceback(error, code)
        sys.stdout.flush()
        sys.stderr.flush()
        return ["script", status], []

    def on_gradient(self, buffers: list[bytearray], *rest: Any) -> tuple[list[Any], list[Any]]:
        """Gradients of an earlier call; see `autograd`."""
        answer: tuple[list[Any], list[Any]] = self._gradients().gradient(buffers, *rest)
        return answer

    def on_record(self, buffers: list[bytearray], target: list[Any], payload: list[Any]) -> tuple[list[Any], list[Any]]:
        """A call whose graph is kept for `gradient`."""
        answer: tuple[list[Any], list[Any]] = self._gradients().record(buffers, target, payload)
        return answer

    def on_forget(self, _: list[bytearray], handles: list[int], graphs: list[int]) -> tuple[list[Any], list[Any]]:
        """Lets go of objects that the grader no longer holds."""
        for handle in handles:
            self.held[handle] -= 1
            if not self.held[handle]:
                del self.held[handle], self.handles[id(self.objects.pop(handle))]
        if graphs:
            self._gradients().forget(graphs)
        return ["value", None, [], None], []

    def _gradients(self) -> Any:
        if self.gradients is None:
            self.gradients = gradients.Gradients(self)
        return self.gradients

    # Values.

    def hold(self, value: Any) -> int:
        """Keeps an object here and gives its handle."""
        handle = self.handles.get(id(value))
        if handle is None:
            handle = self.handles[id(value)] = self.next_handle
            self.next_handle += 1
            self.objects[handle] = value
        self.held[handle] = self.held.get(handle, 0) + 1
        return handle

    def resolve(self, target: list[Any]) -> Any:
        """`[handle, name]` or `[handle]`."""
        holder = self.objects[target[0]]
        return getattr(holder, target[1]) if len(target) > 1 else holder

    def decoder(self, buffers: list[bytearray]) -> wire.Decoder:
        return wire.Decoder(buffers, self.take)

    def encoder(self, same: dict[int, int] | None = None) -> wire.Encoder:
        return wire.Encoder(self.hand_over, same)

    def take(self, tree: list[Any]) -> Any:
        if tree[0] == wire.CALLBACK:
            return Remote(self, tree[1])
        return self.objects[tree[1]]

    def hand_over(self, value: Any) -> list[Any]:
        """An object that stays here, as a handle with what the grader needs to know of it."""
        if isinstance(value, Remote):
            return [wire.CALLBACK, value._number]
        kind = type(value)
        return [wire.HANDLE, self.hold(value), describe.owner(kind), describe.slots(kind)]

    def plain(self, value: Any) -> tuple[list[Any], list[Any]]:
        encoder = self.encoder()
        return ["value", encoder.tree(value), [], None], encoder.buffers

    def gradients_as(self, recorded: bool) -> contextlib.AbstractContextManager[Any]:
        """Calls made under `torch.no_grad` there are made so here."""
        return _AS_IT_IS if recorded else contextlib.closing(_NoGradients())

    def before(self, decoder: wire.Decoder, state: Any, watched: bool = True) -> Any:
        """What the arguments, where they are `watched`, and the global generator look like before a call."""
        if state is not None:
            self.set_random_state(decoder.buffers[state])
        return [
            (bytes(decoder.buffers[n]), n) if n is not None else (_state(value), None)
            for value, n in (decoder.arrays if watched else ())
        ], state is not None

    def answer(self, value: Any, decoder: wire.Decoder, before: Any, state: Any) -> tuple[list[Any], list[Any]]:
        """The value of a call, the arguments it changed, and the state of the global generator."""
        arrays = [array for array, _ in decoder.arrays]
        encoder = self.encoder({id(array): i for i, array in enumerate(arrays)})
        tree = encoder.tree(value)
        encoder.same = None
        return ["value", tree, self.changed(decoder, before, encoder), self.after(before, encoder)], encoder.buffers

    def changed(self, decoder: wire.Decoder, before: Any, encoder: wire.Encoder) -> list[Any]:
        """The arguments that a call changed, by number, each with what it holds now."""
        arrays = [array for array, _ in decoder.arrays]
        changed: list[Any] = []
        for i, (old, n) in enumerate(before[0]):
            if n is not None:
                if decoder.buffers[n] != old:
                    encoder.buffers.append(decoder.buffers[n])
                    changed.append([i, len(encoder.buffers) - 1])
            elif _state(arrays[i]) != old:
                changed.append([i, encoder.tree(arrays[i])])
        return changed

    def set_random_state(self, state: bytearray) -> None:
        torch = sys.modules["torch"]
        torch.set_rng_state(torch.frombuffer(state, dtype=torch.uint8))

    def after(self, before: Any, encoder: wire.Encoder) -> int | None:
        """The number of the buffer with the global generator's state, where the request brought one."""
        if not before[1]:
            return None
        encoder.buffers.append(sys.modules["torch"].get_rng_state().numpy().tobytes())
        return len(encoder.buffers) - 1

    def call_back(self, number: int, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Calls a function of the grader, answering its requests until it returns."""
        encoder = self.encoder()
        self.channel.send([0, "callback", number, encoder.tree(arguments), encoder.tree(named)], encoder.buffers)
        while True:
            tree, buffers = self.channel.receive()
            if tree[0] != 0:
                self.handle(tree, buffers)
            elif tree[1] == "value":
                return self.decoder(buffers).value(tree[2])
            else:
                kind = getattr(builtins, tree[2], RuntimeError)
                error = (
                    kind(tree[3]) if isinstance(kind, type) and issubclass(kind, Exception) else RuntimeError(tree[3])
                )
                error.__dict__["_benchwright_callback"] = tree[4]
                raise error


def _state(generator: Any) -> Any:
    if hasattr(generator, "bit_generator"):
        return wire._plain_state(generator.bit_generator.state)
    return generator.get_state().numpy().tobytes()


def _print_traceback(error: BaseException, code: str) -> None:
    import linecache

    linecache.cache["<pass>"] = (len(code), None, code.splitlines(keepends=True), "<pass>")
    shown = traceback.TracebackException.from_exception(error)
    # The first frames are the harness's.
    shown.stack = traceback.StackSummary.from_list([f for f in shown.stack if f.filename != __file__])
    sys.stderr.write("".join(shown.format()))


def run(order: Mapping[str, Any], descriptors: list[int], orders: Mapping[str, Any], packages: Any) -> None:
    """Walls this process in and serves; the first message out says that the walls stand."""
    boot = sys.modules["benchwright_boot"]
    keeper.own_output(descriptors[2])
    os.close(descriptors[1])
    os.close(descriptors[2])
    end = socket.socket(fileno=descriptors[0])
    arena = descriptors[3] if len(descriptors) > 3 else None
    conversation = channel.Channel(end, arena)
    if arena is not None:
        os.close(arena)
    folder = order["folder"]
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=folder)
    if orders["tier"] != walls.UNSAFE:
        keeper.die_first()
    try:
        walls.enter(
            orders["tier"],
            order["limits"],
            read=order["reading"],
            write=[folder, "/dev/null"],
            processes=bool(order["limits"]["processes"]),
            extra_memory=channel.ARENA,
        )
    except OSError as error:
        conversation.send([0, "no walls", str(error)])
        return
    packages.only(orders["names"], orders["allowed"])
    for stream in (sys.stdout, sys.stderr):
        # One file takes both, in the order of their lines, whatever the end of the process.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    # Behind the built-in and frozen modules, before the standard library, as a script's folder is.
    sys.meta_path.insert(2, boot.OwnFolder(folder))
    sys.meta_path.append(boot.Refusal(packages))
    ours = {"benchwright", "msgspec", "benchwright_boot"}.difference(orders["names"])
    for name in [n for n in sys.modules if n.partition(".")[0] in ours]:
        del sys.modules[name]
    worker = Worker(conversation, folder, packages)
    conversation.send([0, "ready", os.getpid()])
    worker.serve()
