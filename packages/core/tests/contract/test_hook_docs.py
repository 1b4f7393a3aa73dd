"""Every hook stands in docs/hooks.md with its real signature, and nothing else does."""

import inspect
import re
from pathlib import Path

import benchwright
import msgspec
import pytest
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


@pytest.mark.parametrize(
    "record", ["TaskSpec", "Protocol", "Task", "Limits", "Submission", "Evaluation", "Check", "Violation", "Param"]
)
def test_a_table_has_each_field_of_a_record_with_its_default(record):
    section = re.search(rf"^### {record}\n(.*?)(?=^##)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    documented = {}
    for fields, default in re.findall(r"^\| (`.*?) \| (.*?) ?\| ", section[1], re.MULTILINE):
        documented.update(dict.fromkeys(re.findall(r"`(\w+)`", fields), default.strip("`")))
    found = {}
    for field in msgspec.structs.fields(getattr(benchwright, record)):
        default = (
            "" if field.required else field.default_factory() if callable(field.default_factory) else field.default
        )
        if isinstance(default, msgspec.Struct):
            found[field.name] = f"{type(default).__name__}()"
        else:
            found[field.name] = "" if field.required else repr(default).replace("'", '"')
    assert documented == found
