"""What is listed, sent, pinned and packed."""

import subprocess
import sys
import zipfile
from importlib import resources
from pathlib import Path

import pytest
from benchwright.digests import CANARY_ID
from benchwright.plugins import load as load_plugins
from handnet_bench import loading, pinning, tasks

PACKAGE = resources.files("handnet_bench")


def test_the_plugin_loads_and_lists_six_tasks_in_one_suite():
    plugins = load_plugins()
    assert not [broken for broken in plugins.broken if broken.name == "handnet"]
    specs = [spec for spec in plugins.specs() if spec.suite == "handnet"]
    assert [spec.id for spec in specs] == [f"handnet/{slug}" for slug in tasks.BY_SLUG]
    assert {spec.protocol.kind for spec in specs} == {"revise"}
    assert {spec.protocol.rounds for spec in specs} == {2}


def test_listing_imports_no_numpy():
    code = "import sys; from handnet_bench import plugin; plugin.list_tasks(); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("slug", list(tasks.BY_SLUG))
def test_a_prompt_states_rules_task_and_budget_and_no_canary(slug, tmp_path):
    task = loading.load(tasks.BY_SLUG[slug], tmp_path)
    [message] = task.messages
    assert CANARY_ID not in message.text
    for words in (f'TASK = "{slug}"', "WEIGHTS", "At most 100,000 numbers", "No training and no data", "# Task: "):
        assert words in message.text
    assert task.system == tasks.SYSTEM
    assert task.system.count(".") == 1


def test_every_prompt_shares_the_common_preamble(tmp_path):
    texts = [loading.load(task, tmp_path).messages[0].text for task in tasks.TASKS]
    assert len({text.partition("# Task: ")[0] for text in texts}) == 1


def test_the_numbers_in_the_preamble_are_those_of_the_rules():
    from handnet_bench.rules import explained

    common = (PACKAGE / "prompts" / "common.md").read_text()
    assert f"{tasks.BUDGET:,} numbers" in common
    assert f"explains {explained.MOST_NUMBERS} numbers at most" in common
    assert explained.MOST_REPEATS == 3
    assert "three times at most" in common


def test_sets_yaml_pins_the_tasks_as_they_are():
    assert (PACKAGE / "sets.yaml").read_text() == pinning.sets_yaml()


def test_a_digest_needs_no_data_and_changes_with_the_prompt(monkeypatch):
    task = tasks.BY_SLUG["sst2"]
    before = loading.digest(task)
    loading.digest.cache_clear()
    monkeypatch.setattr(loading, "_text", lambda name: "another text %s")
    assert loading.digest(task) != before
    loading.digest.cache_clear()


def test_prompts_references_and_text_data_carry_the_canary():
    files = [path for folder in ("prompts", "networks") for path in (PACKAGE / folder).iterdir()]
    files += [
        PACKAGE / "data" / "sst2" / "sentence-hashes.txt",
        PACKAGE / "data" / "sst2" / "test-hashes.txt",
        PACKAGE / "data" / "baselines.json",
        PACKAGE / "starter.py",
    ]
    code = {"__init__.py", "torch_modules.py", "__pycache__"}
    missing = [path.name for path in files if path.name not in code and CANARY_ID not in path.read_text()]
    assert missing == []


def test_the_starter_solves_nothing_and_breaks_a_rule(sandbox, tmp_path):
    from handnet_bench import scoring

    for slug in ("mnist", "addition", "dyck1", "induction"):
        starter = loading.load(tasks.BY_SLUG[slug], tmp_path).starter
        assert {v.rule for v in scoring.check_rules(tasks.BY_SLUG[slug], starter, sandbox, tmp_path)} >= {
            "idle-weights"
        }


def test_both_licences_are_declared():
    import tomllib

    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["license"] == "MIT AND CC-BY-SA-3.0"
    assert "src/handnet_bench/data/mnist/LICENSE.txt" in project["license-files"]


@pytest.mark.proof
def test_the_wheel_holds_data_and_licences_and_no_tests(tmp_path):
    pytest.importorskip("hatchling", reason="hatchling is not installed: the wheel is not built here")
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 4_000_000
    packed = zipfile.ZipFile(wheel)
    names = packed.namelist()
    [declared] = [packed.read(name).decode() for name in names if name.endswith("dist-info/METADATA")]
    assert "License-Expression: MIT AND CC-BY-SA-3.0" in declared
    for name in (
        "handnet_bench/data/mnist/t10k-images-idx3-ubyte.gz",
        "handnet_bench/data/mnist/train5000-labels-idx1-ubyte.gz",
        "handnet_bench/data/mnist/LICENSE.txt",
        "handnet_bench/data/sst2/sentence-hashes.txt",
        "handnet_bench/data/sst2/test-hashes.txt",
        "handnet_bench/data/baselines.json",
        "handnet_bench/networks/PROVENANCE.md",
        "handnet_bench/prompts/common.md",
        "handnet_bench/sets.yaml",
        "handnet_bench/driver.py",
    ):
        assert name in names
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/src/handnet_bench/data/mnist/LICENSE.txt") for name in names)
    assert not [
        name
        for name in names
        if "tests/" in name or "handnet_corpus" in name or name.endswith((".tsv", "stsa.binary.dev"))
    ]
