"""What NVIDIA's own compiler says of CUDA C++: NVRTC, from its wheel, without a GPU or a driver.

It compiles to machine code and runs nothing. It reads a stranger's source and so works inside the walls, as every compiler here.
"""

from __future__ import annotations

import base64
import functools
import importlib.util
import json
import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scratch_kernels.simt import cache as store
from scratch_kernels.simt import nvrtc_process, walls
from scratch_kernels.simt.errors import CompileError, ToolchainError
from scratch_kernels.simt.launch import plain_bytes

_PROLOGUE = "the_names_of_c.h"
ARCHS = ("sm_80", "sm_90")
REMEDY = "pip install 'scratch-kernels[nvrtc]' (Linux; 100 MB to fetch, 250 MB on disk; no GPU needed)"
SECONDS = 120.0
SHARED_LIMIT = 49152
"""Bytes of static shared memory that the assembler gives to a block."""


# NVRTC has no header of the C library, whose names every other way of compiling CUDA C++ brings along. The 64-bit types are those
# of NVIDIA's own headers for NVRTC, which would be declared twice otherwise.
_C_NAMES = """#pragma once
typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef signed long long int64_t; typedef unsigned long long uint64_t; typedef int64_t intptr_t; typedef uint64_t uintptr_t;
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF INFINITY
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
"""
C_HEADERS = (
    "math.h", "cmath", "stdio.h", "cstdio", "stdint.h", "cstdint", "stdlib.h", "cstdlib", "float.h", "cfloat", "limits.h", "climits",
    "assert.h", "cassert", "stddef.h", "cstddef", "string.h", "cstring", "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h",
    "device_functions.h", "device_launch_parameters.h",
)  # fmt: skip
"""Headers that NVRTC needs none of, once the names of the C library are there."""
DEVICE_HEADERS = (
    "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h",
    "math_constants.h", "mma.h",
)  # fmt: skip
"""Headers of NVIDIA's own that hold device code."""


class Resources(NamedTuple):
    """What one kernel takes of a multiprocessor, as the assembler counted it."""

    registers: int
    """Registers of a thread."""
    shared_bytes: int
    """Static shared memory of a block."""
    spilled_bytes: int
    """Bytes that a thread stores for want of registers."""


class Compiled(NamedTuple):
    """A source compiled for one architecture. `resources`: by the kernel's name in the binary."""

    arch: str
    compiler: str
    resources: dict[str, Resources]
    names: dict[str, str]
    """Name in the binary of each kernel asked for."""
    binary: bytes = b""


class Library(NamedTuple):
    """Where NVRTC lies, and the folders of the headers that came with it."""

    path: Path
    headers: tuple[Path, ...]


@functools.cache
def find() -> Library | None:
    """NVRTC of an installed wheel, of CUDA 12 or newer; `BENCHWRIGHT_NVRTC` names a library and comes first."""
    asked = os.environ.get("BENCHWRIGHT_NVRTC")
    if asked:
        path = Path(asked)
        if not path.is_file():
            raise ToolchainError(f"BENCHWRIGHT_NVRTC={asked} is no file.")
        beside = [path.parent.parent / "include", path.parent.parent.parent / "include"]
        return Library(path, tuple(p for p in beside if p.is_dir()))
    spec = importlib.util.find_spec("nvidia")
    for base in map(Path, (spec.submodule_search_locations or ()) if spec else ()):
        found = [p for p in base.glob("*/lib/libnvrtc.so.*") if "alt" not in p.name]
        if found:
            path = max(found, key=lambda p: int(p.name.rpartition(".")[2]))
            folders = [path.parent.parent / "include"]
            if path.parent.parent.name == "cuda_nvrtc":  # CUDA 12: a folder for each wheel
                folders += [base / "cuda_runtime" / "include", base / "cuda_cccl" / "include"]
            else:
                folders.append(folders[0] / "cccl")
            return Library(path, tuple(p for p in folders if p.is_dir()))
    return None


def doctor() -> tuple[str, str]:
    """State and remedy for `bench doctor`."""
    try:
        library = find()
    except ToolchainError as error:
        return str(error), "unset BENCHWRIGHT_NVRTC"
    if library is None:
        return "NVRTC is not installed", REMEDY
    return f"{library.path.name} in {library.path.parent}", ""


def compiled(
    source: str,
    expressions: Sequence[str] = (),
    *,
    archs: Sequence[str] = ARCHS,
    headers: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    binary: bool = False,
    file: str = "kernel.cu",
) -> tuple[Compiled, ...]:
    """`source` compiled for each of `archs` that this NVRTC knows; `expressions` name the kernels, templates with arguments.

    Raises `CompileError` with NVRTC's first complaint and its line, `ToolchainError` where there is no NVRTC.
    """
    library = find()
    if library is None:
        raise ToolchainError(f"NVRTC is not installed: {REMEDY}.")
    request = {
        "library": str(library.path), "source": source, "file": file, "expressions": list(expressions), "archs": list(archs),
        "headers": {**dict.fromkeys((*C_HEADERS, _PROLOGUE), _C_NAMES), **(headers or {})}, "binary": binary,
        "options": [f"--pre-include={_PROLOGUE}", *(f"--include-path={p}" for p in library.headers), *options],
    }  # fmt: skip
    asked = json.dumps(request, sort_keys=True)
    name = "nvrtc-" + store.key(asked, str(library.path.stat().st_mtime_ns))
    kept = store.folder() / name
    if not (kept / "answer").exists():
        _ask(asked, library, name)
    answer = json.loads((kept / "answer").read_text(encoding="utf-8"))
    compiler = f"NVRTC {answer['version']}"
    if not answer["made"]:
        raise ToolchainError(f"{compiler} knows none of {', '.join(archs)}.")
    return tuple(_one(made, compiler, file) for made in answer["made"])


