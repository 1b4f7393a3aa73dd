"""Triton on this machine: `triton(source).launch("name", grid, {"x_ptr": array, ...})`."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scratch_kernels.simt import device, triton_compile, triton_device, triton_findings, triton_process, triton_source
from scratch_kernels.simt.errors import SimtError
from scratch_kernels.simt.findings import Finding
from scratch_kernels.simt.launch import Out, three
from scratch_kernels.simt.triton_compile import TARGETS, Build
from scratch_kernels.simt.triton_source import HEADER_LINES, MISSING, Parameter

if TYPE_CHECKING:
    import numpy as np

Schedule = Literal["ordered", "shuffled", "reversed"]
SCHEDULES = ("ordered", "shuffled", "reversed")
MOST_PROGRAMS = 1 << 20
OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "waves_per_eu", "matrix_instr_nonkdim")
_TYPES = {
    "float16": "fp16", "float32": "fp32", "float64": "fp64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "i1", "bfloat16": "bf16",
}  # fmt: skip
_NAMES = {**{short: short for short in _TYPES.values()}, **_TYPES}
_LANGUAGE = {
    "fp16": "float16",
    "fp32": "float32",
    "fp64": "float64",
    "bf16": "bfloat16",
    "i1": "int1",
    "i8": "int8",
    "i16": "int16",
}
_LANGUAGE |= {"i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}


class Pointer(NamedTuple):
    """An argument that points into an array, `offset` elements from its begin. `dtype`: where numpy has no such type (`bfloat16`, bits in uint16)."""

    array: Any
    dtype: str = ""
    offset: int = 0


class TypeArgument(NamedTuple):
    """A type of the language as a constexpr argument: `tl.float32`."""

    name: str


def pointer(array: Any, dtype: str = "", offset: int = 0) -> Pointer:
    """A pointer into `array` (an array or `out(...)`), `offset` elements from its begin."""
    return Pointer(array, dtype, offset)


def to_bfloat16(values: Any) -> np.ndarray[Any, Any]:
    """float32 -> the bits of bfloat16 in uint16, rounded to nearest even."""
    import numpy as np

    data = np.ascontiguousarray(values, np.float32)
    bits = data.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(data), quiet, rounded).astype(np.uint16)


def from_bfloat16(bits: Any) -> np.ndarray[Any, Any]:
    """The bits of bfloat16 in uint16 -> float32, exactly."""
    import numpy as np

    return (np.ascontiguousarray(bits, np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)


class TritonCounts(NamedTuple):
    """Work of one launch; the same for the same kernel and inputs.

    `work`: elements that the operations of all programs make; `span`: those of the longest program; `loads`, `stores`:
    elements moved, without masked lanes; `sectors`: 32-byte sectors that each access touches, summed; `load_bytes` and
    `store_bytes` by buffer.
    """

    programs: int
    work: int
    span: int
    loads: int
    stores: int
    atomics: int
    masked_lanes: int
    sectors: int
    load_bytes: dict[str, int]
    store_bytes: dict[str, int]

    @property
    def active_programs(self) -> float:
        """Programs at work at a time, had the device room for all: work over span."""
        return self.work / self.span if self.span else 0.0

    @property
    def device_bytes(self) -> int:
        """Bytes moved to and from device memory."""
        return sum(self.load_bytes.values()) + sum(self.store_bytes.values())


class TritonLaunch(NamedTuple):
    """What a launch gave. `outputs`: every buffer by name, copies; the host's arrays are untouched."""

    kernel: str
    outputs: dict[str, Any]
    written: dict[str, Any]
    """Which elements of each buffer the launch wrote, in its shape."""
    counts: TritonCounts
    findings: tuple[Finding, ...]
    stopped: str
    """Why the run ended early, or empty."""
    unwritten: dict[str, int]
    """Bytes of each poisoned output that nothing wrote."""
    builds: tuple[Build, ...]
    """Its machine code for each target."""
    schedule: str
    seed: int
    compiler: str
    device: str = "emulated"

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


class Call(NamedTuple):
    """One launch of many for `launch_all`; the fields are the arguments of `TritonLibrary.launch`."""

    kernel: str
    grid: int | Sequence[int]
    arguments: Mapping[str, Any] | Sequence[Any]
    options: Mapping[str, Any] = {}


class _Bound(NamedTuple):
    """A call whose arguments were looked at."""

    call: Call
    grid: tuple[int, int, int]
    order: dict[str, Any]
    data: list[Any]
    shapes: list[tuple[str, tuple[int, ...], Any]]
    wanted: triton_compile.Wanted
    targets: tuple[str, ...]


