"""What starting costs: the heavy packages stay out until somebody needs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
