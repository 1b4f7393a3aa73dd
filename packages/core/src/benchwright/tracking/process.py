"""`python -m benchwright.tracking.process URI FOLDER…`: the projection's own process. Prints one line of JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchwright import report
from benchwright.tracking.projection import experiments_of, project_run, run_links
from benchwright.tracking.store import opened, store_at


def main(arguments: list[str]) -> int:
    """Exit code 0 and `{"written": n, "current": m, "links": […]}`, or 1 with the reason on the last line of standard error."""
    uri, folders = arguments[0], [Path(folder) for folder in arguments[1:]]
    store = store_at(uri)
    written = current = 0
    links: list[str] = []
    try:
        with opened(store) as client:
            for folder in folders:
                new, old = project_run(client, folder, report.existing(folder), store.artifacts)
                written, current = written + new, current + old
            if uri.startswith(("http://", "https://")):
                links = run_links(uri.rstrip("/"), experiments_of(client, folders))
    except Exception as error:  # noqa: BLE001  whatever mlflow or its server answers is told in one line
        print(_short(error), file=sys.stderr)  # noqa: T201  this is a process's answer
        return 1
    print(json.dumps({"written": written, "current": current, "links": links}))  # noqa: T201
    return 0


def _short(error: Exception) -> str:
    """The first line of what went wrong; a connection's long story is cut where it starts to repeat itself."""
    lines = str(error).strip().splitlines()
    first = (lines[0] if lines else type(error).__name__).partition(" with exception ")[0]
    return first if len(first) <= 200 else first[:199] + "…"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
