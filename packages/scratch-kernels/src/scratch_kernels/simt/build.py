"""From C++ text to a program: compile, look at the assembly, link with the runtime."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click

from scratch_kernels.simt import assembly, toolchain, walls
from scratch_kernels.simt import cache as store
from scratch_kernels.simt.errors import CompileError, SimtError

RUNTIME = Path(__file__).parent / "runtime"
COMPILE_SECONDS = 120.0
OPEN_FILES = 1024
_COMMON = [
    "-g1",
    "-fPIE",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-builtin",
    "-fno-jump-tables",
    "-fno-finite-loops",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-threadsafe-statics",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-fsanitize=thread,array-bounds,integer-divide-by-zero",
    # Without it the last array of a structure counts as one of any length, and its index is never looked at.
    "-fstrict-flex-arrays=3",
    # What some compilers add by themselves; `all` or `undefined` here would take the hooks away from them.
    "-fno-sanitize=alignment,bool,builtin,enum,float-cast-overflow,function,local-bounds,nonnull-attribute,null,object-size,"
    "pointer-overflow,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound,vptr",
    "-fsanitize-recover=all",
    "-fsanitize-coverage=trace-pc,bb",
    "-mllvm",
    "-sanitizer-coverage-prune-blocks=0",
    "-mllvm",
    "-tsan-instrument-read-before-write",
]
COUNTING = ["-O0", *_COMMON]
"""Optimisation is off, so that the counts are those of the source; the compiler is recorded beside them."""
FAST = ["-O1", "-DSIMT_FAST=1", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", *_COMMON]
"""For launches that count nothing: the same findings, several times sooner."""
_RELEASE = {"-O1": ("-O0", "-Xclang", "-O1")}
"""For a compiler that takes an optimisation for a release, in which it leaves hooks out: the optimisation, asked for one step further in."""
DIALECT = [
    "-nostdinc",
    "-nostdinc++",
    "-w",
    "-Wno-register",
    "-ferror-limit=8",
    "-fno-lax-vector-conversions",
    "-Werror=return-type",
    # Nobody runs a constructor before a kernel; here it would run, and its work be free.
    "-Werror=global-constructors",
]

HEADS = {
    "metal": '#include "metal_stdlib"\n#include "bind.h"\n',
    "cuda": '#include "cuda_runtime.h"\n#include "bind.h"\n',
}
"""What the text of every kernel of a language begins with."""
UNSET = ["-Wuninitialized", "-Wno-uninitialized-const-reference", "-fno-caret-diagnostics"]
"""What the compiler of a kernel tells beside its errors, in the place of `-w`. A reference passed on is no read."""
_TELLING = [*(flag for flag in DIALECT if flag != "-w"), *UNSET]
STANDARD = "-std=c++20"
_BY_CONTENT = "-fpch-validate-input-files-content"
"""A cache that was copied has other times and the same files."""


def _flags(fast: bool) -> list[str]:
    if not fast:
        return COUNTING
    return [part for flag in FAST for part in (_RELEASE.get(flag, (flag,)) if toolchain.find().libraries else (flag,))]


class Program(NamedTuple):
    """A built kernel. `parameters`: bytes, kind, elements and flags of each; `shared`: name and bytes of each variable."""

    path: Path
    parameters: tuple[tuple[int, int, int, int], ...]
    shared: tuple[tuple[str, int], ...]
    compiler: str
    unset: tuple[tuple[str, str, int, int], ...] = ()
    """Local variables that the text reads before it gives them a value: kind of finding, name, line of the read, line of the condition."""


@cache
def runtime_text(language: str = "") -> str:
    """Everything that the runtime and the headers of `language` say; part of the key of what is built with them."""
    files = [p for p in sorted(RUNTIME.iterdir()) if p.is_file()]
    files += [p for p in sorted((RUNTIME / language).rglob("*")) if language and p.suffix != ".pyc" and p.is_file()]
    return (
        "".join(f"{p.relative_to(RUNTIME)}\n{p.read_text()}" for p in files)
        + " ".join(COUNTING + FAST + DIALECT + UNSET)
        + assembly_version()
    )


def assembly_version() -> str:
    """The text of the step between compiler and assembler."""
    return Path(assembly.__file__).read_text()


def run_compiler(
    arguments: list[str], work: Path, file: str, read: tuple[Path, ...] = (), seconds: float = COMPILE_SECONDS
) -> str:
    """Runs the compiler inside the walls; gives its standard output. Raises `CompileError` with its first complaint."""
    return _compile(arguments, work, file, read, seconds).out


def _compile(
    arguments: list[str], work: Path, file: str, read: tuple[Path, ...], seconds: float = COMPILE_SECONDS
) -> walls.Ran:
    compiler = toolchain.find()
    ran = walls.run(
        [*compiler.argv, *arguments], work, seconds=seconds, imports=compiler.imports, read=read, open_files=OPEN_FILES
    )
    if ran.code is None:
        raise CompileError(f"the compiler did not finish: {ran.reason or f'{seconds:.0f} s are over'}", file=file)
    if ran.code < 0:
        why = f"the compiler broke off (signal {-ran.code}); a very long expression or very deep nesting does that: split it up"
        raise CompileError(why, file=file)
    if ran.code != 0:
        raise complaint(_without_warnings(ran.err), file)
    return ran


_ERROR = re.compile(r"^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$")
_NAMES = (("simt_half", "half"), ("simt_bfloat", "bfloat"), ("SIMT_AS_DEVICE", "device"), ("SIMT_AS_CONSTANT", "constant"), ("SIMT_AS_SHARED", "threadgroup"), ("metal::", ""))  # fmt: skip


def tidy(message: str) -> str:
    """A compiler's message in the words of the kernel's language."""
    for ours, theirs in _NAMES:
        message = message.replace(ours, theirs)
    message = re.sub(r"simt_(make|convert|cast)<(\w+)>", r"\2", message)
    return re.sub(r"\s*\[-W[^\]]*\]$", "", message)


_WARNING = re.compile(r"^(.*?):(\d+):\d+: warning: (.*)$")
_NEVER = re.compile(
    r"variable '([^']+)' is uninitialized when (?:used here|used within its own initialization|captured by block)"
)
_SOMETIMES = re.compile(r"variable '([^']+)' is used uninitialized whenever (.*)$")
_USED_HERE = re.compile(r"^(.*?):(\d+):\d+: note: uninitialized use occurs here")


def _without_warnings(err: str) -> str:
    """A compiler's output without its warnings and the notes that belong to them."""
    kept, drop = [], False
    for line in err.splitlines():
        drop = bool(_WARNING.match(line)) or (drop and not _ERROR.match(line))
        if not drop:
            kept.append(line)
    return "\n".join(kept)


