"""What can be said of a kernel file without launching it: which kernels it has, what each takes, and what is in the way."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchwright.errors import FileError
from benchwright.given import read

from scratch_kernels.simt.cuda import CudaLibrary, cuda
from scratch_kernels.simt.errors import CompileError, SimtError, ToolchainError
from scratch_kernels.simt.metal import MetalLibrary, metal
from scratch_kernels.simt.signature import Signature
from scratch_kernels.simt.triton import TritonLibrary, triton
from scratch_kernels.simt.triton_source import MISSING

SUFFIXES = {".metal": metal, ".cu": cuda, ".cuh": cuda}
LARGEST = 1 << 20
HEADERS = {".h", ".hpp", ".cuh", ".metal", ".inc"}
MOST_HEADERS = 4000
_OUR_NAME = re.compile(r"^kernel(\.metal|\.cu|\.py)?:(?=\d+:| )")


class KernelReport(NamedTuple):
    """One kernel. `problem` is a sentence where it cannot be built, else empty."""

    name: str
    line: int
    parameters: tuple[str, ...]
    shared: tuple[tuple[str, int], ...]
    problem: str
    template: bool = False
    """A template that was not given arguments: nothing to build yet."""


class RealCompiler(NamedTuple):
    """What NVRTC says of a CUDA file. `problem`: its first complaint; `missing`: why it was not asked."""

    compiler: str
    resources: dict[str, dict[str, tuple[int, int, int]]]
    """Kernel -> architecture -> registers of a thread, static shared bytes of a block, bytes spilled by a thread."""
    problem: str
    missing: str


def real_compiler(lib: CudaLibrary, only: str | None = None) -> RealCompiler:
    """NVRTC's word on a CUDA library and on its kernels that are no templates, or on one kernel with its arguments."""
    names = [name for name in ([only] if only else lib.kernels) if name not in lib.templates]
    try:
        made = lib.compiled(*names)
    except ToolchainError as error:
        return RealCompiler("", {}, "", str(error))
    except CompileError as error:
        return RealCompiler("", {}, str(error), "")
    resources = {
        name: {one.arch: tuple(one.resources[one.names[name]]) for one in made if one.names.get(name) in one.resources}
        for name in names
    }
    return RealCompiler(made[0].compiler, resources, "", "")  # type: ignore[arg-type]  # three numbers each


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Complaints of the source within tell `path`, as its owner calls it, in the place of `kernel.cu` and its like."""
    try:
        yield
    except SimtError as error:
        raise SimtError(under_name(str(error), path)) from error


def under_name(complaint: str, path: Path) -> str:
    """A complaint of the source with the name of its file."""
    return _OUR_NAME.sub(lambda found: f"{path}:", complaint, count=1)


def library(
    path: Path, headers: tuple[Path, ...] = (), folders: tuple[Path, ...] = ()
) -> MetalLibrary | CudaLibrary | TritonLibrary:
    """The file as a library of kernels, which may include `headers` by name and what lies in `folders` by its path there.

    Raises `FileError` or `CompileError`.
    """
    if path.is_dir():
        raise FileError(path, f"is a folder; name a file ({', '.join(SUFFIXES)}, .py)")
    if path.suffix == ".py":
        return triton(_text(path))
    make = SUFFIXES.get(path.suffix)
    if make is None:
        raise FileError(path, f"is neither Metal nor CUDA nor Triton by its name ({', '.join(SUFFIXES)}, .py)")
    found: dict[str, str] = {}
    own = ""
    for folder in folders:
        found |= _texts(folder)
        if path.resolve().is_relative_to(folder.resolve()):
            own = path.resolve().parent.relative_to(folder.resolve()).as_posix().removeprefix(".")
    return make(_text(path), headers=found | {header.name: _text(header) for header in headers}, folder=own)


def _texts(folder: Path) -> dict[str, str]:
    """The headers below a folder by their paths in it; larger ones than are read, and what is no text, are left out."""
    if not folder.is_dir():
        raise FileError(folder, "is no folder")
    out: dict[str, str] = {}
    for file in sorted(folder.rglob("*")):
        if file.suffix in HEADERS and file.is_file() and file.stat().st_size <= LARGEST:
            with contextlib.suppress(FileError):
                out[file.relative_to(folder).as_posix()] = _text(file)
            if len(out) > MOST_HEADERS:
                raise FileError(folder, f"holds more than {MOST_HEADERS:,} headers; name a folder further down")
    return out


def _text(path: Path) -> str:
    data = read(path, LARGEST)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(path, f"is not UTF-8 (byte {error.start})") from None


def kernels(lib: MetalLibrary | CudaLibrary | TritonLibrary, only: str | None = None) -> list[KernelReport]:
    """Builds every kernel of a library, or one; templates without arguments are reported as such, as is all of Triton."""
    if isinstance(lib, TritonLibrary):
        return [_triton(lib, name) for name in ([only] if only else lib.kernels)]
    out = []
    for name in [only] if only else lib.kernels:
        if isinstance(lib, CudaLibrary) and name in lib.templates:
            out.append(KernelReport(name, lib.line(name), (), (), "", True))
            continue
        signature: Signature = lib.signature(name)
        declared = tuple(
            f"{p.declared} [{p.role}{f' {p.index}' if p.index >= 0 else ''}]" for p in signature.parameters
        )
        try:
            shared, problem = lib.build(name).shared, ""
        except SimtError as error:
            shared, problem = (), str(error)
        out.append(KernelReport(name, signature.line, declared, shared, problem))
    return out


def _triton(lib: TritonLibrary, name: str) -> KernelReport:
    """What a Triton kernel takes; its code is made for the types and numbers of a launch."""
    kernel = lib.kernel(name)
    declared = tuple(
        f"{p.name}{': tl.constexpr' if p.constexpr else ''}{'' if p.default is MISSING else f' = {p.default!r}'}"
        for p in kernel.parameters
    )
    return KernelReport(name, kernel.line, declared, (), "", True)
