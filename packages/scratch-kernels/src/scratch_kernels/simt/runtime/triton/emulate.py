"""Runs launches of Triton kernels on the CPU, in a process of its own: `python emulate.py`, with `request` in its folder.

The interpreter is Triton's. Memory is ours (`memory.py`), and so is what the interpreter leaves out: rounding to bfloat16,
sums in half precision, tf32, what a masked lane holds, order of programs, counts and budgets.
"""

from __future__ import annotations

import builtins
import importlib.util
import json
import os
import signal
import struct
import sys
import time

os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import triton
import triton.language as tl
from memory import SPACE, Buffer, Memory, Stop
from triton._C.libtriton import ir
from triton.runtime import interpreter as ti

Handle = ti.TensorHandle


class State:
    """What the hooks of the running launch share."""

    memory = None
    budget = steps = work = 0


def step(work=1):
    """One operation of `work` elements. Raises `Stop` past the budget."""
    State.steps += 1
    State.work += work
    if State.steps > State.budget:
        raise Stop("step_budget")


# Numbers.


def to_bfloat16(data):
    """float32 -> the bits of bfloat16, rounded to nearest even."""
    bits = np.ascontiguousarray(data, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(data), quiet, rounded).astype(np.uint16).reshape(np.shape(data))


def from_bfloat16(data):
    """The bits of bfloat16 -> float32."""
    return (
        (np.ascontiguousarray(data, np.uint16).astype(np.uint32) << np.uint32(16))
        .view(np.float32)
        .reshape(np.shape(data))
    )


def wide(handle):
    """A handle's data in a type that numpy can compute with."""
    return from_bfloat16(handle.data) if handle.dtype.scalar == tl.bfloat16 else handle.data


def fold(data, axis, keepdims):
    """A sum in half precision, as it is made on a device: halves added to halves, rounded each time."""
    if axis is None:
        out = fold(data.reshape(-1), 0, False)
        return out.reshape((1,) * data.ndim) if keepdims else out
    data = np.moveaxis(data, axis, 0)
    while data.shape[0] > 1:
        half = data.shape[0] // 2
        data = np.concatenate([(data[:half] + data[half : 2 * half]).astype(data.dtype), data[2 * half :]])
    return np.moveaxis(data, 0, axis) if keepdims else data[0]


def poison(shape, dtype):
    """What a lane holds that nothing was loaded into."""
    out = np.empty(shape, dtype)
    if out.dtype == np.bool_:
        out[...] = True
    else:
        out.view(np.uint8 if out.shape else np.dtype(dtype)).reshape(-1)[...] = 0xFF if out.dtype.kind != "i" else 0x7F
    return out


