"""Where built kernels are kept: by the digest of everything that made them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path


@cache
def folder() -> Path:
    """The cache folder; `BENCHWRIGHT_CACHE` moves it. A folder that cannot be written is replaced by a temporary one."""
    base = os.environ.get("BENCHWRIGHT_CACHE") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = Path(base) / "benchwright" / "simt"
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        path = Path(tempfile.mkdtemp(prefix="benchwright-simt-"))
    return path


def key(*parts: str) -> str:
    """A name for what `parts` determine."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:40]


def keep(source: Path, name: str) -> Path:
    """Moves a finished folder into the cache; where another process was faster, its result is used."""
    target = folder() / name
    try:
        source.rename(target)
    except OSError:
        if not target.exists():
            raise
    return target
