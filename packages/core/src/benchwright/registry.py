"""registry.yaml: benchmarks, suites, pinned sets, weights, model aliases, publishers.

The one that boards are built from travels inside this package. A `registry.yaml` in the working folder,
or one named with `--registry`, comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from benchwright import digests, documents, names
from benchwright.errors import FileError, UserError
from benchwright.plugins import Benchmark, Plugins

SCHEMA = 1
UNREGISTERED = "unregistered"
UNVALIDATED = "unvalidated"


class RegisteredBenchmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A benchmark whose tasks may stand on a board."""

    name: str
    """Entry-point name."""
    distribution: str
    entry_point: str
    versions: str
    """Versions that the boards accept, as a version specifier (`>=0.1,<0.2`)."""
    home: str
    publisher: str
    sets_digest: str | None = None
    """sha256 of the package's sets.yaml; None while it ships none."""


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A suite: tasks that are run and shown together. `weight`: its share in the board across benchmarks."""

    name: str
    benchmark: str
    title: str
    weight: float = 0.0


class ModelAlias(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model name that a provider answers with a dated id: only those listed are accepted as the same model."""

    name: str
    answered_by: tuple[str, ...] = ()
    short: str = ""
    """At most 12 characters, for narrow columns."""


class Publisher(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who answers for a benchmark."""

    name: str
    home: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    publishers: list[Publisher]
    benchmarks: list[RegisteredBenchmark]
    suites: list[Suite]
    models: list[ModelAlias] = []


class Pin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task in a set, pinned for good."""

    id: str
    version: str
    digest: str


class SetsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A package's `sets.yaml`: set name -> pinned tasks."""

    sets: dict[str, list[Pin]]


class Registry:
    """A registry that was read and is consistent in itself."""

    def __init__(self, path: Path, content: _File) -> None:
        self.path = path
        self.publishers = {entry.name: entry for entry in content.publishers}
        self.benchmarks = {entry.name: entry for entry in content.benchmarks}
        self.suites = {entry.name: entry for entry in content.suites}
        self.models = {entry.name: entry for entry in content.models}
        self._sets: dict[str, dict[tuple[str, str, str], str]] = {}

    def set_of(self, plugins: Plugins, task_id: str, version: str, digest: str) -> str:
        """The set that pins exactly this task; `unvalidated` where none does, `unregistered` where its plugin is unknown."""
        name, _ = names.split_task_id(task_id)
        if name not in self.benchmarks:
            return UNREGISTERED
        if name not in self._sets:
            self._sets[name] = self._pins(plugins.benchmarks[name])
        return self._sets[name].get((task_id, version, digest), UNVALIDATED)

    def _pins(self, benchmark: Benchmark) -> dict[tuple[str, str, str], str]:
        if self.sets_drift(benchmark):
            return {}
        pins: dict[tuple[str, str, str], str] = {}
        for set_name, tasks in _sets_of(benchmark).sets.items():
            for pin in tasks:
                pins[pin.id, pin.version, pin.digest] = set_name
        return pins

    def sets_drift(self, benchmark: Benchmark) -> str:
        """A sentence where the package's sets.yaml is not the one pinned here, else an empty text."""
        pinned = self.benchmarks[benchmark.name].sets_digest
        found = sets_digest(benchmark)
        if pinned == found:
            return ""
        return (
            f"The sets.yaml of {benchmark.distribution} {benchmark.version} is not the one that {self.path} pins "
            f"({found or 'absent'} against {pinned or 'none'}): its tasks count as {UNVALIDATED}."
        )

    def problems(self, plugins: Plugins) -> list[str]:
        """Where installed plugins and this registry disagree, a sentence each."""
        from packaging.specifiers import SpecifierSet

        found = []
        for name, benchmark in plugins.benchmarks.items():
            entry = self.benchmarks.get(name)
            if entry is None:
                continue
            if benchmark.distribution != entry.distribution:
                found.append(
                    f"`{name}` comes from {benchmark.distribution}; the registry knows it from {entry.distribution}."
                )
            if not SpecifierSet(entry.versions).contains(benchmark.version, prereleases=True):
                found.append(
                    f"{benchmark.distribution} {benchmark.version} is outside the registry's range {entry.versions}."
                )
            drift = self.sets_drift(benchmark)
            if drift:
                found.append(drift)
        return found

    def accepts(self, asked: str, answered: str) -> bool:
        """Whether `answered` may answer for the model name `asked` (without provider and knobs: see the aliases)."""
        alias = self.models.get(asked)
        return answered == asked.partition("/")[2] or (alias is not None and answered in alias.answered_by)

    def short_name(self, model: str) -> str:
        """A name of at most 12 characters where the registry has one, else the last part of `model`."""
        alias = self.models.get(model)
        return alias.short if alias is not None and alias.short else model.rpartition("/")[2] or model


def load(path: Path | None = None) -> Registry:
    """The registry at `path`, or the one in the working folder, or the one in this package."""
    if path is None:
        here = Path("registry.yaml")
        path = here if here.is_file() else Path(__file__).with_name("registry.yaml")
    content = documents.load(path, _File)
    if content.schema != SCHEMA:
        raise FileError(path, f"has schema {content.schema}; this bench reads {SCHEMA}. Update benchwright to read it.")
    _check(path, content)
    return Registry(path, content)


def _check(path: Path, content: _File) -> None:
    lists: Mapping[str, Iterable[str]] = {
        "publisher": [entry.name for entry in content.publishers],
        "benchmark": [entry.name for entry in content.benchmarks],
        "suite": [entry.name for entry in content.suites],
        "model": [entry.name for entry in content.models],
    }
    for kind, found in lists.items():
        seen: set[str] = set()
        for name in found:
            if name in seen:
                raise FileError(_line(path, name), f"the {kind} `{name}` is named twice")
            seen.add(name)
    for benchmark in content.benchmarks:
        if benchmark.publisher not in lists["publisher"]:
            raise FileError(
                _line(path, benchmark.publisher),
                f"`{benchmark.name}` names an unknown publisher `{benchmark.publisher}`",
            )
        _check_versions(path, benchmark)
    for suite in content.suites:
        if suite.benchmark not in lists["benchmark"]:
            raise FileError(
                _line(path, suite.name), f"the suite `{suite.name}` names an unknown benchmark `{suite.benchmark}`"
            )
        if not 0 <= suite.weight <= 1e6:
            raise FileError(_line(path, suite.name), f"the weight of `{suite.name}` must lie in [0, 1000000]")


def _check_versions(path: Path, benchmark: RegisteredBenchmark) -> None:
    import re

    clause = r"\s*(?:~=|==|!=|<=|>=|<|>)\s*[0-9][0-9A-Za-z.*+!-]*\s*"
    if re.fullmatch(rf"{clause}(?:,{clause})*", benchmark.versions) is None:
        raise FileError(
            _line(path, benchmark.versions), f"`{benchmark.versions}` is not a version range such as >=0.1,<0.2"
        )


def _line(path: Path, text: str) -> str:
    """`path:line` of the last line that holds `text`."""
    for number, line in reversed(list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))):
        if text and text in line:
            return f"{path}:{number}"
    return str(path)