def unset(err: str, file: str, lines: frozenset[int]) -> tuple[tuple[str, str, int, int], ...]:
    """The local variables that a compiler's warnings call unset where they are read, at one of the `lines` that became code."""
    found: dict[tuple[str, str, int, int], None] = {}
    told = err.splitlines()
    for i, line in enumerate(told):
        warning = _WARNING.match(line)
        if not warning or not warning[1].endswith(file):
            continue
        at = int(warning[2])
        if never := _NEVER.match(warning[3]):
            row = ("uninitialised_variable", never[1], at, 0)
        elif sometimes := _SOMETIMES.match(warning[3]):
            notes = itertools.takewhile(lambda other: not _WARNING.match(other), told[i + 1 :])
            used = next((int(note[2]) for other in notes if (note := _USED_HERE.match(other))), at)
            row = ("unset_on_a_path", sometimes[1], used, at)
        else:
            continue
        if row[2] in lines:
            found[row] = None
    return tuple(found)


def complaint(err: str, file: str) -> CompileError:
    """The first error in a compiler's output, at a line of the kernel where one is named."""
    lines = err.splitlines()
    for i, line in enumerate(lines):
        found = _ERROR.match(line)
        if not found:
            continue
        place = int(found[2]) if found[1].endswith(file) else 0
        if not place:
            near = next(
                (
                    m
                    for other in lines[i:] + lines[:i][::-1]
                    if (m := re.search(rf"{re.escape(file)}:(\d+):\d+: ", other))
                ),
                None,
            )
            place = int(near[1]) if near else 0
        return CompileError(tidy(found[4]), place, file)
    text = " ".join(lines)[:400] or "no message"
    return CompileError(f"the compiler failed: {text}", file=file)


