"""The same walls for a user who is not root: run by root, as a user that nobody is, with a Python outside root's home."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import benchwright
import pytest
from benchwright.sandbox import walls

HERE = Path(__file__).parent
UID = 64_123
PACKAGES = ("numpy", "msgspec", "pytest", "pluggy", "iniconfig", "packaging", "pygments")

PROGRAM = """
import json, os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from benchwright.records import Limits
from benchwright.sandbox import open_sandbox, probe
task, cheats = Path(sys.argv[2]), json.loads(sys.argv[4])
told = {"uid": os.getuid()}
report = probe.run(sys.argv[3])
told["error"], told["through"] = report.error, [r.probe for r in report.rows if not r.stopped]
if not report.error:
    with open_sandbox(tier=sys.argv[3]) as sandbox:
        def outcome(source):
            limits = Limits(seconds=20, cpu_seconds=5, memory_mb=256, file_mb=4)
            return sandbox.run_tests(task, {"stable_softmax.py": source}, imports=("numpy",), limits=limits).outcome
        told["reference"] = outcome((task / "reference" / "stable_softmax.py").read_bytes())
        told["cheats"] = {c: outcome(s.encode()) for c, s in cheats.items()}
        told["after"] = outcome((task / "reference" / "stable_softmax.py").read_bytes())
        bomb = "i=0; while [ $i -lt 200 ]; do sleep 614 & i=$((i+1)); done; wait"
        limits = Limits(seconds=20, processes=8)
        told["bomb"] = sandbox.run_command(["sh", "-c", bomb], Path(os.environ["TMPDIR"]), limits=limits).status
print(json.dumps(told))
"""

CHEATS = [
    "environment",
    "other_memory",
    "vm_readv",
    "guess_paths",
    "links",
    "raw_fork",
    "execs",
    "kills",
    "limits_of_others",
    "poison",
    "network",
    "shared_memory",
    "modes_and_times",
    "namespaces_and_mounts",
    "fills_disk",
    "package_by_path",
    "early_reply",
    "fills_memory",
]


def python_for_others() -> str | None:
    """A Python of this version that every user may run."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    asked = os.environ.get("BENCHWRIGHT_UNPRIVILEGED_PYTHON")
    candidates = [
        asked,
        os.path.realpath(sys.executable),
        f"/usr/bin/python{version}",
        f"/usr/local/bin/python{version}",
    ]
    for candidate in candidates:
        if candidate and os.path.exists(candidate):
            real = Path(os.path.realpath(candidate))
            if all(folder.stat().st_mode & stat.S_IXOTH for folder in real.parents):
                return candidate
    return None


@pytest.fixture(scope="module")
def packages() -> Iterator[Path]:
    """The packages that a grading needs and the core, where every user can read them; pytest's own folders are shut."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        yield copied(Path(place) / "packages")


def copied(folder: Path) -> Path:
    """Copies them."""
    folder.mkdir()
    for name in PACKAGES:
        distribution = metadata.distribution(name)
        for top in {f.parts[0] for f in distribution.files or () if f.parts[0] != ".."}:
            source = Path(str(distribution.locate_file(top)))
            if source.is_dir():
                shutil.copytree(
                    source, folder / top, dirs_exist_ok=True, ignore=shutil.ignore_patterns("tests", "*.pyc")
                )
            elif source.is_file():
                shutil.copy(source, folder / top)
    shutil.copytree(Path(benchwright.__file__).parent, folder / "benchwright", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copytree(HERE / "softmax_task", folder / "softmax_task")
    for parent, names, files in os.walk(folder):
        for name in (*names, *files):
            os.chmod(os.path.join(parent, name), 0o755)
    os.chmod(folder, 0o755)
    return folder


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("tier", [walls.NAMESPACES, walls.LANDLOCK, walls.BUBBLEWRAP])
def test_the_walls_hold_for_a_user_who_is_not_root(tier: str, packages: Path) -> None:
    python = python_for_others()
    if python is None:
        pytest.skip("no Python of this version outside root's home; BENCHWRIGHT_UNPRIVILEGED_PYTHON can name one")
    work = packages.parent / f"work-{tier.partition('+')[0]}"
    work.mkdir()
    os.chown(work, UID, UID)
    naive = (HERE / "test_cheats.py").read_text().split('NAIVE = b"""')[1].split('"""')[0]
    sources = {}
    for name in CHEATS if tier != walls.BUBBLEWRAP else CHEATS[::3]:
        text = (HERE / "cheats" / f"{name}.py").read_text().replace("@TASK@", str(packages / "softmax_task"))
        text = text.replace("@HOME@", str(work))
        sources[name] = text if "def softmax" in text else text + naive
    done = subprocess.run(
        [python, "-c", PROGRAM, str(packages), str(packages / "softmax_task"), tier, json.dumps(sources)],
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(work), "HOME": str(work), "PYTHONPATH": str(packages)},
        user=UID,
        group=UID,
        extra_groups=[],
        cwd=work,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert told["uid"] == UID
    if told["error"]:
        pytest.skip(f"{tier} is not available to users here: {told['error']}")
    assert told["through"] == []
    assert told["reference"] == told["after"] == "solved"
    wrong = {}
    for name, outcome in told["cheats"].items():
        line = (HERE / "cheats" / f"{name}.py").read_text().splitlines()[0]
        if outcome not in line.removeprefix("# outcome:").split():
            wrong[name] = outcome
    assert wrong == {}
    assert told["bomb"] in ("error", "resource_limit")
    assert os.listdir(work) == []
