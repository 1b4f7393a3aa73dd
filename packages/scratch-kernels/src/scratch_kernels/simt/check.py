"""What can be said of a kernel file without launching it: which kernels it has, what each takes, and what is in the way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from benchwright.errors import FileError

from scratch_kernels.simt.cuda import CudaLibrary, cuda
from scratch_kernels.simt.errors import SimtError
from scratch_kernels.simt.metal import MetalLibrary, metal
from scratch_kernels.simt.signature import Signature

SUFFIXES = {".metal": metal, ".cu": cuda, ".cuh": cuda}
LARGEST = 1 << 20


class KernelReport(NamedTuple):
    """One kernel. `problem` is a sentence where it cannot be built, else empty."""

    name: str
    line: int
    parameters: tuple[str, ...]
    shared: tuple[tuple[str, int], ...]
    problem: str


def library(path: Path, headers: tuple[Path, ...] = ()) -> MetalLibrary | CudaLibrary:
    """The file as a library of kernels. Raises `FileError` or `CompileError`."""
    make = SUFFIXES.get(path.suffix)
    if make is None:
        raise FileError(path, f"is neither Metal nor CUDA by its name ({', '.join(SUFFIXES)})")
    return make(_text(path), headers={header.name: _text(header) for header in headers})


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise FileError(path, f"has {len(data):,} bytes; at most {LARGEST:,} are read")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise FileError(path, f"is not UTF-8 (byte {error.start})") from None


def kernels(lib: MetalLibrary | CudaLibrary, only: str | None = None) -> list[KernelReport]:
    """Builds every kernel of a library, or one. Templates without arguments are reported as such."""
    out = []
    templates: Mapping[str, object] = dict.fromkeys(lib.templates) if isinstance(lib, CudaLibrary) else {}
    for name in [only] if only else lib.kernels:
        if name in templates:
            out.append(KernelReport(name, 0, (), (), f"a template: ask for it with arguments, `{name}<...>`"))
            continue
        signature: Signature = lib.signature(name)
        declared = tuple(f"{p.declared} [{p.role} {p.index}]" for p in signature.parameters)
        try:
            shared, problem = lib.build(name).shared, ""
        except SimtError as error:
            shared, problem = (), str(error)
        out.append(KernelReport(name, signature.line, declared, shared, problem))
    return out
