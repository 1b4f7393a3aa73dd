"""The call shape of `torch.mps.compile_shader` on the emulator, so that one host file serves a Mac and any other machine.

    library = compile_shader(source)
    library.add(out, a, b, threads=1000, group_size=64)

Argument `i` is buffer `i`: arrays and tensors are used as they lie in memory and changed in place, a Python int or bool is
an int64, a float a float32, a list of them an array, unless `arg_casts` says otherwise. What was found stands in
`library.launches`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_kernels.simt.errors import SimtError
from scratch_kernels.simt.launch import MOST_THREADS, Launch
from scratch_kernels.simt.metal import MetalLibrary

_CASTS = {"fp16": "float16", "int32": "int32", "int16": "int16", "int8": "int8", "uint8": "uint8"}


class Shader:
    """A compiled source; each kernel is an attribute."""

    def __init__(self, library: MetalLibrary, options: Mapping[str, Any]) -> None:
        self._library = library
        self._options = dict(options)
        self.launches: list[Launch] = []
        """Every launch so far, with its findings and counts."""

    def __getattr__(self, name: str) -> ShaderKernel:
        if name.startswith("_") or name not in self._library.kernels:
            raise AttributeError(
                f"no kernel {name!r} in this source; it has {', '.join(self._library.kernels) or 'none'}"
            )
        return ShaderKernel(self, name)


class ShaderKernel:
    """One kernel, to be called as torch calls it."""

    def __init__(self, shader: Shader, name: str) -> None:
        self._shader = shader
        self._name = name

    @property
    def max_threads_per_threadgroup(self) -> int:
        """Threads that a group may have."""
        return self._shader._library.most_threads(self._name)

    @property
    def thread_execution_width(self) -> int:
        """Threads of a SIMD-group."""
        return 32

    def __call__(
        self,
        *arguments: Any,
        threads: int | Sequence[int] | None = None,
        group_size: int | Sequence[int] | None = None,
        arg_casts: str | Mapping[int, str] | None = None,
    ) -> None:
        """Launches the kernel on exactly `threads` threads, by default one for each element of the first array."""
        import numpy as np

        views = [_array(a) for a in arguments]
        buffers: dict[int, Any] = {}
        for i, (argument, view) in enumerate(zip(arguments, views, strict=True)):
            cast = arg_casts if isinstance(arg_casts, str) else (arg_casts or {}).get(i)
            buffers[i] = _scalar(argument, cast) if view is None else view
        if threads is None:
            first = next((v for v in views if v is not None), None)
            if first is None:
                raise SimtError(f"{self._name}: without an array among the arguments, say how many threads")
            threads = int(first.size)
        sizes = (threads,) if isinstance(threads, int) else tuple(threads)
        most = self.max_threads_per_threadgroup
        if group_size is None:
            group = (min(sizes[0], most),) + (1,) * (len(sizes) - 1)
        else:
            group = (group_size,) if isinstance(group_size, int) else tuple(group_size)
        if len(group) != len(sizes):
            raise SimtError(f"{self._name}: threads have {len(sizes)} dimensions and the group {len(group)}")
        if int(np.prod(group)) > min(most, MOST_THREADS):
            raise SimtError(f"Threadgroup size exceeds {most} limit")
        signature = self._shader._library.signature(self._name)
        asked = {p.index for p in signature.parameters if p.role == "buffer"}
        result = self._shader._library.launch(
            self._name,
            1,
            group,
            {i: b for i, b in buffers.items() if i in asked},
            threads=sizes,
            strict=False,
            **self._shader._options,
        )
        self._shader.launches.append(result)
        places = {p.name: p.index for p in signature.parameters if p.role == "buffer"}
        for name, data in result.outputs.items():
            view = views[places[name]]
            if view is not None:
                view[...] = data.view(view.dtype).reshape(view.shape)


def _array(value: Any) -> Any:
    """The memory of an array or tensor, flat, sharing it; None for anything else."""
    import numpy as np

    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise SimtError("an array that is not contiguous is not copied: pass its base, or a contiguous copy")
        return value.reshape(-1)
    if type(value).__module__.startswith("torch") and hasattr(value, "untyped_storage"):
        size = value.element_size()
        raw = np.frombuffer(_bytes(value), np.uint8)
        return raw[value.storage_offset() * size :]
    return None


def _bytes(tensor: Any) -> Any:
    import ctypes

    storage = tensor.untyped_storage()
    return (ctypes.c_uint8 * storage.nbytes()).from_address(storage.data_ptr())


def _scalar(value: Any, cast: str | None) -> Any:
    import numpy as np

    items = list(value) if isinstance(value, (list, tuple)) else [value]
    if not items or not all(isinstance(v, (bool, int, float)) for v in items):
        raise SimtError(f"{value!r} is neither an array nor a number")
    natural = "float32" if any(isinstance(v, float) for v in items) else "int64"
    if cast is not None and cast not in _CASTS:
        raise SimtError(f"no cast {cast!r}; there are {', '.join(_CASTS)}")
    return np.array(items, _CASTS[cast] if cast else natural)


def compile_shader(source: str, **options: Any) -> Shader:
    """Reads a source. `options` are those of every launch, for example `schedule` or `seed`. Raises `CompileError`."""
    return Shader(MetalLibrary(source), options)
