"""What `bench doctor` looks at: versions, walls, folders, extras, and what tasks lack here."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata, util
from pathlib import Path

import msgspec

import benchwright
from benchwright import folders, plugins, registry
from benchwright.engine.requirements import remedies
from benchwright.errors import BenchError
from benchwright.journal import runs_folder

# A module that only the extra brings, its distribution, what it is for, how to add it. `mlflow.server` itself comes with
# what merely records; flask does not.
_EXTRAS = (
    ("flask", "mlflow", "the MLflow interface (`bench ui`)", "pip install 'benchwright[ui]'"),
    ("anthropic", "anthropic", "models of anthropic/…", "pip install 'benchwright[anthropic]'"),
    ("openai", "openai", "models of openai/… and openai-compatible/…", "pip install 'benchwright[openai]'"),
)
_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")


class Row(msgspec.Struct, frozen=True):
    """One thing looked at. `remedy` is empty where nothing is to be done."""

    what: str
    state: str
    remedy: str = ""
    ok: bool = True


def checkup(registry_path: Path | None = None) -> list[Row]:
    """Everything that is worth knowing before a run; never raises for what is merely missing."""
    rows = [
        Row("bench", f"{benchwright.__version__} in {Path(benchwright.__file__).parent}"),
        Row("python", f"{platform.python_version()} ({sys.executable})"),
        Row("system", f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} processors"),
    ]
    rows += _walls()
    rows += [_writable("runs", runs_folder()), _writable("data", folders.data()), _writable("cache", folders.cache())]
    for module, distribution, what, remedy in _EXTRAS:
        found = _present(module)
        rows.append(Row(what, _version(distribution) if found else "not installed", "" if found else remedy, found))
    for name in _KEYS:
        state = "set" if os.environ.get(name) else "not set"
        rows.append(Row(name, state, "" if state == "set" else "needed for paid models only"))
    installed = plugins.load()
    for name, benchmark in sorted(installed.benchmarks.items()):
        rows.append(Row(f"benchmark {name}", f"{benchmark.distribution} {benchmark.version}"))
    for broken in installed.broken:
        rows.append(
            Row(f"benchmark {broken.name}", f"broken: {broken.why}", f"pip install -U {broken.distribution}", False)
        )
    try:
        known = registry.load(registry_path)
        rows.append(Row("registry", str(known.path)))
        rows += [Row("registry", problem, "", False) for problem in known.problems(installed)]
    except BenchError as error:
        rows.append(Row("registry", str(error), "mend the file", False))
    for requirement, (gap, tasks) in sorted(remedies(installed.specs(), folders.data()).items()):
        rows.append(
            Row(
                requirement,
                f"missing; {len(tasks)} {'task waits' if len(tasks) == 1 else 'tasks wait'} for it",
                gap.remedy,
                False,
            )
        )
    return rows


def _walls() -> list[Row]:
    from benchwright.sandbox import doctor

    rows = [Row(row.what, row.state, row.remedy, row.ok) for row in doctor()]
    # A probe that was stopped is what everybody expects: the tiers and whatever was not stopped are worth a line.
    return [row for row in rows if not row.ok or row.what.startswith(("walls", "isolation"))]


def _present(module: str) -> bool:
    try:
        return util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "installed"


def _writable(what: str, folder: Path) -> Row:
    parent = next(place for place in (folder.absolute(), *folder.absolute().parents) if os.path.exists(place))
    fine = os.access(parent, os.W_OK)
    return Row(f"{what} folder", str(folder.absolute()) if fine else f"{folder.absolute()} cannot be written",
               "" if fine else f"set BENCHWRIGHT_{what.upper()}", fine)  # fmt: skip
