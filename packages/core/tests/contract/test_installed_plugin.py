"""A package from outside the workspace, really installed, is a benchmark like any other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUMS = Path(__file__).parents[1] / "plugins" / "sums"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """`sums`, copied out of the repository and installed by pip into a folder of its own."""
    source = tmp_path_factory.mktemp("outside") / "sums"
    shutil.copytree(SUMS, source)
    target = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
         "--target", str(target), str(source)],
        check=True, capture_output=True,
    )  # fmt: skip
    return target


@pytest.fixture
def bench(tmp_path):
    """Runs the real command in an empty folder, with the given folders on the path."""

    def run(*arguments, path=()):
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "BENCHWRIGHT_DATA": str(tmp_path / "data"),
            "BENCHWRIGHT_MLFLOW": "off",
            "BENCHWRIGHT_CACHE": str(tmp_path / "cache"),
        }
        command = [sys.executable, "-m", "benchwright", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_it_appears_in_bench_plugins_as_unregistered(site, bench):
    done = bench("plugins", path=[site])
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.split()[:1] == ["sums"]]
    assert "unregistered" in line


def test_it_runs_in_bench_run_and_stays_unregistered(site, bench, tmp_path):
    done = bench("run", "--suite", "sums", "--json", path=[site])
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    lines = [json.loads(line) for line in (folder / "attempts.jsonl").read_text().splitlines()]
    assert len(lines) == 10
    assert {line["outcome"] for line in lines} == {"solved"}
    assert {line["task"]["set"] for line in lines} == {"unregistered"}


def test_it_is_part_of_all_installed_suites(site, bench):
    listed = json.loads(bench("list", "--json", path=[site]).stdout)
    assert "sums/n3" in json.dumps(listed)


@pytest.mark.parametrize(
    ("module", "source", "told"),
    [
        ("broken_mod", "raise RuntimeError('no luck')", "RuntimeError: no luck"),
        (
            "misspelt_mod",
            "from benchwright import hookimpl\nAPI = 1\n@hookimpl\ndef evalute(ctx): ...",
            "Did you mean `evaluate`?",
        ),
        (
            "default_mod",
            "from benchwright import hookimpl\nAPI = 1\n@hookimpl\ndef evaluate(ctx=1): ...",
            "a default value",
        ),
        ("old_mod", "API = 0", "hook API version 0"),
    ],
)
def test_a_bad_neighbour_is_a_sentence_and_takes_nothing_down(site, bench, install, module, source, told):
    bad = install("neighbour", name="neighbour", module=module, source=source)
    listed = bench("plugins", path=[site, bad])
    assert told in listed.stdout + listed.stderr
    assert "Traceback" not in listed.stdout + listed.stderr
    done = bench("run", "--suite", "sums", path=[site, bad])
    assert done.returncode == 0, done.stderr


def test_a_second_package_of_the_same_name_is_an_error_that_names_both(site, bench, install):
    rival = install("rival-sums", name="sums", module="rival_mod", source="API = 1")
    done = bench("run", "--suite", "sums", path=[site, rival])
    assert done.returncode == 2
    assert "rival-sums and sums" in done.stderr
    assert "Traceback" not in done.stderr
    shown = bench("plugins", path=[site, rival])
    assert "rival-sums and sums" in shown.stdout + shown.stderr
