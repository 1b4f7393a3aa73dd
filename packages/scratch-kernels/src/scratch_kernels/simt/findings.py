"""What a run can find: kinds, how grave each is in each language, and the sentence a person reads."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Finding(NamedTuple):
    """One thing found, with its first case. `thread` and `group` are positions; `count` is how often it came."""

    kind: str
    severity: Severity
    message: str
    name: str
    """Buffer or variable, empty where none is concerned."""
    offset: int
    line: int
    thread: tuple[int, int, int]
    group: tuple[int, int, int]
    other_line: int = 0
    other_thread: tuple[int, int, int] | None = None
    other_group: tuple[int, int, int] | None = None
    count: int = 1

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"


class Kind(NamedTuple):
    """`metal` and `cuda`: the severity in each language."""

    metal: Severity
    cuda: Severity
    sentence: str


_RACE = "data race on {name} byte {offset}: thread {thread} of group {group} {verb} it at line {line}, thread {other_thread} of group {other_group} {other_verb} it{other_at}, and nothing orders the two"
KINDS: dict[str, Kind] = {
    "race_across_groups_write_write": Kind("error", "error", _RACE),
    "race_across_groups_read_write": Kind("error", "error", _RACE),
    "race_in_group_write_write": Kind("error", "error", _RACE),
    "race_in_group_read_write": Kind("error", "error", _RACE),
    # Lanes of one SIMD-group run together on Apple hardware, which no text promises; on NVIDIA they do not since sm_70.
    "race_in_simdgroup_write_write": Kind("warning", "error", _RACE + " (both in one {simd})"),
    "race_in_simdgroup_read_write": Kind("warning", "error", _RACE + " (both in one {simd})"),
    "write_after_read_across_unfenced_barrier": Kind("warning", "warning", "{name} byte {offset} is written at line {line} by thread {thread} after thread {other_thread} read it{other_at}; the barrier between them fences no memory of this kind"),
    "same_value_write": Kind("note", "note", "threads {thread} and {other_thread} both write {name} byte {offset} at line {line}, the same value"),
    "unused_race": Kind("warning", "warning", _RACE + "; the value read changes no output"),
    "out_of_bounds_read": Kind("error", "error", "out of bounds: thread {thread} of group {group} reads {a} bytes at byte {offset} of {name}{size} at line {line}"),
    "out_of_bounds_write": Kind("error", "error", "out of bounds: thread {thread} of group {group} writes {a} bytes at byte {offset} of {name}{size} at line {line}"),
    "index_out_of_range": Kind("error", "error", "index {offset} is outside an array of type {name} at line {line} (thread {thread} of group {group})"),
    "index_past_row": Kind("warning", "warning", "index {offset} runs past a row of type {name} at line {line} (thread {thread} of group {group})"),
    "private_memory": Kind("error", "error", "thread {thread} of group {group} touches another thread's private memory at line {line}"),
    "uninitialised_read": Kind("error", "error", "thread {thread} of group {group} reads byte {offset} of {name} at line {line}, which nothing has written"),
    "uninitialised_variable": Kind("error", "error", "{name} is read at line {line}, and nothing has given it a value"),
    "unset_on_a_path": Kind("warning", "warning", "{name} is read at line {line}, and on one of the ways from line {other_line} nothing has given it a value"),
    "uninitialised_local": Kind("error", "error", "byte {offset} of {name} depends on a local variable or array that nothing has given a value"),
    "write_to_const": Kind("error", "error", "thread {thread} of group {group} writes to the constant {name} at line {line}"),
    "misaligned": Kind("error", "error", "a {a}-byte access at byte {offset} of {name} is not aligned, at line {line} (thread {thread} of group {group})"),
    "different_barriers": Kind("error", "error", "threads of group {group} wait at different barriers: thread {thread} at line {line}, thread {other_thread} at line {other_line}"),
    "divergent_barrier": Kind("error", "error", "divergent barrier at line {line}: {a} of {b} threads of group {group} wait there, thread {other_thread} ran to the end without it"),
    "divergent_simdgroup_barrier": Kind("error", "error", "simdgroup_barrier at line {line}: {a} of {b} lanes came, thread {other_thread} of group {group} did not"),
    "barrier_after_return": Kind("warning", "note", "barrier at line {line} after {b} threads of group {group} returned: public reports conflict on whether it waits for them"),
    "undefined_lane": Kind("warning", "error", "thread {thread} of group {group} reads the value of lane {offset}, which does not take part, at line {line}, and the value reaches an output"),
    "unused_undefined_lane": Kind("note", "note", "thread {thread} of group {group} reads the value of lane {offset}, which does not take part, at line {line}; the value reaches no output"),
    "wrong_mask": Kind("error", "error", "warp intrinsic at line {line}: thread {thread} of group {group} names lanes {a:#010x}, and thread {other_thread} does not come with that mask{other_at}"),
    "mask_names_returned": Kind("warning", "warning", "warp intrinsic at line {line}: the mask {a:#010x} of thread {thread} of group {group} names thread {other_thread}, which has returned"),
    "mask_without_self": Kind("error", "error", "warp intrinsic at line {line}: thread {thread} of group {group} is not in its own mask {a:#010x}"),
    "step_budget": Kind("error", "error", "step budget: thread {thread} of group {group} of kernel `{kernel}` ran past {a:,} steps at line {line}: an endless loop?"),
    "step_budget_of_group": Kind("error", "error", "step budget: {b:,} threads of group {group} of kernel `{kernel}` ran past {a:,} steps together, thread {thread} at line {line}: an endless loop?"),
    "stack_overflow": Kind("error", "error", "the stack of thread {thread} of group {group} overflowed near line {line}: recursion without end, or very large local arrays"),
    "division_by_zero": Kind("error", "error", "integer division by zero at line {line} (thread {thread} of group {group})"),
    "crash": Kind("error", "error", "thread {thread} of group {group} crashed (signal {offset}) near line {line}"),
    "assertion": Kind("error", "error", "the assertion at line {line} failed (thread {thread} of group {group})"),
    "shared_memory_limit": Kind("error", "error", "{a:,} bytes of {shared} memory, and a group may have {b:,}"),
}  # fmt: skip


DYNAMIC = "dynamic shared memory"
"""The region of a CUDA block's `extern __shared__` arrays, as the runtime calls it."""


