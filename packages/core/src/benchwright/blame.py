"""Whose fault it was: the line of a plugin at which an error came up, and who can mend the plugin."""

from __future__ import annotations

import importlib.util
import os
import traceback
from pathlib import Path
from urllib.parse import unquote, urlsplit


def told(error: BaseException, module: str) -> str:
    """`KeyError: 'x' (FILE, line N)`: an error of the plugin that `module` lies in, with the last line of its own on the way there."""
    text = f"{type(error).__name__}: {error}"
    homes = _homes(module.partition(".")[0])
    cause: BaseException | None = error
    while cause is not None:
        for frame in reversed(traceback.extract_tb(cause.__traceback__)):
            if any(frame.filename == home or frame.filename.startswith(home + os.sep) for home in homes):
                return f"{text} ({frame.filename}, line {frame.lineno})"
        cause = cause.__cause__
    return text


def _homes(package: str) -> list[str]:
    """The folders of a package, or the file of a module."""
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    return list(found.submodule_search_locations or ()) or [found.origin or ""]


def remedy(distribution: str) -> str:
    """What mends a broken distribution: where it was installed from a folder, its author is at hand; else a newer release."""
    from importlib import metadata

    import msgspec

    try:
        text = metadata.distribution(distribution).read_text("direct_url.json")
        url = urlsplit(msgspec.json.decode(text or "{}").get("url", ""))
    except (metadata.PackageNotFoundError, msgspec.DecodeError, AttributeError, ValueError):
        url = urlsplit("")
    if url.scheme == "file":
        return f"mend it in {Path(unquote(url.path))}, or pip uninstall {distribution}"
    return f"pip install -U {distribution}"
