"""The plugins below `plugins/`, installed as a package is: modules and a dist-info folder on the import path."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

PLUGINS = Path(__file__).parent / "plugins"


def install(name: str, site: Path) -> None:
    """Puts `plugins/<name>`, a module or a package, into `site`, entry points included."""
    project = tomllib.loads((PLUGINS / name / "pyproject.toml").read_text())["project"]
    if (PLUGINS / name / name).is_dir():
        shutil.copytree(PLUGINS / name / name, site / name)
    else:
        shutil.copy(PLUGINS / name / f"{name}.py", site)
    info = site / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `sums` and `trials` installed in it."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("sums", "trials"):
        install(name, folder)
    return folder


@pytest.fixture
def here(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, the user's folders in it, and the plugins on the import path of this process."""
    for name in ("CACHE", "DATA", "RUNS"):
        monkeypatch.setenv(f"BENCHWRIGHT_{name}", str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def medians(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The plugin `medians`, installed for `bench` too, in a folder that a test may change."""
    place = here / "medians-site"
    place.mkdir()
    install("medians", place)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(place), os.environ["PYTHONPATH"])))
    return place / "medians"


@pytest.fixture
def bench(here: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `bench` in the working folder, in a process of its own."""

    def run(
        *arguments: object, env: dict[str, str] | None = None, timeout: float = 60
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "benchwright", *map(str, arguments)],
            cwd=here,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run


@pytest.fixture
def script(here: Path) -> Callable[..., str]:
    """Writes a script for the `scripted` model and gives the name of that model."""

    def write(replies: dict[str, object], **settings: object) -> str:
        path = here / f"{settings.get('name', 'one')}.script.json"
        path.write_text(json.dumps({"replies": replies, **settings}))
        return f"scripted:{path}"

    return write


@pytest.fixture
def calls(here: Path) -> Callable[[], list[str]]:
    """The calls that `scripted` models with `log` set to `calls.log` have answered or are answering."""
    return lambda: (here / "calls.log").read_text().split() if (here / "calls.log").exists() else []
