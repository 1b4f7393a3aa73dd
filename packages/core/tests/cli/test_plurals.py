"""One attempt is an attempt: what a command counts agrees with its noun."""

import ast
import itertools
import re
from pathlib import Path

import pytest
from benchwright.counting import plural

PACKAGES = Path(__file__).parents[3]
COMMANDS = [
    path
    for pattern in ("core/src/benchwright/cli/*.py", "*/src/*/commands.py")
    for path in sorted(PACKAGES.glob(pattern))
]
NOUN = re.compile(r"(?: [a-z-]+){0,2} (?!this|is|was|has|as|does|less|across|unless)[a-z]{2,}s\b")


def always_plural(text: str) -> list[str]:
    """The counts in f-strings that stand before a noun with an s, whatever they are."""
    found = []
    for node in ast.walk(ast.parse(text)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for count, after in itertools.pairwise(parts):
            words = after.value if isinstance(after, ast.Constant) else ""
            if not isinstance(count, ast.FormattedValue) or not isinstance(words, str) or not NOUN.match(words):
                continue
            value = count.value
            counted = (
                isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("len", "sum")
            )
            if counted or isinstance(value, ast.Attribute):
                found.append(ast.unparse(count) + words)
    return found


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: str(path.relative_to(PACKAGES)))
def test_no_command_counts_with_a_noun_that_is_always_plural(path: Path) -> None:
    assert always_plural(path.read_text()) == []


@pytest.mark.parametrize(
    "line", ["{len(found)} problems", "{found.attempts} attempts, {n}", "{sum(a)} scored files: {b}"]
)
def test_a_count_before_a_plural_noun_is_seen(line: str) -> None:
    assert len(always_plural(f"said = f'{line}'")) == 1


def test_a_count_agrees_with_its_noun() -> None:
    assert [plural(number, "task") for number in (0, 1, 2, 1200)] == ["0 tasks", "1 task", "2 tasks", "1,200 tasks"]
    assert [plural(number, "pass", "passes") for number in (1, 2)] == ["1 pass", "2 passes"]
