"""What a Triton launch can be found to do wrong: kinds, how grave each is, and the sentence a person reads."""

from __future__ import annotations

from typing import Any

from scratch_kernels.simt.findings import Finding, Severity

_PLACE = "lane {lane} of program {program}"
_RACE = "programs are not ordered: program {program} {verb} element {element} of `{name}` at line {line}, which program {other} {other_verb}{other_at}"
KINDS: dict[str, tuple[Severity, str]] = {
    "out_of_bounds_read": ("error", "out of bounds: " + _PLACE + " reads element {element} of `{name}` ({size} bytes) at line {line}"),
    "out_of_bounds_write": ("error", "out of bounds: " + _PLACE + " writes element {element} of `{name}` ({size} bytes) at line {line}"),
    "wild_read": ("error", _PLACE + " reads at line {line} from an address in no buffer"),
    "wild_write": ("error", _PLACE + " writes at line {line} to an address in no buffer"),
    "misaligned": ("error", "a {b}-byte access at byte {offset} of `{name}` is not aligned, at line {line} (" + _PLACE + ")"),
    "uninitialised_read": ("error", _PLACE + " reads element {element} of `{name}` at line {line}, which nothing has written"),
    "race_read_after_write": ("error", _RACE),
    "race_write_after_write": ("error", _RACE),
    "race_write_after_read": ("error", _RACE),
    "same_value_write": ("note", "programs {other} and {program} both write element {element} of `{name}` at line {line}, the same value"),
    "lanes_of_one_store": ("error", "lanes of one store at line {line} write different values to element {element} of `{name}` (program {program})"),
    "unordered_in_program": ("warning", "element {element} of `{name}` is passed from one lane of program {program} to another at line {line} with no tl.debug_barrier between; which thread has which lane is the compiler's choice"),
    "step_budget": ("error", "program {program} ran past {budget:,} steps{at}: an endless loop?"),
    "seconds": ("error", "the launch ran past its {seconds:g} seconds in program {program}{at}"),
    "unsupported": ("error", "{why}{at}"),
    "exception": ("error", "program {program} cannot be run{at}: {why}"),
    "assertion": ("error", "the assertion{at} failed in program {program}: {why}"),
    "does_not_compile": ("error", "does not compile for {target}{at}: {why}"),
    "resources": ("error", "needs {b:,} bytes of shared memory, and a block of {target} may have {limit:,}"),
}  # fmt: skip
_VERBS = {
    "race_read_after_write": ("reads", "writes"),
    "race_write_after_write": ("writes", "writes"),
    "race_write_after_read": ("writes", "reads"),
}


def finding(row: dict[str, Any], grid: tuple[int, int, int], budget: int, seconds: float) -> Finding:
    """A finding from a row of the runtime, whose lines are already those of the file."""
    kind = row["kind"]
    if kind == "stop":
        kind, row = _stop(row)
    severity, text = KINDS[kind]
    element = row.get("offset", 0) // max(1, row.get("granule", 1))
    line, other = row.get("line", 0), row.get("other", -1)
    verb, other_verb = _VERBS.get(kind, ("", ""))
    program = row.get("program", 0)
    message = text.format(
        lane=row.get("lane", 0), program=_position(program, grid), element=element, name=row.get("name", ""), size=row.get("size", 0), line=line,
        offset=row.get("offset", 0), b=row.get("b", 0), other=_position(other, grid), verb=verb, other_verb=other_verb,
        other_at=f" at line {row['other_line']}" if row.get("other_line") else "", at=f" at line {line}" if line else "", why=row.get("why", ""),
        target=row.get("target", ""), limit=row.get("limit", 0), budget=budget, seconds=seconds,
    )  # fmt: skip
    count = row.get("count", 1)
    if count > 1:
        message += f" ({count:,} lanes)"
    where = _three(program, grid)
    return Finding(
        kind, severity, message, row.get("name", ""), row.get("offset", 0), line, (row.get("lane", 0), 0, 0), where, row.get("other_line", 0),
        None, _three(other, grid) if other >= 0 else None, count,
    )  # fmt: skip


def _stop(row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    why = row["why"]
    if row["stopped"] in {"step_budget", "seconds"}:
        return row["stopped"], row
    if row["stopped"] != "exception":
        return "unsupported", {**row, "why": row["stopped"]}
    if why.startswith("AssertionError"):
        return "assertion", {**row, "why": why.removeprefix("AssertionError").lstrip(": ") or "no message"}
    return "exception", row


def _three(program: int, grid: tuple[int, int, int]) -> tuple[int, int, int]:
    return (program % grid[0], program // grid[0] % grid[1], program // (grid[0] * grid[1]))


def _position(program: int, grid: tuple[int, int, int]) -> str:
    where = _three(program, grid)
    return str(where[0]) if where[1:] == (0, 0) else f"({where[0]}, {where[1]}, {where[2]})"
