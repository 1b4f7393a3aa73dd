"""The folders of this user: cache, data, settings. `BENCHWRIGHT_CACHE` and `BENCHWRIGHT_DATA` move them."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache() -> Path:
    """What can be rebuilt: parsed documents, compiled kernels. Not created here."""
    return _folder("BENCHWRIGHT_CACHE", "user_cache_dir")


def data() -> Path:
    """What is kept: fetched data sets, the MLflow store. Not created here."""
    return _folder("BENCHWRIGHT_DATA", "user_data_dir")


def _folder(variable: str, function: str) -> Path:
    given = os.environ.get(variable)
    if given:
        return Path(given).expanduser().absolute()
    if sys.platform == "linux":
        # The XDG base directories, as platformdirs has them too; importing it takes a tenth of what `bench list` takes.
        base, usual = _XDG[function]
        named = os.environ.get(base, "").strip()
        return Path(named if os.path.isabs(named) else os.path.expanduser(usual), "benchwright")
    import platformdirs

    return Path(getattr(platformdirs, function)("benchwright", appauthor=False))


_XDG = {
    "user_cache_dir": ("XDG_CACHE_HOME", "~/.cache"),
    "user_data_dir": ("XDG_DATA_HOME", "~/.local/share"),
}
