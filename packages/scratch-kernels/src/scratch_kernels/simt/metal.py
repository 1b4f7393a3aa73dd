"""Metal Shading Language on this machine: `metal(source).launch("name", grid, group, buffers)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_kernels.simt import build, launch, msl, screen
from scratch_kernels.simt.errors import CompileError, SimtError
from scratch_kernels.simt.launch import Launch, Options
from scratch_kernels.simt.signature import Signature

SHARED_LIMIT = 32768
"""Bytes of threadgroup memory that a group may have."""


class MetalLibrary:
    """A Metal source that was read; each kernel is built when it is first asked for."""

    language = "metal"

    def __init__(
        self, source: str, headers: Mapping[str, str] | None = None, version: int = 310, folder: str = ""
    ) -> None:
        source = source.removeprefix("\ufeff")  # a byte order mark
        self.text = source
        headers = dict(headers or {})
        ready = screen.directives(source, msl.HEADERS, headers, folder)
        clean = screen.headers(headers, msl.HEADERS)
        macros = (*msl.MACROS, f"__METAL_VERSION__={version}")
        self._preprocessed = build.preprocess(ready, macros, clean, "kernel.metal")
        self._source = msl.read(self._preprocessed)
        self._programs: dict[tuple[str, tuple[tuple[int, str], ...], bool], build.Program] = {}

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names a host can ask for."""
        return tuple(self._source.kernels)

    @property
    def function_constants(self) -> dict[str, int]:
        """Function constants by name, with their indices."""
        return dict(self._source.constants)

    def signature(self, name: str) -> Signature:
        """What `name` takes. Raises `SimtError` where there is no such kernel."""
        if name not in self._source.kernels:
            have = ", ".join(self._source.kernels) or "none"
            raise SimtError(f"no kernel `{name}` in this source; it has {have}")
        return self._source.kernels[name]

    def build(
        self, name: str, constants: Mapping[int | str, Any] | None = None, *, counts: bool = True
    ) -> build.Program:
        """Builds one kernel, or takes it from the cache; without `counts` for speed. Raises `CompileError`."""
        signature = self.signature(name)
        values: dict[int, str] = {}
        for key, value in (constants or {}).items():
            index = self._index(key)
            values[index] = str(value).lower() if isinstance(value, bool) else repr(value)
        asked = (name, tuple(sorted(values.items())), counts)
        if asked not in self._programs:
            head = build.HEADS["metal"]
            body = msl.lower(self._source, signature, values, spaces=False)
            text = f'{head}#line 1 "kernel.metal"\n{body}\n#line 1 "launcher"\n{_launcher(signature)}'
            spaced = msl.lower(self._source, signature, values, spaces=True)
            check = f'{head}{_SPACES}#line 1 "kernel.metal"\n{spaced}'
            self._programs[asked] = build.build(text, "metal", "kernel.metal", text, check, not counts)
        return self._programs[asked]

    def _index(self, key: int | str) -> int:
        """The index of a function constant. Raises `SimtError` where there is none of that name or index."""
        known = self._source.constants
        if key in (known if isinstance(key, str) else known.values()):
            return known[key] if isinstance(key, str) else key
        raise SimtError(f"no function constant `{key}`; there are {', '.join(known) or 'none'}")

    def launch(
        self,
        name: str,
        grid: int | Sequence[int],
        group: int | Sequence[int],
        buffers: Mapping[Any, Any] | Sequence[Any],
        *,
        threads: int | Sequence[int] | None = None,
        threadgroup: Mapping[int, int] | None = None,
        constants: Mapping[int | str, Any] | None = None,
        strict: bool = True,
        **options: Any,
    ) -> Launch:
        """Runs kernel `name` over a `grid` of groups of `group` threads (`dispatchThreadgroups`).

        With `threads` given, exactly that many threads run and the groups at the edge are smaller (`dispatchThreads`);
        `grid` is then ignored. `buffers`: arrays, numbers and `out(...)`, listed in the order of their indices or named
        by parameter or index. `threadgroup`: bytes for each `[[threadgroup(n)]]` parameter. Further options are those of
        `Options`.
        """
        signature = self.signature(name)
        given = {self._index(key) for key in constants or {}}
        for constant in msl.without_value(self._source, signature, given):
            raise SimtError(
                f"the function constant `{constant}` has no value: give constants={{{constant!r}: NUMBER}}, at the command line --constant {constant}=NUMBER"
            )
        places = [p.index for p in signature.parameters if p.role == "threadgroup"]
        for index in threadgroup or {}:
            if index not in places:
                there = ", ".join(f"[[threadgroup({i})]]" for i in sorted(places)) or "none"
                raise SimtError(
                    f"{name} has no parameter [[threadgroup({index})]]; of threadgroup memory from the host it has {there}"
                )
        program = self.build(name, constants, counts=bool(options.get("counts", True)))
        sizes = launch.three(group, "the group")
        limit = _limit(signature)
        if limit and sizes[0] * sizes[1] * sizes[2] > limit:
            raise SimtError(f"a group of {sizes[0] * sizes[1] * sizes[2]} threads; {name} declares at most {limit}")
        if threads is not None:
            exact = launch.three(threads, "the number of threads")
            groups = tuple(-(-exact[d] // sizes[d]) for d in range(3))
        else:
            groups = launch.three(grid, "the grid")
            exact = tuple(groups[d] * sizes[d] for d in range(3))  # type: ignore[assignment]
        settings = Options(**{"shared_limit": SHARED_LIMIT, **options})
        return launch.launch(
            program, signature, "metal", groups, sizes, exact, buffers, threadgroup or {}, 0, settings, self._preprocessed_lines(), strict,
        )  # fmt: skip

    def most_threads(self, name: str) -> int:
        """Threads a group of `name` may have."""
        return _limit(self.signature(name)) or launch.MOST_THREADS

    def _preprocessed_lines(self) -> str:
        return self.text


def _limit(signature: Signature) -> int:
    text = signature.most_threads.replace(" ", "")
    if not text:
        return 0
    product = 1
    for factor in text.strip("()").split("*"):
        if not factor.rstrip("uU").isdigit():
            return 0
        product *= int(factor.rstrip("uU"))
    return product


_SPACES = """
#define SIMT_AS_DEVICE __attribute__((address_space(1)))
#define SIMT_AS_CONSTANT const __attribute__((address_space(2)))
#define SIMT_AS_SHARED __attribute__((address_space(3)))
#define SIMT_AS_SHARED_VARIABLE static __attribute__((address_space(3)))
template <class T> constexpr int simt_space_of = -1;
template <class T> constexpr int simt_space_of<T *> = 0;
template <class T> constexpr int simt_space_of<__attribute__((address_space(1))) T *> = 1;
template <class T> constexpr int simt_space_of<__attribute__((address_space(2))) T *> = 2;
template <class T> constexpr int simt_space_of<__attribute__((address_space(3))) T *> = 3;
template <class To, class From> To simt_space_cast(From x) {
  static_assert(simt_space_of<From> < 0 || simt_space_of<From> == simt_space_of<To>, "C-style cast converts between mismatching address spaces");
  return (To)x;
}
"""


def _launcher(signature: Signature) -> str:
    kind = f"decltype(&{signature.expression})"
    arguments = []
    buffer = 0
    for i, p in enumerate(signature.parameters):
        if p.role in {"buffer", "threadgroup"}:
            arguments.append(f"simt_binder<simt_at<simt_kernel, {i}>>::from(simt_b[{buffer}])")
            buffer += 1
        else:
            arguments.append(msl.position(f"simt_at<simt_kernel, {i}>", p.role))
    about = ", ".join(f"SIMT_ABOUT(simt_kernel, {i})" for i in range(len(signature.parameters))) or "{0, 0, 0, 0}"
    return (
        f"typedef {kind} simt_kernel;\n{msl.LAUNCHER}\n"
        f'extern "C" const int simt_parameters[][4] = {{{about}}};\n'
        f'extern "C" const int simt_parameter_count = {len(signature.parameters)};\n'
        f'extern "C" __attribute__((no_sanitize("thread"), no_sanitize("coverage"))) void simt_entry(void **simt_b) {{\n'
        f"  (void)simt_b;\n  {signature.expression}({', '.join(arguments)});\n}}\n"
    )


def metal(
    source: str, *, headers: Mapping[str, str] | None = None, version: int = 310, folder: str = ""
) -> MetalLibrary:
    """Reads a Metal source. `headers`: texts of its own includes by name or path; `folder`: where among them the source lies.

    Raises `CompileError` where Metal would.
    """
    if not isinstance(source, str):
        raise CompileError(f"the source is a {type(source).__name__}, not text")
    return MetalLibrary(source, headers, version, folder)
