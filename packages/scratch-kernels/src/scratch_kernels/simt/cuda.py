"""CUDA C++ on this machine: `cuda(source).launch("name", grid, block, arguments)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scratch_kernels.simt import build, cu, device, launch, nvrtc, screen
from scratch_kernels.simt.errors import CompileError, SimtError
from scratch_kernels.simt.launch import Launch, Options
from scratch_kernels.simt.signature import Signature
from scratch_kernels.simt.tokens import uncommented

SHARED_LIMIT = 49152
"""Bytes of shared memory that a block has without asking for more."""
SHARED_OPT_IN = 232448
"""The most that any present device gives to a block that asks (compute capability 9.0)."""


class CudaLibrary:
    """A CUDA source that was read; each kernel is built when it is first asked for."""

    language = "cuda"

    def __init__(self, source: str, headers: Mapping[str, str] | None = None, folder: str = "") -> None:
        source = source.removeprefix("\ufeff")  # a byte order mark
        self.text = source
        headers = dict(headers or {})
        known = (*cu.HEADERS, *cu.HOST_HEADERS)
        ready = screen.directives(source, known, headers, folder)
        clean = screen.headers(headers, known)
        self._headers = headers
        self._source = cu.read(build.preprocess(ready, cu.MACROS, clean, "kernel.cu"))
        self._programs: dict[tuple[str, bool], build.Program] = {}

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels, templates by their bare names."""
        return tuple(self._source.kernels)

    @property
    def templates(self) -> frozenset[str]:
        """Those of `kernels` that need template arguments."""
        return self._source.templates

    def line(self, name: str) -> int:
        """Where the kernel or template `name` stands."""
        return self._source.kernels[name].line

    def signature(self, name: str) -> Signature:
        """What `name` takes. Raises `CompileError` where there is no such kernel."""
        return cu.instance(self._source, name)[0]

    def compiled(
        self, *names: str, archs: Sequence[str] = nvrtc.ARCHS, binary: bool = False
    ) -> tuple[nvrtc.Compiled, ...]:
        """What NVRTC makes of the source and the kernels `names`, for each of `archs`: registers, shared memory, machine code.

        A source with host code goes without it. Raises `CompileError` with NVRTC's complaint, `ToolchainError` where there is none.
        """
        included = re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)', uncommented(self.text), re.M)
        own = {*nvrtc.C_HEADERS, *nvrtc.DEVICE_HEADERS, *self._headers}
        expressions = [cu.instance(self._source, name)[1] for name in names]
        if not self._source.host and own.issuperset(included):
            return nvrtc.compiled(self.text, expressions, archs=archs, headers=self._headers, binary=binary)
        return self._compiled_without_host(included, expressions, archs, binary)

    def _compiled_without_host(
        self, included: Sequence[str], expressions: Sequence[str], archs: Sequence[str], binary: bool
    ) -> tuple[nvrtc.Compiled, ...]:
        kept = "".join(f"#include <{name}>\n" for name in dict.fromkeys(included) if name in nvrtc.DEVICE_HEADERS)
        text = f"{kept}#line 1\n{cu.device_part(self._source)}"
        try:
            return nvrtc.compiled(text, expressions, archs=archs, binary=binary)
        except CompileError as error:
            raise self._of_the_host(error) from error

    def build(self, name: str, *, counts: bool = True) -> build.Program:
        """Builds one kernel, without `counts` for speed, `name` with template arguments where it is a template. Raises `CompileError`."""
        if (name, counts) not in self._programs:
            signature, expression = cu.instance(self._source, name)
            if error := self._source.refused.get(name.split("<", 1)[0].strip()):
                raise error
            head = build.HEADS["cuda"]
            text = f'{head}#line 1 "kernel.cu"\n{cu.lower(self._source)}\n#line 1 "launcher"\n{_launcher(signature, expression)}'
            try:
                self._programs[name, counts] = build.build(text, "cuda", "kernel.cu", text, None, not counts)
            except CompileError as error:
                raise self._of_the_host(error) from error
        return self._programs[name, counts]

    def _of_the_host(self, error: CompileError) -> CompileError:
        for function in self._source.host:
            if (
                f"undeclared identifier '{function}'" in error.why
                or f'identifier "{function}" is undefined' in error.why
            ):
                why = f"'{function}' is a host function (no __device__) and cannot be called from a kernel"
                return CompileError(why, error.line, "kernel.cu")
        return error

    def launch(
        self,
        name: str,
        grid: int | Sequence[int],
        group: int | Sequence[int],
        buffers: Mapping[Any, Any] | Sequence[Any],
        *,
        shared: int = 0,
        symbols: Mapping[str, Any] | None = None,
        strict: bool = True,
        **options: Any,
    ) -> Launch:
        """Runs kernel `name` on a `grid` of blocks of `group` threads with `shared` bytes of dynamic shared memory.

        `buffers`: the arguments, listed or named: arrays and `out(...)` for pointers, numbers for values. `symbols`:
        contents of `__constant__` and `__device__` variables. Further options are those of `Options`.
        """
        program = self.build(name, counts=bool(options.get("counts", True)))
        signature = self.signature(name)
        block = launch.three(group, "the block")
        blocks = launch.three(grid, "the grid")
        if block[2] > 64:
            raise SimtError(f"a block of depth {block[2]}; 64 is the most")
        if max(blocks[1:]) > 65535:
            raise SimtError(f"a grid of {blocks}; its second and third size are at most 65,535")
        most = signature.most_threads.replace(" ", "")
        if most.isdigit() and block[0] * block[1] * block[2] > int(most):
            raise SimtError(f"a block of {block[0] * block[1] * block[2]} threads; {name} declares at most {most}")
        threads = tuple(blocks[d] * block[d] for d in range(3))
        shared = launch.group_bytes(shared, "shared", SHARED_OPT_IN)
        settings = Options(**{"shared_limit": SHARED_OPT_IN if shared > SHARED_LIMIT else SHARED_LIMIT, **options})
        result = launch.launch(
            program, signature, "cuda", blocks, block, threads, buffers, {}, shared, settings, self.text, strict, symbols or {},
        )  # type: ignore[arg-type]  # fmt: skip
        if not device.wanted():
            return result
        there = device.find()
        (made,) = self.compiled(name, archs=[there.arch], binary=True)
        bound = launch._bind(program, signature, buffers, {}, strict)
        pointers = [bool(about[3] & 1) for about in program.parameters[: len(bound)]]
        found = device.outputs(
            made.binary, made.names[cu.instance(self._source, name)[1]], blocks, block, shared, bound, pointers, symbols or {}, settings.seconds,
        )  # fmt: skip
        return result._replace(outputs=found, device=there.name)


def _launcher(signature: Signature, expression: str) -> str:
    n = len(signature.parameters)
    arguments = ", ".join(f"simt_binder<simt_at<simt_kernel, {i}>>::from(simt_b[{i}])" for i in range(n))
    about = ", ".join(f"SIMT_ABOUT(simt_kernel, {i})" for i in range(n)) or "{0, 0, 0, 0}"
    return (
        f"typedef decltype(&{expression}) simt_kernel;\n"
        f'extern "C" const int simt_parameters[][4] = {{{about}}};\n'
        f'extern "C" const int simt_parameter_count = {n};\n'
        f'extern "C" __attribute__((no_sanitize("thread"), no_sanitize("coverage"))) void simt_entry(void **simt_b) {{\n'
        f"  (void)simt_b;\n  {expression}({arguments});\n}}\n"
    )


def cuda(source: str, *, headers: Mapping[str, str] | None = None, folder: str = "") -> CudaLibrary:
    """Reads a CUDA source. `headers`: texts of its own includes by name or path; `folder`: where among them the source lies.

    Raises `CompileError` where it is no device code.
    """
    if not isinstance(source, str):
        raise CompileError(f"the source is a {type(source).__name__}, not text")
    return CudaLibrary(source, headers, folder)
