"""One launch: buffers and a shape in; outputs, counts and findings out. The kernel runs in a process of its own."""

from __future__ import annotations

import json
import math
import operator
import os
import shutil
import stat
import struct
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scratch_kernels.simt import findings as table
from scratch_kernels.simt import walls
from scratch_kernels.simt.errors import SimtError
from scratch_kernels.simt.findings import Finding

if TYPE_CHECKING:
    import numpy as np

    from scratch_kernels.simt.build import Program
    from scratch_kernels.simt.signature import Signature

Schedule = Literal["ordered", "shuffled", "simdgroup"]
SCHEDULES: dict[str, int] = {"ordered": 0, "shuffled": 1, "simdgroup": 2}
MOST_THREADS = 1024
MOST_SIZE = 2**31 - 1
"""Groups in one direction."""
MOST_BYTES = 1 << 31
"""Of the buffers of one launch, and of a group's memory, together."""
_WRITABLE, _TRACK, _GROUP_MEMORY, _CONSTANT, _SYMBOL = 1, 2, 4, 8, 16


class Out(NamedTuple):
    """An output that starts poisoned; reading it before it is written is a finding."""

    shape: tuple[int, ...]
    dtype: Any


def out(shape: int | Sequence[int], dtype: Any = "float32") -> Out:
    """An output buffer of `shape` and `dtype` for a launch."""
    return Out((shape,) if isinstance(shape, int) else tuple(shape), dtype)


class Counts(NamedTuple):
    """Work of one launch, exact for one build; a loop's every block and access counts.

    `work`: basic blocks and accesses of all threads; `span`: of the longest thread between barriers, summed over the
    intervals of each group; `sectors`: 32-byte sectors, summed over accesses of a SIMD-group; `bank_conflicts`: cycles
    lost beyond one an access, 32 banks of 4 bytes.
    """

    blocks: int
    work: int
    span: int
    threads: int
    groups: int
    device_load_bytes: int
    device_store_bytes: int
    device_loads: int
    device_stores: int
    shared_loads: int
    shared_stores: int
    atomics: int
    barriers: int
    simd_ops: int
    device_accesses: int
    sectors: int
    shared_accesses: int
    bank_conflicts: int
    untraced: int

    @property
    def active_lanes(self) -> float:
        """Threads at work at a time, on average over a group: work over span."""
        return self.work / self.span if self.span else 0.0

    @property
    def device_bytes(self) -> int:
        """Bytes moved to and from device memory."""
        return self.device_load_bytes + self.device_store_bytes

    @property
    def sectors_per_access(self) -> float:
        """Sectors for each access of a SIMD-group; 4 where 32 lanes touch 32 neighbouring words."""
        return self.sectors / self.device_accesses if self.device_accesses else 0.0


