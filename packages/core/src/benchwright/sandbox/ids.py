"""Writes a task's `expected_ids.txt` from a run with a reference: `python -m benchwright.sandbox.ids`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from benchwright.digests import CANARY
from benchwright.errors import BenchError
from benchwright.sandbox import open_sandbox
from benchwright.sandbox.verdict import EXPECTED


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the hidden tests of a folder on the files of a reference and writes the ids that passed; 1 where one did not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the task folder")
    parser.add_argument("files", type=Path, nargs="+", help="the files of a reference")
    parser.add_argument("--imports", default="", help="packages it may import, with commas")
    given = parser.parse_args(arguments)
    imports = tuple(name for name in given.imports.split(",") if name)
    if not (given.folder / "hidden_tests").is_dir():
        sys.stderr.write(f"{given.folder} is no task folder: it holds no folder hidden_tests.\n")
        return 2
    try:
        files = {path.name: path.read_bytes() for path in given.files}
        with open_sandbox() as sandbox:
            seen = sandbox.grade(given.folder, files, imports=imports)
    except OSError as error:
        sys.stderr.write(f"{error.filename}: cannot be read ({error.strerror}).\n")
        return 2
    except BenchError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    bad = [f"{name}: {results}" for name, results in seen.results.items() if [r[0] for r in results] != ["passed"]]
    for line in (*seen.collection, *(reason for _, reason in seen.ended), *bad):
        sys.stderr.write(line + "\n")
    missing = {name for line in (*seen.collection, *bad) for name in re.findall(r"No module named '(\w+)'", line)}
    for file in sorted(f"{name}.py" for name in missing):
        if file not in files:
            sys.stderr.write(
                f"Of the files given, {', '.join(sorted(files))}, none is named {file}: a reference bears the name of the file "
                f"that the tests import. Name it {file}, in a folder of its own; a package is named with --imports.\n"
            )
    if bad or seen.collection or not seen.results:
        return 1
    (given.folder / EXPECTED).write_text(f"# {CANARY}\n" + "".join(f"{name}\n" for name in seen.results))
    sys.stderr.write(f"{len(seen.results)} ids in {given.folder / EXPECTED}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
