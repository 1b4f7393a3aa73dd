"""The folders of this user: cache, data, settings. `BENCHWRIGHT_CACHE` and `BENCHWRIGHT_DATA` move them."""

from __future__ import annotations

import os
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
    import platformdirs

    return Path(getattr(platformdirs, function)("benchwright", appauthor=False))
