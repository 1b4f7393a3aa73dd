"""Distributions made on the spot: what an installed package is to Python, a module and its dist-info folder."""

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def install(tmp_path: Path) -> Callable[..., Path]:
    """`install("dist", name="entry", module="mod", source="…")` into a folder that `ask` puts on the path."""
    site = tmp_path / "site"

    def make(distribution: str, *, name: str, module: str, source: str, version: str = "1.0") -> Path:
        site.mkdir(exist_ok=True)
        (site / f"{module}.py").write_text(textwrap.dedent(source))
        info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[benchwright.plugins]\n{name} = {module}\n")
        return site

    return make


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str], object]:
    """Runs an expression over `plugins` and `registry` in a fresh interpreter that sees the made distributions."""

    def run(expression: str) -> object:
        code = (
            "import json, sys\n"
            f"sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
            "from benchwright import plugins, registry\n"
            "from benchwright.errors import BenchError\n"
            "try:\n"
            f"    answer = {expression}\n"
            "except BenchError as error:\n"
            "    answer = {'error': str(error), 'exit': error.exit_code}\n"
            "print(json.dumps(answer))\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
