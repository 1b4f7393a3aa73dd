"""What starting costs: the heavy packages stay out until somebody needs them."""

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest
from benchwright import folders, installed

HEAVY = {
    "numpy",
    "torch",
    "mlflow",
    "scipy",
    "rich",
    "pydantic",
    "anthropic",
    "openai",
    "yaml",
    "asyncio",
    "tabulate",
    "jinja2",
}


@pytest.mark.parametrize("arguments", [("--help",), ("list",), ("list", "--params"), ("run", "--help"), ("plugins",)])
def test_help_and_list_import_nothing_heavy(arguments: tuple[str, ...], here: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "benchwright", *arguments]
    subprocess.run(command, cwd=here, capture_output=True, check=True, env=os.environ)  # fills the caches
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True, env=os.environ)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "benchwright" in imported
    assert imported & HEAVY == set()


def test_a_package_that_is_installed_later_is_seen(here: Path, site: Path) -> None:
    def benchmarks() -> str:
        return subprocess.run(
            [sys.executable, "-m", "benchwright", "plugins"],
            cwd=here,
            capture_output=True,
            text=True,
            check=True,
            env=env,
        ).stdout

    own = here / "own"
    own.mkdir()
    env = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{own}"}
    assert "later" not in benchmarks()
    (own / "later.py").write_text("API = 1\nSTATUS = 'here now'\n")
    (own / "later-1.0.dist-info").mkdir()
    (own / "later-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: later\nVersion: 1.0\n")
    (own / "later-1.0.dist-info" / "entry_points.txt").write_text("[benchwright.plugins]\nlater = later\n")
    assert "here now" in benchmarks()


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "XDG_DATA_HOME"])
@pytest.mark.parametrize("value", [None, "", "relative/path", "/somewhere/else"])
def test_the_folders_of_a_user_are_where_platformdirs_has_them(
    variable: str, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BENCHWRIGHT_CACHE", "BENCHWRIGHT_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    if value is not None:
        monkeypatch.setenv(variable, value)
    assert folders.cache() == Path(platformdirs.user_cache_dir("benchwright", appauthor=False))
    assert folders.data() == Path(platformdirs.user_data_dir("benchwright", appauthor=False))


def test_entry_points_of_several_import_paths_are_remembered_side_by_side(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(distribution: str, name: str) -> None:
        info = here / distribution / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[benchwright.plugins]\n{name} = {name}\n")

    def found(distribution: str) -> set[str]:
        monkeypatch.setattr(sys, "path", [str(here / distribution)])
        return {entry.name for entry in installed.entry_points("benchwright.plugins")}

    put("one", "first")
    put("two", "second")
    assert (found("one"), found("two")) == ({"first"}, {"second"})
    with monkeypatch.context() as patched:
        patched.setattr(installed, "_read", lambda group: pytest.fail("it was read again"))
        assert (found("one"), found("two"), found("one")) == ({"first"}, {"second"}, {"first"})
    put("one", "third")
    assert (found("one"), found("two")) == ({"first", "third"}, {"second"})
    kept = [path for path in (here / "cache").iterdir() if path.name.startswith("entry-points-")]
    assert len(kept) == 1
    for number in range(20):
        put(f"more-{number}", "other")
        assert found(f"more-{number}") == {"other"}
    assert kept[0].stat().st_size < 8_000, "the oldest are forgotten"
