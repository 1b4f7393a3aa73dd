"""Every hook stands in docs/hooks.md with its real signature, and nothing else does."""

import inspect
import re
from pathlib import Path

from benchwright.hookspecs import Hooks

PAGE = Path(__file__).parents[4] / "docs" / "hooks.md"


def signatures() -> set[str]:
    found = set()
    for name, function in inspect.getmembers(Hooks, inspect.isfunction):
        arguments = [argument for argument in inspect.signature(function).parameters if argument != "self"]
        found.add(f"{name}({', '.join(arguments)})")
    return found


def test_the_page_documents_exactly_the_hooks_there_are():
    documented = re.findall(r"^### `(.*)`$", PAGE.read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(signatures())


def test_every_field_of_a_context_is_named_on_the_page():
    from benchwright import hookspecs

    page = PAGE.read_text()
    for context in (hookspecs.ListTasks, hookspecs.LoadTask, hookspecs.CheckRules, hookspecs.Evaluate,
                    hookspecs.Calibrate, hookspecs.Report):  # fmt: skip
        for field in context.__struct_fields__:
            assert f"ctx.{field}" in page, f"{context.__name__}.{field}"
