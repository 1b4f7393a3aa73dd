"""Real runs of each protocol and provider, made once; each test gets copies that it may damage."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

CORE_TESTS = Path(__file__).parents[2] / "core" / "tests"
sys.path[:0] = [str(Path(__file__).parent), str(CORE_TESTS / "providers")]

import log_runs  # noqa: E402  found by the line above


def _core_conftest():
    spec = importlib.util.spec_from_file_location("core_tests_conftest", CORE_TESTS / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the test benchmarks `sums` and `trials` installed in it."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("sums", "trials"):
        _core_conftest().install(name, folder)
    return folder


@pytest.fixture(scope="session")
def made(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A run by name, see `log_runs.RUNS`; made at the first request, not to be changed."""
    folder = tmp_path_factory.mktemp("runs")

    def run(name: str) -> Path:
        if not (folder / name).exists():
            with pytest.MonkeyPatch.context() as patch:
                for variable in ("CACHE", "DATA", "RUNS"):
                    patch.setenv(f"BENCHWRIGHT_{variable}", str(folder / f"own-{variable.lower()}"))
                patch.syspath_prepend(str(site))
                log_runs.make(name, folder / name, patch)
        return folder / name

    return run


@pytest.fixture
def run(made: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a run, to be changed."""

    def copy(name: str) -> Path:
        target = tmp_path / name
        shutil.copytree(made(name), target)
        return target

    return copy


@pytest.fixture
def bench(tmp_path: Path, site: Path) -> Callable[..., log_runs.Ended]:
    """`bench` in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    environment |= {f"BENCHWRIGHT_{name}": str(tmp_path / f"own-{name.lower()}") for name in ("CACHE", "DATA", "RUNS")}
    return lambda *arguments: log_runs.command([sys.executable, "-m", "benchwright", *arguments], tmp_path, environment)


class Environment:
    """Another environment: its interpreter, and a folder with this package and the core installed for it."""

    def __init__(self, python: str, site: Path) -> None:
        self.python = python
        self.site = site


@pytest.fixture(scope="session")
def other_environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The environment of the tests of imported logs, with Inspect AI in it; see `leaderboard/test_inspect_real.py`.

    BENCHWRIGHT_INSPECT_PYTHON names its interpreter where there is one already. Nothing is added to that one: the
    two packages are installed into a folder beside it.
    """
    python = os.environ.get("BENCHWRIGHT_INSPECT_PYTHON")
    if not python:
        folder = tmp_path_factory.mktemp("inspect")
        venv.create(folder, with_pip=True)
        python = str(folder / "bin" / "python")
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-U", "pip"], check=True)
        subprocess.run([*pip, "-r", str(CORE_TESTS / "leaderboard" / "inspect_env" / "requirements.txt")], check=True)
    site = tmp_path_factory.mktemp("installed")
    packages = [str(CORE_TESTS.parent), str(Path(__file__).parents[1])]
    subprocess.run(
        [
            python,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--disable-pip-version-check",
            "--target",
            str(site),
            *packages,
        ],
        check=True,
    )
    return Environment(python, site)
