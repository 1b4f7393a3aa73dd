"""Which MLflow store: `MLFLOW_TRACKING_URI`, or a SQLite file under the user's data folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchwright import folders

if TYPE_CHECKING:
    from mlflow import MlflowClient


class Store(msgspec.Struct, frozen=True):
    """`uri`: a tracking URI; `folder`: where a local store's files lie, None for a server."""

    uri: str
    folder: Path | None

    @property
    def artifacts(self) -> str | None:
        """The absolute artifact root of a local store; a server has its own."""
        return None if self.folder is None else (self.folder / "artifacts").as_uri()

    @property
    def absent(self) -> bool:
        """Whether this is a local database that is yet to be created."""
        return self.folder is not None and not Path(self.uri.removeprefix("sqlite:///")).exists()


def find_store() -> Store:
    """The store that a run is projected to. Always absolute, so that the working folder never decides."""
    uri = os.environ.get("MLFLOW_TRACKING_URI", "").strip()
    return store_at(uri or f"sqlite:///{folders.data() / 'mlflow' / 'mlflow.db'}")


def store_at(uri: str) -> Store:
    """The store of a tracking URI; a relative SQLite path is taken from the working folder."""
    if uri.startswith("sqlite:///"):
        path = Path(uri.removeprefix("sqlite:///")).absolute()
        return Store(f"sqlite:///{path}", path.parent)
    return Store(uri, None)


def quiet_environment() -> dict[str, str]:
    """Settings that mlflow reads when it is imported: no telemetry, and no long silent retries."""
    return {
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_HTTP_REQUEST_MAX_RETRIES": os.environ.get("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "1"),
        "MLFLOW_HTTP_REQUEST_TIMEOUT": os.environ.get("MLFLOW_HTTP_REQUEST_TIMEOUT", "10"),
        "MLFLOW_ENABLE_ASYNC_LOGGING": "false",
    }


@contextlib.contextmanager
def opened(store: Store) -> Iterator[MlflowClient]:
    """A client, with the store's first initialisation and its writing guarded by a file lock.

    MLflow's own migrations race when several processes meet an absent database; here the second one waits.
    """
    os.environ.update(quiet_environment())
    with _locked(store.folder):
        import logging

        logging.getLogger("alembic").setLevel(logging.WARNING)
        logging.getLogger("mlflow").setLevel(logging.WARNING)
        from mlflow import MlflowClient

        if store.absent:
            _create(Path(store.uri.removeprefix("sqlite:///")))
        client = MlflowClient(tracking_uri=store.uri, registry_uri=store.uri)
        client.search_experiments(max_results=1)
        yield client


def _create(path: Path) -> None:
    """Makes the database under another name first: killed in the middle of MLflow's migrations, it would stay broken."""
    from mlflow import MlflowClient

    for left in path.parent.glob(f"{path.name}.making-*"):
        left.unlink(missing_ok=True)
    making = path.with_name(f"{path.name}.making-{os.getpid()}")
    MlflowClient(tracking_uri=f"sqlite:///{making}", registry_uri=f"sqlite:///{making}").search_experiments(
        max_results=1
    )
    making.replace(path)


@contextlib.contextmanager
def _locked(folder: Path | None) -> Iterator[None]:
    if folder is None:
        yield
        return
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "bench.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def first_line(error: Exception) -> str:
    """The first line of what went wrong; a connection's long story is cut where it starts to repeat itself."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    lines = str(error).strip().splitlines()
    first = (lines[0] if lines else type(error).__name__).partition(" with exception ")[0]
    return (first if len(first) <= 200 else first[:199] + "…").removesuffix(".")
