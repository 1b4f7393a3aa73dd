"""`bench ui`: the real MLflow server on loopback, with links that open on the saved views."""

from __future__ import annotations

import http.client
import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchwright.errors import BenchError, UserError
from benchwright.tracking import views
from benchwright.tracking.board import EXPERIMENT
from benchwright.tracking.store import Store, find_store, first_line, opened, quiet_environment

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment

PLAIN = "runs"
"""What the plain page of an experiment is called among its links."""


def links(store: Store, address: str) -> dict[str, dict[str, str]]:
    """Experiment -> name of a view -> link, for each experiment that `bench` wrote, in the order of names.

    Raises UserError where the store cannot be used, or its server does not answer.
    """
    if store.uri.startswith(("http://", "https://")):
        _reached(store.uri)
    with _client(store) as client:
        ours = sorted(
            (one for one in client.search_experiments() if one.name.startswith("bench/") or one.name == EXPERIMENT),
            key=lambda one: one.name,
        )
        return links_to(address, ours, version_of(address))


def links_to(address: str, experiments: Sequence[Experiment], version: str | None) -> dict[str, dict[str, str]]:
    """Experiment -> name of a view -> link. `version`: of the MLflow that serves the pages; where its pages are not
    known to open saved views, each experiment has its plain page and nothing else."""

    def pages(one: Experiment) -> dict[str, str]:
        saved = views.saved(one.tags) if views.understood(version) else []
        links = {view.title: views.link(address, one.experiment_id, view) for view in saved}
        return links or {PLAIN: views.link(address, one.experiment_id, None)}

    return {one.name: pages(one) for one in experiments}


def version_of(address: str, seconds: float = 10.0) -> str | None:
    """What the MLflow server at `address` says its version is; None where it says none."""
    try:
        with urllib.request.urlopen(f"{address.rstrip('/')}/version", timeout=seconds) as answer:
            text = str(answer.read(64).decode("ascii", "replace")).strip()
    except (OSError, ValueError, http.client.HTTPException):
        return None
    return text if text[:1].isdigit() else None


@contextmanager
def _client(store: Store) -> Iterator[MlflowClient]:
    """As `opened`, with whatever MLflow, its database or its server says told in one sentence."""
    try:
        with opened(store) as client:
            yield client
    except BenchError:
        raise
    except Exception as error:  # noqa: BLE001  mlflow raises what its many stores raise
        raise UserError(f"MLflow at {store.uri} cannot be used: {first_line(error)}") from None


def _reached(address: str, seconds: float = 10.0) -> None:
    """Raises UserError where nothing at `address` speaks HTTP; any answer will do, a refusal too."""
    try:
        urllib.request.urlopen(address, timeout=seconds).close()
    except urllib.error.HTTPError:
        pass
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        raise UserError(f"MLflow at {address} does not answer ({why}). MLFLOW_TRACKING_URI names it.") from None


def starts(port: int | None = None) -> bool:
    """Whether a server is started here; False where MLFLOW_TRACKING_URI names one.

    Raises UserError where one would be and cannot: the pages are not installed, or the port is taken.
    """
    if find_store().uri.startswith(("http://", "https://")):
        return False
    if importlib.util.find_spec("flask") is None or importlib.util.find_spec("mlflow.server") is None:
        raise UserError("MLflow's pages are not installed. Add them: pip install 'benchwright[ui]'")
    if port is not None:
        _checked(port)
    return True


@contextmanager
def serving(port: int | None = None, seconds: float = 120.0) -> Iterator[tuple[str, Store]]:
    """(address, store) while the server answers. A server named by MLFLOW_TRACKING_URI is used as it is.

    Raises UserError where the interface is not installed or the port is taken, BenchError where the
    server does not come up within `seconds`.
    """
    if not starts(port):
        store = find_store()
        yield store.uri.rstrip("/"), store
        return
    store = find_store()
    with _client(store):  # creates the database, under the lock, before the server's processes race for it
        pass
    port = _free_port() if port is None else port
    address = f"http://127.0.0.1:{port}"
    command = [
        sys.executable, "-m", "mlflow", "server", "--backend-store-uri", store.uri, "--host", "127.0.0.1",
        "--port", str(port), "--workers", "1",
    ]  # fmt: skip
    if store.artifacts is not None:
        command += ["--default-artifact-root", store.artifacts]
    environment = {**os.environ, **quiet_environment(), "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        _wait(process, address, seconds)
        yield address, store
    finally:
        _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _checked(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise UserError(f"Port {port} cannot be used ({error.strerror}). Choose another with --port.") from None
    return port


def _wait(process: subprocess.Popen[bytes], address: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise BenchError(f"The MLflow server ended at once (exit code {process.returncode}).")
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise BenchError(f"The MLflow server at {address} did not answer within {seconds:g} s.")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the server and its workers, which share its process group."""
    import signal

    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue
        break


def end_at_request() -> None:
    """From here on a polite request to end is one as Ctrl-C is, so that a server that is starting ends, too."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)


def until_interrupted() -> None:
    """Returns at Ctrl-C or a polite request to end."""
    import signal
    import threading

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    while not ended.wait(1.0):
        pass
