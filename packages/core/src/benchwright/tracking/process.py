"""`python -m benchwright.tracking.process URI [--board=FOLDER --registry=FILE] RUN…`: the projection's own process.

Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchwright import report
from benchwright.tracking import server
from benchwright.tracking.board import project_board
from benchwright.tracking.projection import experiments_of, project_run
from benchwright.tracking.store import first_line, opened, store_at


def main(arguments: list[str]) -> int:
    """Exit code 0 and `{"written": n, "current": m, "deleted": d, "links": […]}`, or 1 with the reason on the last
    line of standard error."""
    uri, *rest = arguments
    options = dict(argument.split("=", 1) for argument in rest if argument.startswith("--"))
    folders = [Path(argument) for argument in rest if not argument.startswith("--")]
    store = store_at(uri)
    written = current = deleted = 0
    links: list[str] = []
    try:
        with opened(store) as client:
            for folder in folders:
                new, old = project_run(client, folder, report.existing(folder), store.artifacts)
                written, current = written + new, current + old
            experiments = experiments_of(client, folders)
            if "--board" in options:
                from benchwright import registry

                known = registry.load(Path(options["--registry"]) if "--registry" in options else None)
                sent = project_board(client, Path(options["--board"]), known, store.artifacts)
                written, current, deleted = written + sent.written, current + sent.current, sent.deleted
                experiments += [one for one in [client.get_experiment_by_name("leaderboard")] if one is not None]
            if uri.startswith(("http://", "https://")):
                found = server.links_to(uri.rstrip("/"), experiments, server.version_of(uri))
                links = [next(iter(pages.values())) for pages in found.values()]
    except Exception as error:  # noqa: BLE001  whatever mlflow or its server answers is told in one line
        print(first_line(error), file=sys.stderr)  # noqa: T201  this is a process's answer
        return 1
    print(json.dumps({"written": written, "current": current, "deleted": deleted, "links": links}))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