class Builder(ti.InterpreterBuilder):
    """Triton's operations, each counted; those on memory ours."""

    def cast_impl(self, src, dst_type):
        source, target = src.dtype.scalar, dst_type.scalar
        if source == target:
            return Handle(src.data, target)
        if tl.bfloat16 in (source, target) and not any(t.is_fp8() for t in (source, target)):
            data = wide(src)
            if target == tl.bfloat16:
                return Handle(to_bfloat16(data.astype(np.float32)), target)
            return Handle(data.astype(ti._get_np_dtype(dst_type)), target)
        return super().cast_impl(src, dst_type)

    def create_fp_to_fp(self, src, dst_type, rounding_mode):
        kinds = (src.dtype.scalar, dst_type.scalar)
        if any(t.is_fp8() for t in kinds) or rounding_mode not in (None, ir.ROUNDING_MODE.RTNE):
            return super().create_fp_to_fp(src, dst_type, rounding_mode)
        return self.cast_impl(src, dst_type)

    def binary_op(self, lhs, rhs, op):
        if lhs.dtype.scalar != tl.bfloat16 or op in (np.bitwise_and, np.bitwise_or, np.bitwise_xor):
            return super().binary_op(lhs, rhs, op)
        out = op(wide(lhs), wide(rhs))
        if out.dtype == np.bool_:
            return Handle(out, tl.int1)
        return Handle(to_bfloat16(out), tl.bfloat16)

    def unary_op(self, arg, op):
        if arg.dtype.scalar == tl.bfloat16:
            return Handle(to_bfloat16(op(wide(arg))), tl.bfloat16)
        return super().unary_op(arg, op)

    def create_fma(self, x, y, z):
        if z.dtype.scalar == tl.bfloat16:
            exact = wide(x).astype(np.float64) * wide(y) + wide(z)
            return Handle(to_bfloat16(exact.astype(np.float32)), tl.bfloat16)
        return super().create_fma(x, y, z)

    def create_dot(self, a, b, d, input_precision, max_num_imprecise_acc):
        step(a.data.size * b.data.shape[-1])
        left, right = wide(a), wide(b)
        if left.dtype == np.float32 and input_precision == ir.INPUT_PRECISION.TF32 and a.dtype.scalar == tl.float32:
            left, right = ti._round_f32_to_tf32(left), ti._round_f32_to_tf32(right)
        if a.dtype.scalar == tl.bfloat16 or left.dtype == np.float16:
            out = np.matmul(left, right, dtype=np.float32) + wide(d)
            return Handle(
                out.astype(ti._get_np_dtype(d.dtype)) if d.dtype.scalar != tl.bfloat16 else to_bfloat16(out),
                d.dtype.scalar,
            )
        return super().create_dot(
            Handle(left, a.dtype), Handle(right, b.dtype), d, input_precision, max_num_imprecise_acc
        )

    # Memory.

    def create_masked_load(self, ptrs, mask, other, cache_policy, is_volatile):
        dtype = ptrs.get_element_ty()
        kind = ti._get_np_dtype(dtype)
        addresses = np.asarray(ptrs.data, np.uint64)
        if other is None:
            out = poison(addresses.shape, kind)
        else:
            out = np.array(np.broadcast_to(other.data, addresses.shape), kind)
        step(addresses.size)
        flat = np.ascontiguousarray(out).reshape(-1)
        State.memory.load(
            addresses.reshape(-1), np.broadcast_to(mask.data, addresses.shape).reshape(-1).astype(bool), flat
        )
        return Handle(flat.reshape(addresses.shape), dtype)

    def create_masked_store(self, ptrs, value, mask, cache_policy):
        dtype = ptrs.get_element_ty()
        addresses = np.asarray(ptrs.data, np.uint64)
        values = np.ascontiguousarray(np.broadcast_to(value.data, addresses.shape), ti._get_np_dtype(dtype)).reshape(-1)
        step(addresses.size)
        State.memory.store(
            addresses.reshape(-1), values, np.broadcast_to(mask.data, addresses.shape).reshape(-1).astype(bool)
        )

    def create_atomic_rmw(self, rmwOp, ptr, val, mask, sem, scope):
        kind = val.dtype.scalar
        op = RMW[rmwOp]

        def change(old, value):
            if kind == tl.bfloat16:
                return to_bfloat16(op(from_bfloat16(old), from_bfloat16(value)))
            return np.asarray(op(old, value)).astype(values.dtype)

        addresses = np.asarray(ptr.data, np.uint64)
        values = np.ascontiguousarray(np.broadcast_to(val.data, addresses.shape), ti._get_np_dtype(kind)).reshape(-1)
        step(addresses.size)
        lanes = np.broadcast_to(mask.data, addresses.shape).reshape(-1).astype(bool)
        old = State.memory.atomic(addresses.reshape(-1), lanes, values, change, *order(sem))
        return Handle(old.reshape(addresses.shape), kind)

    def create_atomic_cas(self, ptr, cmp, val, sem, scope):
        addresses = np.asarray(ptr.data, np.uint64)
        kind = ti._get_np_dtype(val.dtype)
        values = np.ascontiguousarray(np.broadcast_to(val.data, addresses.shape), kind).reshape(-1)
        wanted = iter(np.broadcast_to(cmp.data, addresses.shape).reshape(-1).tolist())
        step(addresses.size)

        def change(old, value):
            return value if old == next(wanted) else None

        old = State.memory.atomic(addresses.reshape(-1), np.ones(addresses.size, bool), values, change, *order(sem))
        return Handle(old.reshape(addresses.shape), cmp.dtype.scalar)

    def create_atomic_load(self, ptr, mask, sem, scope):
        raise Stop("atomic_load is not modelled")

    def create_atomic_store(self, ptr, val, mask, sem, scope):
        raise Stop("atomic_store is not modelled")

    def create_atomic_poll(self, ptr, expected, timeout_ns, sem, scope):
        raise Stop("atomic_poll is not modelled")

    def create_barrier(self):
        State.memory.barrier()

    def create_print(self, prefix, hex, values, isSigned):
        """What a kernel prints goes nowhere."""

    def create_assert(self, condition, message):
        if not np.all(condition):
            raise AssertionError(str(message))


