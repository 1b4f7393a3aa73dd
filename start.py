#!/usr/bin/env python3
"""Sets Benchwright up in this folder's `.venv` and shows that it works. Needs git and Python 3.11 or newer.

python3 start.py                what starts small, then `bench run --suite all`
python3 start.py --everything   all extras and the development tools, then the tests
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SMALL = {"core": "", "weightspace": "", "handnet-bench": "", "scratch-kernels": "", "logs": ""}
EVERYTHING = {
    "core": "[ui,anthropic,openai]",
    "weightspace": "[fast]",
    "handnet-bench": "",
    "scratch-kernels": "[torch,compiler,nvrtc,triton]",
    "logs": "",
}


def main() -> int:
    """Exit code of the last step; a step that fails is named in a sentence."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--everything", action="store_true", help="all extras and development tools, then the tests")
    parser.add_argument("--only-install", action="store_true", help="set up and stop there")
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where to install (default: .venv)")
    given = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036  an older Python should be told, not fail on syntax
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}. Try: python3.11 start.py")
        return 2
    python = environment(given.venv.resolve())
    if python is None:
        return 2
    packages = EVERYTHING if given.everything else SMALL
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for folder, extras in packages.items():
        command += ["--editable", f"{ROOT / 'packages' / folder}{extras}"]
    if given.everything:
        command += ["--constraint", str(ROOT / "constraints.txt"), "--group", f"{ROOT / 'pyproject.toml'}:dev"]
    print("Installing " + ", ".join(packages) + (" with all extras …" if given.everything else " …"), flush=True)
    if run(command):
        print("The installation failed; what pip said stands above.")
        return 1
    bench = str(Path(python).with_name("bench"))
    if given.only_install:
        print(f"Ready: {bench} --help")
        return 0
    if given.everything:
        return run([python, "-m", "pytest", "-n", "2", "-q"], cwd=ROOT)
    code = run([bench, "run", "--suite", "all"], cwd=ROOT)
    if code == 0:
        print(f"\nTo go on, in this shell: source {bench.removesuffix('bench')}activate, then bench --help")
        print(
            "Left out, to start small: torch (some kernels tasks), a compiler, MLflow's pages, the providers' SDKs. "
            "Add all of it: python3 start.py --everything"
        )
    return code


def environment(folder: Path) -> str | None:
    """The Python of a virtual environment at `folder` that has a recent pip; None where it cannot be made."""
    python = folder / "bin" / "python"
    if not (python.exists() and quiet([str(python), "-m", "pip", "--version"])):
        shutil.rmtree(folder, ignore_errors=True)
        if not quiet([sys.executable, "-m", "venv", str(folder)]) and not without_ensurepip(folder, python):
            print(
                "A virtual environment could not be made. On Debian and Ubuntu: apt-get install python3-venv. "
                "Elsewhere: install a Python that has the venv and ensurepip modules."
            )
            return None
    if run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "pip>=25.1"]):
        print("pip could not be brought up to date; is a package index within reach?")
        return None
    return str(python)


def without_ensurepip(folder: Path, python: Path) -> bool:
    """Where the system's Python lacks ensurepip but has a pip, that pip fills the new environment."""
    shutil.rmtree(folder, ignore_errors=True)
    return quiet([sys.executable, "-m", "venv", "--without-pip", str(folder)]) and quiet(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip>=25.1"]
    )


def run(command: list[str], cwd: Path | None = None) -> int:
    """The exit code of a command whose output is shown."""
    return subprocess.run(command, cwd=cwd, check=False, env=clean()).returncode


def quiet(command: list[str]) -> bool:
    """Whether a command whose output is hidden succeeds."""
    try:
        return subprocess.run(command, check=False, capture_output=True, env=clean()).returncode == 0
    except OSError:
        return False


def clean() -> dict[str, str]:
    """The environment without what would lead pip or Python astray."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET")}


if __name__ == "__main__":
    sys.exit(main())
