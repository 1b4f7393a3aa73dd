"""Writes a task's `expected_ids.txt` from a run with a reference: `python -m benchwright.sandbox.ids`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchwright.digests import CANARY
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
    with open_sandbox() as sandbox:
        seen = sandbox.grade(given.folder, {f.name: f.read_bytes() for f in given.files}, imports=imports)
    bad = [f"{name}: {results}" for name, results in seen.results.items() if [r[0] for r in results] != ["passed"]]
    for line in (*seen.collection, *(reason for _, reason in seen.ended), *bad):
        sys.stderr.write(line + "\n")
    if bad or seen.collection or not seen.results:
        return 1
    (given.folder / EXPECTED).write_text(f"# {CANARY}\n" + "".join(f"{name}\n" for name in seen.results))
    sys.stderr.write(f"{len(seen.results)} ids in {given.folder / EXPECTED}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