class TritonLibrary:
    """A Triton file that was read."""

    language = "triton"

    def __init__(self, source: str) -> None:
        self._source = triton_source.read(source)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The jit functions of the file, those that only others call as well."""
        return tuple(self._source.kernels)

    def kernel(self, name: str) -> triton_source.Kernel:
        """Where a kernel stands and what it takes. Raises `SimtError` where there is none of that name."""
        if name not in self._source.kernels:
            found = ", ".join(self.kernels) or "none"
            raise SimtError(f"no kernel `{name}` in this file (@triton.jit functions: {found})")
        return self._source.kernels[name]

    def launch(
        self, kernel: str, grid: int | Sequence[int], arguments: Mapping[str, Any] | Sequence[Any], **options: Any
    ) -> TritonLaunch:
        """Runs `kernel` on a `grid` of programs and compiles it for every target.

        `arguments`, named or in order: arrays, `out(...)` and `pointer(...)` for pointers; numbers for values and
        constexprs. An array given twice is one buffer. `options`: `schedule` (`ordered`, `shuffled`, `reversed`), `seed`,
        `race`, `budget` (operations of one program), `seconds`, `targets` (empty: compile nothing), and the launch's own:
        `num_warps` and so on. Raises `SimtError` for what the host got wrong.
        """
        return self.launch_all([Call(kernel, grid, arguments, options)])[0]

    def check(self, call: Call) -> None:
        """Looks at a launch without making it. Raises `SimtError` for what the host got wrong."""
        self._bind(call)

    def launch_all(self, calls: Sequence[Call], *, seconds: float = 120.0) -> list[TritonLaunch]:
        """Many launches in one process, each with memory of its own; see `launch`. `seconds` bounds them together."""
        if not calls:
            return []
        version = triton_process.version()
        bound = [self._bind(call) for call in calls]
        rows, blobs = self._emulate(bound, seconds)
        builds = self._compile(bound)
        results = [
            self._result(b, row, blob, made, version)
            for b, row, blob, made in zip(bound, rows, blobs, builds, strict=True)
        ]
        if not device.wanted():
            return results
        return [
            result if result.errors else result._replace(outputs=self._on_device(b), device=device.find().name)
            for b, result in zip(bound, results, strict=True)
        ]

    def _on_device(self, b: _Bound) -> dict[str, Any]:
        arguments, seconds = b.order["arguments"], b.order["seconds"]
        return triton_device.outputs(self._source.text, b.wanted, arguments, b.grid, b.data, b.shapes, seconds)

    def build_all(self, calls: Sequence[Call]) -> list[tuple[Build, ...]]:
        """The machine code of launches for each of their targets, without making them."""
        return self._compile([self._bind(call) for call in calls])

    def _emulate(self, bound: Sequence[_Bound], seconds: float) -> tuple[list[dict[str, Any]], list[list[bytes]]]:
        head = json.dumps({"launches": [b.order for b in bound]}).encode()
        with triton_process.folder(self._source.text) as work:
            with open(work / "request", "wb") as file:
                file.write(struct.pack("<Q", len(head)) + head)
                for b in bound:
                    for data in b.data:
                        file.write(data.tobytes())
            ran = triton_process.run("emulate.py", work, seconds=seconds)
            if ran.code != 0:
                raise triton_process.complaint(ran, "the run of the Triton kernel")
            raw = triton_process.result(work)
        magic, length = struct.unpack_from("<8sQ", raw)
        if magic != b"TRITON01":
            raise SimtError("the kernel's process left no readable result")
        report = json.loads(raw[16 : 16 + length])
        at, blobs = 16 + length, []
        for b in bound:
            blobs.append([])
            for data in b.data:
                blobs[-1].append(raw[at : at + data.nbytes])
                at += data.nbytes
        if at != len(raw) or len(report["launches"]) != len(bound):
            raise SimtError("the kernel's process left a result of another size")
        return report["launches"], blobs

    def _compile(self, bound: Sequence[_Bound]) -> list[tuple[Build, ...]]:
        out: list[tuple[Build, ...]] = [()] * len(bound)
        for targets in dict.fromkeys(b.targets for b in bound if b.targets):
            at = [i for i, b in enumerate(bound) if b.targets == targets]
            made = triton_compile.builds(self._source.text, [bound[i].wanted for i in at], targets)
            for i, builds in zip(at, made, strict=True):
                out[i] = builds
        return out

    def _result(
        self, b: _Bound, row: dict[str, Any], blobs: list[bytes], builds: tuple[Build, ...], version: str
    ) -> TritonLaunch:
        import numpy as np

        outputs, written = {}, {}
        for (name, shape, dtype), raw, bits in zip(b.shapes, blobs, row["written"], strict=True):
            outputs[name] = np.frombuffer(raw, dtype).reshape(shape).copy()
            count = outputs[name].size
            mask = np.unpackbits(np.frombuffer(bytes.fromhex(bits), np.uint8), count=count) if bits else np.ones(count)
            written[name] = mask.astype(bool).reshape(shape)
        rows = []
        for found in row["findings"]:
            found = {**found, "stopped": row["stopped"]}
            for key in ("line", "other_line"):
                if found.get(key):
                    found[key] -= HEADER_LINES
            rows.append(found)
        refused: dict[tuple[int, str], list[str]] = {}
        for build in builds:
            if build.ok:
                continue
            if build.why == "shared":
                limit = TARGETS[build.target].shared
                rows.append({"kind": "resources", "target": build.target, "b": build.shared, "limit": limit})
            else:
                refused.setdefault((build.line, build.why), []).append(build.target)
        rows += [
            {"kind": "does_not_compile", "target": ", ".join(targets), "line": line, "why": why}
            for (line, why), targets in refused.items()
        ]
        order = b.order
        found = [triton_findings.finding(r, b.grid, order["budget"], order["seconds"]) for r in rows]
        rank = {"error": 0, "warning": 1, "note": 2}
        stop = next(
            (f.message for f in found if f.kind in {"step_budget", "seconds", "unsupported", "exception", "assertion"}),
            "",
        )
        counts = TritonCounts(**row["counts"], load_bytes=row["load_bytes"], store_bytes=row["store_bytes"])
        return TritonLaunch(
            b.call.kernel, outputs, written, counts, tuple(sorted(found, key=lambda f: rank[f.severity])), stop, row["unwritten"], builds,
            order["schedule"], order["seed"], f"triton {version}",
        )  # fmt: skip

    # What a launch is given.

    def _bind(self, call: Call) -> _Bound:
        kernel = self.kernel(call.kernel)
        options = dict(call.options)
        settings = {
            name: options.pop(name, default)
            for name, default in (
                ("schedule", "shuffled"), ("seed", 1), ("race", True), ("budget", 200_000), ("seconds", 30.0), ("targets", tuple(TARGETS)),
            )
        }  # fmt: skip
        if settings["schedule"] not in SCHEDULES:
            raise SimtError(f"no schedule `{settings['schedule']}`; there are {', '.join(SCHEDULES)}")
        for target in settings["targets"]:
            if target not in TARGETS:
                raise SimtError(f"no target `{target}`; there are {', '.join(TARGETS)}")
        values = self._values(kernel, call.arguments, options)
        for name, value in options.items():
            if name not in OPTIONS or not isinstance(value, (int, bool)):
                raise SimtError(f"{kernel.name} has no parameter and no launch has an option `{name}`")
        grid = three(call.grid, "the grid")
        if grid[0] * grid[1] * grid[2] > MOST_PROGRAMS:
            raise SimtError(f"a grid of {grid[0] * grid[1] * grid[2]:,} programs; {MOST_PROGRAMS:,} are the most here")
        buffers: list[dict[str, Any]] = []
        data: list[Any] = []
        shapes: list[tuple[str, tuple[int, ...], Any]] = []
        same: dict[int, int] = {}
        arguments = {}
        for parameter, value in values:
            described = _argument(parameter, value)
            if described is None:
                array, offset, dtype, tracked, shape, identity = _array(parameter, value)
                if identity not in same:
                    same[identity] = len(buffers)
                    granule = array.dtype.itemsize
                    buffers.append(
                        {"name": parameter.name, "granule": granule, "tracked": tracked, "bytes": array.nbytes}
                    )
                    data.append(array)
                    shapes.append((parameter.name, shape, array.dtype))
                number = same[identity]
                described = {
                    "kind": "pointer", "buffer": number, "offset": offset, "dtype": dtype, "bytes": data[number].nbytes,
                }  # fmt: skip
            arguments[parameter.name] = described
        order = {
            "kernel": kernel.name, "grid": grid, "arguments": arguments, "buffers": buffers,
            **{name: settings[name] for name in ("schedule", "seed", "race", "budget", "seconds")},
        }  # fmt: skip
        wanted = triton_compile.specialised(kernel.name, arguments, options)
        return _Bound(call, grid, order, data, shapes, wanted, tuple(settings["targets"]))

    def _values(
        self, kernel: triton_source.Kernel, given: Mapping[str, Any] | Sequence[Any], options: dict[str, Any]
    ) -> list[tuple[Parameter, Any]]:
        known = [p.name for p in kernel.parameters]
        if isinstance(given, Mapping):
            named = dict(given)
        else:
            if len(given) > len(known):
                raise SimtError(
                    f"{kernel.name} takes {len(known)} arguments ({', '.join(known)}); {len(given)} were given"
                )
            named = dict(zip(known, given, strict=False))
        for name in [name for name in options if name in known]:
            if name in named:
                raise SimtError(f"`{name}` of {kernel.name} was given twice")
            named[name] = options.pop(name)
        for name in named:
            if name not in known:
                raise SimtError(f"{kernel.name} has no parameter `{name}`; it takes {', '.join(known)}")
        missing = [p.name for p in kernel.parameters if p.name not in named and p.default is MISSING]
        if missing:
            raise SimtError(f"{kernel.name} got no value for `{missing[0]}`")
        return [(p, named.get(p.name, p.default)) for p in kernel.parameters]


def _argument(parameter: Parameter, value: Any) -> dict[str, Any] | None:
    """A value that is no pointer, described; None for one that is."""
    import numpy as np

    if isinstance(value, TypeArgument):
        name = _LANGUAGE.get(_NAMES.get(value.name, ""), value.name)
        if name not in triton_source.LANGUAGE:
            raise SimtError(f"`{parameter.name}`: no type `{value.name}` in the language")
        return {"kind": "constexpr", "value": name, "dtype": True}
    if isinstance(value, np.generic):
        value = value.item()
    plain = value is None or isinstance(value, (bool, int, float, str))
    if parameter.constexpr or value is None or isinstance(value, str):
        nested = isinstance(value, (tuple, list)) and all(isinstance(v, (bool, int, float, str)) for v in value)
        if not plain and not nested:
            raise SimtError(f"`{parameter.name}` is a constexpr; {type(value).__name__} is no such value")
        if isinstance(value, str) and not parameter.constexpr:
            raise SimtError(f"`{parameter.name}` is no constexpr and takes no text")
        return {"kind": "constexpr" if parameter.constexpr else "none", "value": value}
    if isinstance(value, bool):
        return {"kind": "bool", "value": value}
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 64:
            raise SimtError(f"`{parameter.name}`: {value} fits no integer of the language")
        return {"kind": "int", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": value}
    return None


def _array(parameter: Parameter, value: Any) -> tuple[Any, int, str, bool, tuple[int, ...], int]:
    """(flat data, byte offset, Triton's type, whether it starts poisoned, shape, identity) of a pointer argument."""
    import numpy as np

    shown = value if isinstance(value, Pointer) else Pointer(value)
    inner = shown.array
    identity = id(inner)
    if isinstance(inner, Out):
        name = shown.dtype or str(inner.dtype if isinstance(inner.dtype, str) else np.dtype(inner.dtype))
        dtype = np.dtype("uint16") if name in {"bfloat16", "bf16"} else np.dtype(inner.dtype)
        array = np.zeros(inner.shape, dtype)
        array.view(np.uint8).reshape(-1)[...] = 0xFF if array.nbytes else 0
        shape, tracked = inner.shape, True
    else:
        if not isinstance(inner, np.ndarray):
            raise SimtError(f"`{parameter.name}` got a {type(inner).__name__}, which is neither an array nor a number")
        if not inner.flags.c_contiguous:
            raise SimtError(
                f"`{parameter.name}` got an array that is not contiguous: pass its base, and strides as numbers"
            )
        array, shape, tracked = inner, inner.shape, False
        name = shown.dtype or str(array.dtype)
    short = _NAMES.get(name)
    if short is None:
        raise SimtError(f"`{parameter.name}`: Triton has no type {name} here")
    if not 0 <= shown.offset <= array.size:
        raise SimtError(f"`{parameter.name}`: offset {shown.offset} is outside its array of {array.size}")
    return array.reshape(-1), shown.offset * array.dtype.itemsize, short, tracked, shape, identity


def triton(source: str) -> TritonLibrary:
    """Reads a Triton file: its jit functions and constants. Raises `CompileError` where it is no kernel language."""
    return TritonLibrary(source)
