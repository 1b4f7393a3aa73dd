"""`bench sync` and `bench ui`."""

from __future__ import annotations

from pathlib import Path

import click

from benchwright.cli.options import Amount
from benchwright.cli.output import Output, plural


@click.command()
@click.argument("folders", nargs=-1, metavar="[RUN…]", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--seconds", type=Amount(min=1), help="How long MLflow may take before it is put off.")
@click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")
def sync(folders: tuple[Path, ...], seconds: float | None, as_json: bool) -> int:
    """Send runs to MLflow; what is there already stays as it is.

    RUN is a run folder; without one, every run below runs/. The store is MLFLOW_TRACKING_URI, or a file
    in the user's data folder.
    """
    from benchwright import tracking
    from benchwright.errors import UserError
    from benchwright.journal import read_manifest, runs_folder

    out = Output(as_json)
    if folders:
        found = list(folders)
        for folder in found:
            read_manifest(folder)
    else:
        found = sorted(path.parent for path in runs_folder().glob("*/manifest.json"))
        if not found:
            raise UserError(f"No run lies below {runs_folder()}/. Name run folders, or run `bench run` first.")
    store = tracking.find_store()
    allowed = seconds or max(60.0, 5.0 * len(found))
    projected = tracking.project(found, store, allowed)
    out.say(f"{plural(len(found), 'run folder')}. {projected.message}")
    out.give(
        {
            "ok": projected.ok,
            "folders": [str(folder) for folder in found],
            "written": projected.written,
            "current": projected.current,
            "store": store.uri,
            "message": projected.message,
        }
    )
    return 0 if projected.ok else 1


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port on loopback; a free one where none is named.")
@click.option("--json", "as_json", is_flag=True, help="Print address and links as JSON, then serve.")
def ui(port: int | None, as_json: bool) -> int:
    """Open MLflow on this machine and print its links; Ctrl-C ends it.

    A server named by MLFLOW_TRACKING_URI is not started, only its links are printed.
    """
    from benchwright.tracking import server

    out = Output(as_json)
    with server.serving(port) as (address, store):
        links = server.links(store, address)
        out.say(f"MLflow at {address} ({store.uri})")
        for name, link in links:
            out.say(f"  {name}  {link}")
        if not links:
            out.say("  Nothing to see yet: `bench run` first.")
        out.give({"address": address, "links": dict(links)})
        if address == store.uri.rstrip("/"):
            return 0
        out.say("Ctrl-C ends it.")
        _flush()
        server.until_interrupted()
    return 0


def _flush() -> None:
    import sys

    sys.stdout.flush()
