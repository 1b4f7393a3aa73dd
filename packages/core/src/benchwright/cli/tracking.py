"""`bench sync` and `bench ui`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from benchwright.cli.options import Amount, registry_option
from benchwright.cli.output import Output, plural


@click.command()
@click.argument("folders", nargs=-1, metavar="[RUN…]", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--board",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Send this leaderboard too: a run for each of its rows, in the experiment `leaderboard`.",
)
@registry_option
@click.option("--seconds", type=Amount(min=1), help="How long MLflow may take before it is put off.")
@click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")
def sync(
    folders: tuple[Path, ...], board: Path | None, registry_path: Path | None, seconds: float | None, as_json: bool
) -> int:
    """Send runs to MLflow; what is there already stays as it is.

    RUN is a run folder; with neither RUN nor --board, every run below runs/. The store is MLFLOW_TRACKING_URI, or a
    file in the user's data folder.
    """
    from benchwright import tracking
    from benchwright.errors import UserError
    from benchwright.journal import read_attempts, read_manifest, runs_folder
    from benchwright.leaderboard.everything import attempts_folder
    from benchwright.tracking.background import patience

    out = Output(as_json)
    if board is not None:
        attempts_folder(board)
    if folders or board is not None:
        found = list(folders)
        for folder in found:
            read_manifest(folder)
            read_attempts(folder)
    else:
        found = sorted(path.parent for path in runs_folder().glob("*/manifest.json"))
        if not found:
            raise UserError(f"No run lies below {runs_folder()}/. Name run folders, or run `bench run` first.")
    store = tracking.find_store()
    if os.environ.get("BENCHWRIGHT_MLFLOW", "").lower() == "off":
        raise UserError("BENCHWRIGHT_MLFLOW=off switches MLflow off; unset it, and `bench sync` sends what is here.")
    allowed = seconds or max(patience(store), 5.0 * len(found)) + (120.0 if board is not None else 0.0)
    projected = tracking.project(found, store, allowed, board=board, registry=registry_path)
    sent = [plural(len(found), "run folder")] if found else []
    sent += [f"leaderboard {board}"] if board is not None else []
    out.say(f"{', '.join(sent)}. {projected.message}")
    out.give(
        {
            "ok": projected.ok,
            "folders": [str(folder) for folder in found],
            "board": None if board is None else str(board),
            "written": projected.written,
            "current": projected.current,
            "deleted": projected.deleted,
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
    from benchwright.tracking import server, views

    out = Output(as_json)
    if server.starts(port):
        out.say("Starting MLflow; the first time it makes its database, which takes a minute on a slow machine.")
        _flush()
    server.end_at_request()
    with server.serving(port) as (address, store):
        links = server.links(store, address)
        out.say(f"MLflow at {address} ({store.uri})")
        for name, pages in links.items():
            out.say(f"  {name}")
            for title, link in pages.items():
                out.say(f"    {title}: {link}")
        if not links:
            out.say("  Nothing to see yet: `bench run` first.")
        elif all(server.PLAIN in pages for pages in links.values()):
            out.say(
                f"  Plain pages: the saved views are made for MLflow {', '.join(views.UNDERSTOOD)}, this one is another."
            )
        first = {name: next(iter(pages.values())) for name, pages in links.items()}
        out.give({"address": address, "links": first, "views": links})
        if address == store.uri.rstrip("/"):
            return 0
        out.say("Ctrl-C ends it.")
        _flush()
        server.until_interrupted()
    return 0


def _flush() -> None:
    import sys

    sys.stdout.flush()