def _ask(asked: str, library: Library, name: str) -> None:
    work = Path(tempfile.mkdtemp(prefix="simt-", dir=store.folder()))
    try:
        (work / "request").write_text(asked, encoding="utf-8")
        _standard_library(work / "lib")
        ran = walls.run(
            [os.path.realpath(sys.executable), "-s", "-S", "-P", nvrtc_process.__file__, "request", "answer"],
            work,
            seconds=SECONDS,
            read=(Path(nvrtc_process.__file__), library.path.parent, *library.headers, Path(sys.base_prefix) / "lib"),
            env={"PYTHONPATH": f"{work / 'lib'}:{work / 'lib' / 'lib-dynload'}", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        if ran.code is None:
            raise CompileError(f"NVRTC did not finish: {ran.reason or f'{SECONDS:.0f} s are over'}", file="kernel.cu")
        if ran.code != 0 or not (work / "answer").exists():
            last = [line for line in ran.err.splitlines() if line.strip()]
            raise ToolchainError(
                f"NVRTC cannot be used here ({ran.code}): {last[-1].strip()[:300] if last else 'no message'}"
            )
        answer = plain_bytes(work / "answer")
        json.loads(answer)
        shutil.rmtree(work / "lib")
        (work / "answer").write_bytes(answer)
        store.keep(work, name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _standard_library(target: Path) -> None:
    """A folder of links to Python's modules: inside the walls the folder they lie in cannot be listed."""
    target.mkdir()
    standard = sysconfig.get_path("stdlib")
    for entry in os.listdir(standard):
        if entry not in {"site-packages", "dist-packages", "__pycache__"}:
            os.symlink(os.path.join(standard, entry), target / entry)


_ERROR = re.compile(r"^(.*?)\((\d+)\): (?:catastrophic )?error(?: #\S+)?: (.*)$", re.M)
_ASSEMBLER = re.compile(r"^ptxas (?:error|fatal)\s*: (.*)$", re.M)
_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_SPILL = re.compile(r"(\d+) bytes spill stores")
_USED = re.compile(r"Used (\d+) registers(.*)$", re.M)
_SHARED = re.compile(r"(\d+) bytes smem")


def _one(made: dict[str, Any], compiler: str, file: str) -> Compiled:
    if made["code"] != 0:
        raise _complaint(made["log"], compiler, made["arch"], file)
    resources = {}
    for part in re.split(r"(?=Compiling entry function)", made["log"])[1:]:
        entry, used = _ENTRY.search(part), _USED.search(part)
        if entry and used:
            shared, spill = _SHARED.search(used[2]), _SPILL.search(part)
            resources[entry[1]] = Resources(
                int(used[1]), int(shared[1]) if shared else 0, int(spill[1]) if spill else 0
            )
    binary = base64.b64decode(made.get("binary", ""))
    return Compiled(made["arch"], compiler, resources, made.get("names", {}), binary)


def _complaint(log: str, compiler: str, arch: str, file: str) -> CompileError:
    found = list(_ERROR.finditer(log))
    own = next((f for f in found if f[1] == file), None)
    first = own or (found[0] if found else None)
    if first is None and (assembler := _ASSEMBLER.search(log)):
        return CompileError(f"{compiler} for {arch}: {assembler[1].strip()}", file=file)
    if first is None:
        # NVRTC says nothing of its own where the assembler ends without machine code.
        over = max((int(n) for n in _SHARED.findall(log)), default=0)
        lines = [line.strip() for line in log.splitlines() if line.strip() and not line.startswith("ptxas")]
        why = f"{over:,} bytes of static shared memory; {SHARED_LIMIT:,} are the most" if over > SHARED_LIMIT else ""
        return CompileError(
            f"{compiler} for {arch}: {why or (lines[0][:300] if lines else 'no machine code, without a reason')}",
            file=file,
        )
    text = first[3].strip()
    if "open source file" in text and (name := re.search(r'"([^"]+)"', text)) and importable(name[1]):
        text += f"; it comes with the headers of {REMEDY}"
    where = "" if first is own else f" (in {Path(first[1]).name}, line {first[2]})"
    return CompileError(f"{compiler} for {arch}: {text}{where}", int(first[2]) if first is own else 0, file)


def importable(header: str) -> bool:
    """Whether a header is one of those that NVIDIA's wheels bring."""
    return header.startswith(("cuda", "cooperative_groups", "nv/", "mma", "math_constants", "vector_types", "crt/"))