def preprocess(source: str, macros: tuple[str, ...], headers: Mapping[str, str], file: str) -> str:
    """`source` with its own macros expanded and nothing of the machine's headers."""
    name = "pre-" + store.key(
        "preprocess", toolchain.find().identity, source, *macros, *sorted(map(str, headers.items()))
    )
    kept = store.folder() / name
    if kept.exists():
        return (kept / "text").read_text()
    work = Path(tempfile.mkdtemp(prefix="simt-", dir=store.folder()))
    try:
        for header, content in headers.items():
            (work / header).parent.mkdir(parents=True, exist_ok=True)
            (work / header).write_text(content)
        (work / "in.cpp").write_text(f'#line 1 "{file}"\n{source}\n')
        out = run_compiler(
            [
                "-E",
                "-undef",
                "-nostdinc",
                "-nostdinc++",
                "-I.",
                "-std=c++20",
                *(f"-D{m}" for m in macros),
                "-x",
                "c++",
                "in.cpp",
            ],
            work,
            file,
        )
        (work / "text").write_text(out)
        store.keep(work, name)
        return out
    finally:
        shutil.rmtree(work, ignore_errors=True)


_LIBRARIES = Path(".cache") / "zig"
"""Where a compiler that builds its own C++ library keeps it: under its home, which is the folder it works in."""


def _libraries() -> Path | None:
    """What links need beside the runtime where the compiler builds its own libraries: once for each compiler, in minutes."""
    compiler = toolchain.find()
    if not compiler.libraries:
        return None
    name = "libraries-" + store.key(compiler.identity, *compiler.argv)
    kept = store.folder() / name
    if (kept / _LIBRARIES).is_dir():
        return kept / _LIBRARIES
    work = Path(tempfile.mkdtemp(prefix="simt-", dir=store.folder()))
    try:
        (work / "nothing.cpp").write_text("int main() { return 0; }\n")
        click.echo(
            f"Building the C++ library of {compiler.identity}, once: a minute or two on an idle machine …", err=True
        )
        for last in (*[False] * 7, True):
            try:
                run_compiler(["nothing.cpp", "-pie", "-o", "nothing", "-lm"], work, "nothing.cpp", (), 300.0)
                break
            except CompileError:
                if last:  # What was built before the time was over is there for the next try.
                    raise
        shutil.rmtree(work / _LIBRARIES / "z", ignore_errors=True)
        for file in (work / _LIBRARIES).rglob("*.o"):
            if "crt" not in file.name:
                file.unlink()
        return store.keep(work, name) / _LIBRARIES
    finally:
        shutil.rmtree(work, ignore_errors=True)


_HOOKS = (
    "__tsan_read4",
    "__tsan_write4",
    "__ubsan_handle_out_of_bounds",
    "__ubsan_handle_divrem_overflow",
    "__sanitizer_cov_trace_pc",
)
_TRIED = "int tried(int *p, int i) { int a[4]; a[i & 7] = p[0] / i; if (i) p[1] = a[i]; return p[2]; }\n"


def _hooked(work: Path) -> None:
    """Raises `SimtError` where the compiler leaves a hook out: a kernel without hooks would have no findings at all."""
    (work / "tried.cpp").write_text(_TRIED)
    for fast in (False, True):
        run_compiler(["-std=c++20", *_flags(fast), *DIALECT, "-S", "tried.cpp", "-o", "tried.s"], work, "tried.cpp")
        text = (work / "tried.s").read_text()
        missing = [hook for hook in _HOOKS if hook not in text]
        if missing:
            raise SimtError(
                f"{toolchain.find().identity} does not call {', '.join(missing)}, which the emulator sees kernels by; use another compiler"
            )
    for file in ("tried.cpp", "tried.s"):
        (work / file).unlink()


