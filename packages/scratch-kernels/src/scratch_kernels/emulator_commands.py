"""`bench kernel check` and `bench kernel run`: a kernel file on this machine, no GPU asked for.

It lies outside `simt`, whose import brings the whole emulator: `bench --help` imports this file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.group()
def kernel() -> None:
    """Metal, CUDA and Triton kernels on the CPU emulator; docs/kernels/emulator.md tells what it models."""


@kernel.command()
@click.argument("file", type=click.Path(path_type=Path))
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

    from scratch_kernels.simt import check as checks
    from scratch_kernels.simt.cuda import CudaLibrary
    from scratch_kernels.simt.triton import TritonLibrary

    lib = checks.library(file, headers, folders)
    found = checks.kernels(lib, only)
    later = "is read" if isinstance(lib, TritonLibrary) else "is a template: --kernel with its arguments builds it"
    real = checks.real_compiler(lib, only) if isinstance(lib, CudaLibrary) and found else None
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
        click.echo(f"{file}: {len(found)} kernels, {bad} cannot be built" if found else f"{file}: no kernel in it")
        if real:
            click.echo(
                real.missing
                or (f"refused by the real compiler: {real.problem}" if real.problem else f"{real.compiler} compiles it")
            )
    if bad or not found or (real and real.problem):
        raise click.exceptions.Exit(2)


@kernel.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--grid", default="1", help="Groups: 4 or 4,2.", show_default=True)
@click.option("--group", default="32", help="Threads of a group: 64 or 8,8.", show_default=True)
@click.option("--threads", help="Metal: this many threads, with smaller groups at the edge; --grid is then not used.")
@click.option(
    "--buffer",
    "buffers",
    multiple=True,
    metavar="NAME=KIND:TYPE:SIZE",
    help="out:float32:64, rand:float32:64, iota:uint32:64, zeros:int32:1, or a .npy file.",
)
@click.option("--value", "values", multiple=True, metavar="NAME=NUMBER", help="A scalar parameter.")
@click.option("--shared", default=0, help="CUDA: bytes of dynamic shared memory.")
@click.option(
    "--schedule",
    type=click.Choice(["ordered", "shuffled", "simdgroup", "reversed"]),
    default="shuffled",
    show_default=True,
    help="simdgroup is of Metal and CUDA, reversed of Triton.",
)
@click.option("--seed", default=1, show_default=True)
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
    shared: int, schedule: str, seed: int, headers: tuple[Path, ...], folders: tuple[Path, ...],
) -> None:  # fmt: skip
    """Launch kernel NAME of FILE and print findings, counts and the first values of each output."""
    from scratch_kernels.simt import check as checks
    from scratch_kernels.simt.cuda import CudaLibrary
    from scratch_kernels.simt.triton import TritonLibrary

    lib = checks.library(file, headers, folders)
    given = {**dict(_buffer(text) for text in buffers), **dict(_value(text) for text in values)}
    extra: dict[str, Any] = {"schedule": schedule, "seed": seed}
    if isinstance(lib, TritonLibrary):
        _run_triton(lib, name, _sizes(grid), given, extra)
        return
    if isinstance(lib, CudaLibrary):
        extra["shared"] = shared
    elif threads:
        extra["threads"] = _sizes(threads)
    result = lib.launch(name, _sizes(grid), _sizes(group), given, **extra)
    for finding in result.findings:
        click.echo(str(finding))
    if result.stopped:
        click.echo(f"stopped: {result.stopped}")
    c = result.counts
    assert c is not None
    click.echo(
        f"{c.groups:,} groups, {c.threads:,} threads; work {c.work:,}, span {c.span:,}, {c.active_lanes:.1f} threads at work at a time;"
        f" {c.device_bytes:,} device bytes, {c.sectors_per_access:.2f} sectors an access; {c.shared_accesses:,} accesses of group memory,"
        f" {c.bank_conflicts:,} bank conflicts; {c.barriers:,} barriers, {c.atomics:,} atomics; {result.compiler}"
    )
    for output, array in result.outputs.items():
        click.echo(f"{output}: {array.reshape(-1)[:8]}")
    if result.errors:
        raise click.exceptions.Exit(2)


def _run_triton(lib: Any, name: str, grid: tuple[int, ...], given: dict[str, Any], extra: dict[str, Any]) -> None:
    result = lib.launch(name, grid, given, **extra)
    for finding in result.findings:
        click.echo(str(finding))
    c = result.counts
    click.echo(
        f"{c.programs:,} programs; work {c.work:,}, span {c.span:,}, {c.active_programs:.1f} programs at work at a time; {c.loads:,} elements"
        f" loaded, {c.stores:,} stored, {c.device_bytes:,} device bytes, {c.sectors:,} sectors, {c.atomics:,} atomics; {result.compiler}"
    )
    for build in result.builds:
        if build.ok:
            known = {"registers": build.registers, "bytes of shared memory": build.shared, "spilled": build.spilled}
            click.echo(f"{build.target}: " + ", ".join(f"{n:,} {word}" for word, n in known.items() if n >= 0))
    for output, array in result.outputs.items():
        click.echo(f"{output}: {array.reshape(-1)[:8]}")
    if result.errors:
        raise click.exceptions.Exit(2)


def _sizes(text: str) -> tuple[int, ...]:
    from benchwright.errors import UserError

    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UserError(f"{text!r} is no size; write 4 or 4,2") from None


def _buffer(text: str) -> tuple[str, Any]:
    import numpy as np
    from benchwright.errors import FileError, UserError

    from scratch_kernels.simt import out

    name, _, what = text.partition("=")
    if what.endswith(".npy"):
        try:
            return name, np.load(what, allow_pickle=False)
        except (OSError, ValueError) as error:
            raise FileError(what, str(error)) from None
    parts = what.split(":")
    try:
        kind, dtype, size = parts[0], np.dtype(parts[1]), int(parts[2])
    except (IndexError, TypeError, ValueError):
        raise UserError(f"--buffer {text!r} is not NAME=KIND:TYPE:SIZE, for example out=out:float32:64") from None
    rng = np.random.default_rng(0)
    made = {
        "out": lambda: out(size, dtype),
        "rand": lambda: rng.normal(size=size).astype(dtype),
        "iota": lambda: np.arange(size).astype(dtype),
        "zeros": lambda: np.zeros(size, dtype),
    }
    if kind not in made:
        raise UserError(f"--buffer {text!r}: no kind {kind!r}; there are {', '.join(made)}")
    return name, made[kind]()


def _value(text: str) -> tuple[str, Any]:
    from benchwright.errors import UserError

    name, _, number = text.partition("=")
    try:
        return name, float(number) if any(c in number for c in ".eEn") else int(number, 0)
    except ValueError:
        raise UserError(f"--value {text!r} is not NAME=NUMBER") from None
