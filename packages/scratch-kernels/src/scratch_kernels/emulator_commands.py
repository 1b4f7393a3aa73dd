"""`bench kernel check` and `bench kernel run`: a kernel file on this machine, no GPU asked for.

It lies outside `simt`, whose import brings the whole emulator: `bench --help` imports this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import numpy as np

    from scratch_kernels.simt.triton import TritonLaunch


def _file(context: click.Context, option: click.Parameter, given: str) -> Path:
    from benchwright.errors import UserError

    if not given:
        raise UserError("FILE is empty; name a kernel file, for example add.metal")
    return Path(given)


@click.group()
def kernel() -> None:
    """Metal, CUDA and Triton kernels on the CPU emulator. What it models: docs/kernels/emulator.md."""


@kernel.command()
@click.argument("file", type=click.Path(), callback=_file)
@click.option("--kernel", "only", help="Check this kernel alone; a CUDA template with its arguments.")
@click.option(
    "--header", "headers", multiple=True, type=click.Path(path_type=Path), help="A file that FILE includes by name."
)
@click.option(
    "--include",
    "-I",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A folder whose headers FILE includes.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def check(file: Path, only: str | None, headers: tuple[Path, ...], folders: tuple[Path, ...], as_json: bool) -> None:
    """Read FILE (.metal, .cu, or .py with Triton kernels), build every kernel in it and tell what each takes, or what is in the way.

    A CUDA file is shown to NVIDIA's own compiler too, where NVRTC is installed: registers, shared memory, complaints. A Triton kernel
    is compiled as it is launched, for the types and numbers that it gets: `bench kernel run`.
    """
    import json

    from benchwright.cli.output import plural

    from scratch_kernels.simt import check as checks
    from scratch_kernels.simt.cuda import CudaLibrary
    from scratch_kernels.simt.triton import TritonLibrary

    with checks.named(file):
        lib = checks.library(file, headers, folders)
        _only_what_applies(file, lib.language)
        found = [k._replace(problem=checks.under_name(k.problem, file)) for k in checks.kernels(lib, only)]
    later = "is read" if isinstance(lib, TritonLibrary) else "is a template: --kernel with its arguments builds it"
    asked = isinstance(lib, CudaLibrary) and found and not (only and found[0].template)
    real = checks.real_compiler(lib, only) if isinstance(lib, CudaLibrary) and asked else None
    if real:
        real = real._replace(problem=checks.under_name(real.problem, file))
    bad = sum(bool(k.problem) for k in found)
    if as_json:
        about = {"file": str(file), "kernels": [k._asdict() for k in found], "nvrtc": real._asdict() if real else None}
        click.echo(json.dumps(about))
    else:
        for k in found:
            state = later if k.template else "builds"
            click.echo(f"{k.name}  line {k.line}  {'cannot be built' if k.problem else state}")
            for declared in k.parameters:
                click.echo(f"    {declared}")
            for name, size in k.shared:
                click.echo(f"    {size:,} bytes of group memory: {name}")
            if k.problem:
                click.echo(f"    {k.problem}")
            for arch, (registers, shared, spilled) in (real.resources.get(k.name, {}) if real else {}).items():
                more = f", {spilled:,} bytes spilled" if spilled else ""
                click.echo(
                    f"    {arch}: {registers} registers a thread, {shared:,} bytes of shared memory a block{more}"
                )
        told = "read" if isinstance(lib, TritonLibrary) and not bad else f"{bad} cannot be built"
        click.echo(f"{file}: {plural(len(found), 'kernel')}, {told}" if found else f"{file}: no kernel in it")
        if real:
            click.echo(
                real.missing
                or (f"refused by the real compiler: {real.problem}" if real.problem else f"{real.compiler} compiles it")
            )
    if bad or not found or (real and real.problem):
        raise click.exceptions.Exit(2)


@kernel.command()
@click.argument("file", type=click.Path(), callback=_file)
@click.argument("name")
@click.option("--grid", default="1", help="Groups: 4 or 4,2.", show_default=True)
@click.option("--group", default="32", help="Threads of a group: 64 or 8,8.", show_default=True)
@click.option("--threads", help="Metal: this many threads, with smaller groups at the edge; --grid is then not used.")
@click.option(
    "--buffer",
    "buffers",
    multiple=True,
    metavar="NAME=KIND:TYPE:SIZE",
    help="out:float32:64, rand:float32:64, iota:uint32:64, zeros:int32:1, or a .npy file. rand is normal, from --seed and NAME.",
)
@click.option("--value", "values", multiple=True, metavar="NAME=NUMBER", help="A scalar parameter.")
@click.option("--shared", default=0, help="CUDA: bytes of dynamic shared memory.")
@click.option(
    "--threadgroup",
    "group_memory",
    multiple=True,
    metavar="INDEX=BYTES",
    help="Metal: the size of a [[threadgroup(INDEX)]] parameter.",
)
@click.option(
    "--constant",
    "constants",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Metal: a function constant, by name or index.",
)
@click.option(
    "--schedule",
    type=click.Choice(["ordered", "shuffled", "simdgroup", "reversed"]),
    default="shuffled",
    show_default=True,
    help="simdgroup is of Metal and CUDA, reversed of Triton.",
)
@click.option("--seed", default=1, show_default=True, help="Of the schedule, and of each rand buffer with its name.")
@click.option(
    "--budget",
    type=int,
    help="Steps of one thread, or of one Triton program, before a loop is called endless.  [default: 20,000,000; Triton 200,000]",
)
@click.option(
    "--group-budget",
    type=int,
    help="Metal and CUDA: steps of all threads of one group together.  [default: 400,000,000]",
)
@click.option(
    "--header", "headers", multiple=True, type=click.Path(path_type=Path), help="A file that FILE includes by name."
)
@click.option(
    "--include",
    "-I",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A folder whose headers FILE includes.",
)
def run(
    file: Path, name: str, grid: str, group: str, threads: str | None, buffers: tuple[str, ...], values: tuple[str, ...],
    shared: int, group_memory: tuple[str, ...], constants: tuple[str, ...], schedule: str, seed: int, budget: int | None, group_budget: int | None, headers: tuple[Path, ...], folders: tuple[Path, ...],
) -> None:  # fmt: skip
    """Launch kernel NAME of FILE and print findings, counts and the first values of each output."""
    from benchwright.cli.output import plural
    from benchwright.errors import UserError

    from scratch_kernels.simt import check as checks
    from scratch_kernels.simt.cuda import CudaLibrary
    from scratch_kernels.simt.triton import TritonLibrary

    if not 0 <= seed < 2**64:
        raise UserError(f"--seed {seed}: a seed is a whole number from 0 to {2**64 - 1:,}")
    if shared < 0:
        raise UserError(f"--shared {shared}: a number of bytes is 0 or more")
    for option, steps in (("--budget", budget), ("--group-budget", group_budget)):
        if steps is not None and not 1 <= steps < 2**63:
            raise UserError(f"{option} {steps}: a number of steps is from 1 to {2**63 - 1:,}")
    with checks.named(file):
        lib = checks.library(file, headers, folders)
    _only_what_applies(file, lib.language)
    given = {**dict(_buffer(text, seed) for text in buffers), **dict(_value(text) for text in values)}
    extra: dict[str, Any] = {"schedule": schedule, "seed": seed}
    if budget is not None:
        extra["budget"] = budget
    if isinstance(lib, TritonLibrary):
        with checks.named(file):
            done = lib.launch(name, _sizes(grid), given, **extra)
        _show_triton(done, given)
        return
    if group_budget is not None:
        extra["group_budget"] = group_budget
    if isinstance(lib, CudaLibrary):
        extra["shared"] = shared
    else:
        if threads:
            extra["threads"] = _sizes(threads)
        extra["threadgroup"] = dict(_indexed(text) for text in group_memory)
        numbers = dict(_value(text, "--constant") for text in constants)
        extra["constants"] = {int(k) if k.isdecimal() else k: number for k, number in numbers.items()} or None
    with checks.named(file):
        result = lib.launch(name, _sizes(grid), _sizes(group), given, **extra)
    for finding in result.findings:
        click.echo(str(finding))
    c = result.counts
    assert c is not None
    if result.stopped:
        # Counts are put together where a group is at its end, so those of a stopped one say nothing.
        click.echo(f"stopped, so nothing is counted: {result.stopped}; outputs are as they stood; {result.compiler}")
    else:
        click.echo(
            f"{plural(c.groups, 'group')}, {plural(c.threads, 'thread')}; work {c.work:,}, span {c.span:,}, {c.active_lanes:.1f} threads at work at a time;"
            f" {c.device_bytes:,} device bytes, {c.sectors_per_access:.2f} sectors an access; {c.shared_accesses:,} {'access' if c.shared_accesses == 1 else 'accesses'}"
            f" of group memory, {plural(c.bank_conflicts, 'bank conflict')}; {plural(c.barriers, 'barrier')}, {plural(c.atomics, 'atomic')}; {result.compiler}"
        )
    for output, array in result.outputs.items():
        click.echo(f"{output}: {array.reshape(-1)[:8]}")
    if result.errors:
        raise click.exceptions.Exit(2)


def _show_triton(result: TritonLaunch, given: Mapping[str, Any]) -> None:
    import numpy as np
    from benchwright.cli.output import plural

    for finding in result.findings:
        click.echo(str(finding))
    c = result.counts
    click.echo(
        f"{plural(c.programs, 'program')}; work {c.work:,}, span {c.span:,}, {c.active_programs:.1f} programs at work at a time; {plural(c.loads, 'element')}"
        f" loaded, {c.stores:,} stored, {plural(c.device_bytes, 'device byte')}, {plural(c.sectors, 'sector')}, {plural(c.atomics, 'atomic')}; {result.compiler}"
    )
    for build in result.builds:
        if build.ok:
            known = {"register": build.registers, "byte of shared memory": build.shared, "byte spilled": build.spilled}
            many = {"byte of shared memory": "bytes of shared memory", "byte spilled": "bytes spilled"}
            told = [plural(n, word, many.get(word, "")) for word, n in known.items() if n >= 0]
            click.echo(f"{build.target}: " + ", ".join(told))
    for output, array in result.outputs.items():
        if isinstance(given.get(output), np.ndarray) and not result.written[output].any():
            continue  # an input
        click.echo(f"{output}: {array.reshape(-1)[:8]}")
    if result.errors:
        raise click.exceptions.Exit(2)


_OF = {
    "group": ("metal", "cuda"),
    "threads": ("metal",),
    "shared": ("cuda",),
    "group_memory": ("metal",),
    "constants": ("metal",),
    "group_budget": ("metal", "cuda"),
    "headers": ("metal", "cuda"),
    "folders": ("metal", "cuda"),
}
"""Options that are not of every language."""
_NAMES = {"metal": "Metal", "cuda": "CUDA", "triton": "Triton"}


def _only_what_applies(file: Path, language: str) -> None:
    """Raises `UserError` for an option that was given and has no meaning in the language of `file`."""
    from benchwright.errors import UserError

    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        told = context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        if told and language not in _OF.get(name, (language,)):
            owners = " and ".join(_NAMES[one] for one in _OF[name])
            raise UserError(
                f"{option.opts[0]} is of {owners} and says nothing to the {_NAMES[language]} file {file}; leave it out"
            )


def _sizes(text: str) -> tuple[int, ...]:
    from benchwright.errors import UserError

    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UserError(f"{text!r} is no size; write 4 or 4,2") from None


def _buffer(text: str, seed: int) -> tuple[str, Any]:
    """Name and contents; `rand` draws from a stream of its own for each name."""
    import numpy as np
    from benchwright.errors import UserError

    from scratch_kernels.simt import out
    from scratch_kernels.simt.launch import MOST_BYTES

    name, _, what = text.partition("=")
    if what.endswith(".npy"):
        return name, _saved(Path(what))
    parts = what.split(":")
    try:
        kind, size = parts[0], int(parts[2])
        try:
            dtype = np.dtype(parts[1])
        except TypeError:
            raise UserError(
                f"--buffer {text!r}: {parts[1]} is no type of numbers; float32 and uint32 are two"
            ) from None
    except (IndexError, ValueError):
        raise UserError(f"--buffer {text!r} is not NAME=KIND:TYPE:SIZE, for example out=out:float32:64") from None
    if dtype.kind not in "biufc":
        raise UserError(f"--buffer {text!r}: {parts[1]} is no type of numbers; float32 and uint32 are two")
    if not 0 <= size * dtype.itemsize <= MOST_BYTES:
        raise UserError(f"--buffer {text!r}: a size is a number of elements from 0 to {MOST_BYTES // dtype.itemsize:,}")
    rng = np.random.default_rng([seed, *name.encode()])
    made = {
        "out": lambda: out(size, dtype),
        "rand": lambda: rng.normal(size=size).astype(dtype),
        "iota": lambda: np.arange(size).astype(dtype),
        "zeros": lambda: np.zeros(size, dtype),
    }
    if kind not in made:
        raise UserError(f"--buffer {text!r}: no kind {kind!r}; there are {', '.join(made)}")
    return name, made[kind]()


def _saved(path: Path) -> np.ndarray[Any, Any]:
    """The array of a .npy file."""
    import zipfile

    import numpy as np
    from benchwright.errors import FileError

    try:
        found = np.load(path, allow_pickle=False)
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    except (ValueError, EOFError, SyntaxError, MemoryError, zipfile.BadZipFile) as error:
        if "allow_pickle" in str(error):
            raise FileError(
                path, "holds Python objects; `numpy.save` writes an array of numbers without them"
            ) from None
        raise FileError(path, f"is no array of numbers as `numpy.save` writes it: {error}") from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise FileError(path, "is an archive of arrays; `numpy.save` writes one array")
    return found


def _indexed(text: str) -> tuple[int, int]:
    """The index of a threadgroup parameter and its bytes."""
    from benchwright.errors import UserError

    index, _, size = text.partition("=")
    if not (index.isdecimal() and size.isdecimal()):
        raise UserError(f"--threadgroup {text!r} is not INDEX=BYTES, for example 0=128")
    return int(index), int(size)


def _value(text: str, option: str = "--value") -> tuple[str, Any]:
    from benchwright.errors import UserError

    name, _, number = text.partition("=")
    try:
        return name, float(number) if any(c in number for c in ".eEn") else int(number, 0)
    except ValueError:
        raise UserError(f"{option} {text!r} is not NAME=NUMBER") from None
