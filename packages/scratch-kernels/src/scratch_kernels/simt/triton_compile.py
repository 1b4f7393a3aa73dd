"""Which machine code a Triton launch becomes, on targets that need not be there."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scratch_kernels.simt import cache as store
from scratch_kernels.simt import triton_process as process
from scratch_kernels.simt.errors import CompileError, SimtError
from scratch_kernels.simt.triton_source import HEADER_LINES

SECONDS = 240.0


class Target(NamedTuple):
    """A device: Triton's backend, its architecture, threads of a warp, bytes of shared memory that a block may ask for."""

    name: str
    backend: str
    arch: int | str
    warp: int
    shared: int


TARGETS: dict[str, Target] = {
    "sm_80": Target("sm_80", "cuda", 80, 32, 166_912),
    "sm_90": Target("sm_90", "cuda", 90, 32, 232_448),
    "gfx942": Target("gfx942", "hip", "gfx942", 64, 65_536),
}
"""Shared memory: CUDA C++ programming guide, technical specifications per compute capability; the CDNA3 guide (LDS)."""


class Build(NamedTuple):
    """One launch's code for one target. `registers`, `spilled` (bytes or registers) and `stack` are -1 where it is not told."""

    target: str
    ok: bool
    why: str
    line: int
    registers: int = -1
    shared: int = -1
    stack: int = -1
    spilled: int = -1
    warps: int = -1


class Wanted(NamedTuple):
    """A specialisation: what of a launch the compiler looks at."""

    kernel: str
    arguments: dict[str, dict[str, Any]]
    options: dict[str, Any]


def specialised(kernel: str, arguments: Mapping[str, Mapping[str, Any]], options: Mapping[str, Any]) -> Wanted:
    """The launch with every value put for its class: a multiple of 16, a one, neither."""
    out: dict[str, dict[str, Any]] = {}
    for name, what in arguments.items():
        if what["kind"] == "pointer":
            size = 1 if what["bytes"] < 1 << 31 else 1 << 31
            address = 0 if what["offset"] % 16 == 0 else what["offset"] % 16
            out[name] = {"kind": "pointer", "dtype": what["dtype"], "address": address, "size": size}
        elif what["kind"] == "int" and what["value"] != 1:
            wide = 1 << 40 if not -(1 << 31) <= what["value"] < 1 << 31 else 0
            wide = 1 << 63 if what["value"] >= 1 << 63 else wide
            out[name] = {"kind": "int", "value": wide + (16 if what["value"] % 16 == 0 else 3)}
        elif what["kind"] == "float":
            out[name] = {"kind": "float", "value": 0.5}
        elif what["kind"] == "bool":
            out[name] = {"kind": "bool", "value": True}
        else:
            out[name] = dict(what)
    return Wanted(kernel, out, dict(options))


def builds(text: str, wanted: Sequence[Wanted], targets: Iterable[str]) -> list[tuple[Build, ...]]:
    """The code of each launch for each target; what was compiled before, from these texts and by this Triton, is remembered."""
    chosen = [TARGETS[name] for name in targets]
    script = (process.RUNTIME / "compile.py").read_text()
    keys = [
        [store.key("triton", process.version(), script, text, json.dumps(w, sort_keys=True), t.name) for t in chosen]
        for w in wanted
    ]
    known: dict[str, Build] = {}
    missing: dict[str, tuple[Wanted, int]] = {}
    for w, row in zip(wanted, keys, strict=True):
        for i, key in enumerate(row):
            if key in known or key in missing:
                continue
            found = _kept(key)
            if found is None:
                missing[key] = (w, i)
            else:
                known[key] = found
    while missing:
        new, ended = _compile(text, chosen, missing)
        for key, build in new.items():
            _keep(key, build)
        known.update(new)
        known.update(ended)
        missing = {key: value for key, value in missing.items() if key not in known}
    return [tuple(known[key] for key in row) for row in keys]


def code(text: str, wanted: Wanted, arch: str) -> dict[str, Any]:
    """The machine code of a launch for a CUDA device of `arch` (`sm_90`), with what it takes. Raises `CompileError`."""
    number = int(arch.removeprefix("sm_"))
    request = {
        "targets": [("cuda", number, 32)],
        "launches": [{"key": "code", "target": 0, "code": True, **wanted._asdict()}],
    }
    with process.folder(text) as work:
        (work / "request").write_text(json.dumps(request), encoding="utf-8")
        ran = process.run("compile.py", work, seconds=SECONDS)
        try:
            row = json.loads(process.result(work).decode(errors="replace").splitlines()[-1])
        except (SimtError, IndexError, ValueError) as error:
            raise process.complaint(ran, "the Triton compiler") from error
    if not row.get("ok"):
        raise CompileError(
            f"does not compile for {arch}: {row.get('why', 'no message')}", max(0, row.get("line", 0)), "kernel.py"
        )
    return dict(row)


def _compile(
    text: str, targets: Sequence[Target], missing: Mapping[str, tuple[Wanted, int]]
) -> tuple[dict[str, Build], dict[str, Build]]:
    """What came of one process: builds, and what it ended in the middle of."""
    request = {
        "targets": [(t.backend, t.arch, t.warp) for t in targets],
        "launches": [{"key": key, "target": i, **w._asdict()} for key, (w, i) in missing.items()],
    }
    with process.folder(text) as work:
        (work / "request").write_text(json.dumps(request), encoding="utf-8")
        ran = process.run("compile.py", work, seconds=SECONDS)
        try:
            lines = process.result(work).decode(errors="replace").splitlines()
        except SimtError as error:
            raise process.complaint(ran, "the Triton compiler") from error
    new: dict[str, Build] = {}
    begun = ""
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            # The last line of a process that was ended while it wrote.
            continue
        if "begin" in row:
            begun = row["begin"]
        elif row["key"] in missing:
            new[row["key"]] = _build(row, targets[missing[row["key"]][1]])
    ended: dict[str, Build] = {}
    if len(new) < len(missing) and ran.code is None and new:
        # Out of time, and it came forward: the next process goes on where this one was.
        return new, ended
    if len(new) < len(missing):
        left = [key for key in missing if key not in new]
        if begun not in left:
            raise process.complaint(ran, "the Triton compiler")
        last = ran.err.strip().splitlines()
        why = f"the compiler {ran.reason or f'ended with {ran.code}'}" + (f": {last[-1][:200]}" if last else "")
        ended[begun] = Build(targets[missing[begun][1]].name, False, why, 0)
    return new, ended


def _build(row: Mapping[str, Any], target: Target) -> Build:
    if not row["ok"]:
        return Build(target.name, False, row["why"], max(0, row["line"]))
    shared = int(row["shared"])
    ok = shared <= target.shared
    why = "" if ok else "shared"
    more = {name: int(row[name]) for name in ("registers", "stack", "spilled", "warps") if name in row}
    return Build(target.name, ok, why, 0, shared=shared, **more)


def _path(key: str) -> Path:
    return store.folder() / f"{key}.triton.json"


def _kept(key: str) -> Build | None:
    try:
        return Build(**json.loads(_path(key).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _keep(key: str, build: Build) -> None:
    handle, name = tempfile.mkstemp(dir=store.folder(), prefix=".triton-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(json.dumps(build._asdict()))
    os.replace(name, _path(key))


__all__ = ["HEADER_LINES", "TARGETS", "Build", "Target", "Wanted", "builds", "specialised"]
