"""`bench handnet lint` and `bench data fetch`: what is no answer, no folder or no set is told in a sentence, with exit code 2."""

from importlib import resources

import click
import pytest
from benchwright.errors import UserError
from click.testing import CliRunner
from handnet_bench import commands, tasks

EMPTY = "The file defines no TASK and no WEIGHTS and no predict."


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli = click.Group("bench")
    commands.register(cli)
    return lambda *args: CliRunner().invoke(cli, list(args))


def network(slug):
    name = "sentiment" if slug == "sst2" else slug
    return (resources.files("handnet_bench") / "networks" / f"{name}.py").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", EMPTY),
        ("# nothing\n", EMPTY),
        ("def f():\n    TASK = 'dyck1'\n    WEIGHTS = {}\n", EMPTY),
        ("TASK = 'dyck1'\nWEIGHTS = {}\n", "The file defines no predict."),
        (network("addition"), "TASK is 'addition'; it has to be 'dyck1'."),
        ("x = (", "The file is no Python source: '(' was never closed (line 1)."),
        (
            "x = 0" + " + 0" * 1000,
            "The file nests more than 90 levels deep (line 1); cut long sums and chains of `elif` into several statements.",
        ),
        ("TASK = 'dyck1'\n\0", "The file is no Python source: it holds a NUL byte (line 2)."),
        (None, "cannot be read: No such file or directory"),
    ],
    ids=[
        "empty",
        "a comment",
        "in a function",
        "no predict",
        "another task",
        "no Python",
        "too deep",
        "a NUL byte",
        "no file",
    ],
)
def test_lint_refuses_what_is_no_answer_to_the_task(bench, tmp_path, text, words):
    if text is not None:
        (tmp_path / "net.py").write_text(text)
    done = bench("handnet", "lint", "dyck1", "net.py")
    assert isinstance(done.exception, UserError), done.exception
    assert str(done.exception).startswith(f"net.py: {words}")
    assert done.exception.exit_code == 2


def test_lint_says_its_own_limit_of_size(bench, tmp_path):
    with open(tmp_path / "net.py", "wb") as file:
        file.truncate(102_000_000)
    done = bench("handnet", "lint", "dyck1", "net.py")
    assert (
        str(done.exception) == "net.py: is 102,000,000 bytes long, and this command reads files of at most 4,000,000."
    )


@pytest.mark.parametrize("slug", list(tasks.BY_SLUG))
def test_lint_ends_with_0_on_the_reference_of_each_task(bench, tmp_path, slug):
    (tmp_path / "net.py").write_text(network(slug))
    done = bench("handnet", "lint", slug, "net.py")
    assert (done.exit_code, done.output) == (0, "0 violations of the static rules.\n")


def test_lint_ends_with_2_where_a_rule_is_broken(bench, tmp_path):
    (tmp_path / "net.py").write_text("import os\n" + network("dyck1"))
    done = bench("handnet", "lint", "dyck1", "net.py")
    assert done.exit_code == 2
    assert "net.py:1:" in done.output
    assert "1 violation of the static rules." in done.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("sst2", "--sst2-dir", "empty"), "empty holds no split of SST-2"),
        (("sst2", "--from", "empty"), "empty holds no split of SST-2"),
        (("sst2", "--from", "nope"), "nope is not a folder"),
        (("mnist", "--from", "nope"), "nope is not a folder"),
        (("movie-snippets", "--from", "nope"), "nope is not a folder"),
        (("mnist", "--from", "empty"), "empty holds no train-images-idx3-ubyte.gz"),
    ],
)
def test_fetch_refuses_a_folder_that_holds_nothing_of_the_set(bench, tmp_path, options, words):
    (tmp_path / "empty").mkdir()
    done = bench("data", "fetch", *options, "--data", "kept")
    assert isinstance(done.exception, UserError), done.exception
    assert words in str(done.exception)
    assert not (tmp_path / "kept").exists()
