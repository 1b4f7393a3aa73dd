"""What a worker may read: the interpreter, its standard library and the packages a task names.

Never a `site-packages` whole, because the installed benchmarks, with their hidden tests, references and
labels, lie in it. An allow-list of the kernel cannot leave a folder out, so a folder that has one of
those in it is walked, and each of its other entries is allowed by itself.
"""

from __future__ import annotations

import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

import msgspec

from benchwright.errors import UserError

GROUP = "benchwright.plugins"

LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
"""Where shared libraries lie that an extension module may load late."""

FILES = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/usr/share/zoneinfo",
    "/usr/lib/locale",
    "/usr/share/locale",
)


class Importable(msgspec.Struct, frozen=True):
    """A top-level module: its file (empty for a namespace package) and, for a package, its folders."""

    origin: str
    folders: tuple[str, ...] = ()


class Reading(msgspec.Struct, frozen=True):
    """`paths`: what may be read and loaded. `modules`: top-level name -> where it lies."""

    imports: tuple[str, ...]
    paths: tuple[str, ...]
    modules: dict[str, Importable]


class MissingPackage(UserError):
    """A package that a task names is not installed; `name` is the import name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the package {name!r}, which the task lets a submission import, is not installed")
        self.name = name


@cache
def package_folders() -> tuple[str, ...]:
    """Every folder of installed or editable code that this interpreter knows, resolved."""
    known = {*site.getsitepackages(), site.getusersitepackages(), *sys.path}
    known |= {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    for prefix in {sys.prefix, sys.base_prefix, "/usr", "/usr/local"}:
        library = os.path.join(prefix, "lib")
        for name in _names(library):
            if name.startswith("python"):
                known |= {os.path.join(library, name, kind) for kind in ("site-packages", "dist-packages")}
    own = {os.path.realpath(p) for p in _standard_library()}
    found = {os.path.realpath(p) for p in known if p and os.path.isdir(p)}
    return tuple(sorted(p for p in found if p not in own))


def _standard_library() -> tuple[str, ...]:
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    folders |= {os.path.join(p, "lib-dynload") for p in tuple(folders)}
    return tuple(sorted(folders))


@cache
def interpreter() -> tuple[str, ...]:
    """The interpreter, its libraries and the standard library, without any folder of packages."""
    executable = os.path.realpath(sys.executable)
    paths = [executable, sys.executable, os.path.join(sys.prefix, "pyvenv.cfg"), *FILES]
    for folder in _standard_library():
        paths += without_packages(folder)
    for folder in (*LIBRARIES, os.path.join(sys.base_prefix, "lib")):
        for name in _names(folder):
            if ".so" in name or "-linux-" in name:
                # The link itself too, for walls that build a file system of what is listed.
                paths += [os.path.join(folder, name), *without_packages(os.path.join(folder, name))]
    return tuple(dict.fromkeys(p for p in paths if os.path.exists(p)))


def coarse(paths: Iterable[str], beside: str) -> tuple[str, ...]:
    """A few folders that cover `paths` and do not cover `beside`.

    A worker is bounded twice: by its keeper, to exactly `paths` and the folder of all attempts, and by
    itself, to these and its own folder. What both allow is `paths` and its own folder, and the second
    list is short enough to be set up for every worker.
    """
    folders: set[str] = set()
    for path in paths:
        parent = os.path.dirname(path)
        folders.add(path if (beside + "/").startswith(parent.rstrip("/") + "/") else parent)
    return tuple(f for f in sorted(folders) if not any(f.startswith(g.rstrip("/") + "/") for g in folders if g != f))


def _without(folder: str, left_out: Iterable[str]) -> list[str]:
    """Paths that cover `folder` but nothing at or under any of `left_out`."""
    inside = [p for p in left_out if p == folder or p.startswith(folder.rstrip("/") + "/")]
    if folder in inside:
        return []
    if not inside:
        return [folder]
    covered: list[str] = []
    for name in _names(folder):
        path = os.path.join(folder, name)
        # A link is allowed by where it leads; that is allowed, or not, in its own place.
        if not os.path.islink(path):
            covered += _without(path, inside)
    return covered


def without_packages(folder: str) -> list[str]:
    """Paths that cover `folder` and leave out every folder of installed packages in it."""
    return _without(os.path.realpath(folder), package_folders())


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


@cache
def closure(imports: tuple[str, ...]) -> tuple[metadata.Distribution, ...]:
    """The distributions behind the import names, and what those require, as far as it is installed."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [_distribution(name) for name in imports if name not in sys.stdlib_module_names]
    while waiting:
        distribution = waiting.pop()
        name = _canonical(distribution.metadata["Name"])
        if name in found:
            continue
        _refuse_benchmark(distribution)
        found[name] = distribution
        for requirement in distribution.requires or ():
            if "extra ==" in requirement or "extra==" in requirement:
                continue
            match = re.match(r"[A-Za-z0-9._-]+", requirement)
            if match and (needed := _installed(match[0])) is not None:
                waiting.append(needed)
    return tuple(found.values())


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _installed(name: str) -> metadata.Distribution | None:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None


def _distribution(import_name: str) -> metadata.Distribution:
    distribution = _installed(import_name)
    if distribution is None:
        names = _by_import_name().get(import_name)
        distribution = _installed(names[0]) if names else None
    if distribution is None:
        raise MissingPackage(import_name)
    return distribution


@cache
def _by_import_name() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def _refuse_benchmark(distribution: metadata.Distribution) -> None:
    name = distribution.metadata["Name"]
    if _canonical(name) == "benchwright" or any(e.group == GROUP for e in distribution.entry_points):
        raise UserError(f"a submission may not import {name}: tests, references and labels lie in it")


@cache
def reading(imports: tuple[str, ...]) -> Reading:
    """What a worker of a task with these import names may read and import.

    Raises `MissingPackage` where one is not installed, `UserError` where one is a benchmark.
    """
    paths = list(interpreter())
    modules: dict[str, Importable] = {}
    for distribution in closure(imports):
        for top in _top_level(distribution):
            path = os.path.realpath(str(distribution.locate_file(top)))
            if os.path.exists(path):
                paths.append(path)
            if (name := _module_name(top)) and (place := importable(name)) is not None:
                modules[name] = place
                paths += [os.path.realpath(p) for p in (place.origin, *place.folders) if p]
    for name in imports:
        if name not in modules and name not in sys.stdlib_module_names and (place := importable(name)) is not None:
            modules[name] = place
            paths += [os.path.realpath(p) for p in place.folders or (place.origin,)]
    forbidden = set(package_folders())
    return Reading(imports, tuple(dict.fromkeys(p for p in paths if p not in forbidden)), modules)


def _top_level(distribution: metadata.Distribution) -> Sequence[str]:
    tops = dict.fromkeys(file.parts[0] for file in distribution.files or ())
    return [t for t in tops if t not in ("..", "__pycache__") and not t.endswith((".dist-info", ".pth", ".data"))]


def _module_name(top: str) -> str | None:
    name = top.partition(".")[0]
    # `numpy.libs` and the like hold shared libraries only.
    return name if name.isidentifier() and not top.endswith(".libs") else None


def importable(name: str) -> Importable | None:
    """Where a top-level module lies, or None; imports nothing."""
    try:
        spec: ModuleSpec | None = find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    folders = tuple(os.path.realpath(p) for p in spec.submodule_search_locations or ())
    return Importable(spec.origin if spec.has_location and spec.origin else "", folders)