def finding(raw: dict[str, Any], language: str, shape: Any) -> Finding:
    """A finding from the runtime's row, which names its kernel; `shape(group, thread)` gives positions."""
    kind = KINDS[raw["kind"]]
    group, thread = shape(raw["group"], raw["thread"])
    other_group, other_thread = shape(raw["other_group"], raw["other_thread"])
    read_write = raw["kind"].endswith("read_write") or raw["kind"] == "unused_race"
    fields = {
        **raw,
        "name": f"`{raw['name']}`" if raw["name"] and not raw["name"].startswith("'") else raw["name"] or "no buffer",
        "thread": _position(thread, other_thread),
        "group": _position(group, other_group),
        "other_thread": _position(other_thread, thread),
        "other_group": _position(other_group, group),
        "verb": "touches" if read_write else "writes",
        "other_verb": "touches" if read_write else "writes",
        "other_at": f" at line {raw['other_line']}" if raw["other_line"] else "",
        "size": f" ({raw['b']:,} bytes)" if raw["b"] else "",
        "shared": "threadgroup" if language == "metal" else "shared",
        "simd": "SIMD-group" if language == "metal" else "warp",
    }
    message = kind.sentence.format(**fields)
    if raw["name"] == DYNAMIC and not raw["b"] and raw["kind"].startswith("out_of_bounds"):
        message += "; the launch gives it no bytes: shared=BYTES, at the command line --shared BYTES"
    if raw["count"] > 1:
        message += f" ({raw['count']:,} times)"
    severity = kind.metal if language == "metal" else kind.cuda
    return Finding(
        raw["kind"], severity, message, raw["name"], raw["offset"], raw["line"], thread, group, raw["other_line"], other_thread, other_group, raw["count"]
    )  # fmt: skip


def _position(p: tuple[int, int, int], beside: tuple[int, int, int]) -> str:
    """A position in as many dimensions as it and the one told with it have."""
    return str(p[0]) if not any((*p[1:], *beside[1:])) else f"({p[0]}, {p[1]}, {p[2]})"