def sets_path(benchmark: Benchmark) -> Path | None:
    """The sets.yaml beside the plugin's package; None where it ships none."""
    import importlib.resources

    package = benchmark.module.__name__.partition(".")[0]
    try:
        found = importlib.resources.files(package).joinpath("sets.yaml")
    except (ModuleNotFoundError, TypeError):
        return None
    return Path(str(found)) if found.is_file() else None


def sets_digest(benchmark: Benchmark) -> str | None:
    """sha256 of the package's sets.yaml with LF newlines; None where it ships none."""
    path = sets_path(benchmark)
    return None if path is None else digests.sha256(digests.unix_newlines(path.read_bytes()))


def _sets_of(benchmark: Benchmark) -> SetsFile:
    path = sets_path(benchmark)
    return SetsFile({}) if path is None else documents.load(path, SetsFile)


def pin_sets(path: Path, plugins: Plugins) -> list[str]:
    """Writes the installed packages' sets digests into the registry file; gives the names that changed.

    Raises UserError where a registered benchmark has no `sets_digest` line to write to.
    """
    registry = load(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    changed = []
    for name, entry in registry.benchmarks.items():
        benchmark = plugins.benchmarks.get(name)
        if benchmark is None or sets_digest(benchmark) == entry.sets_digest:
            continue
        start = lines.index(f"  - name: {name}")
        for number in range(start + 1, len(lines)):
            if lines[number].startswith("    sets_digest:"):
                lines[number] = f"    sets_digest: {sets_digest(benchmark) or 'null'}"
                changed.append(name)
                break
            if lines[number].startswith("  - "):
                raise UserError(f"{path}: `{name}` has no sets_digest line; add `    sets_digest: null` to it.")
    path.resolve().write_text("\n".join(lines) + "\n", encoding="utf-8")
    return changed
