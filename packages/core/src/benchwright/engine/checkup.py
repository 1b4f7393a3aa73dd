"""What `bench doctor` looks at: versions, walls, folders, extras, and what tasks lack here."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata, util
from pathlib import Path

import benchwright
from benchwright import blame, folders, plugins, registry
from benchwright.engine.requirements import remedies
from benchwright.errors import BenchError
from benchwright.journal import runs_folder
from benchwright.records import DoctorRow

# A module that only the extra brings, its distribution, what it is for, how to add it. `mlflow.server` itself comes with
# what merely records; flask does not.
_EXTRAS = (
    ("flask", "mlflow", "the MLflow interface (`bench ui`)", "pip install 'benchwright[ui]'"),
    ("anthropic", "anthropic", "models of anthropic/…", "pip install 'benchwright[anthropic]'"),
    ("openai", "openai", "models of openai/… and openai-compatible/…", "pip install 'benchwright[openai]'"),
)
_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")


def checkup(registry_path: Path | None = None) -> list[DoctorRow]:
    """Everything that is worth knowing before a run; never raises for what is merely missing.

    Raises FileError where `registry_path` is named and cannot be read as a registry.
    """
    rows = [
        DoctorRow("bench", f"{benchwright.__version__} in {Path(benchwright.__file__).parent}"),
        DoctorRow("python", f"{platform.python_version()} ({sys.executable})"),
        DoctorRow(
            "system", f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} processors"
        ),
    ]
    rows += _walls()
    rows += [_writable("runs", runs_folder()), _writable("data", folders.data()), _writable("cache", folders.cache())]
    for module, distribution, what, remedy in _EXTRAS:
        found = _present(module)
        rows.append(
            DoctorRow(what, _version(distribution) if found else "not installed", "" if found else remedy, found)
        )
    for name in _KEYS:
        state = "set" if os.environ.get(name) else "not set"
        rows.append(DoctorRow(name, state, "" if state == "set" else "needed for paid models only"))
    installed = plugins.load()
    specs = installed.specs()  # first: a benchmark that breaks over its list is told among the broken ones
    for name, benchmark in sorted(installed.benchmarks.items()):
        rows.append(DoctorRow(_called(installed, name), f"{benchmark.distribution} {benchmark.version}"))
        rows += _of_the_plugin(installed, name)
    for broken in installed.broken:
        rows.append(
            DoctorRow(f"benchmark {broken.name}", f"broken: {broken.why}", blame.remedy(broken.distribution), False)
        )
    try:
        known = registry.load(registry_path)
        rows.append(DoctorRow("registry", str(known.path)))
        rows += [DoctorRow("registry", problem, "", False) for problem in known.problems(installed)]
    except BenchError as error:
        if registry_path is not None:
            raise
        rows.append(DoctorRow("registry", str(error), "mend the file", False))
    for requirement, (gap, tasks) in sorted(remedies(specs, folders.data()).items()):
        rows.append(
            DoctorRow(
                requirement,
                f"missing; {len(tasks)} {'task waits' if len(tasks) == 1 else 'tasks wait'} for it",
                gap.remedy,
                False,
            )
        )
    return rows


def _called(installed: plugins.Plugins, name: str) -> str:
    """A plugin that lists no tasks is none of the benchmarks."""
    return f"{'benchmark' if installed.has(name, 'list_tasks') else 'plugin'} {name}"


def _of_the_plugin(installed: plugins.Plugins, name: str) -> list[DoctorRow]:
    try:
        return list(installed.call(name, "check_machine") or ())
    except Exception as error:  # noqa: BLE001  whatever a stranger's module does; the others go on
        owner = installed.benchmarks[name]
        told = str(error) if isinstance(error, BenchError) else blame.told(error, owner.module.__name__)
        why = f"looking at the machine failed: {told}"
        return [DoctorRow(_called(installed, name), why, blame.remedy(owner.distribution), False)]


def _walls() -> list[DoctorRow]:
    from benchwright.sandbox import doctor

    # A probe that was stopped is what everybody expects: the tiers and whatever was not stopped are worth a line.
    return [row for row in doctor() if not row.ok or row.what.startswith(("walls", "isolation"))]


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


def _writable(what: str, folder: Path) -> DoctorRow:
    parent = next(place for place in (folder.absolute(), *folder.absolute().parents) if os.path.exists(place))
    fine = os.access(parent, os.W_OK)
    return DoctorRow(f"{what} folder", str(folder.absolute()) if fine else f"{folder.absolute()} cannot be written",
               "" if fine else f"set BENCHWRIGHT_{what.upper()}", fine)  # fmt: skip