class Launch(NamedTuple):
    """What a launch gave. `outputs`: every writable buffer by name, copies; the host's arrays are untouched."""

    kernel: str
    outputs: dict[str, Any]
    counts: Counts | None
    findings: tuple[Finding, ...]
    stopped: str
    """Why the run ended early, or empty."""
    unwritten: dict[str, int]
    """Bytes of each poisoned output that nothing wrote."""
    shared_bytes: int
    schedule: str
    seed: int
    compiler: str
    device: str = "emulated"
    """What the outputs come from: `emulated`, or a device's name."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that fail a task."""
        return tuple(f for f in self.findings if f.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Portability warnings."""
        return tuple(f for f in self.findings if f.severity == "warning")

    def __getitem__(self, name: str) -> Any:
        return self.outputs[name]


class Options(NamedTuple):
    """How to run. `budget`: steps of one thread, which are its basic blocks; `group_budget`: of all threads of one group together, where
    each access of memory is a step too and each turn of a thread eight; past either the run ends in a finding. `seconds`: of processor
    for the whole launch; `second_look`: run again with other poison where a doubtful value was read, to see whether it reaches an
    output; `counts`: without them another build of the kernel runs several times sooner, and `Launch.counts` is None."""

    schedule: Schedule = "shuffled"
    seed: int = 1
    race: bool = True
    trace: bool = True
    budget: int = 20_000_000
    group_budget: int = 400_000_000
    seconds: float = 60.0
    shared_limit: int = 32768
    second_look: bool = True
    counts: bool = True


class _Buffer(NamedTuple):
    name: str
    flags: int
    data: np.ndarray[Any, Any]
    shape: tuple[int, ...]
    dtype: Any


def three(value: int | Sequence[int], what: str) -> tuple[int, int, int]:
    """A size in three dimensions. Raises `SimtError` where one is below 1."""
    try:
        if isinstance(value, (str, bytes)):  # else a size for each character
            raise TypeError
        listed: Any = value if hasattr(value, "__iter__") else (value,)
        got = tuple(operator.index(int(v) if isinstance(v, float) and v.is_integer() else v) for v in listed)
    except TypeError:
        raise SimtError(f"{what} is {value!r}; it is one to three whole numbers") from None
    if not 1 <= len(got) <= 3:
        raise SimtError(f"{what} has {len(got)} dimensions; one to three are possible")
    sizes = got + (1,) * (3 - len(got))
    if min(sizes) < 1:
        raise SimtError(f"{what} is {tuple(got)}; every size must be at least 1")
    if max(sizes) > MOST_SIZE:
        raise SimtError(f"{what} is {tuple(got)}; every size is at most {MOST_SIZE:,}")
    return sizes  # type: ignore[return-value]


def whole(value: Any, what: str, most: int) -> int:
    """A whole number from 0 to `most`. Raises `SimtError` for anything else."""
    try:
        got = operator.index(value)
    except TypeError:
        raise SimtError(f"{what} is {value!r}, no whole number") from None
    if not 0 <= got <= most:
        raise SimtError(f"{what} is {got}; it is from 0 to {most:,}")
    return got


def launch(
    program: Program,
    signature: Signature,
    language: str,
    grid: tuple[int, int, int],
    group: tuple[int, int, int],
    threads: tuple[int, int, int],
    buffers: Mapping[Any, Any] | Sequence[Any],
    group_memory: Mapping[int, int],
    dynamic_shared: int,
    options: Options,
    source: str = "",
    strict: bool = True,
    symbols: Mapping[str, Any] | None = None,
) -> Launch:
    """Runs a built kernel. Raises `SimtError` for what the host got wrong."""
    import numpy as np

    if group[0] * group[1] * group[2] > MOST_THREADS:
        raise SimtError(f"a group of {group[0] * group[1] * group[2]:,} threads; {MOST_THREADS:,} are the most")
    if options.schedule not in SCHEDULES:
        raise SimtError(f"no schedule `{options.schedule}`; there are {', '.join(SCHEDULES)}")
    for what, number, most in (
        ("seed", options.seed, 2**64 - 1),
        ("budget", options.budget, 2**64 - 1),
        ("group_budget", options.group_budget, 2**63 - 1),
        ("shared_limit", options.shared_limit, 2**32 - 1),
    ):
        whole(number, what, most)
    if max(threads) >= 2**32:
        raise SimtError(f"{max(threads):,} threads in one direction; {2**32 - 1:,} are the most")
    sizes = {i: group_bytes(n, f"threadgroup[{i}]", options.shared_limit) for i, n in group_memory.items()}
    bound = _bind(program, signature, buffers, sizes, strict)
    for name, value in (symbols or {}).items():
        data = np.ascontiguousarray(value)
        bound.append(_Buffer(name, _SYMBOL, data.reshape(-1), data.shape, data.dtype))
    if (total := sum(b.data.nbytes for b in bound)) > MOST_BYTES:
        raise SimtError(f"the buffers have {total:,} bytes together; {MOST_BYTES:,} are the most")

    def run(poison: int, spoil: Sequence[int]) -> tuple[dict[str, Any], list[Any], list[int]]:
        return _run(program, language, grid, group, threads, bound, dynamic_shared, options, poison, spoil)

    report, outputs, doubtful = run(0xFF, ())
    rows = report["findings"]
    if options.second_look and not report["stopped"]:
        rows = _second_look(rows, outputs, doubtful, report["doubtful_full"], run)
        rows = _third_look(rows, outputs, program, signature, bound, run)

    def shape(group_index: int, thread: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        g = (group_index % grid[0], group_index // grid[0] % grid[1], group_index // (grid[0] * grid[1]))
        size = [max(1, min(group[d], threads[d] - g[d] * group[d])) for d in range(3)]
        return g, (thread % size[0], thread // size[0] % size[1], thread // (size[0] * size[1]))

    rows += [
        _unset_row(*told) for told in program.unset if told[1:3] not in {(row["name"], row["line"]) for row in rows}
    ]
    rows = [{**_row_or_array(row, source), "kernel": signature.name} for row in rows]
    found = [table.finding(row, language, shape) for row in rows]
    rank = {"error": 0, "warning": 1, "note": 2}
    return Launch(
        kernel=signature.name,
        outputs={b.name: o for b, o in zip((b for b in bound if b.flags & _WRITABLE), outputs, strict=True)},
        counts=Counts(**report["counts"]) if options.counts else None,
        findings=tuple(sorted(found, key=lambda f: rank[f.severity])),
        stopped=report["stopped_by"].replace(
            "threadgroup memory", "shared memory" if language == "cuda" else "threadgroup memory"
        ),
        unwritten={bound[int(i)].name: n for i, n in report["unwritten"].items()},
        shared_bytes=report["shared_bytes"],
        schedule=options.schedule,
        seed=options.seed,
        compiler=program.compiler,
    )


def group_bytes(value: Any, what: str, limit: int) -> int:
    """Bytes of a group's memory. A little above the limit is a finding of the run; what no host could hold is refused here."""
    if isinstance(value, int) and value > MOST_BYTES:
        raise SimtError(f"{what} is {value:,} bytes; the shared memory of a group has at most {limit:,}")
    return whole(value, what, MOST_BYTES)


def _poisoned(name: str, wanted: Out) -> np.ndarray[Any, Any]:
    """The array of an output before the launch: every bit is set."""
    import numpy as np

    try:
        dtype = np.dtype(wanted.dtype)
        sizes = [operator.index(n) for n in wanted.shape]
    except (TypeError, ValueError):
        raise SimtError(f"`{name}`: out({wanted.shape}, {wanted.dtype!r}) is no shape and type of an array") from None
    if dtype.hasobject:
        raise SimtError(f"`{name}`: an array of Python objects is no buffer")
    _same_order(name, dtype)
    if any(n < 0 for n in sizes):
        raise SimtError(f"`{name}`: out({wanted.shape}) has a size below 0")
    if (size := math.prod(sizes) * dtype.itemsize) > MOST_BYTES:
        raise SimtError(f"`{name}`: out({wanted.shape}) has {size:,} bytes; {MOST_BYTES:,} are the most")
    return np.full(size, 0xFF, np.uint8).view(dtype).reshape(sizes) if size else np.zeros(sizes, dtype)


def _second_look(
    rows: list[dict[str, Any]], outputs: list[Any], doubtful: list[int], full: bool, run: Any
) -> list[dict[str, Any]]:
    """Whether values read in doubt reach an output: the same run with those values spoilt otherwise."""
    races = any(row["kind"].endswith("_read_write") and row["b"] == 0 for row in rows)
    lanes = any(row["kind"] == "undefined_lane" for row in rows)
    if not races and not lanes:
        return rows
    changed: dict[str, bool] = {}
    for what, wanted, spoil in (("lanes", lanes, ()), ("races", races and not full, tuple(doubtful))):
        if not wanted:
            continue
        differs = False
        for poison in (0x3F, 0xC2):
            report, other, _ = run(poison, spoil)
            differs |= report["stopped"] or any(a.tobytes() != b.tobytes() for a, b in zip(outputs, other, strict=True))
        changed[what] = differs
    out = []
    for row in rows:
        if row["kind"] == "undefined_lane" and changed.get("lanes") is False:
            row = {**row, "kind": "unused_undefined_lane"}
        elif row["kind"].endswith("_read_write") and row["b"] == 0 and changed.get("races") is False:
            row = {**row, "kind": "unused_race"}
        out.append(row)
    return out


_NO_ROW = dict.fromkeys(("offset", "thread", "other_thread", "group", "other_group", "a", "b"), 0)


def _unset_row(kind: str, name: str, line: int, other_line: int) -> dict[str, Any]:
    return {**_NO_ROW, "kind": kind, "name": name, "line": line, "other_line": other_line, "count": 1}


def _third_look(
    rows: list[dict[str, Any]],
    outputs: list[Any],
    program: Program,
    signature: Signature,
    bound: Sequence[_Buffer],
    run: Any,
) -> list[dict[str, Any]]:
    """Whether what local variables held before anything was written to them reaches an output: the same run on other stacks.

    It is made where the compiler saw a way to such a read, and where an output holds a word of the first run's filling. A run with
    other findings is left alone: they would answer to the other filling too.
    """
    import numpy as np

    if any(row["kind"] != "same_value_write" for row in rows):
        return rows
    if any(kind == "uninitialised_variable" for kind, *_ in program.unset):
        return rows
    plain = [
        about[1] != 0 and about[2] != 3 for about in program.parameters
    ]  # others have bytes that belong to no element
    names = [p.name for p in signature.parameters]
    checked = [(b.name, o) for b, o in zip((b for b in bound if b.flags & _WRITABLE), outputs, strict=True)]
    watched = [i for i, (name, _) in enumerate(checked) if name in names and plain[names.index(name)]]

    def filled(data: Any) -> bool:
        words = np.frombuffer(data.tobytes()[: data.nbytes // 4 * 4], np.uint32)
        return bool((words == 0xFFFFFFFF).any())

    if not program.unset and not any(filled(checked[i][1]) for i in watched):
        return rows
    for poison in (0x3F, 0xC2):
        _, other, _ = run(poison, ())
        for i in watched:
            differs = np.flatnonzero(
                np.frombuffer(checked[i][1].tobytes(), np.uint8) != np.frombuffer(other[i].tobytes(), np.uint8)
            )
            if not len(differs):
                continue
            if len(program.unset) == 1:
                _, name, line, _ = program.unset[0]
                return [*rows, _unset_row("uninitialised_variable", name, line, 0)]
            found = _unset_row("uninitialised_local", checked[i][0], 0, 0)
            return [*rows, {**found, "offset": int(differs[0])}]
    return rows


def _row_or_array(row: dict[str, Any], source: str) -> dict[str, Any]:
    """An index past one row of a larger array stays inside it; past a whole array it does not."""
    if row["kind"] != "index_out_of_range":
        return row
    lines = source.split("\n")
    text = lines[row["line"] - 1] if 0 < row["line"] <= len(lines) else ""
    column = max(0, row["other_line"] - 1)
    row = {**row, "other_line": 0}
    if "][" in text[column:].replace(" ", ""):
        row["kind"] = "index_past_row"
    return row


def plain_bytes(result: Path) -> bytes:
    """What a kernel's process left, which may be anything: a link of it would be followed with our rights, not its."""
    try:
        descriptor = os.open(result, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise SimtError(f"the kernel's process left no plain result ({error.strerror})") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SimtError("the kernel's process left no plain result")
    with open(descriptor, "rb") as file:
        return file.read()


def _run(
    program: Program, language: str, grid: Any, group: Any, threads: Any, bound: Sequence[_Buffer], dynamic: int, options: Options, poison: int, spoil: Sequence[int],
) -> tuple[dict[str, Any], list[Any], list[int]]:  # fmt: skip
    import numpy as np

    head = struct.pack(
        "<8s I3I3I3I I II I II QQQQ", b"SIMTREQ1", int(language == "cuda"), *grid, *group, *threads, SCHEDULES[options.schedule], options.race, options.trace and options.counts, poison, options.shared_limit, options.counts, options.seed, options.budget, options.group_budget, dynamic,
    )  # fmt: skip
    work = Path(tempfile.mkdtemp(prefix="simt-run-"))
    try:
        with open(work / "request", "wb") as file:
            file.write(head + struct.pack("<II", len(bound), len(spoil)) + struct.pack(f"<{len(spoil)}Q", *spoil))
            for b in bound:
                name = b.name.encode()
                file.write(struct.pack("<IIQ", b.flags, len(name), b.data.nbytes) + name)
            for b in bound:
                if not b.flags & _GROUP_MEMORY:
                    file.write(memoryview(b.data).cast("B") if b.data.nbytes else b"")
        ran = walls.run(
            [str(program.path), "request", "result"], work, seconds=options.seconds, read=(program.path.parent,)
        )
        if ran.code is None:
            raise SimtError(f"the kernel did not finish: {ran.reason or f'{options.seconds:.0f} s are over'}")
        result = work / "result"
        if ran.code == 4:
            raise SimtError(ran.err.strip())
        if ran.code != 0 or not os.path.lexists(result):
            raise SimtError(f"the kernel's process ended with {ran.code}: {ran.err.strip()[:200] or 'no message'}")
        data = plain_bytes(result)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    magic, length, doubts = struct.unpack_from("<8sQQ", data)
    if magic != b"SIMTRES1":
        raise SimtError("the kernel's process left no readable result")
    at = 24
    report = json.loads(data[at : at + length])
    at += length
    doubtful = list(struct.unpack_from(f"<{doubts}Q", data, at))
    at += 8 * doubts
    outputs = []
    for b in bound:
        if b.flags & _WRITABLE:
            raw = data[at : at + b.data.nbytes]
            if len(raw) != b.data.nbytes:
                raise SimtError("the kernel's process left a result that is too short")
            outputs.append(np.frombuffer(raw, b.dtype).reshape(b.shape).copy())
            at += b.data.nbytes
    return report, outputs, doubtful


def _bind(
    program: Program,
    signature: Signature,
    buffers: Mapping[Any, Any] | Sequence[Any],
    group_memory: Mapping[int, int],
    strict: bool,
) -> list[_Buffer]:
    import numpy as np

    given = dict(buffers) if isinstance(buffers, Mapping) else None
    listed = None if given is not None else list(buffers)
    wanted = [(i, p) for i, p in enumerate(signature.parameters) if p.role in {"buffer", "value"}]
    places = sorted(p.index for _, p in wanted)
    if listed is not None and len(listed) != len(wanted):
        names = ", ".join(p.name for _, p in sorted(wanted, key=lambda w: w[1].index))
        raise SimtError(f"{signature.name} takes {len(wanted)} buffers ({names}); {len(listed)} were given")
    out: list[_Buffer] = []
    for i, p in enumerate(signature.parameters):
        if p.role == "threadgroup":
            if p.index not in group_memory:
                raise SimtError(
                    f"`{p.name}` is threadgroup memory of the host's choice: give threadgroup={{{p.index}: bytes}}, at the command line --threadgroup {p.index}=BYTES"
                )
            out.append(_Buffer(p.name, _GROUP_MEMORY, np.empty(int(group_memory[p.index]), np.uint8), (), np.uint8))
            continue
        if p.role not in {"buffer", "value"}:
            continue
        if listed is not None:
            value = listed[places.index(p.index)]
        else:
            assert given is not None
            key = p.name if p.name in given else p.index
            if key not in given:
                if p.optional:
                    value = np.zeros(16, np.uint8)
                else:
                    how = (
                        f"--buffer {p.name}=KIND:TYPE:SIZE"
                        if set("*[") & set(p.declared)
                        else f"--value {p.name}=NUMBER"
                    )
                    raise SimtError(
                        f"no buffer for `{p.name}` ({p.declared}, index {p.index}) of {signature.name}; at the command line {how}"
                    )
            else:
                value = given.pop(key)
        out.append(_buffer(p.name, p.declared, value, program.parameters[i], strict))
    if given:
        there = ", ".join(p.name for _, p in wanted) or "none"
        raise SimtError(f"{signature.name} has no parameter {sorted(map(str, given))[0]!r}; it has {there}")
    return out


_KINDS = {1: "f", 2: "i", 3: "u", 4: "b"}


def _buffer(name: str, declared: str, value: Any, about: tuple[int, int, int, int], strict: bool) -> _Buffer:
    import numpy as np

    size, kind, elements, flags = about
    pointer, reference, constant = flags & 1, flags & 2, flags & 4
    writable = _WRITABLE if (pointer or reference) and not constant else 0
    if "constant" in declared.split():
        writable = _CONSTANT
    if isinstance(value, Out):
        data = _poisoned(name, value)
        _compare(name, declared, data.dtype, size, kind, elements, strict)
        return _Buffer(
            name, writable | (_TRACK if writable == _WRITABLE else 0), data.reshape(-1), value.shape, data.dtype
        )
    if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
        if kind == 0 or elements != 1:
            raise SimtError(f"`{name}` is declared `{declared}`; a Python {type(value).__name__} is no such value")
        dtype = np.dtype("bool") if kind == 4 else np.dtype(f"{_KINDS[kind]}{size}")
        if kind != 1 and isinstance(value, float) and not value.is_integer():
            raise SimtError(f"`{name}` is declared `{declared}`; {value!r} is no whole number")
        try:
            value = np.array([int(value) if kind != 1 else value], dtype)
        except OverflowError as error:
            raise SimtError(f"`{name}` is declared `{declared}`; {value!r} does not fit") from error
    array = np.asarray(value)
    if array.dtype.hasobject:
        raise SimtError(f"`{name}`: an array of Python objects is no buffer")
    data = np.ascontiguousarray(array)
    _same_order(name, data.dtype)
    if pointer:
        _compare(name, declared, data.dtype, size, kind, elements, strict)
    elif data.nbytes < size or (strict and data.nbytes != size and not reference):
        raise SimtError(
            f"`{name}` is declared `{declared}` ({size} bytes); {data.nbytes} bytes ({data.dtype}) were given"
        )
    elif (
        strict
        and kind
        and elements == 1
        and data.size == 1
        and (data.dtype.itemsize != size or (data.dtype.kind == "f") != (kind == 1))
        and data.dtype != np.uint8
    ):
        raise SimtError(f"`{name}` is declared `{declared}`; a {data.dtype} was given")
    return _Buffer(name, writable, data.reshape(-1), array.shape, data.dtype)


def _same_order(name: str, dtype: Any) -> None:
    """A kernel reads bytes as this machine orders them; others would be other numbers, silently."""
    if dtype != dtype.newbyteorder("="):
        raise SimtError(
            f"`{name}`: an array of {dtype.str} has the bytes of its numbers in the other order; give astype({dtype.newbyteorder('=').str!r})"
        )


def _compare(name: str, declared: str, dtype: Any, size: int, kind: int, elements: int, strict: bool) -> None:
    if not strict or not kind or dtype.kind == "V" or dtype.itemsize == 1:
        return
    if (dtype.itemsize * elements != size and dtype.itemsize != size) or (dtype.kind == "f") != (kind == 1):
        if dtype.kind == "u" and kind == 1 and dtype.itemsize * elements == size:
            return
        raise SimtError(f"`{name}` is declared `{declared}`; an array of {dtype} was given")