def runtime_object() -> Path:
    """The runtime, compiled once for each compiler."""
    name = "runtime-" + store.key(runtime_text(), toolchain.find().identity)
    kept = store.folder() / name / "runtime.o"
    if kept.exists():
        return kept
    work = Path(tempfile.mkdtemp(prefix="simt-", dir=store.folder()))
    if toolchain.find().libraries:
        click.echo(
            f"Building the emulator's runtime with {toolchain.find().identity}, once: about half a minute …", err=True
        )
    try:
        shutil.copytree(RUNTIME, work / "runtime")
        run_compiler(
            [
                "-std=c++20",
                "-O2",
                "-fPIE",
                "-fno-exceptions",
                "-fno-rtti",
                "-c",
                "runtime/runtime.cpp",
                "-o",
                "runtime.o",
            ],
            work,
            "runtime.cpp",
        )
        _hooked(work)
        shutil.rmtree(work / "runtime")
        return store.keep(work, name) / "runtime.o"
    except CompileError as error:
        raise SimtError(
            f"The emulator's runtime does not build with {toolchain.find().identity}: {error.why}"
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


class _Headers(NamedTuple):
    """The headers of a language in the compiler's own form, read once for all kernels."""

    folder: Path
    arguments: tuple[str, ...]


def _read_headers(language: str, kind: str, flags: Sequence[str]) -> _Headers | None:
    """The headers for compilations with `flags`, by name `kind`; None for a compiler that comes without that form."""
    compiler = toolchain.find()
    if compiler.libraries:
        return None
    # The form names its files by where they lie, and belongs to one build of the compiler.
    program = os.stat(compiler.argv[0])
    key = store.key(
        runtime_text(language), _BY_CONTENT, *compiler.argv, compiler.identity, str(program.st_size), str(program.st_mtime_ns), str(store.folder())
    )  # fmt: skip
    kept = store.folder() / f"headers-{key}"
    if not kept.exists():
        work = Path(tempfile.mkdtemp(prefix="simt-", dir=store.folder()))
        try:
            shutil.copytree(RUNTIME, work / "runtime", ignore=shutil.ignore_patterns("*.cpp", "*.py", "__pycache__"))
            (work / "head.h").write_text(HEADS[language])
            store.keep(work, kept.name)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    include = ("-I" + str(kept / "runtime"), "-I" + str(kept / "runtime" / language))
    if not (kept / kind).exists():
        made = f"{kind}-{os.getpid()}-{threading.get_ident()}"
        run_compiler(
            [STANDARD, *flags, *include, _BY_CONTENT, "-x", "c++-header", "head.h", "-o", made], kept, "head.h"
        )
        (kept / made).replace(kept / kind)
    return _Headers(kept, (*include, _BY_CONTENT, "-include-pch", str(kept / kind)))


def build(identity: str, language: str, file: str, text: str, check: str | None, fast: bool = False) -> Program:
    """Builds `text`, a whole C++ file; `check` is a second text of which only complaints on address spaces count."""
    name = "kernel-" + store.key(
        runtime_text(language),
        toolchain.find().identity,
        language,
        "fast" if fast else "counting",
        identity,
        check or "",
    )
    kept = store.folder() / name
    if not (kept / "about.json").exists():
        _build(kept.name, language, file, text, check, fast)
    about = json.loads((kept / "about.json").read_text())
    return Program(
        kept / "kernel",
        tuple(tuple(p) for p in about["parameters"]),
        tuple(tuple(s) for s in about["shared"]),
        about["compiler"],
        tuple(tuple(u) for u in about["unset"]),
    )


def _build(name: str, language: str, file: str, text: str, check: str | None, fast: bool) -> None:
    runtime, libraries = runtime_object(), _libraries()
    head = HEADS[language]
    work = Path(tempfile.mkdtemp(prefix="simt-", dir=store.folder()))
    try:
        include = ("-Iruntime", f"-Iruntime/{language}")
        checked = _read_headers(language, "check", DIALECT) if check is not None else None
        # What is counted comes from the text alone, so that no form of the headers has a part in it.
        headers = _read_headers(language, "fast", [*_flags(True), *DIALECT]) if fast else None
        if not headers or (check is not None and not checked):
            shutil.copytree(RUNTIME, work / "runtime", ignore=shutil.ignore_patterns("*.cpp", "*.py", "__pycache__"))
        if check is not None:
            (work / "check.cpp").write_text(check.removeprefix(head) if checked else check)
            _check_spaces(
                ["-fsyntax-only", STANDARD, *DIALECT, *(checked.arguments if checked else include), "check.cpp"],
                work,
                file,
                (checked.folder,) if checked else (),
            )
        (work / "in.cpp").write_text(text.removeprefix(head) if headers else text)
        told = _compile(
            [STANDARD, *_flags(fast), *_TELLING, *(headers.arguments if headers else include), "-S", "in.cpp", "-o", "out.s"],
            work,
            file,
            (headers.folder,) if headers else (),
        ).err  # fmt: skip
        made = assembly.process((work / "out.s").read_text(), file)
        (work / "kernel.s").write_text(made.text)
        if libraries:  # A copy: what a kernel's compiler changed in it would reach other kernels.
            shutil.copytree(libraries, work / _LIBRARIES, dirs_exist_ok=True)
        _link(work, runtime, file)
        # In a folder of its own: what a kernel runs before `main` may write there, and not over what is kept.
        with tempfile.TemporaryDirectory(prefix="simt-run-") as scratch:
            described = walls.run([str(work / "kernel"), "describe"], Path(scratch), seconds=20, read=(work,))
        if described.code != 0:
            raise SimtError(f"The built kernel cannot be run here (exit {described.code}): {described.err[:200]}")
        about = {
            "parameters": json.loads(described.out)["parameters"],
            "shared": made.shared,
            "compiler": toolchain.find().identity,
            "unset": unset(told, file, made.lines),
        }
        for folder in ("runtime", ".cache"):
            shutil.rmtree(work / folder, ignore_errors=True)
        for extra in ("in.cpp", "check.cpp", "out.s", "kernel.s"):
            (work / extra).unlink(missing_ok=True)
        (work / "about.json").write_text(json.dumps(about))
        store.keep(work, name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


_WITH_LIBRARIES = ("-static-libstdc++", "-static-libgcc")
"""What the runtime needs of the C++ library goes into the program: its few functions link sooner than the whole, at every start too."""
_without_libraries: set[str] = set()
"""The compilers here that have the C++ library in its shared form alone."""


def _link(work: Path, runtime: Path, file: str) -> None:
    compiler = toolchain.find()
    rest = ["kernel.s", str(runtime), "-pie", "-o", "kernel", "-lm"]
    if not compiler.libraries and compiler.identity not in _without_libraries:
        try:
            run_compiler([*rest, *_WITH_LIBRARIES], work, file, (runtime,))
            return
        except CompileError:
            run_compiler(rest, work, file, (runtime,))
            _without_libraries.add(compiler.identity)
    else:
        run_compiler(rest, work, file, (runtime,))


_SPACE = re.compile(r"'[^']*(?:SIMT_AS_\w+|address_space)[^']*[*&]|changes address space|address space")


_CAST = "C-style cast converts between mismatching address spaces"


def _space_name(found: re.Match[str]) -> str:
    return {"1": "device memory", "2": "constant memory", "3": "threadgroup memory"}.get(found[1], found[0])


def _check_spaces(arguments: list[str], work: Path, file: str, read: tuple[Path, ...]) -> None:
    compiler = toolchain.find()
    ran = walls.run([*compiler.argv, *arguments], work, seconds=COMPILE_SECONDS, imports=compiler.imports, read=read)
    if ran.code is None:  # silence would be taken for consent
        raise CompileError(
            f"the compiler did not finish: {ran.reason or f'{COMPILE_SECONDS:.0f} s are over'}", file=file
        )
    lines = ran.err.splitlines()
    for i, line in enumerate(lines):
        found = _ERROR.match(line)
        if found and "mismatching address spaces" in found[4]:
            raise CompileError(_CAST, complaint("\n".join(lines[i:]), file).line, file)
        if not found or not found[1].endswith(file):
            continue
        notes: list[str] = []
        for other in lines[i + 1 :]:
            if _ERROR.match(other):
                break
            if ": note: " in other:
                notes.append(other.partition(": note: ")[2])
        # C++ cannot copy a class out of an address space, Metal can: only pointers count.
        if "may not be qualified" in found[4]:
            continue
        if _SPACE.search(found[4]) and re.search(r"\*'|address space", found[4]):
            raise CompileError(tidy(found[4]), int(found[2]), file)
        passed = [n for n in notes if "cannot pass pointer to address space" in n]
        if (
            found[4].startswith("no matching function")
            and passed
            and len(passed) == len([n for n in notes if "candidate" in n])
        ):
            words = re.sub(r"address space '(\d)'", _space_name, passed[0].partition("cannot pass")[2])
            raise CompileError(f"{tidy(found[4])}: cannot pass{words}", int(found[2]), file)
