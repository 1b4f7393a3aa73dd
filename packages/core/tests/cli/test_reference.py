"""The page of commands is generated, never typed."""

from pathlib import Path

import pytest
from benchwright.cli import COMMANDS, bench
from benchwright.cli.reference import markdown

PAGE = Path(__file__).parents[4] / "docs" / "cli.md"


@pytest.mark.skipif(
    not PAGE.exists(), reason="the pages lie beside the packages in the repository, not in a distribution"
)
def test_the_page_of_commands_is_what_the_commands_say() -> None:
    assert PAGE.read_text() == markdown(), "python -m benchwright.cli.reference > docs/cli.md"


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
