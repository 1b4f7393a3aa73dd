"""`python -m benchwright.tracking.process URI FOLDER…`: the projection's own process. Prints one line of JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchwright import report
from benchwright.tracking.projection import experiments_of, project_run, run_links
from benchwright.tracking.store import first_line, opened, store_at


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
        print(first_line(error), file=sys.stderr)  # noqa: T201  this is a process's answer
        return 1
    print(json.dumps({"written": written, "current": current, "links": links}))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
