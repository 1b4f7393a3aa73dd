"""The licensing walk, done by a machine: every test rests on a promise of the prompt, and every promise has a test.

A promise is a sentence or a paragraph of `prompt.md` that ends in `[P7]`; a test names those that it rests on in its
docstring, `\"\"\"[P7]\"\"\"` or `\"\"\"[P2] [P7]\"\"\"`. The numbers never reach a model.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from scratch_kernels import folder as folders

_NUMBER = re.compile(r"\[P(\d+)\]")
_HINTS = re.compile(r"\b(?:hidden|(?:py|unit)?tests?|tested|testing|grader|graded|mutants?|assert\w*)\b", re.IGNORECASE)


def stripped(prompt: str) -> str:
    """The prompt without its numbers, as a model is sent it."""
    return re.sub(r"[ \t]*\[P\d+\]", "", prompt)


def made(prompt: str) -> list[int]:
    """The numbers of the promises in a prompt, as they come."""
    return [int(number) for number in _NUMBER.findall(prompt)]


def named(source: str) -> dict[str, list[int]]:
    """Test function -> the promises that its docstring names."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            found[node.name] = made(ast.get_docstring(node) or "")
    return found


def problems(folder: Path) -> list[str]:
    """Where promises and tests disagree, a sentence each."""
    prompt = folders.text(folder / "prompt.md")
    promised = made(prompt)
    found = [] if promised else ["prompt.md numbers no promise"]
    found += [f"prompt.md numbers two promises P{n}" for n in sorted({n for n in promised if promised.count(n) > 1})]
    tests: dict[str, list[int]] = {}
    for name, data in folders.files(folder / "hidden_tests").items():
        tests.update(named(data.decode()) if Path(name).name.startswith("test_") else {})
    for test, numbers in tests.items():
        if not numbers:
            found.append(f"{test} names no promise in its docstring")
        found += [f"{test} rests on P{n}, which prompt.md does not make" for n in numbers if n not in promised]
    kept = {n for numbers in tests.values() for n in numbers}
    found += [f"no test rests on promise P{n}" for n in sorted(set(promised) - kept)]
    sent = stripped(prompt)
    found += [
        f"prompt.md speaks of `{word}`, which hints at how it is judged" for word in sorted(set(_HINTS.findall(sent)))
    ]
    return found + [f"prompt.md names {test}" for test in tests if test in sent]
