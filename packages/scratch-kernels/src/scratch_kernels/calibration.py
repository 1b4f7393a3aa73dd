"""What a kernels task measures now: the core's counts, with each failure named after the mutant that fails alike."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from benchwright import Attempt, Calibration, Section, Table

from scratch_kernels import folder as folders
from scratch_kernels import mutants

ALIKE = 0.8
"""Share of failing tests, of those that either fails, from which on a failure is called like a mutant."""


def calibrate(folder: Path, id: str, attempts: Iterable[Attempt]) -> Calibration:
    """Counts, intervals and verdict as the core has them; shapes compared with the recorded mutants."""
    from benchwright.leaderboard.calibration import from_counts

    counted = from_counts(id, attempts)
    known = recorded(folder)
    right = {f"mutant {one.name}" for one in mutants.mutants(folder) if one.expect == "survives"}
    return msgspec.structs.replace(
        counted,
        shapes=tuple(
            {**shape, **named(frozenset(shape["failed"]), known, shape["same_as"])} for shape in counted.shapes
        ),
        equivalents={
            **counted.equivalents,
            **{
                name: {"caught": bool(failed), "failed": sorted(failed), "equivalent": name in right}
                for name, failed in known.items()
                if not _run_as(name) & counted.equivalents.keys()
            },
        },
    )


def _run_as(name: str) -> set[str]:
    """What a recorded wrong program is called where it was run as a model."""
    kind, _, rest = name.partition(" ")
    return (
        {f"mutant/skip_{rest.removesuffix('.py')}"}
        if kind == "skip"
        else {f"mutant/{rest}", f"mutant/equivalent_{rest}"}
    )


def recorded(folder: Path) -> dict[str, frozenset[str]]:
    """`mutant <name>` or `skip <name>` -> the tests it fails, from `mutants/shapes.yaml`."""
    kept = mutants.shapes(folder)
    if kept is None:
        return {}
    return {
        f"{kind} {name}": frozenset(failed)
        for kind, table in (("mutant", kept.mutants), ("skip", kept.skips))
        for name, failed in table.items()
    }


def named(failed: frozenset[str], known: dict[str, frozenset[str]], already: Iterable[str] = ()) -> dict[str, Any]:
    """`same_as`: those that fail exactly these tests; `like`: the nearest other, where it is near enough.

    `already`: the wrong programs that were run as models and fail so; the record would name them again.
    """
    same = list(already) or [name for name, shape in known.items() if shape == failed]
    if same:
        return {"same_as": same, "like": None}
    near = max(((_overlap(failed, shape), name) for name, shape in known.items() if shape), default=(0.0, ""))
    return {"same_as": [], "like": near[1] if near[0] >= ALIKE else None}


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b)


def sections(suite: str, attempts: Iterable[Attempt]) -> list[Section]:
    """The failure shapes of each task of a suite: how often, whose, and which mutant they equal."""
    if suite not in folders.SUITES.values():
        return []
    by_task: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_task.setdefault(attempt.task.id, []).append(attempt)
    rows = [row for id, drawn in sorted(by_task.items()) for row in _rows(id, drawn)]
    if not rows:
        return []
    columns = ("task", "draws", "models", "tests failed", "first of them", "same as")
    text = "A failure shape is the set of tests that failed. `same as` names the recorded mutant, or program without the mechanism, that fails exactly these."
    return [Section("Failure shapes", text, tables=(Table(columns, tuple(rows)),))]


def _rows(id: str, attempts: list[Attempt]) -> list[tuple[Any, ...]]:
    slug = id.partition("/")[2].partition("@")[0]
    if slug not in folders.slugs():
        return []
    reasons = {f"mutant {mutant.name}": mutant.reason for mutant in mutants.mutants(folders.TASKS / slug)}
    rows = []
    for shape in calibrate(folders.TASKS / slug, id, attempts).shapes:
        same = [f"{name}: {reasons[name]}" if name in reasons else name for name in shape["same_as"]]
        told = "; ".join(same) or (f"like {shape['like']}" if shape["like"] else "")
        models = ", ".join(f"{name} {count}x" for name, count in shape["models"].items())
        rows.append((id, shape["count"], models, len(shape["failed"]), shape["failed"][0].rpartition("::")[2], told))
    return rows