RMW = {
    ir.ATOMIC_OP.ADD: np.add, ir.ATOMIC_OP.FADD: np.add, ir.ATOMIC_OP.MIN: np.minimum, ir.ATOMIC_OP.UMIN: np.minimum,
    ir.ATOMIC_OP.MAX: np.maximum, ir.ATOMIC_OP.UMAX: np.maximum, ir.ATOMIC_OP.AND: np.bitwise_and, ir.ATOMIC_OP.OR: np.bitwise_or,
    ir.ATOMIC_OP.XOR: np.bitwise_xor, ir.ATOMIC_OP.XCHG: lambda old, new: new,
}  # fmt: skip


def order(sem):
    """(acquires, releases) of a memory order."""
    both = sem == ir.MEM_SEMANTIC.ACQUIRE_RELEASE
    return both or sem == ir.MEM_SEMANTIC.ACQUIRE, both or sem == ir.MEM_SEMANTIC.RELEASE


_OWN = {"create_masked_load", "create_masked_store", "create_load", "create_store", "create_dot"}


def counted(name, method):
    """`method`, with a step for as many elements as it makes."""

    def wrapped(self, *arguments, **named):
        result = method(self, *arguments, **named)
        data = getattr(result, "data", None)
        step(data.size if isinstance(data, np.ndarray) else 1)
        return result

    return wrapped


def install():
    """Puts the builder and the reductions in the place of Triton's."""
    for name in dir(Builder):
        if name.startswith("create_") and name not in _OWN:
            setattr(Builder, name, counted(name, getattr(Builder, name)))
    ti.interpreter_builder.__class__ = Builder

    def total(self, input):
        data = wide(input.handle)
        if data.dtype == np.float16:
            return self.to_tensor(fold(data, self.axis, self.keep_dims), input.dtype)
        return self.to_tensor(np.sum(data, axis=self.axis, keepdims=self.keep_dims), input.dtype)

    ti.ReduceOps.sum = total
    for cls in (ti.ReduceOps, ti.ScanOps):
        inner = cls.apply_impl

        def apply_impl(self, input, inner=inner):
            step(sum(part.handle.data.size for part in input))
            return inner(self, input)

        cls.apply_impl = apply_impl

    def call(self, *arguments, **named):
        # The language was put in place for the whole launch; Triton would do it again at every call.
        return self.rewrite()(*arguments, **named)

    ti.InterpretedFunction.__call__ = call
    transformer = ti.FunctionRewriter.ast_transformer

    class Stepping(type(transformer)):
        """A step at the head of each loop's body, so that an empty loop ends too."""

        def _loop(self, node):
            import ast

            node = self.generic_visit(node)
            node.body.insert(
                0, ast.copy_location(ast.Expr(ast.Call(ast.Name("__simt_step", ast.Load()), [], [])), node)
            )
            return node

        visit_For = visit_While = _loop

    ti.FunctionRewriter.ast_transformer = Stepping()


class Pointer:
    """What the interpreter takes for a tensor."""

    def __init__(self, address, dtype):
        self.address, self.dtype = address, dtype

    def data_ptr(self):
        return self.address


def argument(what, bases):
    """A launch's argument as the kernel gets it."""
    kind = what["kind"]
    if kind == "pointer":
        address = bases[what["buffer"]] + what["offset"]
        type_ = tl.pointer_type(tl.dtype(what["dtype"]))
        return tl.tensor(Handle(np.array([address], np.uint64), type_), type_)
    if kind == "float":
        return tl.tensor(Handle(np.array([what["value"]], np.float32), tl.float32), tl.float32)
    if kind in ("constexpr", "none"):
        value = what["value"]
        if what.get("dtype"):
            return getattr(tl, value)
        return tuple(value) if isinstance(value, list) else value
    return ti._implicit_cvt(what["value"])


class OutOfTime(Exception):
    """The launch's seconds are over."""


def alarm(*_):
    raise OutOfTime


