"""What `bench` sees of the package: a light import, every task listed, and everything in the wheel."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from benchwright import plugins
from benchwright.hookspecs import ListTasks, LoadTask
from scratch_kernels import folder as folders
from scratch_kernels import plugin

HEAVY = {"numpy", "torch", "yaml", "scipy", "pytest", "click", "benchwright.sandbox.sandbox"}


def test_the_plugin_lists_its_tasks_without_a_heavy_import() -> None:
    code = (
        "import sys\nfrom benchwright.hookspecs import ListTasks\nfrom scratch_kernels import plugin\n"
        "plugin.list_tasks(ListTasks({}))\nplugin.list_tasks(ListTasks({}))\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    plugin.list_tasks(ListTasks({}))  # fills the cache of parsed documents
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_folder_is_a_task_of_the_suite() -> None:
    specs = plugin.list_tasks(ListTasks({}))
    assert [spec.id for spec in specs] == [f"kernels/{slug}" for slug in folders.slugs()]
    assert {spec.suite for spec in specs if spec.tier == "laptop"} == {"kernels"}
    assert all(spec.probes and spec.file and spec.difficulty in "12345" for spec in specs)


def test_the_installed_plugin_is_found_under_its_name() -> None:
    assert "kernels" in plugins.load().benchmarks


@pytest.mark.parametrize("slug", folders.slugs())
def test_a_task_loads_with_what_a_run_needs(slug: str) -> None:
    task = plugin.load_task(LoadTask(f"kernels/{slug}", {}, Path()))
    assert task.digest.startswith("bw1:")
    assert task.limits.seconds <= 300
    assert (Path(task.private["folder"]) / "hidden_tests").is_dir()


@pytest.mark.proof
def test_the_wheel_holds_every_file_of_every_task(tmp_path: Path) -> None:
    package = Path(__file__).parents[1]
    assert tomllib.loads((package / "pyproject.toml").read_text())["project"]["name"] == "scratch-kernels"
    pytest.importorskip("hatchling.build")
    code = f"import os; os.chdir({str(package)!r}); from hatchling.build import build_wheel; print(build_wheel({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    for path in folders.TASKS.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert f"scratch_kernels/tasks/{path.relative_to(folders.TASKS).as_posix()}" in held
    assert "scratch_kernels/sets.yaml" in held
