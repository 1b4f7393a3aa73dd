"""The registry is read strictly; what it pins is compared with what is installed."""

from pathlib import Path

import pytest
from benchwright import plugins, registry
from benchwright.errors import FileError

DEFAULT = Path(registry.__file__).with_name("registry.yaml")


def changed(tmp_path: Path, old: str, new: str) -> Path:
    text = DEFAULT.read_text()
    assert old in text
    path = tmp_path / "registry.yaml"
    path.write_text(text.replace(old, new, 1))
    return path


def test_the_registry_in_the_package_is_the_one_at_the_root_of_the_repository():
    root = Path(__file__).parents[4] / "registry.yaml"
    assert root.is_symlink()
    assert root.resolve() == DEFAULT.resolve()


def test_every_registered_benchmark_is_installed_here_as_pinned():
    installed = plugins.load()
    read = registry.load(DEFAULT)
    assert read.problems(installed) == []
    assert set(read.benchmarks) <= set(installed.benchmarks)


def test_a_registry_in_the_working_folder_comes_first(tmp_path, monkeypatch):
    path = changed(tmp_path, "weight: 0", "weight: 3")
    monkeypatch.chdir(tmp_path)
    assert registry.load().path.resolve() == path
    assert registry.load(DEFAULT).path == DEFAULT


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("schema: 1", "schema: 1\nschema: 1", "a second time"),
        ("    home: README.md", "    home: README.md\n    colour: red", "unknown key `colour`"),
        ("    weight: 1", "    weight: heavy", "Expected `float`, got `str`"),
        ("    weight: 1", "    weight: -1", "weight"),
        ("  - name: kernels-gpu\n", "  - name: kernels\n", "the suite `kernels` is named twice"),
        ("    benchmark: handnet\n", "    benchmark: handnets\n", "unknown benchmark `handnets`"),
        ('    versions: ">=0.1,<0.2"', '    versions: "newest"', "is not a version range"),
        ("    publisher: benchwright", "    publisher: somebody", "unknown publisher `somebody`"),
    ],
)
def test_a_bad_registry_is_one_sentence_with_the_line(tmp_path, old, new, told):
    with pytest.raises(FileError) as caught:
        registry.load(changed(tmp_path, old, new))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.place.rpartition(":")[2].isdigit()


def test_a_registry_of_another_schema_is_refused(tmp_path):
    with pytest.raises(FileError, match="has schema 2; this bench reads 1"):
        registry.load(changed(tmp_path, "schema: 1", "schema: 2"))


def test_a_sets_file_that_is_not_the_pinned_one_makes_its_tasks_unvalidated(tmp_path):
    installed = plugins.load()
    read = registry.load(DEFAULT)
    name = next(name for name in read.benchmarks if registry.sets_path(installed.benchmarks[name]))
    pinned = read.benchmarks[name].sets_digest
    other = registry.load(changed(tmp_path, pinned, "sha256:" + "0" * 64))
    pin = next(iter(registry._sets_of(installed.benchmarks[name]).sets.values()))[0]
    assert read.set_of(installed, pin.id, pin.version, pin.digest) != "unvalidated"
    assert other.set_of(installed, pin.id, pin.version, pin.digest) == "unvalidated"
    assert any("is not the one" in problem for problem in other.problems(installed))


def test_a_task_with_another_digest_is_in_no_set():
    installed = plugins.load()
    read = registry.load(DEFAULT)
    pin = next(iter(registry._sets_of(installed.benchmarks["weightspace"]).sets.values()))[0]
    assert read.set_of(installed, pin.id, pin.version, "bw1:" + "0" * 64) == "unvalidated"
    assert read.set_of(installed, pin.id, "999", pin.digest) == "unvalidated"


def test_a_model_that_answers_under_a_dated_id_is_accepted_by_a_rule_only(tmp_path):
    path = changed(
        tmp_path,
        "models: []",
        "models:\n  - name: anthropic/claude-x\n    answered_by: [claude-x-20260801]\n    short: x\n",
    )
    read = registry.load(path)
    assert read.accepts("anthropic/claude-x", "claude-x")
    assert read.accepts("anthropic/claude-x", "claude-x-20260801")
    assert not read.accepts("anthropic/claude-x", "claude-x-20260901")
    assert not registry.load(DEFAULT).accepts("anthropic/claude-x", "claude-x-20260801")
    assert read.short_name("anthropic/claude-x") == "x"


def test_pinning_writes_the_digests_of_the_installed_sets(tmp_path):
    installed = plugins.load()
    path = tmp_path / "registry.yaml"
    path.write_text(
        "\n".join(
            "    sets_digest: null" if line.startswith("    sets_digest:") else line
            for line in DEFAULT.read_text().splitlines()
        )
        + "\n"
    )
    assert registry.pin_sets(path, installed)
    assert path.read_text() == DEFAULT.read_text()
    assert registry.pin_sets(path, installed) == []