def launch(module, order_, file, raw):
    """Runs one launch; gives its report. The buffers are changed in place."""
    buffers = [
        Buffer(b["name"], data, b["granule"], b["tracked"]) for b, data in zip(order_["buffers"], raw, strict=True)
    ]
    memory = State.memory = Memory(buffers, file, order_["race"])
    State.budget, State.steps, State.work = order_["budget"], 0, 0
    grid = tuple(order_["grid"])
    count = grid[0] * grid[1] * grid[2]
    programs = np.arange(count)
    if order_["schedule"] == "shuffled":
        np.random.default_rng(order_["seed"]).shuffle(programs)
    elif order_["schedule"] == "reversed":
        programs = programs[::-1]
    stopped, why, span = "", "", 0
    function = getattr(module, order_["kernel"])
    began = 0
    signal.setitimer(signal.ITIMER_REAL, order_["seconds"])
    try:
        with np.errstate(all="ignore"):
            # What a kernel sees of the language, and what the language's own functions see of it.
            scopes = [ti._patch_lang(function.fn), ti._patch_lang(tl.sum.fn)]
            try:
                body = function.rewrite()
                module.__dict__["__simt_step"] = step
                bases = [(i + 1) << SPACE for i in range(len(buffers))]
                given = {name: argument(what, bases) for name, what in order_["arguments"].items()}
                ti.interpreter_builder.set_grid_dim(*grid)
                for program in programs.tolist():
                    memory.begin(program)
                    ti.interpreter_builder.set_grid_idx(
                        program % grid[0], program // grid[0] % grid[1], program // (grid[0] * grid[1])
                    )
                    State.steps, began = 0, State.work
                    body(**given)
                    span = max(span, State.work - began)
            finally:
                for scope in reversed(scopes):
                    scope.restore()
    except Stop as error:
        stopped = str(error)
    except OutOfTime:
        stopped = "seconds"
    except BaseException as error:  # noqa: BLE001 - whatever stops a kernel is what came of it
        stopped, why = "exception", f"{type(error).__name__}: {error}"
        inner = error
        while inner.__cause__ is not None:
            inner = inner.__cause__
        line = line_of(inner, file) or line_of(error, file)
        if isinstance(inner, Stop | OutOfTime):
            stopped, why = str(inner) or "seconds", ""
        else:
            why = f"{type(inner).__name__}: {inner}"[:300]
        memory.rows[("stop",)] = {"kind": "stop", "line": line, "why": why, "program": memory.program}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if stopped and not why:
        memory.rows[("stop",)] = {"kind": "stop", "line": 0, "why": "", "program": memory.program}
    span = max(span, State.work - began)
    return {
        "stopped": stopped,
        "findings": list(memory.rows.values()),
        "counts": {
            "programs": count, "work": State.work, "span": span, "loads": memory.loads, "stores": memory.stores, "atomics": memory.atomics,
            "masked_lanes": memory.masked, "sectors": memory.sectors,
        },
        "load_bytes": {b.name: int(b.load_bytes) for b in buffers},
        "store_bytes": {b.name: int(b.store_bytes) for b in buffers},
        "written": [np.packbits(b.written).tobytes().hex() if b.written.size <= 1 << 22 else "" for b in buffers],
        "unwritten": {b.name: int(np.count_nonzero(~b.written)) * b.granule for b in buffers if b.tracked},
    }  # fmt: skip


def line_of(error, file):
    """The kernel's line that an exception came through last."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def main():
    sys.setrecursionlimit(2000)
    with open("request", "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        request = json.loads(file.read(length))
        raw = [
            [np.frombuffer(file.read(b["bytes"]), np.uint8).copy() for b in one["buffers"]]
            for one in request["launches"]
        ]
    signal.signal(signal.SIGALRM, alarm)
    install()
    path = os.path.abspath("kernel.py")
    spec = importlib.util.spec_from_file_location("kernel", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernel"] = module
    spec.loader.exec_module(module)
    kept_print, builtins.print = builtins.print, lambda *a, **k: None
    began = time.perf_counter()
    reports = [launch(module, one, path, data) for one, data in zip(request["launches"], raw, strict=True)]
    builtins.print = kept_print
    head = json.dumps(
        {"launches": reports, "version": triton.__version__, "seconds": time.perf_counter() - began}
    ).encode()
    with open("result", "wb") as file:
        file.write(struct.pack("<8sQ", b"TRITON01", len(head)) + head)
        for data in raw:
            for buffer in data:
                file.write(buffer.tobytes())


if __name__ == "__main__":
    main()
