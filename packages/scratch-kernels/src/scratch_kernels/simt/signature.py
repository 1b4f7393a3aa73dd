"""What a launch must know of a kernel: its name, its parameters and its limits."""

from __future__ import annotations

from typing import NamedTuple


class Parameter(NamedTuple):
    """One parameter. `role`: buffer, value, threadgroup, or the name of the position it receives."""

    name: str
    role: str
    index: int
    """The buffer or threadgroup index; for CUDA the place among the arguments."""
    declared: str
    line: int
    optional: bool = False


class Signature(NamedTuple):
    """A kernel that can be launched. `expression` names it in C++."""

    name: str
    expression: str
    parameters: tuple[Parameter, ...]
    line: int
    most_threads: str = ""
    """The C++ expression of a declared limit of threads in a group, or empty."""
