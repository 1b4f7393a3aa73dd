"""First lines of every keeper and worker: run as a script by `python -s -S -P`, before anything else.

With `-S` no `.pth` file runs and `sys.path` holds the standard library only. Packages come from the
finder below, which knows those it was told of and no others. A submission's own folder is read from
source, never from byte code or a compiled module, so that what was hashed and shown is what runs.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType
from typing import Any


class NamedPackages(MetaPathFinder):
    """Finds the top-level modules it was told of; refuses the rest with the list of what a task may import."""

    def __init__(self, modules: Mapping[str, Sequence[Any]]) -> None:
        self.modules = dict(modules)
        self.allowed: tuple[str, ...] = ()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        place = self.modules.get(fullname)
        if place is None or path is not None:
            return None
        origin, folders = place
        if origin:
            return spec_from_file_location(fullname, origin, submodule_search_locations=list(folders) or None)
        spec = ModuleSpec(fullname, None, is_package=True)
        spec.submodule_search_locations = list(folders)
        return spec

    def only(self, names: Collection[str], allowed: Iterable[str]) -> None:
        """From here on offers `names` alone; `allowed` is what its refusals tell."""
        self.modules = {name: place for name, place in self.modules.items() if name in names}
        self.allowed = tuple(allowed)


class Refusal(MetaPathFinder):
    """Last in the row: tells which package was refused, and what may be imported."""

    def __init__(self, packages: NamedPackages) -> None:
        self.packages = packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None or fullname in sys.stdlib_module_names:
            return None
        allowed = ", ".join(self.packages.allowed) or "no package"
        raise ModuleNotFoundError(
            f"No module named {fullname!r}: the task lets a submission import the standard library and {allowed}",
            name=fullname,
        )


class SourceOnly(SourceFileLoader):
    """Compiles the file's bytes as Python decodes them; looks at no byte code."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class OwnFolder(MetaPathFinder):
    """Finds the submission's own modules, which come first, as a script's do."""

    def __init__(self, folder: str) -> None:
        self.finder = FileFinder(folder, (SourceOnly, [".py"]))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None:
            return None
        self.finder.invalidate_caches()
        spec = self.finder.find_spec(fullname)
        if spec is not None and spec.loader is None:
            return None
        return spec


def main() -> None:
    """Reads its orders from standard input: a JSON object `{modules, run, orders}`."""
    import json

    orders = json.loads(sys.stdin.buffer.readline())
    sys.dont_write_bytecode = True
    packages = NamedPackages(orders["modules"])
    sys.meta_path.append(packages)
    sys.modules["benchwright_boot"] = sys.modules["__main__"]
    sys.argv[1:] = []
    entry = __import__(orders["run"], fromlist=["main"])
    entry.main(orders["orders"], packages)


if __name__ == "__main__":
    main()
