"""The page of commands is generated, never typed."""

from pathlib import Path

import pytest
from benchwright import plugins
from benchwright.cli import COMMANDS, bench
from benchwright.cli.reference import distributions, markdown
from benchwright.errors import UserError

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "cli.md"


@pytest.mark.skipif(
    not PAGE.exists(), reason="the pages lie beside the packages in the repository, not in a distribution"
)
def test_the_page_of_commands_is_what_the_commands_say() -> None:
    missing = distributions(ROOT) - {one.distribution for one in plugins.load().benchmarks.values()}
    if missing:
        pytest.skip(f"not installed here: {', '.join(sorted(missing))}")
    page = markdown(ROOT)
    assert PAGE.read_text() == page, "python -m benchwright.cli.reference > docs/cli.md"
    assert "# Of the package `benchwright-logs`\n\n## `bench logs COMMAND" in page


def test_without_a_package_of_the_repository_there_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "packages" / "other").mkdir(parents=True)
    (tmp_path / "packages" / "other" / "pyproject.toml").write_text('[project]\nname = "nobody-has-this"\n')
    with pytest.raises(UserError, match="nobody-has-this"):
        markdown(tmp_path)


def test_the_line_shown_in_the_list_of_commands_says_no_more_than_a_line() -> None:
    for name, (place, text) in COMMANDS.items():
        assert len(text) <= 90, name
        assert text.endswith("."), name
        assert place.count(":") == 1


def test_every_command_of_the_list_is_there_and_explains_every_option() -> None:
    import click

    for name in COMMANDS:
        command = bench.get_command(click.Context(bench), name)
        assert command is not None
        assert command.help, name
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{name} {option.name}"
